import type { Ad } from '../../client/src/index.ts';
import type { SponsoredAd } from './part.ts';
import { toSponsoredAd } from './route.ts';

/*
 * An advertiser's text is never markup. Every function below labels the ad, keeps each text on one line, links only to http and https,
 * and breaks whatever a chat would turn into a mention or a link of its own, such as @everyone or www.example.com.
 */

/** Invisible, and of width 0. */
const BREAK = '\u200B';

/**
 * The ad as Markdown: its label, headline, and description, and a link. Also safe in chats with mentions, such as Discord.
 * @param ad an ad of the SSP API, or of a sponsored part
 */
export function toMarkdown(ad: Ad | SponsoredAd): string {
  const { label, headline, description, action, url } = read(ad);
  const bold = (text: string) => text && `**${escapeMarkdown(text)}**`;
  const link = (text: string) => (url ? `[${text}](${escapeUrl(url)})` : text);
  const lines = [
    `*${escapeMarkdown(label)}*`,
    action ? bold(headline) : link(bold(headline)),
    [escapeMarkdown(description), action && link(escapeMarkdown(action))].filter(Boolean).join(' '),
  ];
  // Two spaces at the end of a line are Markdown's line break, and invisible where Markdown is not rendered.
  return lines.filter(Boolean).join('  \n');
}

/** The ad as plain text, for example for a terminal: its label, headline, description, and URL. Contains no control characters. */
export function toText(ad: Ad | SponsoredAd): string {
  const { label, headline, description, action, url } = read(ad);
  const lines = [label, headline, description].map(breakLinks);
  return [...lines, [breakLinks(action), url].filter(Boolean).join(': ')].filter(Boolean).join('\n');
}

/** The ad as HTML: an `aside` with its label, image, headline, description, and link. */
export function toHtml(ad: Ad | SponsoredAd): string {
  const { label, headline, description, action, url, image } = read(ad);
  const link = (text: string) =>
    url ? `<a href="${escapeHtml(url)}" rel="sponsored noopener noreferrer" target="_blank">${text}</a>` : text;
  const show = (text: string) => escapeHtml(breakLinks(text));
  const bold = headline && `<strong>${show(headline)}</strong>`;
  const lines = [
    `<small>${show(label)}</small>`,
    image && `<img src="${escapeHtml(image)}" alt="">`,
    action ? bold : link(bold),
    show(description),
    action && link(show(action)),
  ];
  return `<aside aria-label="${escapeHtml(label)}">${lines.filter(Boolean).join('<br>')}</aside>`;
}

function read(given: Ad | SponsoredAd) {
  const ad = 'redirectUrl' in given ? toSponsoredAd(given) : given;
  return {
    label: ['Sponsored', toLine(ad.advertiser)].filter(Boolean).join(' · '),
    headline: toLine(ad.headline),
    description: toLine(ad.description),
    action: toLine(ad.callToAction),
    url: toWebUrl(ad.url),
    image: toWebUrl(ad.imageUrl),
  };
}

/** Controls, including those that color a terminal, and marks that reverse the direction of the text after the ad. */
const CONTROLS = /[\p{Cc}\u061C\u202A-\u202E\u2066-\u2069]+/gu;
const toLine = (text: unknown): string =>
  typeof text === 'string' ? text.replaceAll(/\s+/g, ' ').replaceAll(CONTROLS, '').trim() : '';

/** Undefined for what is not a URL, and for any scheme except http and https, such as javascript. */
function toWebUrl(text: unknown): string | undefined {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/**
 * Breaks mentions (@everyone, Slack's <!channel>), email addresses, URLs, and domains. A browser ignores the break in a host, so it must
 * keep every chat from finding one: `www.` and `//` alone are a link in some.
 */
const breakLinks = (text: string): string =>
  text
    .replaceAll('@', `${BREAK}@${BREAK}`)
    .replaceAll(/<(?=\S)/g, `<${BREAK}`)
    .replaceAll(/\/(?=\/)/g, `/${BREAK}`)
    .replaceAll(/(?<=\p{L}):(?=\S)/gu, `${BREAK}:`)
    .replaceAll(/(?<=www)\./gi, `${BREAK}.`)
    .replaceAll(/(?<=\S)[.。．｡](?=\p{L})/gu, `$&${BREAK}`);

/** Escapes what Markdown, tables, and formulas give a meaning anywhere, and what does at the beginning of a line. */
const escapeMarkdown = (text: string): string =>
  breakLinks(text)
    .replaceAll(/[\\`*_[\]<>|~$&]|(?<=\])\(/g, '\\$&')
    .replace(/^[#+\-=:]/, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2');

/** Escapes what could end the destination of a link. */
const escapeUrl = (url: string): string => url.replaceAll(/[()\\<>]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (one) => ENTITIES[one] ?? '');
