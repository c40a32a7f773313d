import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync, zstdDecompressSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { endpointNames, endpointRow } from '../shared/http/operations/endpoints.ts';
import { DAY_MS } from '../shared/platform/clock.ts';
import type { Effects } from '../shared/platform/effects.ts';
import { tableNames } from '../shared/platform/tables.ts';
import { EVENT_TYPES } from '../shared/webhooks/events/types.ts';
import { useEventReceiver } from './event-receiver.ts';
import { createPublisher } from './functions/legacy/legacy.ts';
import { createExchange, imp, toExt } from './functions/openrtb2/exchange.ts';
import { contextMatchRequest, SELLER } from './functions/trusted-match/request.ts';
import { createMemoryDatabase, type Gate } from './memory/database.ts';
import { createMemoryQueue } from './memory/queue.ts';
import { startOnMemoryDatabase } from './memory/stack.ts';
import { useStack } from './service.ts';

// @module-tag whole

/** Personal data that readers write or that their clients send. Each part is looked for on its own. */
const PLANTS = {
  name: ['Wilhelmina', 'Quackenbush'],
  email: ['w.quackenbush@plantedmail.example', 'plantedmail'],
  phone: ['+49 151 23456789', '4915123456789', '151 23456789'],
  card: ['4111 1111 1111 1111', '4111111111111111'],
  street: ['Plantstraße 17b', 'Plantstraße', 'plantstrasse'],
  ipv4: ['198.51.100.77'],
  ipv6: ['2001:db8:1234:5678:9abc:def0:1234:5678', '5678:9abc:def0'],
  reader: ['reader-9f8e7d6c5b'],
  conversation: ['conversation-5a4b3c2d1e', ...Array.from({ length: 6 }, (_, at) => `conversation-5a4b3c2d1e-${at}`)],
  session: ['session-1a2b3c4d5e'],
  cookie: ['cookie-0f1e2d3c4b'],
} as const;
type Plant = keyof typeof PLANTS;
const plants = Object.keys(PLANTS) as Plant[];
const [NAME, EMAIL, PHONE, CARD, STREET, IPV4, IPV6, READER, CONVERSATION, SESSION, COOKIE] = [
  'Wilhelmina Quackenbush',
  ...plants.slice(1).map((plant) => PLANTS[plant][0]),
] as [string, string, string, string, string, string, string, string, string, string, string];

/** How a text appears in data: as it is, encoded, or hashed without a secret. Base64 depends on what precedes a text. */
function encodings(text: string): string[] {
  const base64 = [0, 1, 2].map((shift) => {
    const encoded = Buffer.from('x'.repeat(shift) + text).toString('base64');
    return encoded.replace(/=+$/, '').slice(shift === 0 ? 0 : shift + 1, -1);
  });
  const hashes = ['sha256', 'sha1', 'md5'].flatMap((name) => {
    const digest = createHash(name).update(text).digest();
    return (['hex', 'base64', 'base64url'] as const).map((form) => digest.toString(form).slice(0, 16)); // also if cut
  });
  const escaped = [...text].map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  return [
    text,
    encodeURIComponent(text),
    encodeURIComponent(encodeURIComponent(text)),
    encodeURIComponent(text).replaceAll('%20', '+'),
    JSON.stringify(text).slice(1, -1),
    escaped,
    Buffer.from(text).toString('hex'),
    ...base64,
    ...base64.map((one) => one.replaceAll('+', '-').replaceAll('/', '_')),
    ...hashes,
  ];
}

const variants = (text: string) => [...new Set([text, text.toLowerCase(), text.toUpperCase(), text.trim()])];
const NEEDLES = new Map(
  plants.map((plant) => {
    const texts: string[] = [...PLANTS[plant], ...(plant === 'name' ? [NAME] : [])];
    return [
      plant,
      [
        ...new Set(
          texts
            .flatMap(variants)
            .flatMap(encodings)
            .map((one) => one.toLowerCase()),
        ),
      ],
    ];
  }),
);

/** The plants that a text contains. */
function findIn(text: string): Plant[] {
  const lower = text.toLowerCase();
  return plants.filter((plant) => NEEDLES.get(plant)!.some((needle) => lower.includes(needle)));
}

/** The text that is compressed in a value, if any. */
function unpack(value: unknown): string | undefined {
  const bytes =
    typeof value === 'string' && value.startsWith('H4sI')
      ? Buffer.from(value, 'base64')
      : value instanceof Uint8Array
        ? value
        : undefined;
  if (bytes?.[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes).toString();
  return bytes?.[0] === 0x28 && bytes[1] === 0xb5 ? zstdDecompressSync(bytes).toString() : undefined;
}

/** Where a value contains plants, as `path: plant`. List positions are left out; packed texts are also searched unpacked. */
function* findLeaks(value: unknown, path: string): Generator<string> {
  const packed = unpack(value);
  if (packed !== undefined) yield* findLeaks(packed, path);
  else if (value instanceof Uint8Array) yield* findLeaks(Buffer.from(value).toString('latin1'), path);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, part] of Object.entries(value)) {
      const isPlanted = findIn(name).length > 0;
      for (const plant of findIn(name)) yield `${path} (name): ${plant}`;
      yield* findLeaks(part, Array.isArray(value) ? path : `${path}.${isPlanted ? '…' : name}`);
    }
  } else if (typeof value === 'string') for (const plant of findIn(value)) yield `${path}: ${plant}`;
}
const listLeaks = (found: Iterable<readonly [path: string, value: unknown]>): string[] =>
  [...new Set([...found].flatMap(([path, value]) => [...findLeaks(value, path)]))].sort();

/** Everything that was ever written to the database, and every message. */
const written: [path: string, value: unknown][] = [];
const sent: [path: string, value: unknown][] = [];

async function startRecorded(outside: Omit<Effects, 'db'>) {
  const gate: Gate = async ({ writes }, act) => {
    for (const write of writes) {
      const { table, values, update } = write as { table: string; values?: object; update?: string };
      if ('put' in write) written.push([table, write.put]);
      else if ('key' in write) written.push([table, write.key]);
      // What is only compared is not stored, but a condition can fail without a trace only if the caller knows the value.
      if (values) written.push([update === undefined ? `${table} (condition)` : table, values]);
    }
    return act();
  };
  const messages = createMemoryQueue(outside.clock);
  const queue = { ...messages.queue };
  const send: typeof queue.send = (name, content, options) => {
    sent.push([name, content]);
    return messages.queue.send(name, content, options);
  };
  const recorded = { ...messages, queue: { ...queue, send } };
  return startOnMemoryDatabase(outside, undefined, createMemoryDatabase().behind(gate), recorded);
}

const service = useStack(startRecorded, { LOG_LEVEL: 'debug', PUBLISHER_SHARE: '0.7' });
const receiver = useEventReceiver();
const { sendNotice } = createExchange(service);
/** Responses to advertisers and publishers. Those of the reader's own requests may repeat what was sent. */
const reported: [path: string, value: unknown][] = [];

/** What a reader writes: personal data around and between the words of a keyword and of a lexicon phrase. */
const TEXTS = [
  `Hi, I am ${NAME}, ${STREET}. Where can I buy waterproof Quackenbush hiking boots? Write to ${EMAIL} or ${PHONE}.`,
  `My card ${CARD} works. Which waterproof ${EMAIL} hiking boots fit Wilhelmina best? My address is ${IPV4} or ${IPV6}.`,
  `I want to book a Wilhelmina flight to Denver for ${NAME}, ${PHONE}, ${STREET}`,
  `book Quackenbush flight, waterproof ${PHONE} hiking boots, running Wilhelmina shoes: where do I buy them?`,
];
/** Headers of a client that sends more than it should. */
const HEADERS = {
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  referer: `https://chat.example/?user=${READER}&mail=${encodeURIComponent(EMAIL)}#${CONVERSATION}`,
  'x-forwarded-for': `${IPV4}, ${IPV6}`,
  cookie: `id=${COOKIE}`,
};
const ADDRESSES = [IPV4, IPV6];
const OPTED_OUT = { regs: { gpc: 1 } };

let requests = 0;
function call(method: string, path: string, more: { headers?: object; body?: unknown; query?: string } = {}) {
  service.clock.advance(700);
  const sourceIp = ADDRESSES[requests++ % 2]!;
  return service.call(method, path, { ...more, headers: { ...HEADERS, ...more.headers }, sourceIp });
}

const campaigns: { id: string }[] = [];
const keys: { id: string; key: string; mode: string }[] = [];
/** The ads of the legacy API whose context may be stored, and whose events may contain it. */
const contextual = new Set<string>();

/** Clicks an ad, as a visitor and as a bot, and reports a conversion. */
async function follow(bidId: string, trackingId = bidId) {
  const click = await call('GET', `/api/v1/click/${trackingId}`);
  await call('GET', `/api/v1/click/${trackingId}`, { headers: { 'user-agent': 'Slackbot 1.0' } });
  const clickId = new URL(click.headers.location!).searchParams.get('click_id');
  const body = { clickId, conversionType: 'purchase', value: 20, conversionId: `order-${bidId}` };
  reported.push(['conversions', (await service.user()('POST', '/conversions', body)).body]);
}

async function shareFeedback(url: string) {
  for (const method of ['POST', 'GET', 'POST']) await call(method, new URL(url).pathname, { query: `user=${READER}` });
}

async function useSsp(key: string, content: string, more: object, id = CONVERSATION) {
  const headers = { 'x-api-key': key, 'x-debug': 'true' };
  const conversation = { id, turn: 3 };
  const messages = [{ role: 'user', content }];
  const user = { id: READER, userId: READER, ip: IPV4 }; // ignored fields
  const body = { countryCode: 'US', messages, conversation, variant: 'A', user, ...more };
  const bid = await call('POST', '/api/v1/ssp/bid', { headers, body });
  expect(bid.body, content).toMatchObject({ bid: expect.any(Number) });
  const ad = await call('GET', `/api/v1/ssp/ad/${bid.body.bidId}`, { headers, query: `userId=${READER}` });
  await follow(bid.body.bidId);
  await shareFeedback(ad.body.feedbackUrl);
  await call('POST', new URL(ad.body.viewableUrl).pathname, { query: `user=${READER}` });
  reported.push(['ssp', [bid.body, bid.headers, ad.body, ad.headers]]);
}

async function useLegacy(key: string, content: string, more: object) {
  const publisher = createPublisher({ call }, key);
  const metadata = { userAgent: HEADERS['user-agent'], sessionId: SESSION, userId: READER };
  const conversation = { id: CONVERSATION, turn: 3 };
  const context = { userQuery: content, metadata };
  const answer = await publisher.request(`User: ${content}`, { context, conversation, variant: 'B', ...more });
  expect(answer.status, content).toBe(200);
  const [ad] = answer.body.ads;
  if (!('regs' in more)) contextual.add(ad.id);
  const query = `userId=${READER}&sessionId=${SESSION}&timestamp=2026-11-20T09:00:00Z`;
  reported.push([
    'legacy',
    [answer.body, await publisher.impression(ad.id, query), await publisher.click(ad.id, query)],
  ]);
  await follow(ad.id);
  await shareFeedback(ad.tracking.feedbackUrl);
}

async function useExchange(key: string, content: string, more: object) {
  const segment = [{ id: READER, name: NAME }];
  const body = {
    id: 'r1',
    imp: [imp()],
    user: { id: READER, buyeruid: READER, keywords: NAME, data: [{ segment }], eids: [{ uids: [{ id: READER }] }] },
    device: { ip: IPV4, ipv6: IPV6, ifa: COOKIE, ua: HEADERS['user-agent'], geo: { country: 'USA', city: STREET } },
    site: {
      page: HEADERS.referer,
      ref: HEADERS.referer,
      keywords: `${NAME},${EMAIL}`,
      content: { title: NAME, data: [{ segment }] },
    },
    ext: { conversation: { ...toExt(content).conversation, id: CONVERSATION }, variant: 'C' },
    ...more,
  };
  const headers = { 'x-api-key': key, 'x-openrtb-version': '2.6', 'x-debug': 'true' };
  const answer = await call('POST', '/api/v1/openrtb2/bid', { headers, body });
  const bid = answer.body.seatbid[0].bid[0];
  expect((await sendNotice(bid.burl, '2')).status).toBe(204);
  await follow(bid.id);
  reported.push(['openrtb', [answer.body, answer.headers]]);
}

async function useTrustedMatch(key: string, content: string) {
  const signals = {
    summary: content.slice(0, 500),
    keywords: [NAME, EMAIL, 'waterproof Quackenbush hiking boots'],
    topics: [NAME],
    taxonomy_source: 'own',
  };
  const more = { context: { user: READER }, ext: { ip: IPV4 }, request_id: 'ctx-1' };
  const body = contextMatchRequest(signals, more);
  const { status, body: answer } = await call('POST', '/api/v1/trusted-match/context', {
    headers: { 'x-api-key': key },
    body,
  });
  expect([status, answer.offers.length]).toEqual([200, 1]);
  const { context: _, ...offer } = answer; // returned to the router as it was sent
  reported.push(['trusted match', offer]);
  const url = /https:\/\/ads\.test\/api\/v1\/[\w/-]*click\/[\w.~-]+/.exec(JSON.stringify(answer))![0];
  await call('GET', url.replace('https://ads.test', ''));
}

/** Reads everything that advertisers and publishers can read. */
async function readReports() {
  const [hook] = (await service.user()('GET', '/webhooks')).body;
  const deliveries: { id: string }[] = (await service.user()('GET', `/webhooks/${hook.id}/deliveries`)).body;
  const BY = [
    '',
    ...['country', 'publisher', 'topic', 'creative', 'variant', 'domain', 'campaign'].map((by) => `by=${by}`),
  ];
  let count = 0;
  for (const name of endpointNames) {
    const { credential, methods, path } = endpointRow(name);
    if (credential !== 'owner' || !methods.includes('GET') || !path) continue;
    const paths = path.includes('api-keys')
      ? keys.map(({ id }) => path.replace('{id}', id))
      : path.includes('/campaigns/')
        ? campaigns.map(({ id }) => path.replace('{id}', id))
        : deliveries.map(({ id }) => path.replace('{id}', hook.id).replace('{deliveryId}', id));
    const month = '2026-11';
    const queries = name.includes('terms')
      ? campaigns.map(({ id }) => `campaignId=${id}&month=${month}`)
      : path.includes('deliver')
        ? ['']
        : ['kind=spend', 'kind=earnings', 'deliveries=true', ...BY];
    for (const at of [...new Set(paths)])
      for (const query of queries)
        for (const accept of ['application/json', 'text/csv'])
          for (const user of ['alice', 'publisher']) {
            service.clock.advance(700);
            const { status, body } = await service.call('GET', at, { query, headers: { 'x-user-id': user, accept } });
            if (status !== 200) continue;
            count++;
            reported.push([name, body]);
          }
  }
  return count;
}

beforeAll(async () => {
  for (const user of ['alice', 'publisher'])
    await service.call('POST', '/api/v1/webhooks', {
      headers: { 'x-user-id': user, 'idempotency-key': `first-of-${user}` },
      body: { url: receiver.url(`/${user}`), events: [...EVENT_TYPES] },
    });
  for (const [name, keywords] of [
    ['Boots', ['waterproof hiking boots']],
    ['Flights', ['airline tickets']],
  ] as const)
    campaigns.push(
      await service.campaign({
        name,
        targetAudience: { keywords },
        budget: 1_000,
        frequencyCap: { impressions: 500, per: 'day' },
      }),
    );
  for (const mode of ['live', 'test'])
    keys.push(
      (
        await service.user('publisher')('POST', '/auth/api-keys', {
          name: `Chat ${mode}`,
          mode,
          sellerAgentUrl: SELLER,
        })
      ).body,
    );
  for (const { key } of keys)
    for (const text of TEXTS)
      for (const more of [{}, OPTED_OUT]) {
        await useSsp(key, text, more);
        await useLegacy(key, text, more);
        await useExchange(key, text, more);
        if (more !== OPTED_OUT) await useTrustedMatch(key, text);
      }
  // Enough conversations of several publishers for a report of what won.
  const { key: other } = (await service.user('other')('POST', '/auth/api-keys', { name: 'Other' })).body;
  for (const [at, id] of PLANTS.conversation.entries())
    for (const text of [TEXTS[0]!, TEXTS[2]!]) await useSsp(at % 2 ? other : keys[0]!.key, text, {}, id);
  // Requests without an ad, and refused ones.
  const headers = { 'x-api-key': keys[0]!.key };
  for (const body of [
    { messages: TEXTS },
    { countryCode: EMAIL, messages: [{ role: NAME, content: TEXTS[0] }] },
    TEXTS[0],
  ])
    for (const path of ['ssp/bid', 'ad-serving/request', 'openrtb2/bid', 'trusted-match/context'])
      await call('POST', `/api/v1/${path}`, { headers: { ...headers, 'content-type': 'application/json' }, body });
  await call('POST', '/api/v1/ssp/bid', {
    headers,
    body: { countryCode: 'US', messages: [{ role: 'user', content: `I hurt myself. ${TEXTS[0]}` }] },
  });
  await call('GET', `/api/v1/click/${encodeURIComponent(EMAIL)}`, { query: `mail=${EMAIL}` });
  await call('GET', `/api/v1/ssp/ad/${encodeURIComponent(NAME)}`, { headers });
  await service.stack.drain();
  await service.stack.runSchedules();
  service.clock.advance(DAY_MS);
  await service.stack.runSchedules();
  await service.stack.drain();
}, 240_000);

/**
 * What the contract of the legacy API has: the context of its ads, whose conversation loses addresses and numbers, but keeps names. It is
 * in the bid, in the events of the ad, and in their deliveries.
 */
const CONTEXT = ['conversation', 'userQuery'].flatMap((field) =>
  ['name', 'street'].map((plant) => `${field}: ${plant}`),
);
const IDS = ['userId: reader', 'sessionId: session'];
const EVENT_CONTEXT = [
  ...['conversation', 'user_query'].flatMap((field) => ['name', 'street'].map((plant) => `context.${field}: ${plant}`)),
  'user_id: reader',
  'session_id: session',
];
const EVENT = EVENT_CONTEXT.map((one) => `event.data.${one}`);

describe('Personal data of readers, planted in every request', () => {
  it('can be found in each of its forms', () => {
    for (const plant of plants)
      for (const text of PLANTS[plant]) for (const form of encodings(text)) expect(findIn(`${form}"`)).toContain(plant);
    expect(listLeaks([['a', { b: [{ c: `x ${EMAIL}` }], [NAME]: 1 }]])).toEqual([
      'a (name): name',
      'a.b.c: email',
      'a.b.c: name',
    ]);
    const packed = gzipSync(JSON.stringify({ b: READER }));
    expect(listLeaks([['a', [packed, packed.toString('base64')]]])).toEqual(['a: reader']);
    expect(listLeaks([['a', { b: 'Waterproof hiking boots' }]])).toEqual([]);
  });

  it('is in no report, list, overview, statement, or activity', async () => {
    service.clock.set(Date.UTC(2026, 11, 2)); // what won is reported once the month is over
    expect(await readReports()).toBeGreaterThan(50);
    const won = reported.filter(([name]) => name === 'reports/terms');
    expect(JSON.stringify(won)).toMatch(/waterproof hiking boots.*book flight/);
    const leaks = listLeaks(reported);
    // A delivery shows the event that its receiver got.
    expect(leaks).toEqual(EVENT_CONTEXT.map((one) => `webhooks/delivery.payload.data.${one}`).sort());
  });

  it('is in no event, except in the context of a legacy ad', () => {
    const types = new Set(receiver.received.map(({ event }) => event.type));
    expect([...types].sort()).toEqual([
      'account.billing',
      'ad.click',
      'ad.conversion',
      'ad.impression',
      'campaign.created',
    ]);
    const events = receiver.received.map(({ event, headers, path }) => ({ event, headers, path }));
    const isContextual = ({ event }: (typeof events)[number]) => contextual.has(event.data.ad_id);
    expect(listLeaks(events.filter((one) => !isContextual(one)).map((one) => ['', one]))).toEqual([]);
    expect(
      listLeaks(events.filter(isContextual).map(({ event, ...others }) => [event.type, { event, ...others }])),
    ).toEqual(
      [
        ...EVENT.map((one) => `ad.click.${one}`),
        'ad.conversion.event.data.user_id: reader',
        ...EVENT.map((one) => `ad.impression.${one}`),
      ].sort(),
    );
  });

  it('was never written to a table, except as the context of a legacy ad', () => {
    expect(new Set(written.map(([path]) => path.split(' ')[0]))).toEqual(new Set(tableNames));
    expect(listLeaks(written)).toEqual(
      [
        ...CONTEXT.map((one) => `bids.shown.${one}`),
        ...IDS.map((one) => `bids.shown.${one}`),
        ...IDS.map((one) => `bids.click.${one}`),
        'conversions.userId: reader',
        ...EVENT.map((one) => `deliveries.${one}`),
      ].sort(),
    );
  });

  it('was not written where clicks are counted by address: neither a truncated address nor a hash of it without a secret', () => {
    const rows = written.flatMap(([table, item]) => {
      const text = JSON.stringify(item);
      return table === 'ledgers' && text.includes('clicker#') ? [text.toLowerCase()] : [];
    });
    expect(rows.length).toBeGreaterThanOrEqual(5);
    for (const address of ['198.51.100.0', '198.51.100', '2001:db8:1234::'])
      for (const form of encodings(address)) expect(rows.filter((row) => row.includes(form.toLowerCase()))).toEqual([]);
  });

  it('was in no message of a queue, except as the context of a legacy ad', () => {
    expect(sent.length).toBeGreaterThan(20);
    expect(listLeaks(sent)).toEqual(EVENT.map((one) => `deliveries.${one}`).sort());
  });

  it('is in no line of the log', () => {
    expect(service.lines.length).toBeGreaterThan(100);
    expect(listLeaks(service.lines.map((line) => ['log', JSON.parse(line)]))).toEqual([]);
    expect(listLeaks(service.lines.map((line) => ['log', line]))).toEqual([]);
  });

  it('is gone once the records expire, except for the user of a conversion', async () => {
    service.clock.advance(92 * DAY_MS);
    await service.stack.sweep();
    const left = tableNames.flatMap((table) => service.stack.memory.items(table).map((item) => [table, item] as const));
    expect(left.length).toBeGreaterThan(20);
    expect(listLeaks(left)).toEqual(['conversions.userId: reader']);
  });
});
