import { beforeEach, describe, expect, it } from 'vitest';
import { useEventReceiver } from '../../event-receiver.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { untyped } from '../../memory/untyped-database.ts';
import { createServing } from './serving.ts';

// @module-tag whole
const service = useServiceInMemory({ PUBLISHER_SHARE: '0.5' });
const receiver = useEventReceiver();
const { createCampaign, serve } = createServing(service);
const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60_000;

let tests = 0;
/** Every test has a quarter of its own. */
beforeEach(() => service.clock.set(Date.UTC(2026, 11, 20, 9) + ++tests * 100 * DAY_MS));
const today = () => new Date(service.clock.now()).toISOString().slice(0, 10);

interface Figures {
  impressions: number;
  clicks: number;
  conversions: number;
  spend: number;
  earnings: number;
}
interface Home {
  counts: Record<'campaigns' | 'keys' | 'webhooks', number>;
  campaigns: Record<'today' | 'last30Days' | 'previous30Days', Figures>;
  keys: Record<'today' | 'last30Days' | 'previous30Days', Figures>;
  attention: { kind: string; id: string; name: string; code: string; message: string }[];
  attentionCounts: Record<string, number>;
  activity: { subject: string; action: string }[];
}
async function home(user: string): Promise<Home> {
  const { status, body } = await service.user(user)('GET', '/home');
  expect(status).toBe(200);
  return body;
}

/** Continues this many days later at nine in the morning, with the daily runs at ten past midnight of each day. */
async function passDays(days: number) {
  const end = service.clock.now() + days * DAY_MS;
  for (let day = 1; day <= days; day++) {
    service.clock.set(Date.parse(today()) + DAY_MS + 10 * MINUTE_MS);
    await service.stack.runSchedules();
    await service.stack.drain();
  }
  service.clock.set(end);
}

/** The sums of the reports of several campaigns on the last days. */
async function sumReports(user: string, ids: string[], back: [from: number, to: number]) {
  const [from, to] = back.map((days) => new Date(service.clock.now() - days * DAY_MS).toISOString().slice(0, 10));
  const sums = { impressions: 0, clicks: 0, conversions: 0, spend: 0 };
  for (const id of ids) {
    const { body } = await service.call('GET', `/api/v1/campaigns/${id}/report`, {
      query: `from=${from}&to=${to}`,
      headers: { 'x-user-id': user },
    });
    for (const day of body) {
      sums.impressions += day.impressions;
      sums.clicks += day.clicks;
      sums.conversions += day.conversions;
      sums.spend = Math.round((sums.spend + day.spend) * 1e6) / 1e6;
    }
  }
  return sums;
}

describe('The figures of GET /home', () => {
  it("equal the sums of all campaigns' reports, in each period", async () => {
    const one = await createCampaign('ann', 'applehome');
    const two = await createCampaign('ann', 'pearhome');
    const { key } = (await service.user('pat')('POST', '/auth/api-keys', { name: 'Chat' })).body;
    const expectSums = async () => {
      const { campaigns } = await home('ann');
      const ids = [one.id, two.id];
      expect(campaigns.today).toMatchObject(await sumReports('ann', ids, [0, 0]));
      expect(campaigns.last30Days).toMatchObject(await sumReports('ann', ids, [29, 0]));
      expect(campaigns.previous30Days).toMatchObject(await sumReports('ann', ids, [59, 30]));
      return campaigns;
    };
    await serve(key, 'applehome', 3);
    await serve(key, 'pearhome', 1);
    await expectSums();
    await passDays(1);
    await serve(key, 'pearhome', 2);
    const { last30Days } = await expectSums();
    expect(last30Days).toMatchObject({ impressions: 6, clicks: 3, ctr: 0.5, spend: 0.024 });
    expect((await home('pat')).keys).toMatchObject({
      today: { bids: 2, impressions: 2, clicks: 1, earnings: 0.004 },
      last30Days: { impressions: 6, earnings: 0.012 },
      previous30Days: { impressions: 0, earnings: 0 },
    });
    await passDays(29);
    await serve(key, 'applehome', 1);
    const later = await expectSums();
    expect(later).toMatchObject({
      today: { impressions: 1, spend: 0.004 },
      last30Days: { impressions: 3, spend: 0.012 },
      previous30Days: { impressions: 4, spend: 0.016 },
    });
    expect((await home('pat')).keys).toMatchObject({ previous30Days: { impressions: 4, earnings: 0.008 } });
  });

  it('include ended days before they are summed, days without a run, and clicks after the day', async () => {
    const { id } = await createCampaign('bea', 'berryhome');
    const secret = await service.key();
    await serve(secret, 'berryhome', 2);
    const { bidId } = (await service.bid(secret, 'berryhome')).body;
    await service.ad(secret, bidId);
    service.clock.set(Date.parse(today()) + DAY_MS + 2 * MINUTE_MS);
    await service.call('GET', `/api/v1/click/${bidId}`, { headers: { 'user-agent': 'curl/8' } });
    await service.stack.drain();
    for (const days of [0, 1, 1]) {
      service.clock.advance(days * DAY_MS);
      const { last30Days } = (await home('bea')).campaigns;
      expect(last30Days).toMatchObject({ impressions: 3, clicks: 2, spend: 0.012 });
      expect(last30Days).toMatchObject(await sumReports('bea', [id], [29, 0]));
    }
    await passDays(2);
    expect((await home('bea')).campaigns.last30Days).toMatchObject({ impressions: 3, clicks: 2, spend: 0.012 });
  });

  it('count what is counted late, once', async () => {
    await createCampaign('cleo', 'cherryhome');
    const secret = await service.key();
    const { bidId } = (await service.bid(secret, 'cherryhome')).body;
    await service.ad(secret, bidId);
    await service.call('GET', `/api/v1/click/${bidId}`, { headers: { 'user-agent': 'curl/8' } });
    service.clock.set(Date.parse(today()) + DAY_MS + 10 * MINUTE_MS);
    await service.stack.workers['schedules/bill-day'](); // the click is still in the stream
    await service.stack.drain();
    service.clock.advance(60 * MINUTE_MS);
    for (let run = 0; run < 3; run++) await service.stack.runSchedules();
    expect((await home('cleo')).campaigns.last30Days).toMatchObject({ impressions: 1, clicks: 1, spend: 0.004 });
  });

  it('include what readers report, or is counted, long after the day of the ad', async () => {
    const { id } = await createCampaign('lea', 'lemonhome');
    const secret = await service.key();
    const feedback: string[] = [];
    for (let ads = 0; ads < 2; ads++) {
      const { bidId } = (await service.bid(secret, 'lemonhome')).body;
      feedback.push(new URL((await service.ad(secret, bidId)).body.feedbackUrl).pathname);
    }
    for (const [report, path] of feedback.entries()) {
      await passDays(10);
      expect((await service.call('POST', path)).status).toBe(204);
      await service.stack.drain();
      for (let run = 0; run < 2; run++) await service.stack.workers['schedules/bill-day']();
      const days = (await service.user('lea')('GET', `/campaigns/${id}/report`)).body;
      expect(days.find((day: Figures) => day.impressions > 0)).toMatchObject({
        impressions: 2,
        notRelevant: report + 1,
      });
      expect((await home('lea')).campaigns.last30Days).toMatchObject({ impressions: 2, notRelevant: report + 1 });
    }
  });

  it('include campaigns and keys that were deleted since', async () => {
    const { id } = await createCampaign('dora', 'damsonhome');
    const { id: keyId, key } = (await service.user('dora')('POST', '/auth/api-keys', { name: 'Gone' })).body;
    await serve(key, 'damsonhome', 2);
    await service.user('dora')('DELETE', `/campaigns/${id}`);
    await service.user('dora')('DELETE', `/auth/api-keys/${keyId}`);
    const expectBoth = async () => {
      const { campaigns, keys } = await home('dora');
      expect(campaigns.last30Days).toMatchObject({ impressions: 2, clicks: 1, spend: 0.008 });
      expect(keys.last30Days).toMatchObject({ impressions: 2, clicks: 1, earnings: 0.004 });
    };
    await expectBoth();
    await passDays(1);
    await expectBoth();
    await passDays(7);
    await service.stack.sweep();
    await expectBoth();
  });

  it('exclude test mode', async () => {
    await createCampaign('eli', 'elderhome');
    const { key } = (await service.user('eli')('POST', '/auth/api-keys', { name: 'Test', mode: 'test' })).body;
    await serve(key, 'elderhome', 2);
    const { campaigns, keys } = await home('eli');
    expect([campaigns.last30Days, keys.last30Days]).toMatchObject([
      { impressions: 0, spend: 0 },
      { impressions: 0, earnings: 0 },
    ]);
  });

  it('are complete within a few runs after the first deployment', async () => {
    const { id } = await createCampaign('fay', 'fighome');
    const secret = await service.key();
    const start = service.clock.now();
    for (const day of [0, 10, 20, 40]) {
      service.clock.set(start + day * DAY_MS);
      await serve(secret, 'fighome', 1);
    }
    service.clock.set(start + 50 * DAY_MS);
    for (let run = 0; run < 12; run++) await service.stack.workers['schedules/bill-day']();
    const { campaigns } = await home('fay');
    expect(campaigns.last30Days).toMatchObject(await sumReports('fay', [id], [29, 0]));
    expect(campaigns.previous30Days).toMatchObject(await sumReports('fay', [id], [59, 30]));
    expect([campaigns.last30Days.impressions, campaigns.previous30Days.impressions]).toEqual([1, 3]);
  });

  it('are zeros for a user without anything', async () => {
    const body = await home('nobody');
    expect(body).toMatchObject({ attention: [], activity: [], counts: { campaigns: 0, keys: 0, webhooks: 0 } });
    expect(body.campaigns.today).toEqual({
      spend: 0,
      impressions: 0,
      clicks: 0,
      conversions: 0,
      ctr: 0,
      averageCpb: 0,
      conversionValue: 0,
      costPerConversion: null,
      returnOnSpend: null,
      notRelevant: 0,
      viewableImpressions: 0,
      suspectClicks: { tooFast: 0, tooMany: 0 },
    });
    expect((await service.call('GET', '/api/v1/home')).status).toBe(401);
  });
});

it('counts the campaigns, keys, and webhooks that there are, whatever their state', async () => {
  const one = await createCampaign('moe', 'mangohome', { status: 'draft' });
  await createCampaign('moe', 'melonhome');
  await service.user('moe')('POST', '/auth/api-keys', { name: 'Test', mode: 'test' });
  await service.user('moe')('POST', '/webhooks', { url: receiver.url('/moe'), events: ['ad.click'] });
  expect((await home('moe')).counts).toEqual({ campaigns: 2, keys: 1, webhooks: 1 });
  await service.user('moe')('DELETE', `/campaigns/${one.id}`);
  expect((await home('moe')).counts).toEqual({ campaigns: 1, keys: 1, webhooks: 1 });
});

describe('What needs attention', () => {
  it('is a campaign that should serve but does not, with the reason, and no other', async () => {
    const incomplete = await createCampaign('gus', 'grapehome', { creative: { headline: 'No page' } });
    for (const status of ['draft', 'paused', 'cancelled']) await createCampaign('gus', `a${status}home`, { status });
    await createCampaign('gus', 'laterhome', { startDate: '2030-01-01' });
    await createCampaign('gus', 'finehome');
    const body = await home('gus');
    expect(body.attention).toEqual([
      {
        kind: 'not_serving',
        id: incomplete.id,
        name: incomplete.name,
        code: 'incomplete',
        message: 'The ad has no landing page. Set its URL.',
      },
    ]);
    expect(body.attentionCounts).toEqual({ not_serving: 1, budget_nearly_spent: 0, webhook_failing: 0 });
  });

  it('is a campaign whose budget was spent, for thirty days', async () => {
    const { id } = await createCampaign('hal', 'haselhome', { budget: 0.008 });
    await serve(await service.key(), 'haselhome', 2);
    expect((await home('hal')).attention).toMatchObject([{ kind: 'not_serving', id, code: 'budget' }]);
    service.clock.advance(31 * DAY_MS);
    expect((await home('hal')).attention).toEqual([]);
  });

  it('is a budget of which 90% is spent, or that lasts less than a day', async () => {
    const most = await createCampaign('ivy', 'iceplanthome', { budget: 0.04 });
    const fast = await createCampaign('ivy', 'irishome', { budget: 0.02 });
    const enough = await createCampaign('ivy', 'inkberryhome', { budget: 1, dailyBudget: 0.1 });
    const secret = await service.key();
    await serve(secret, 'iceplanthome', 9);
    await passDays(1);
    await serve(secret, 'irishome', 2);
    await serve(secret, 'inkberryhome', 5);
    const { attention } = await home('ivy');
    expect(attention.map(({ kind, id }) => [kind, id]).sort()).toEqual(
      [most, fast].map(({ id }) => ['budget_nearly_spent', id]).sort(),
    );
    expect(attention.find(({ id }) => id === most.id)?.message).toMatch(/^At least 90% of the budget is spent/);
    expect(attention.find(({ id }) => id === fast.id)?.message).toMatch(/^At today's pace/);
    expect(attention.map(({ id }) => id)).not.toContain(enough.id);
  });

  it('is a webhook whose last delivery failed, not one that its owner disabled', async () => {
    const create = async (path: string): Promise<{ id: string }> =>
      (await service.user('jay')('POST', '/webhooks', { url: receiver.url(path), events: ['campaign.created'] })).body;
    const failing = await create('/jay');
    const disabled = await create('/other');
    const db = untyped(service.stack.effects.db);
    await db.write({
      table: 'webhooks',
      key: { owner: 'jay', id: failing.id },
      update: 'SET #status = :failed, #lastError = :error, #failingSince = :now',
      values: { failed: 'failed', error: 'The receiver responded with 500', now: service.clock.now() },
    });
    await service.user('jay')('PATCH', `/webhooks/${disabled.id}`, { status: 'disabled' });
    const { attention, attentionCounts } = await home('jay');
    expect(attention).toEqual([
      {
        kind: 'webhook_failing',
        id: failing.id,
        name: new URL(receiver.url('/jay')).host,
        code: 'failed',
        message: 'The last delivery failed after all its attempts. Last error: The receiver responded with 500',
      },
    ]);
    expect(attentionCounts.webhook_failing).toBe(1);
  });

  it('is listed up to twenty times of each kind, and counted completely', async () => {
    for (let count = 0; count < 22; count++)
      await createCampaign('kim', `kiwi${count}home`, { name: `Kiwi ${count}`, creative: { headline: 'No page' } });
    const { attention, attentionCounts } = await home('kim');
    expect(attention).toHaveLength(20);
    expect(attentionCounts.not_serving).toBe(22);
  });
});

describe('The latest activity', () => {
  it('is the ten newest entries', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 12; count++) {
      ids.push((await createCampaign('liz', `lime${count}home`, { name: `Lime ${count}` })).id);
      service.clock.advance(1000);
    }
    const { activity } = await home('liz');
    expect(activity.map(({ subject }) => subject)).toEqual(ids.toReversed().slice(0, 10));
    const listed = await service.call('GET', '/api/v1/activity', {
      query: 'limit=10',
      headers: { 'x-user-id': 'liz' },
    });
    expect(activity).toEqual(listed.body.entries);
  });
});
