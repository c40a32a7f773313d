import { readFileSync, writeFileSync } from 'node:fs';

const ROOT = `${import.meta.dirname}/..`;
const SOURCE = `${ROOT}/node_modules/crawler-user-agents`;
const NAMES = `${ROOT}/shared/ads/bids/crawler-names.json`;

/** An entry of the package crawler-user-agents: a pattern, its tags, and observed user agents. */
export interface CrawlerEntry {
  pattern: string;
  tags: readonly string[];
  instances: readonly string[];
}

/** Tags of crawlers that request pages without a person. */
const CRAWLER_TAGS = ['search-engine', 'social-preview', 'ai-crawler', 'monitoring'];
/** Tags of tools and programs that may follow a link for a person. */
const TOOL_TAGS = ['http-library', 'browser-automation'];

const CRAWLER_WORD = /bot|crawl|spider/i;
const ADDRESS = /https?:\/\/|www\.|@/;

/** Patterns (from the source) of crawlers, previews, and monitors whose user agent has no URL. */
const WITHOUT_ADDRESS = [
  'BingPreview\\/',
  'Catchpoint',
  'Chatwork LinkPreview',
  'Chrome-Lighthouse',
  'Datadog Synthetic',
  'DatadogSynthetics',
  'Discourse Forum Onebox',
  'Dotcom-Monitor',
  'FastmailUA',
  'GTmetrix',
  'Google Favicon',
  'Google Web Preview',
  'Google-InspectionTool',
  'Google-Site-Verification',
  'GoogleImageProxy',
  'GoogleOther',
  'Honeybadger Uptime Check',
  'Hydrozen\\.io',
  'LogicMonitor',
  'Mediapartners-Google',
  'NewRelicSynthetics',
  'NodePing',
  'Orlo-LinkPreview\\/',
  'Panopta',
  'PlayStore-Google',
  'RuxitSynthetic',
  'Site24x7',
  'SkypeUriPreview',
  'StatusCake',
  'ThousandEyes',
  'TwilioProxy\\/',
  'Uptime-Kuma',
  'Valve\\/Steam',
  'WhatsApp',
  'Zabbix',
  'anthropic-ai',
  'check_http',
  'cohere-ai',
  'elmah\\.io Uptime Monitoring',
  'github-camo',
  'ia_archiver',
  'jetmon\\/',
  'updown\\.io',
  'uptrends',
];

/**
 * Replacement names for patterns that are not plain text, or that also match people's apps or publishers' programs. Empty if the crawler
 * cannot be told apart from those.
 */
const REPLACEMENTS: Readonly<Record<string, readonly string[]>> = {
  '(^| )sentry\\/': [],
  'AdsBot-Google([^-]|$)': ['AdsBot-Google'],
  'Ahrefs(Bot|SiteAudit)': ['AhrefsBot', 'AhrefsSiteAudit'],
  'AppEngine-Google': [],
  'Automaton|Newsify Feed Fetcher': [],
  'Buck\\/': [],
  'Chirp|gotosocial': ['gotosocial'],
  'ContextualBot[\\s\\S]*outcomes\\.net': ['ContextualBot'],
  'Netumo|netumo': ['Netumo', 'netumo'],
  'Notion\\/': [],
  'RED\\/': [],
  'Spider[\\s\\S]*spider\\.com': [],
  'S[eE][mM]rushBot': ['SemrushBot', 'SEMrushBot'],
  'Uptime\\/': ['Uptime/1.0; http'],
  'Vigil\\/': [],
  '[Cc]urebot': ['Curebot', 'curebot'],
  '[cC]laude[bB]ot': ['ClaudeBot', 'Claudebot', 'claudebot'],
  '[cC]ludo': ['Cludo', 'cludo'],
  '[pP]ingdom': ['Pingdom', 'pingdom'],
  'dbot\\)': [],
  Devin: [],
  Goodreads: [],
  Hatena: ['Hatena Antenna', 'Hatena-Favicon', 'Hatena::'],
  Sogou: ['Sogou News Spider', 'Sogou Pic Spider', 'Sogou inst spider', 'Sogou web spider'],
  Splunk: [],
  Synapse: ['Synapse (bot'],
  Watchful: [],
  changedetection: ['www.changedetection.com'],
  ichiro: ['ichiro/'],
  linko: ['linko.app'],
  speedy: ['Speedy Spider', 'speedy_spider'],
};

/** Documented by their operators, but not in the source. */
const NOT_IN_SOURCE = [
  'Amazon-Route53-Health-Check-Service',
  'Bluesky Cardyb/',
  'ELB-HealthChecker/',
  'TikTok-Bot',
  'YandexBot',
];

/**
 * The names of declared crawlers: search engines, link previews, AI crawlers, and monitors that identify themselves or link to a
 * description, and others that do both.
 * @throws Error for a pattern that is not plain text
 */
export function declaredNames(entries: readonly CrawlerEntry[]): string[] {
  const names = entries
    .filter(isDeclaredCrawler)
    .flatMap(({ pattern }) => REPLACEMENTS[pattern] ?? [toPlainName(pattern)]);
  return [...new Set([...names, ...NOT_IN_SOURCE])].sort();
}

function isDeclaredCrawler({ pattern, tags, instances }: CrawlerEntry): boolean {
  const saysSo = CRAWLER_WORD.test(pattern);
  const isAddressed = instances.some((agent) => ADDRESS.test(agent));
  if (WITHOUT_ADDRESS.includes(pattern)) return true;
  if (tags.some((tag) => CRAWLER_TAGS.includes(tag))) return saysSo || isAddressed;
  return saysSo && isAddressed && !tags.some((tag) => TOOL_TAGS.includes(tag));
}

function toPlainName(pattern: string): string {
  const name = pattern.replaceAll(/^\^|\\(?=\W)/g, '').trim();
  if (/(?<!\\)[*+?|$()[\]{}]|\\\w/.test(pattern))
    throw new Error(`${pattern} is not plain text: add it to REPLACEMENTS`);
  return name;
}

/** The names that functions read, from the installed package. */
export function crawlerNames(): string {
  const entries: CrawlerEntry[] = JSON.parse(readFileSync(`${SOURCE}/crawler-user-agents.json`, 'utf8'));
  return `${JSON.stringify(declaredNames(entries), null, 2)}\n`;
}

if (import.meta.main) writeFileSync(NAMES, crawlerNames());
