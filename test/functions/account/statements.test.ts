import { beforeEach, describe, expect, it } from 'vitest';
import { useEventReceiver } from '../../event-receiver.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { untyped } from '../../memory/untyped-database.ts';
import { createServing } from './serving.ts';

// @module-tag whole
const service = useServiceInMemory({ PUBLISHER_SHARE: '0.7' });
const receiver = useEventReceiver();
const { createCampaign, serve } = createServing(service);
const DAY_MS = 24 * 60 * 60 * 1000;

let month = 0;
/** Every test begins at nine in the morning of the 20th of a month of its own. */
beforeEach(() => service.clock.set(Date.UTC(2026, 11 + ++month, 20, 9)));
const toDate = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const today = () => toDate(service.clock.now());
const thisMonth = () => today().slice(0, 7);
const yesterday = () => toDate(service.clock.now() - DAY_MS);
/** The next day, at ten past midnight, when the day is billed. */
const billDay = async () => {
  service.clock.set(Date.parse(today()) + DAY_MS + 10 * 60_000);
  await service.stack.runSchedules();
  await service.stack.drain();
};

const get = (user: string, query = '', headers: Record<string, string> = {}) =>
  service.call('GET', '/api/v1/statements', { query, headers: { 'x-user-id': user, ...headers } });
interface Statement {
  month: string;
  spend: number;
  earnings: number;
  days: {
    date: string;
    preliminary: boolean;
    spend: number;
    earnings: number;
    campaigns: { campaignId: string }[];
    keys: { keyId: string; earnings: number }[];
  }[];
  next: string | null;
}
const statement = async (user: string, query = ''): Promise<Statement> => {
  const { status, body } = await get(user, query);
  expect(status).toBe(200);
  return body;
};
const dayOf = ({ days }: Statement, date: string) => days.find((day) => day.date === date)!;

const createKey = async (user: string, name: string) =>
  (await service.user(user)('POST', '/auth/api-keys', { name })).body as { id: string; key: string };

describe("A month of an advertiser's statements", () => {
  it('equals the events and reports, and is preliminary until the day is billed', async () => {
    await service.user('ann')('POST', '/webhooks', { url: receiver.url('/ann'), events: ['account.billing'] });
    const one = await createCampaign('ann', 'appleoos');
    const two = await createCampaign('ann', 'pearoos', { name: 'Pears, "ripe"', maxCpb: 4.567 });
    await createCampaign('ann', 'unseenoos');
    const secret = await service.key();
    await serve(secret, 'appleoos', 3);
    await serve(secret, 'pearoos', 1);

    const expected = {
      date: today(),
      spend: 0.016567,
      campaigns: [
        { campaignId: one.id, campaignName: one.name, impressions: 3, clicks: 1, conversions: 0, spend: 0.012 },
        { campaignId: two.id, campaignName: two.name, impressions: 1, clicks: 1, conversions: 0, spend: 0.004567 },
      ],
    };
    const before = await statement('ann');
    expect(before).toMatchObject({ kind: 'spend', month: thisMonth(), currency: 'USD', spend: 0.016567, next: null });
    expect(before.days).toHaveLength(20);
    expect(dayOf(before, today())).toEqual({ ...expected, preliminary: true });
    expect(before.days[0]).toEqual({ date: `${thisMonth()}-01`, preliminary: false, spend: 0, campaigns: [] });

    await billDay();
    const after = await statement('ann');
    expect(dayOf(after, yesterday())).toEqual({ ...expected, preliminary: false });
    expect(dayOf(after, today())).toEqual({ date: today(), preliminary: true, spend: 0, campaigns: [] });
    // A day without spend gets no statement, and is final once all others are billed.
    expect(after.days.filter(({ preliminary }) => preliminary)).toHaveLength(1);
    const [event] = receiver.at('/ann', 'account.billing');
    expect(event!.event.data).toMatchObject({ date: yesterday(), spend: expected.spend });
    expect(
      event!.event.data.campaigns.map((line: Record<string, unknown>) => [
        line.campaign_id,
        line.impressions,
        line.spend,
      ]),
    ).toEqual(expected.campaigns.map(({ campaignId, impressions, spend }) => [campaignId, impressions, spend]));
    for (const { campaignId, campaignName, ...figures } of expected.campaigns) {
      const { body } = await service.user('ann')('GET', `/campaigns/${campaignId}/report`);
      expect(body.find(({ date }: { date: string }) => date === yesterday())).toMatchObject(figures);
    }
  });

  it('adds the spend of today to the billed days', async () => {
    await createCampaign('bea', 'berryoos');
    const secret = await service.key();
    await serve(secret, 'berryoos', 2);
    await billDay();
    await serve(secret, 'berryoos', 1);
    const body = await statement('bea');
    expect(body.spend).toBe(0.012);
    expect(body.days.slice(-2).map(({ spend, preliminary }) => [spend, preliminary])).toEqual([
      [0.008, false],
      [0.004, true],
    ]);
  });

  it('shows days that no run has billed yet, and no other days', async () => {
    await createCampaign('cleo', 'cherryoos');
    const secret = await service.key();
    await serve(secret, 'cherryoos', 1);
    const date = today();
    service.clock.advance(3 * DAY_MS);
    expect(dayOf(await statement('cleo'), date)).toMatchObject({ preliminary: true, spend: 0.004 });
    await service.stack.runSchedules();
    expect(dayOf(await statement('cleo'), date)).toMatchObject({ preliminary: false, spend: 0.004 });
  });

  it('contains deleted campaigns, before and after the day is billed', async () => {
    const { id, name } = await createCampaign('dora', 'damsonoos');
    await serve(await service.key(), 'damsonoos', 1);
    await service.user('dora')('DELETE', `/campaigns/${id}`);
    const line = { campaignId: id, campaignName: name, impressions: 1, clicks: 1, conversions: 0, spend: 0.004 };
    expect(dayOf(await statement('dora'), today()).campaigns).toEqual([line]);
    await billDay();
    service.clock.advance(6 * DAY_MS);
    await service.stack.sweep();
    expect((await statement('dora')).days.flatMap(({ campaigns }) => campaigns)).toEqual([line]);
  });

  it('excludes test mode, and other users', async () => {
    await createCampaign('eli', 'elderoos');
    await serve(await service.key({ mode: 'test' }), 'elderoos', 2);
    await createCampaign('eve', 'eggoos');
    await serve(await service.key(), 'eggoos', 1);
    expect((await statement('eli')).spend).toBe(0);
    expect((await statement('eve')).spend).toBe(0.004);
  });

  it('is CSV with a line per day and campaign, with quoted names', async () => {
    const { id } = await createCampaign('fay', 'figoos', { name: 'Figs, "fresh"' });
    await serve(await service.key(), 'figoos', 2);
    const { status, headers, body } = await get('fay', '', { accept: 'text/csv' });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(body).toBe(
      'date,campaignId,campaignName,impressions,clicks,conversions,spend,preliminary\r\n' +
        `${today()},${id},"Figs, ""fresh""",2,1,0,0.008,true\r\n`,
    );
  });

  it('reads statements stored before paging, as single pages', async () => {
    const date = `${thisMonth()}-03`;
    await untyped(service.stack.effects.db).write({
      table: 'statements',
      put: { owner: 'gus', date, spend: 7_000, at: 1, campaigns: [storedLine(1, 7_000)] },
    });
    const body = await statement('gus');
    expect(body.spend).toBe(0.007);
    expect(dayOf(body, date)).toMatchObject({ preliminary: false, spend: 0.007 });
  });
});

const storedLine = (number: number, spend: number, name = `Campaign ${number}`) => ({
  campaignId: `cmp_${String(number).padStart(20, '0')}`,
  campaignName: name,
  impressions: 1,
  clicks: 0,
  conversions: 0,
  spend,
});

/** Stores the statement of a day with many campaigns, as `bill-day` does. */
async function storeDay(owner: string, date: string, pages: number, name?: string) {
  const db = untyped(service.stack.effects.db);
  for (let page = 1; page <= pages; page++) {
    const campaigns = Array.from({ length: 100 }, (_, index) => storedLine(page * 100 + index, 10, name));
    await db.write({
      table: 'statements',
      put: { owner, date: `${date}#${page}`, page, pages, spend: pages * 1_000, at: 1, campaigns },
    });
  }
}

describe('A long statement', () => {
  /** All responses of a month, following `next`. */
  async function followAll(user: string) {
    const bodies: Statement[] = [];
    for (let after = ''; ; ) {
      const { body, headers } = await get(user, `month=${thisMonth()}${after && `&after=${after}`}`);
      bodies.push(body);
      if (!body.next) {
        expect(headers.link).toBeUndefined();
        return bodies;
      }
      after = body.next;
      expect(headers.link).toBe(`</api/v1/statements?month=${thisMonth()}&kind=spend&after=${after}>; rel="next"`);
    }
  }

  it('continues within a day, with every campaign once and the total of the month in every response', async () => {
    const [first, second, third] = ['02', '05', '09'].map((day) => `${thisMonth()}-${day}`) as [string, string, string];
    await storeDay('hal', first, 12);
    await storeDay('hal', second, 45);
    await storeDay('hal', third, 1);
    const bodies = await followAll('hal');
    expect(bodies).toHaveLength(2);
    expect(bodies.map(({ spend }) => spend)).toEqual([0.058, 0.058]);
    const [one, two] = bodies as [Statement, Statement];
    expect(one.days.at(-1)).toMatchObject({ date: second, spend: 0.045 });
    expect(two.days[0]).toMatchObject({ date: second, spend: 0.045 });
    expect(two.days.at(-1)).toMatchObject({ date: today() });
    const lines = bodies.flatMap(({ days }) =>
      days.flatMap(({ date, campaigns }) => campaigns.map(({ campaignId }) => `${date} ${campaignId}`)),
    );
    expect(lines).toHaveLength(5_800);
    expect(new Set(lines).size).toBe(5_800);
  });

  it('fits into a response if names are long', async () => {
    await storeDay('ivy', `${thisMonth()}-02`, 40, '😀'.repeat(300));
    const bodies = await followAll('ivy');
    expect(bodies.length).toBeGreaterThan(1);
    for (const body of bodies) expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(4_500_000);
    expect(bodies.flatMap(({ days }) => days.flatMap(({ campaigns }) => campaigns))).toHaveLength(4_000);
  });

  it('does not count a day whose pages are not all stored as billed', async () => {
    const date = today();
    service.clock.advance(DAY_MS);
    const db = untyped(service.stack.effects.db);
    await db.write({
      table: 'statements',
      put: { owner: 'jay', date: `${date}#1`, page: 1, pages: 2, spend: 500, at: 1, campaigns: [storedLine(1, 5)] },
    });
    expect(dayOf(await statement('jay'), date)).toEqual({ date, preliminary: true, spend: 0, campaigns: [] });
  });
});

describe("A month of a publisher's statements", () => {
  it("has the sums of the keys' reports", async () => {
    await createCampaign('kay', 'kiwioos', { maxCpb: 4.567 });
    const [one, two] = [await createKey('pub', 'Chat, "main"'), await createKey('pub', 'Second')];
    await createKey('pub', 'Unused');
    await serve(one.key, 'kiwioos', 3);
    await serve(two.key, 'kiwioos', 1);
    const date = today();
    service.clock.advance(DAY_MS);
    await serve(two.key, 'kiwioos', 2);

    const body = await statement('pub', 'kind=earnings');
    expect(body).toMatchObject({ kind: 'earnings', month: thisMonth(), currency: 'USD', next: null });
    const sums = new Map<string, number>();
    for (const day of body.days) {
      const { keys } = day;
      expect(day.earnings).toBeCloseTo(
        keys.reduce((sum, { earnings }) => sum + earnings, 0),
        9,
      );
      for (const { keyId, earnings } of keys) sums.set(`${day.date} ${keyId}`, earnings);
    }
    for (const { id } of [one, two]) {
      const report = (await service.user('pub')('GET', `/auth/api-keys/${id}/report`)).body;
      for (const day of report.filter(({ earnings }: { earnings: number }) => earnings > 0))
        expect(sums.get(`${day.date} ${id}`)).toBe(day.earnings);
    }
    expect(dayOf(body, date)).toEqual({
      date,
      preliminary: false,
      earnings: 0.012786, // 70 % of 3 and of 1 impressions at 0.004567, each key rounded down
      keys: [
        { keyId: one.id, keyName: 'Chat, "main"', impressions: 3, clicks: 1, earnings: 0.00959 },
        { keyId: two.id, keyName: 'Second', impressions: 1, clicks: 1, earnings: 0.003196 },
      ].sort((a, b) => (a.keyId < b.keyId ? -1 : 1)),
    });
    expect(dayOf(body, today())).toMatchObject({ preliminary: true, earnings: 0.006393 });
    expect(body.earnings).toBe(0.019179);
    const csv = (await get('pub', 'kind=earnings', { accept: 'text/csv' })).body;
    expect(csv).toContain(`${date},${one.id},"Chat, ""main""",3,1,0.00959,false\r\n`);
    expect(csv.split('\r\n')).toHaveLength(5);
  });

  it('contains keys that were deleted since', async () => {
    await createCampaign('liz', 'limeoos');
    const { id, key } = await createKey('pam', 'Gone');
    await serve(key, 'limeoos', 2);
    const before = await statement('pam', 'kind=earnings');
    await service.user('pam')('DELETE', `/auth/api-keys/${id}`);
    expect(await statement('pam', 'kind=earnings')).toEqual(before);
    const { month: ofServing } = before;
    service.clock.advance(40 * DAY_MS);
    await service.stack.sweep();
    const later = await statement('pam', `kind=earnings&month=${ofServing}`);
    expect(later.earnings).toBe(0.0056);
    expect(later.days.flatMap(({ keys }) => keys)).toEqual([
      { keyId: id, keyName: 'Gone', impressions: 2, clicks: 1, earnings: 0.0056 },
    ]);
    expect((await statement('pam', 'kind=earnings')).earnings).toBe(0);
  });
});

describe('The month', () => {
  it.each([
    ['2026-02', 28],
    ['2024-02', 29],
    ['2026-04', 30],
    ['2026-10', 31],
    ['2999-12', 0],
  ])('of a user without activity, %s, has its %i days up to today', async (asked, days) => {
    for (const kind of ['spend', 'earnings']) {
      const body = await statement('nobody', `month=${asked}&kind=${kind}`);
      expect(body).toMatchObject({ month: asked, [kind]: 0, next: null });
      expect(body.days).toHaveLength(days);
    }
    expect((await get('nobody', `month=${asked}`, { accept: 'text/csv' })).body).toMatch(/^date,[\w,]+\r\n$/);
  });

  it.each([
    ['month=2026-13', 'month', 'month must be a month such as 2026-11, from 2000-01 to 2999-12'],
    ['month=2026-1', 'month', 'month must be a month such as 2026-11, from 2000-01 to 2999-12'],
    ['month=1999-12', 'month', 'month must be a month such as 2026-11, from 2000-01 to 2999-12'],
    ['month=2026-01&month=2026-02', 'month', 'month must be a month such as 2026-11'],
    ['kind=all', 'kind', 'kind must be spend or earnings'],
    ['after=yesterday', 'after', 'after must be the `next` of another response'],
    ['after=0000-00-00.1', 'after', 'after must be the `next` of another response'],
    ['after=2026-13-01.1', 'after', 'after must be the `next` of another response'],
    ['after=2026-02-30.1', 'after', 'after must be the `next` of another response'],
    ['after=9999-12-31.1', 'after', 'after must be the `next` of another response'],
    ['month=2026-10&after=2026-11-01.1', 'after', 'after must be the `next` of a response for the same month'],
  ])('is refused for %s', async (query, path, message) => {
    const { status, body } = await get('nobody', query);
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'Validation failed', details: [{ path, message }] });
  });

  it('needs a user', async () => {
    expect((await service.call('GET', '/api/v1/statements')).status).toBe(401);
  });
});
