import { seedFixtures } from '../../infra/local/fixtures.ts';
import { DEMO_PUBLISHER, demoKey } from '../../infra/local/seed.ts';
import { readConfig } from '../../shared/platform/config.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { createLog } from '../../shared/platform/log.ts';
import { noMetrics } from '../../shared/platform/metrics.ts';
import { createMemoryDatabase } from '../memory/database.ts';
import { createCaller, createHandlers, createTestClock, createTestIds, runningShoes, testResolve } from '../service.ts';
import { isOfNewWords, type MakeText, MESSAGE_LENGTH } from './hostile-texts.ts';

/** Characters of a text that is sent: as many as are read of a conversation. */
export const TEXT_LENGTH = 65_536;

/** How many times what an ordinary text costs a hostile one may cost. */
const MOST_TIMES = 3;
/**
 * And one of words that no instance has met: each is stemmed and looked up, not just found in a cache. Measured 3.7 at most (46 ms for 64 KB
 * of German), and ordinary text of new words would cost as much.
 */
const MOST_TIMES_OF_NEW_WORDS = 5;
export const mostTimes = (text: string): number => (isOfNewWords(text) ? MOST_TIMES_OF_NEW_WORDS : MOST_TIMES);

export type Send = (text: string) => Promise<number>;

/** Hands out a text piece by piece, from the start again where it ends. */
function pieces(text: string) {
  let at = 0;
  const take = (length: number): string => {
    if (at + length > text.length) at = 0;
    at += length;
    // Half a sequence of an emoji, or a field that is empty once it is trimmed, is refused before it is read.
    return text
      .slice(at - length, at)
      .toWellFormed()
      .replace(/^[\s\p{M}\p{Cf}]+|[\s\p{Cf}]+$/gu, 'x');
  };
  return { take, list: (count: number, length: number) => Array.from({ length: count }, () => take(length)) };
}

const parts = (text: string, length: number): string[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, part) => text.slice(part * length, (part + 1) * length));

const messagesOf = (text: string, length = MESSAGE_LENGTH) =>
  parts(text, length).map((content, index, all) => ({
    role: (all.length - index) % 2 || all.length < 3 ? 'user' : 'assistant',
    content,
  }));

/** A market in several languages: where no campaign has words of a language, its words are not looked for. */
const MARKET = {
  en: ['running shoes', 'hotel booking', 'washing machine', 'ab', 'cabin by the lake'],
  de: ['Waschmaschine', 'Versicherung', 'Beratung', 'Ferienwohnung', 'Kaufberatung'],
  ko: ['호텔', '운동화', '한국어', '가족 여행'],
  zh: ['酒店', '跑鞋', '洗衣机'],
  ja: ['ホテル', '洗濯機', 'アパート'],
  th: ['โรงแรม', 'รองเท้าวิ่ง'],
  ar: ['فندق', 'حذاء رياضي', 'الله'],
};

/** A service in memory, whose clock goes on by a second for each request so that no limit hides what is behind it. */
async function startService(seed: string) {
  const clock = createTestClock();
  const effects: Effects = {
    db: createMemoryDatabase(),
    clock,
    config: readConfig({ LOG_LEVEL: 'silent', BASE_URL: 'https://ads.test' }, true),
    ids: createTestIds(seed, clock.now),
    log: createLog('silent'),
    metrics: noMetrics,
    resolve: testResolve,
  };
  const handlers = await createHandlers(effects);
  const call = createCaller(() => handlers);
  const post = (path: string, headers: Record<string, string>, body: unknown) => {
    clock.advance(1_000);
    return call('POST', `/api/v1/${path}`, { headers, body });
  };
  return { effects, post };
}

/** Every operation that reads text, each as a function that sends it a text and returns the status. */
export async function textOperations(): Promise<Record<string, Send>> {
  const serving = await startService('serving');
  await seedFixtures(serving.effects);
  for (const [language, keywords] of Object.entries(MARKET)) {
    const body = { ...runningShoes(), targetAudience: { keywords, languages: [language] } };
    await serving.post('campaigns', { 'x-user-id': DEMO_PUBLISHER }, body);
  }
  const managing = await startService('managing');
  let made = 0;
  const publisher = { 'x-api-key': demoKey() };
  const ask = async (path: string, body: unknown, headers: Record<string, string> = publisher) =>
    (await serving.post(path, headers, body)).status;
  /** Each by another advertiser, under another name. */
  const create = async (more: object) => {
    const headers = { 'x-user-id': `advertiser-${++made}` };
    return (await managing.post('campaigns', headers, { ...runningShoes(), status: 'draft', ...more })).status;
  };
  const audienceOf = (text: string, keywords: number) => {
    const { list } = pieces(text);
    return {
      keywords: list(keywords, 80),
      excludedKeywords: list(keywords, 80),
      categories: list(keywords / 4, 80),
      demographics: { interests: list(keywords / 4, 80) },
    };
  };

  return {
    bid: (text) => ask('ssp/bid', { countryCode: 'US', messages: messagesOf(text) }),
    'bid, 1,000 messages': (text) =>
      ask('ssp/bid', { countryCode: 'US', messages: messagesOf(text, Math.ceil(text.length / 1_000)) }),
    'bid with X-Debug': (text) =>
      ask('ssp/bid', { countryCode: 'US', messages: messagesOf(text) }, { ...publisher, 'x-debug': 'true' }),
    legacy: (text) =>
      ask('ad-serving/request', { context: { conversation: text, userQuery: text.slice(0, MESSAGE_LENGTH) } }),
    preview: (text) =>
      ask('campaigns/preview', { campaign: runningShoes(), messages: messagesOf(text) }, { 'x-user-id': 'previewer' }),
    'preview of keywords': (text) => {
      const { take } = pieces(text);
      // Reach is remembered: what is asked for must be new.
      const campaign = { ...runningShoes(), targetAudience: audienceOf(`${++made} ${take(600)}${text}`, 20) };
      return ask('campaigns/preview', { campaign }, { 'x-user-id': 'previewer' });
    },
    OpenRTB: (text) => {
      const { take, list } = pieces(text);
      const native = { request: JSON.stringify({ ver: '1.2', assets: [{ id: 1, title: { len: 140 } }] }) };
      return ask('openrtb2/bid', {
        id: 'request',
        imp: [{ id: '1', native }],
        site: { content: { title: take(1_024), keywords: take(4_096), kwarray: list(100, 256) } },
        device: { geo: { country: 'USA' } },
        ext: { conversation: { messages: messagesOf(text) } },
      });
    },
    'Trusted Match': (text) => {
      const { take, list } = pieces(text);
      const assets = parts(text, MESSAGE_LENGTH).map((content, index) => ({
        type: 'text',
        content,
        content_format: index === 0 ? 'text/html' : 'text/plain',
      }));
      return ask('trusted-match/context', {
        type: 'context_match_request',
        request_id: 'request',
        property_rid: '01916f3a-f8cb-7000-8000-000000000050',
        property_type: 'ai_assistant',
        placement_id: 'chat',
        seller_agent_url: 'https://assistant.example/agent',
        context_signals: { taxonomy_source: 'own', topics: list(50, 256), keywords: list(50, 100), summary: take(500) },
        artifact: { assets },
      });
    },
    'campaign creation': (text) => {
      const { take } = pieces(text);
      return create({ description: take(1_600), targetAudience: audienceOf(text, 200) });
    },
    'creative review': (text) => {
      const { take } = pieces(text);
      const path = encodeURIComponent(take(200)).slice(0, 1_000);
      return create({
        creative: {
          headline: take(160),
          description: take(800),
          callToAction: take(40),
          sponsoredBy: take(160),
          landingUrl: `https://shoes.example/${path.replace(/%[0-9A-F]?$/, '')}`,
        },
      });
    },
  };
}

/** What one call costs in processor time, and what it was answered. */
export interface Cost {
  ms: number;
  status: number;
}

/** Calls in a row: the first one after another text may be slow because code that was compiled for that text is not for this one. */
const IN_A_ROW = 3;
/** Processor time of a text after which it is not measured again: it is known to be slow. */
const ENOUGH_MS = 1_000;

/**
 * The processor time that each text costs an operation: the least of some rounds in which the texts take turns, since what else the
 * machine does only ever adds to it.
 */
export async function costs<N extends string>(
  send: Send,
  texts: Readonly<Record<N, MakeText>>,
  rounds: number,
): Promise<Record<N, Cost>> {
  const found = {} as Record<N, Cost>;
  const spent = new Map<N, number>();
  for (let round = 0; round < rounds; round++)
    for (const [name, text] of Object.entries(texts) as [N, MakeText][])
      for (let call = 0; call < IN_A_ROW && (spent.get(name) ?? 0) < ENOUGH_MS; call++) {
        const { ms, status } = await cost(send, text());
        spent.set(name, (spent.get(name) ?? 0) + ms);
        found[name] = { status, ms: Math.min(ms, found[name]?.ms ?? Number.POSITIVE_INFINITY) };
      }
  return found;
}

async function cost(send: Send, text: string): Promise<Cost> {
  const before = process.cpuUsage();
  const status = await send(text);
  const { user, system } = process.cpuUsage(before);
  return { ms: (user + system) / 1_000, status };
}
