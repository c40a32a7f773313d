import { seedFixtures } from '../../infra/local/fixtures.ts';
import { DEMO_PUBLISHER, demoKey } from '../../infra/local/seed.ts';
import { readConfig } from '../../shared/platform/config.ts';
import type { Effects } from '../../shared/platform/effects.ts';
import { createLog } from '../../shared/platform/log.ts';
import { noMetrics } from '../../shared/platform/metrics.ts';
import { createMemoryDatabase } from '../memory/database.ts';
import { createCaller, createHandlers, createTestClock, createTestIds, runningShoes, testResolve } from '../service.ts';
import { isOfNewWords, type MakeText, MESSAGE_LENGTH } from './hostile-texts.ts';

/** The length of a text in characters: the part of a conversation that the service reads. */
export const TEXT_LENGTH = 65_536;

/** The maximum cost of a hostile text, relative to an ordinary one. */
const MAX_RATIO = 3;
/**
 * The same for text of new words, which are stemmed and looked up instead of found in a cache. At most 3.7 was measured (46 ms for
 * 64 KB of German). Ordinary text of new words costs as much.
 */
const MAX_RATIO_OF_NEW_WORDS = 5;
export const getMaxRatio = (text: string): number => (isOfNewWords(text) ? MAX_RATIO_OF_NEW_WORDS : MAX_RATIO);

export type Send = (text: string) => Promise<number>;

/** Returns consecutive pieces of a text, and continues at its start after its end. */
function pieces(text: string) {
  let at = 0;
  const take = (length: number): string => {
    if (at + length > text.length) at = 0;
    at += length;
    // Half an emoji sequence, or a field that is empty after trimming, would be rejected before it is read.
    return text
      .slice(at - length, at)
      .toWellFormed()
      .replace(/^[\s\p{M}\p{Cf}]+|[\s\p{Cf}]+$/gu, 'x');
  };
  return { take, list: (count: number, length: number) => Array.from({ length: count }, () => take(length)) };
}

const parts = (text: string, length: number): string[] =>
  Array.from({ length: Math.ceil(text.length / length) }, (_, part) => text.slice(part * length, (part + 1) * length));

const toMessages = (text: string, length = MESSAGE_LENGTH) =>
  parts(text, length).map((content, index, all) => ({
    role: (all.length - index) % 2 || all.length < 3 ? 'user' : 'assistant',
    content,
  }));

/** Campaigns in several languages, because the service skips words of a language that no campaign uses. */
const MARKET = {
  en: ['running shoes', 'hotel booking', 'washing machine', 'ab', 'cabin by the lake'],
  de: ['Waschmaschine', 'Versicherung', 'Beratung', 'Ferienwohnung', 'Kaufberatung'],
  ko: ['호텔', '운동화', '한국어', '가족 여행'],
  zh: ['酒店', '跑鞋', '洗衣机'],
  ja: ['ホテル', '洗濯機', 'アパート'],
  th: ['โรงแรม', 'รองเท้าวิ่ง'],
  ar: ['فندق', 'حذاء رياضي', 'الله'],
};

/** An in-memory service. Its clock advances by a second per request, so that no rate limit rejects one. */
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

/** A function for each operation that reads text, which sends a text and returns the status. */
export async function textOperations(): Promise<Record<string, Send>> {
  const serving = await startService('serving');
  await seedFixtures(serving.effects);
  for (const [language, keywords] of Object.entries(MARKET)) {
    const body = { ...runningShoes(), targetAudience: { keywords, languages: [language] } };
    await serving.post('campaigns', { 'x-user-id': DEMO_PUBLISHER }, body);
  }
  const managing = await startService('managing');
  let count = 0;
  const publisher = { 'x-api-key': demoKey() };
  const request = async (path: string, body: unknown, headers: Record<string, string> = publisher) =>
    (await serving.post(path, headers, body)).status;
  /** Creates a campaign of a new advertiser with a new name. */
  const create = async (more: object) => {
    const headers = { 'x-user-id': `advertiser-${++count}` };
    return (await managing.post('campaigns', headers, { ...runningShoes(), status: 'draft', ...more })).status;
  };
  const toAudience = (text: string, keywords: number) => {
    const { list } = pieces(text);
    return {
      keywords: list(keywords, 80),
      excludedKeywords: list(keywords, 80),
      categories: list(keywords / 4, 80),
      demographics: { interests: list(keywords / 4, 80) },
    };
  };

  return {
    bid: (text) => request('ssp/bid', { countryCode: 'US', messages: toMessages(text) }),
    'bid, 1,000 messages': (text) =>
      request('ssp/bid', { countryCode: 'US', messages: toMessages(text, Math.ceil(text.length / 1_000)) }),
    'bid with X-Debug': (text) =>
      request('ssp/bid', { countryCode: 'US', messages: toMessages(text) }, { ...publisher, 'x-debug': 'true' }),
    legacy: (text) =>
      request('ad-serving/request', { context: { conversation: text, userQuery: text.slice(0, MESSAGE_LENGTH) } }),
    preview: (text) =>
      request(
        'campaigns/preview',
        { campaign: runningShoes(), messages: toMessages(text) },
        { 'x-user-id': 'previewer' },
      ),
    'preview of keywords': (text) => {
      const { take } = pieces(text);
      // Reach is cached, so every call needs a new audience.
      const campaign = { ...runningShoes(), targetAudience: toAudience(`${++count} ${take(600)}${text}`, 20) };
      return request('campaigns/preview', { campaign }, { 'x-user-id': 'previewer' });
    },
    OpenRTB: (text) => {
      const { take, list } = pieces(text);
      const native = { request: JSON.stringify({ ver: '1.2', assets: [{ id: 1, title: { len: 140 } }] }) };
      return request('openrtb2/bid', {
        id: 'request',
        imp: [{ id: '1', native }],
        site: { content: { title: take(1_024), keywords: take(4_096), kwarray: list(100, 256) } },
        device: { geo: { country: 'USA' } },
        ext: { conversation: { messages: toMessages(text) } },
      });
    },
    'Trusted Match': (text) => {
      const { take, list } = pieces(text);
      const assets = parts(text, MESSAGE_LENGTH).map((content, index) => ({
        type: 'text',
        content,
        content_format: index === 0 ? 'text/html' : 'text/plain',
      }));
      return request('trusted-match/context', {
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
      return create({ description: take(1_600), targetAudience: toAudience(text, 200) });
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

/** The processor time of one call, and its status. */
export interface Cost {
  ms: number;
  status: number;
}

/** Consecutive calls per text. The first call may be slow, because the compiled code was optimized for another text. */
const IN_A_ROW = 3;
/** A text with more processor time than this is slow, and is not measured again. */
const ENOUGH_MS = 1_000;

/**
 * The processor time of each text: the minimum of several rounds over all texts, because other load on the machine only increases
 * it.
 */
export async function measureCosts<N extends string>(
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
