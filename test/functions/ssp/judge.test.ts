import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HttpHandlers } from '../../../infra/local/functions.ts';
import { createJudge } from '../../../shared/ads/judge/judge.ts';
import { RELEVANCE_MODEL } from '../../../shared/matching/index.ts';
import { type Judge, type JudgeQuestion, type Judgment, NO_ANSWER } from '../../../shared/platform/judge.ts';
import { Unavailable } from '../../../shared/platform/unavailable.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { scaleRuns } from '../../run-size.ts';
import { createCaller, createHandlers } from '../../service.ts';
import { PROTOCOLS, type Reply, startModelServer } from '../../shared/ads/judge/model-server.ts';

const questions: JudgeQuestion[] = [];
let answer: (question: JudgeQuestion) => Judgment | Promise<Judgment>;
const judge: Judge = {
  async opine(question) {
    questions.push(question);
    return answer(question);
  },
  suggest: async () => ({ result: 'failed' }),
};
// @module-tag whole
const service = useServiceInMemory({}, { judge });

/** A judgment that welcomes the ads with these headlines. */
const welcoming = (chances: Record<string, number>, safe = true): typeof answer => {
  return ({ ads }) => ({
    result: 'answered',
    opinion: { safe, welcome: ads.map(({ headline }) => chances[headline] ?? 0) },
  });
};

/** A campaign with a keyword, identified by its headline. */
const campaign = (keyword: string, headline: string, more: object = {}) =>
  service.campaign({
    targetAudience: { keywords: [keyword] },
    creative: { headline, description: 'Good.', landingUrl: 'https://x.example' },
    ...more,
  });

async function bid(text: string, { key = {}, owner = 'alice', messages = [] as object[], wantsDebug = true } = {}) {
  const { body } = await service.user(owner)('POST', '/auth/api-keys', { name: 'Key', ...key });
  const {
    status,
    body: made,
    headers,
  } = await service.call('POST', '/api/v1/ssp/bid', {
    headers: { 'x-api-key': body.key, 'x-debug': String(wantsDebug) },
    body: { countryCode: 'US', messages: [...messages, { role: 'user', content: text }] },
  });
  return { status, bid: made?.bid ?? null, debug: made?.debug ?? JSON.parse(headers['x-debug-info'] ?? 'null') };
}

beforeEach(() => {
  questions.length = 0;
  answer = welcoming({});
});

describe('The judge', () => {
  it('gets the conversation and the texts of the candidates, and its judgment replaces the relevance', async () => {
    const cheap = await campaign('drumzoom', 'Cheap drums', { maxCpb: 1 });
    await campaign('drumzoom', 'Dear drums', { maxCpb: 9 });
    answer = welcoming({ 'Cheap drums': 0.8 });
    const { bid: price, debug } = await bid('Where can I buy a drumzoom?');
    expect(price).toBe(1);
    expect(debug).toMatchObject({
      campaignId: cheap.id,
      judge: { result: 'answered', safe: true },
      candidates: [
        { relevance: 0.8, outcome: 'won' },
        { relevance: 0, outcome: 'judge' },
      ],
    });
    expect(questions).toHaveLength(1);
    expect(questions[0]!.messages).toEqual([{ role: 'user', content: 'Where can I buy a drumzoom?' }]);
    expect(questions[0]!.ads.map(({ headline }) => headline).sort()).toEqual(['Cheap drums', 'Dear drums']);
  });

  it('leaves the choice among welcome ads to the bids', async () => {
    await campaign('gongzoom', 'Cheap gong', { maxCpb: 1 });
    await campaign('gongzoom', 'Dear gong', { maxCpb: 9 });
    answer = welcoming({ 'Cheap gong': 0.9, 'Dear gong': 0.85 });
    expect((await bid('gongzoom')).bid).toBe(9);
    answer = welcoming({ 'Cheap gong': 0.9, 'Dear gong': 0.6 });
    expect((await bid('gongzoom')).bid).toBe(1);
  });

  it('must be surer for a strict key than for an open one, and its levels are those of the report', async () => {
    await campaign('bansurizoom', 'Bansuris');
    const ask = async (adStrictness: string, chance: number) => {
      answer = welcoming({ Bansuris: chance });
      const { bid: price, debug } = await bid('bansurizoom', { key: { adStrictness } });
      return [price, debug.threshold];
    };
    expect([await ask('strict', 0.66), await ask('strict', 0.67)]).toEqual([
      [null, 0.67],
      [4, 0.67],
    ]);
    expect([await ask('open', 0.32), await ask('open', 0.33)]).toEqual([
      [null, 0.33],
      [4, 0.33],
    ]);
    const { bidId } = (await service.bid(await service.key({ adStrictness: 'open' }), 'bansurizoom')).body;
    expect(await service.stack.effects.db.get('bids', { id: bidId })).toMatchObject({ relevance: 0.33, level: 'open' });
  });

  it('leaves the decision to the threshold of the key when it does not answer', async () => {
    await campaign('dulcianzoom', 'Dulcians');
    answer = () => ({ result: 'failed' });
    const [balanced, strict] = [
      await bid('dulcianzoom'),
      await bid('dulcianzoom', { key: { adStrictness: 'strict' } }),
    ];
    const { relevance } = balanced.debug.candidates[0];
    const { thresholds } = RELEVANCE_MODEL;
    expect([balanced.debug.threshold, strict.debug.threshold]).toEqual([thresholds.balanced, thresholds.strict]);
    expect([balanced.bid, strict.bid]).toEqual([4, relevance < thresholds.strict ? null : 4]);
  });

  it('causes a no-bid if it welcomes no ad, with that reason', async () => {
    await campaign('harpzoom', 'Harps');
    service.measured.length = 0;
    const { bid: price, debug } = await bid('harpzoom');
    expect([price, debug.reason, debug.candidates[0].outcome]).toEqual([null, 'judge', 'judge']);
    expect(service.measured).toContainEqual({ name: 'NoBids.judge', value: 1 });
  });

  it.each([true, false])(
    'is the reason of a no-bid if it rejects every candidate, even if an ineligible campaign matches better (inactive ones included: %s)',
    async (wantsDebug) => {
      const keyword = `citole${wantsDebug}zoom`;
      await campaign(keyword, 'Citoles');
      await campaign(keyword, 'Elsewhere', { targetAudience: { keywords: [keyword], countries: ['CH'] } });
      answer = welcoming({ Citoles: 0.1 });
      service.measured.length = 0;
      const { bid: price, debug } = await bid(keyword, { wantsDebug });
      expect(price).toBeNull();
      expect(service.measured).toContainEqual({ name: 'NoBids.judge', value: 1 });
      if (!wantsDebug) return;
      expect(debug.reason).toBe('judge');
      expect(debug.candidates.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['country', 'judge']);
    },
  );

  it('is not the reason if a welcome candidate bids too little', async () => {
    await campaign('shawmzoom', 'Shawms', { maxCpb: 2 });
    await campaign('shawmzoom', 'Other shawms', { maxCpb: 2 });
    answer = welcoming({ Shawms: 0.9, 'Other shawms': 0.1 });
    expect((await bid('shawmzoom', { key: { bidFloor: 3 } })).debug.reason).toBe('below_floor');
  });

  it('causes no bid in an unsafe context, whatever it welcomes', async () => {
    await campaign('bellzoom', 'Bells');
    answer = welcoming({ Bells: 1 }, false);
    const { bid: price, debug } = await bid('bellzoom');
    expect([price, debug.reason, debug.candidates[0].outcome]).toEqual([
      null,
      'sensitive_context',
      'sensitive_context',
    ]);
    expect(debug.judge).toEqual({ result: 'answered', safe: false });
  });

  it.each(NO_ANSWER)('leaves the decision to the first stage and its threshold when it is %s', async (result) => {
    const keyword = `lyre${result.replace('_', '')}zoom`;
    await campaign(keyword, 'Lyres');
    answer = () => ({ result });
    const { bid: price, debug } = await bid(keyword);
    expect(price).toBe(4);
    expect(debug.judge).toEqual({ result, safe: null });
  });

  it('gets at most six campaigns, the best matches that may bid', async () => {
    for (let i = 0; i < 8; i++) await campaign('pianozoom', `Piano ${i}`);
    await campaign('pianozoom', 'Elsewhere', {
      targetAudience: { keywords: ['pianozoom'], countries: ['CH'] },
      maxCpb: 90,
    });
    await bid('pianozoom');
    expect(questions[0]!.ads).toHaveLength(6);
    expect(questions[0]!.ads.map(({ headline }) => headline)).not.toContain('Elsewhere');
  });

  it('gets candidates that match too weakly to bid without it', async () => {
    await campaign('marimbazoom', 'Marimbas');
    const earlier = { role: 'user', content: 'I would like a marimbazoom.' };
    const others = Array.from({ length: 1 }, () => ({
      role: 'user',
      content: 'Thanks. Tell me about whales and rivers.',
    }));
    const messages = [earlier, ...others];
    answer = () => ({ result: 'failed' });
    const without = await bid('Where do whales sleep?', { messages });
    expect([without.bid, questions.length]).toEqual([null, 1]);
    answer = welcoming({ Marimbas: 0.7 });
    expect((await bid('Where do whales sleep?', { messages })).bid).toBe(4);
  });

  it.each([
    ['the conversation is sensitive', 'I want to kill myself, where is a fluttezoom?', {}],
    ['the key forbids it', 'fluttezoom', { key: { judge: false } }],
    ['nothing fits', 'How do whales sleep?', {}],
  ])('is not asked if %s', async (_, text, more) => {
    await campaign('fluttezoom', 'Flutes');
    await bid(text, more);
    expect(questions).toEqual([]);
  });

  it('is absent from debug if it was not asked', async () => {
    expect((await bid('How do whales sleep?')).debug.judge).toBeUndefined();
  });

  it('can outlast the deletion of the candidate', async () => {
    const { id } = await campaign('sitarzoom', 'Sitars');
    answer = async (question) => {
      await service.user()('DELETE', `/campaigns/${id}`);
      await bid('something else');
      return welcoming({ Sitars: 1 })(question);
    };
    expect((await bid('sitarzoom')).status).toBe(200);
  });

  it('is skipped if the store does not return the texts of the ads', async () => {
    await campaign('banjozoom', 'Banjos');
    const { db } = service.stack.effects;
    const refusing = {
      ...db,
      async getAll() {
        throw new Unavailable('throttled');
      },
    };
    const handlers = await createHandlers({ ...service.stack.effects, db: refusing });
    const { status, body } = await createCaller(() => handlers)('POST', '/api/v1/ssp/bid', {
      headers: { 'x-api-key': await service.key() },
      body: { countryCode: 'US', messages: [{ role: 'user', content: 'banjozoom' }] },
    });
    expect([status, body.bid, questions]).toEqual([200, 4, []]);
  });

  it('also decides on the legacy API', async () => {
    const { id } = await campaign('tubazoom', 'Tubas', { maxCpb: 1 });
    await campaign('tubazoom', 'Dear tubas', { maxCpb: 9 });
    answer = welcoming({ Tubas: 0.9 });
    const request = (key: string) =>
      service.call('POST', '/api/v1/ad-serving/request', {
        headers: { 'x-api-key': key, 'x-debug': 'true' },
        body: { context: { conversation: 'User: tubazoom' }, preferences: { maxAds: 3 } },
      });
    const { body } = await request(await service.key());
    expect(body.ads.map((ad: { campaignId: string }) => ad.campaignId)).toEqual([id]);
    expect(body.debug.judge).toEqual({ result: 'answered', safe: true });
    answer = welcoming({});
    expect((await request(await service.key())).status).toBe(503);
    questions.length = 0;
    expect((await request(await service.key({ judge: false }))).body.ads).toHaveLength(2);
    expect(questions).toEqual([]);
  });
});

describe.each(['openai', 'bedrock'] as const)(
  'A judge behind %s that takes 300 ms, with one missing and one throttled response in twenty',
  (protocol) => {
    const AT_ONCE = 20;
    const ROUNDS = scaleRuns(10);
    const OFTEN = { interval: 1 };
    let server: Awaited<ReturnType<typeof startModelServer>>;
    let handlers: HttpHandlers;
    let release: () => void = () => {};
    let released = new Promise<void>(() => {});

    beforeAll(async () => {
      let count = 0;
      server = await startModelServer(async ({ body }): Promise<Reply> => {
        const turn = count++ % 20;
        if (turn === 7) return 'silent';
        if (turn === 13) return 'throttled';
        await released;
        const ads = body.match(/\\"ad\\":/g)!.length;
        return { text: JSON.stringify({ safe: true, welcome: Array(ads).fill(0.9) }) };
      });
      const { stack } = service;
      const model = PROTOCOLS[protocol](server.url);
      handlers = await createHandlers({ ...stack.effects, judge: createJudge(stack.effects, model, 350) });
    });
    afterAll(() => server.stop());

    it('delays no bid, causes no 5xx, and leaves nothing of the conversation in the log', async () => {
      await campaign('tambourzoom', 'Headline of Rumpelstiltskin');
      const call = createCaller(() => handlers);
      service.lines.length = 0;
      service.measured.length = 0;
      for (let round = 0; round < ROUNDS; round++) {
        released = new Promise((resolve) => {
          release = resolve;
        });
        const before = server.requests.length;
        let done = 0;
        const publisher = service.user(`publisher-${round}`);
        const made = Array.from({ length: AT_ONCE }, () => publisher('POST', '/auth/api-keys', { name: 'Key' }));
        const keys = (await Promise.all(made)).map(({ body }) => body.key);
        const startedAt = service.clock.now();
        const bids = keys.map(async (key, i) => {
          const { status, body } = await call('POST', '/api/v1/ssp/bid', {
            headers: { 'x-api-key': key },
            body: {
              countryCode: 'US',
              messages: [{ role: 'user', content: `I want a tambourzoom for Guinevere ${round} ${i}` }],
            },
          });
          done++;
          return [status, body?.bid, service.clock.now() - startedAt];
        });
        await expect.poll(() => server.requests.length - before + done, OFTEN).toBeGreaterThanOrEqual(AT_ONCE);
        service.clock.advance(300);
        release();
        await expect.poll(() => done, OFTEN).toBe(AT_ONCE - 1);
        service.clock.advance(50);
        for (const [status, price, ms] of await Promise.all(bids)) {
          expect([status, price]).toEqual([200, 4]);
          expect(ms).toBeLessThanOrEqual(900);
        }
      }
      const total = (name: string) => service.measured.filter((one) => one.name === name).length;
      const figures = ['JudgeAsked', 'JudgeAnswered', 'JudgeLate', 'JudgeFailed', 'JudgeCircuitOpen'];
      expect(figures.map(total)).toEqual([20, 18, 1, 1, 0].map((ofRound) => ofRound * ROUNDS));
      expect(service.lines.join()).not.toMatch(/Guinevere|Rumpelstiltskin|welcome/);
      expect(service.lines.length).toBeGreaterThan(0);
    });
  },
);
