import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { createGateway, listen } from '../../../infra/local/gateway.ts';
import { demoKey, seed } from '../../../infra/local/seed.ts';
import { toConversation } from '../../../packages/ai/src/conversation.ts';
import { createSponsor } from '../../../packages/ai/src/index.ts';
import { toSuffix, withoutAds } from '../../../packages/ai/src/suffix.ts';
import { toHtml, toMarkdown, toText } from '../../../packages/ai/src/text.ts';
import { createTokens } from '../../../packages/ai/src/token.ts';
import { createSampleEvent } from '../../../shared/webhooks/events/samples.ts';
import { EVENT_TYPES } from '../../../shared/webhooks/events/types.ts';
import { generateSecret, signatureHeaders } from '../../../shared/webhooks/signature.ts';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole

/** Debian's Python, which has its packages. Others may have one of their own, or choose one with PYTHON. */
const python = process.env.PYTHON ?? (existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3');
const RUNNER = join(import.meta.dirname, 'run.py');
const isRequired = process.env.PYTHON_REQUIRED === 'true';

/** The names of the Python tests; undefined if there is no Python 3.9. */
function listTests(): string[] | undefined {
  try {
    execFileSync(python, ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))'], { stdio: 'ignore' });
  } catch (error) {
    if (isRequired) throw error;
    return undefined;
  }
  return JSON.parse(String(execFileSync(python, [RUNNER, 'list'])));
}
const names = listTests();
const NONE = 'is not tested: there is no Python 3.9 or later';

describe.skipIf(!names)('The Python module', () => {
  const service = useServiceInMemory();
  const results = new Map<string, { failure: string | null; skipped: string | null }>();
  let server: Server;
  let folder: string;

  beforeAll(async () => {
    await seed(service.stack.effects);
    server = createGateway(service.stack.apps);
    const ADS_URL = `http://localhost:${await listen(server, 0)}`;
    folder = await mkdtemp(join(tmpdir(), 'ads-python-'));
    const EXPECTED = join(folder, 'expected.json');
    await writeFile(EXPECTED, JSON.stringify(await makeExpected(ADS_URL)));
    const { stdout } = await promisify(execFile)(python, [RUNNER], { env: { ...process.env, ADS_URL, EXPECTED } });
    for (const line of stdout.trim().split('\n')) {
      const [name, failure, skipped] = JSON.parse(line);
      results.set(name, { failure, skipped });
    }
  });
  afterAll(async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  for (const name of names ?? [NONE])
    it(name, ({ skip }) => {
      const { failure, skipped } = results.get(name) ?? { failure: 'It did not run', skipped: null };
      if (failure || (skipped && isRequired)) throw new Error(failure ?? String(skipped));
      if (skipped) skip(skipped);
    });
});

/** What the service and the JavaScript packages make, for the Python tests to compare with. */
async function makeExpected(baseUrl: string) {
  const key = demoKey();
  const at = Date.UTC(2026, 10, 20, 9);
  const [old, current, stranger] = [1, 2, 3].map((byte) => generateSecret((count) => new Uint8Array(count).fill(byte)));
  const toDelivery = (type: (typeof EVENT_TYPES)[number], now: number) => {
    const event = createSampleEvent(type, 'x', now);
    const body = JSON.stringify(event);
    return [body, signatureHeaders(event.id, body, [current!, old!], now)];
  };
  const sponsor = createSponsor({ baseUrl, apiKey: key, deadlineMs: 60_000 });
  const turn = sponsor.turn({ countryCode: 'US' });
  await turn.middleware.transformParams({
    params: { prompt: [{ role: 'user', content: 'Which running shoes would you recommend for a beginner?' }] },
  });
  const part = await turn.part();
  const { token, expiresAt } = part!.data;
  const unknown = await createTokens(key).issue('unknown');
  const cards = [
    { method: 'POST', body: JSON.stringify({ token }) },
    { method: 'POST', body: JSON.stringify({ token: unknown }) },
    { method: 'POST', body: JSON.stringify({ token: `${token}0` }) },
    ...['', '{', '[]', 'null', '{"token":7}'].map((body) => ({ method: 'POST', body })),
    { method: 'POST', body: JSON.stringify({ token: 'x'.repeat(2_000) }) },
    { method: 'PUT', body: JSON.stringify({ token }) },
  ];
  const toAnswer = async ({ method, body }: (typeof cards)[number]) => {
    const headers = { 'content-length': String(body.length) };
    const response = await sponsor.route(new Request(baseUrl, { method, body, headers }));
    const kept = [...response.headers].filter(([name]) => name !== 'content-type');
    return {
      method,
      body,
      answer: { status: response.status, headers: Object.fromEntries(kept), body: await response.json() },
    };
  };
  const prompts: unknown[] = [
    [],
    [
      { role: 'user', content: ' Hi ' },
      { role: 'assistant', content: [{ type: 'text', text: 'A' }, { type: 'file' }] },
    ],
    [
      { role: 'system', content: 'S' },
      { role: 'assistant', content: 'Alone' },
    ],
    [
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'Page' },
          { type: 'reasoning', text: 'R' },
        ],
      },
    ],
    [{ role: 'user', content: `a${'😀'.repeat(16_384)}` }],
    Array.from({ length: 1_200 }, (_, index) => ({ role: 'user', content: `${index}` })),
    Array.from({ length: 8 }, () => ({ role: 'user', content: '😀'.repeat(15_000) })),
  ];
  return {
    version: JSON.parse(await readFile('packages/client/package.json', 'utf8')).version,
    key,
    tokens: await Promise.all(
      ['b-1', 'B_2'].map(async (bidId) => [bidId, key, await createTokens(key).issue(bidId)] as const),
    ),
    part,
    partExpires: Date.parse(expiresAt!) / 1000,
    cards: await Promise.all(cards.map(toAnswer)),
    conversations: prompts.map((prompt) => [prompt, toConversation(prompt) ?? null]),
    texts: makeAds().map((ad) => [ad, toMarkdown(ad), toText(ad), toHtml(ad)]),
    suffixes: ANSWERS.map((answer) => [
      answer,
      answer + toSuffix(answer, AD),
      withoutAd(answer + toSuffix(answer, AD)),
    ]),
    changed: CHANGED.map((text) => [text, withoutAd(text)]),
    secrets: [old, current, stranger],
    now: at / 1000,
    deliveries: EVENT_TYPES.map((type) => toDelivery(type, at)),
    freshDelivery: toDelivery('ad.click', Date.now()),
  };
}

const ANSWERS = ['A', 'A\n```js\nlet a', '```\na\n```', '~~~~\n```\n~~~', '   ````\n```` x\n', 'a ``` b'];

const AD = 'Ad: https://ads.test/api/v1/click/1';
/** What a chat made of an answer with its ad. */
const CHANGED = [
  ...['***', '* * *', '_____', '---', '- -'].map((rule) => `A\n\n${rule}\n\nSponsored · B\nC ${AD}\n\nD`),
  ...['---\n\n', '\n\n---\n\n', '', '\n'].map((start) => `${start}*Sponsored · B*\n${AD}`),
  `A\n---\n*Sponsored · B*\n${AD}`,
  `A --- *Sponsored · B* ${AD}`,
  `A\n> \n> ---\n> \n> *Sponsored · B*\n> ${AD}`,
  `A\n\n———\n\nSponsored · B\nC\n${AD}`,
  `A\n\n---\n\nB\n\n${AD}`,
  `A\n\n${AD}`,
  AD,
  `A Sponsored\n\n---\n\n/api/v1/clicks`,
];
const withoutAd = (text: string) =>
  toConversation([
    { role: 'user', content: 'Hi' },
    ...withoutAds([{ role: 'assistant', content: [{ type: 'text', text }] }]),
  ]);

/** Ads with every text missing, hostile, or at the beginning of a line in turn, and with addresses that may not be linked. */
function makeAds() {
  const ad = {
    disclosure: 'Sponsored' as const,
    advertiser: 'Fleet Feet',
    headline: 'Shoes',
    description: 'Soft. www.shoes.example',
    callToAction: 'Buy',
    url: 'https://ads.test/api/v1/click/1',
  };
  const hostile =
    '@all <!channel> *b* _i_ `c` [x](javascript:1) <b>&amp;"\' ~s~ | $x$ \\ http://a.example a.b@c.de ![i](u)\u202E\x1B[31m\x85\xA0\n# h\n1. l';
  const linked = 'mailto:a@b.c //b.c cafe\u0301.example b．c 1。c <tel:1|x> WWW.1.de a: b 10:30 2.5 x:';
  const texts = [hostile, linked, '', '# x', '1. x', '- x ] ( ](', ' \uFEFF x \u2028 y '];
  const urls = [
    'javascript:alert(1)',
    'https://ads.test/a(b)<c>"d é\'',
    '',
    'ftp://x',
    'HTTPS://ads.test/x?a=b&c=d#e',
    'https://',
  ];
  const names = ['advertiser', 'headline', 'description', 'callToAction'] as const;
  return [
    ad,
    ...names.flatMap((name) => texts.map((text) => ({ ...ad, [name]: text }))),
    ...urls.map((url) => ({ ...ad, url, imageUrl: url })),
  ];
}
