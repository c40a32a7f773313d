import { beforeEach, describe, expect, it } from 'vitest';
import { useServiceInMemory } from '../../memory/stack.ts';
import { untyped } from '../../memory/untyped-database.ts';

// @module-tag whole
const service = useServiceInMemory({ CAMPAIGN_REFRESH_SECONDS: '0' });
beforeEach(() => service.clock.advance(60_000));

/** Answers in the month after the ads. */
const DAY_MS = 86_400_000;
const monthOf = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

let count = 0;
/** A campaign with a keyword of its own, and keys of other owners. */
async function market(more: object = {}) {
  const word = `oud${'abcdefghijklmnopqrstuvwxyz'[count++ % 26]}${count}`;
  const owner = `advertiser-${count}`;
  const campaign = { name: word, targetAudience: { keywords: [word] }, bidStrategy: 'manual', maxCpb: 4, ...more };
  const { id } = await service.campaign(campaign, owner);
  const month = monthOf(service.clock.now());
  const keyOf = async (user: string, settings: object = {}): Promise<string> =>
    (await service.user(user)('POST', '/auth/api-keys', { name: 'A key', ...settings })).body.key;

  /** Shows ads in conversations with these IDs. */
  async function show(
    key: string,
    ids: (string | undefined)[],
    { say = `Where do I buy a ${word}?`, click = false, ...bid } = {},
  ) {
    const headers = { 'x-api-key': key };
    for (const conversation of ids) {
      service.clock.advance(200);
      const body = {
        countryCode: 'US',
        messages: [{ role: 'user', content: say }],
        ...(conversation && { conversation: { id: conversation } }),
        ...bid,
      };
      const { bidId } = (await service.call('POST', '/api/v1/ssp/bid', { headers, body })).body;
      expect((await service.call('GET', `/api/v1/ssp/ad/${bidId}`, { headers })).status).toBe(200);
      if (click) await service.call('GET', `/api/v1/click/${bidId}`, { headers: { 'user-agent': 'curl/8' } });
    }
  }

  async function read(headers: Record<string, string> = {}) {
    await service.stack.drain();
    while (monthOf(service.clock.now()) === month) service.clock.advance(DAY_MS);
    const query = `campaignId=${id}&month=${month}`;
    return service.call('GET', '/api/v1/reports/terms', { query, headers: { 'x-user-id': owner, ...headers } });
  }
  return { word, id, owner, month, keyOf, show, read };
}

const ask = (user: string, query: string) =>
  service.call('GET', '/api/v1/reports/terms', { query, headers: { 'x-user-id': user } });

const IDS = ['a', 'b', 'c', 'd', 'e'];

describe('GET /reports/terms', () => {
  it('names a keyword that 5 conversations of 2 publishers shared, with its impressions and clicks', async () => {
    const { word, keyOf, show, read } = await market();
    await show(await keyOf('ann'), IDS.slice(0, 4), { click: true });
    await show(await keyOf('ben'), ['a', undefined]);
    const { status, body } = await read();
    expect([status, body]).toEqual([200, [{ term: word, kind: 'keyword', impressions: 6, clicks: 4 }]]);
  });

  it('counts conversations whose ads a limit counts as well', async () => {
    const { word, keyOf, show, read } = await market({ frequencyCap: { impressions: 2, per: 'conversation' } });
    for (const owner of ['ann', 'ben']) await show(await keyOf(owner, { adsPerConversation: 1 }), IDS.slice(0, 3));
    expect((await read()).body).toEqual([{ term: word, kind: 'keyword', impressions: 6, clicks: 0 }]);
  });

  it('adds up what too few conversations shared, what no conversation names, and what the advertiser shows itself', async () => {
    const { owner, keyOf, show, read } = await market();
    await show(await keyOf('ann'), [...IDS, ...IDS]);
    await show(await keyOf('ben'), [undefined, undefined]);
    await show(await keyOf(owner), IDS, { click: true });
    expect((await read()).body).toEqual([{ term: 'other', kind: 'other', impressions: 17, clicks: 5 }]);
  });

  it('counts nothing after an opt-out, or with a test key', async () => {
    const { keyOf, show, read } = await market();
    const [ann, ben] = [await keyOf('ann'), await keyOf('ben', { mode: 'test' })];
    await show(ann, IDS, { regs: { gpc: 1 } } as object);
    await show(ben, IDS);
    expect((await read()).body).toEqual([]);
  });

  it('names phrases of the lexicon, but no sensitive one, and nothing else that was said', async () => {
    const keywords = ['flights', 'bar cart'];
    const { keyOf, show, read, id } = await market({ targetAudience: { keywords } });
    for (const owner of ['ann', 'ben']) {
      const key = await keyOf(owner);
      await show(key, IDS, {
        say: 'My name is Rumpelstiltskin. I need to book a flight to Rome, which airline is cheap?',
      });
      await show(key, IDS, { say: 'Where do I get a bottle of gin and some vodka for my bar cart?' });
    }
    const { body } = await read();
    const phrases = body.filter(({ kind }: { kind: string }) => kind === 'phrase');
    expect(phrases.length).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toMatch(/gin|vodka|rumpel|rome/i);
    expect(body).toContainEqual({ term: 'bar cart', kind: 'keyword', impressions: 10, clicks: 0 });
    const { db } = service.stack.effects;
    const stored: string[] = [];
    const found = untyped(db).query({ table: 'ledgers', where: '#campaignId = :id', values: { id } });
    for await (const row of found) stored.push(JSON.stringify(row));
    expect(stored.join()).not.toMatch(/gin\b|vodka|rumpel|rome/i);
  });

  it('is available as CSV', async () => {
    const { word, keyOf, show, read } = await market();
    for (const owner of ['ann', 'ben']) await show(await keyOf(owner), IDS);
    const { headers, body } = await read({ accept: 'text/csv' });
    expect(headers['content-type']).toMatch(/^text\/csv/);
    expect(body).toBe(`term,kind,impressions,clicks\r\n${word},keyword,10,0\r\n`);
  });

  it('has no rows for a month without impressions', async () => {
    const { read } = await market();
    expect((await read()).body).toEqual([]);
  });

  it('answers 400 for a month that is not over, and says which months are', async () => {
    const { id, owner } = await market();
    const current = monthOf(service.clock.now());
    for (const month of [current, '2999-12']) {
      const { status, body } = await ask(owner, `campaignId=${id}&month=${month}`);
      expect([status, body.message]).toEqual([400, `month must be over: ask for one before ${current}`]);
    }
  });

  it.each([
    '',
    'month=2026-10',
    'campaignId=cmp_1',
    'campaignId=cmp_1&month=2026-13',
    'campaignId=cmp_1&month=october',
  ])('answers 400 to the query "%s"', async (query) => {
    expect((await ask('ann', query)).status).toBe(400);
  });

  it('finds only campaigns of the caller', async () => {
    const { id } = await market();
    for (const campaignId of [id, 'cmp_unknown']) {
      const { status, body } = await ask('eve', `campaignId=${campaignId}&month=2026-10`);
      expect([status, body.message]).toEqual([404, 'Campaign not found']);
    }
  });
});
