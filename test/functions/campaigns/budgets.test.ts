import { describe, expect, it } from 'vitest';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory();
const DAY = 24 * 60 * 60 * 1000;
const MORNING = Date.UTC(2026, 10, 20, 9);

let advertisers = 0;

/** An advertiser with one campaign that pays 0.004 per impression, a matching publisher, and the calls of both. */
async function advertiser(overrides: object = {}) {
  const user = `advertiser${++advertisers}`;
  const word = `subject${advertisers}`;
  const key = await service.key();
  const campaign = await service.campaign({ targetAudience: { keywords: [word] }, ...overrides }, user);
  const ask = service.user(user);
  const bid = async () => {
    service.clock.advance(100); // the limit is 15 bids per second
    return (await service.bid(key, word)).body?.bidId as string | undefined;
  };
  const ad = async (bidId: string) => (await service.ad(key, bidId)).status;
  return {
    id: campaign.id as string,
    ask,
    bid,
    ad,
    key,
    word,
    get: async () => (await ask('GET', `/campaigns/${campaign.id}`)).body,
    change: async (body: object) => (await ask('PATCH', `/campaigns/${campaign.id}`, body)).body,
    /** Campaign ids of a list, by status. */
    async statuses(status: string) {
      const call = { headers: { 'x-user-id': user }, query: `status=${status}` };
      const { body } = await service.call('GET', '/api/v1/campaigns', call);
      return body.map(({ id }: { id: string }) => id);
    },
    /** Wins and serves this many impressions. Returns the statuses of the retrievals, null without a bid. */
    async show(times: number) {
      const shown: (number | null)[] = [];
      for (let time = 0; time < times; time++) {
        const bidId = await bid();
        shown.push(bidId ? await ad(bidId) : null);
      }
      return shown;
    },
  };
}

const lifecycle = ({ status, pausedReason, spentBudget }: Record<string, unknown>) => [
  status,
  pausedReason,
  spentBudget,
];

describe('A budget change during spend', () => {
  it('applies as a difference and keeps what is spent', async () => {
    const { show, change, get } = await advertiser({ budget: 0.02 });
    expect(await show(2)).toEqual([200, 200]);
    expect(lifecycle(await change({ budget: 0.012 }))).toEqual(['active', null, 0.008]);
    expect(await show(2)).toEqual([200, null]);
    expect(lifecycle(await get())).toEqual(['paused', 'budget', 0.012]);
  });

  it('pauses the campaign at once, in the response too, if the budget drops below what is spent', async () => {
    const { show, change, get, bid, ad } = await advertiser({ budget: 0.02 });
    await show(2);
    const late = (await bid())!;
    expect(lifecycle(await change({ budget: 0.001 }))).toEqual(['paused', 'budget', 0.008]);
    expect(await ad(late)).toBe(404);
    expect(await bid()).toBeUndefined();
    expect(lifecycle(await change({ budget: 0.008 }))).toEqual(['paused', 'budget', 0.008]);
    expect(lifecycle(await change({ budget: 0.009 }))).toEqual(['active', null, 0.008]);
    expect(await show(2)).toEqual([200, null]);
    expect(lifecycle(await get())).toEqual(['paused', 'budget', 0.009]);
  });

  it('resumes a campaign paused for its total budget, which can run out again', async () => {
    const { show, change, get } = await advertiser({ budget: 0.004 });
    expect(await show(2)).toEqual([200, null]);
    expect(lifecycle(await change({ budget: 0.01 }))).toEqual(['active', null, 0.004]);
    expect(await show(3)).toEqual([200, 200, null]);
    expect(lifecycle(await get())).toEqual(['paused', 'budget', 0.01]);
  });

  it('resumes a campaign paused for the day on the same day', async () => {
    const { show, change, get } = await advertiser({ budget: 1, dailyBudget: 0.004 });
    expect(await show(2)).toEqual([200, null]);
    expect(lifecycle(await get())).toEqual(['paused', 'daily_budget', 0.004]);
    expect(lifecycle(await change({ budget: 2 }))).toEqual(['paused', 'daily_budget', 0.004]);
    expect(lifecycle(await change({ dailyBudget: 0.008 }))).toEqual(['active', null, 0.004]);
    expect(await show(2)).toEqual([200, null]);
  });

  it('changes the daily budget too while dailyBudget follows budget', async () => {
    const { show, change, get } = await advertiser({ budget: 0.004 });
    await show(1);
    expect(await change({ budget: 0.008 })).toMatchObject({ status: 'active', dailyBudget: 0.008 });
    expect(await show(2)).toEqual([200, null]);
    expect(lifecycle(await get())).toEqual(['paused', 'budget', 0.008]);
  });

  it('applies the status of the request while money is left', async () => {
    const { show, change, bid } = await advertiser({ budget: 0.004 });
    await show(1);
    expect(lifecycle(await change({ budget: 1, status: 'paused' }))).toEqual(['paused', 'user', 0.004]);
    expect(lifecycle(await change({ budget: 1, status: 'active' }))).toEqual(['active', null, 0.004]);
    expect(await bid()).toBeDefined();
  });

  it('keeps a pause by the user', async () => {
    const { show, change } = await advertiser({ budget: 0.02 });
    await show(1);
    await change({ status: 'paused' });
    expect(lifecycle(await change({ budget: 5 }))).toEqual(['paused', 'user', 0.004]);
    expect(lifecycle(await change({ budget: 0.001 }))).toEqual(['paused', 'user', 0.004]);
  });

  it('accepts exact decimals and charges the last micro-dollar', async () => {
    const { show, get } = await advertiser({ budget: 0.004001 });
    expect(await show(3)).toEqual([200, 200, null]);
    expect(await get()).toMatchObject({ spentBudget: 0.004001, performance: { impressions: 2 } });
  });
});

describe('The spend of today', () => {
  it('begins with the first impression of each UTC day, in the list as on the campaign', async () => {
    const { show, get, ask } = await advertiser({ budget: 5, dailyBudget: 1 });
    const spends = async () => {
      const { spentToday, spentBudget } = await get();
      expect((await ask('GET', '/campaigns')).body).toMatchObject([{ spentToday, spentBudget }]);
      return [spentToday, spentBudget];
    };
    expect(await spends()).toEqual([0, 0]);
    await show(2);
    expect(await spends()).toEqual([0.008, 0.008]);
    service.clock.advance(DAY);
    expect(await spends()).toEqual([0, 0.008]);
    await show(1);
    expect(await spends()).toEqual([0.004, 0.012]);
  });

  it('does not change with the daily budget', async () => {
    const { show, change } = await advertiser({ budget: 5, dailyBudget: 1 });
    await show(1);
    expect(await change({ dailyBudget: 2 })).toMatchObject({ spentToday: 0.004 });
    expect(await change({ dailyBudget: 0.001 })).toMatchObject({ spentToday: 0.004 });
  });
});

describe('A change with an expected budget', () => {
  it('succeeds for one of two concurrent changes; the other gets the current budget', async () => {
    const { id, ask, get } = await advertiser({ budget: 5 });
    const raise = (budget: number) => ask('PATCH', `/campaigns/${id}`, { budget, expectedBudget: 5 });
    const both = await Promise.all([raise(105), raise(55)]);
    const { budget } = await get();
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 200)!.body.budget).toBe(budget);
    expect(both.find(({ status }) => status === 409)!.body).toEqual({
      error: 'Conflict',
      message: 'The budget has changed since it was read',
      statusCode: 409,
      details: [{ path: 'expectedBudget', message: `The budget is ${budget} USD now` }],
    });
    expect((await ask('PATCH', `/campaigns/${id}`, { budget: 200, expectedBudget: budget })).body.budget).toBe(200);
    expect((await ask('PATCH', `/campaigns/${id}`, { budget: 201, expectedBudget: null })).body.budget).toBe(201);
    expect((await ask('PATCH', `/campaigns/${id}`, { budget: 202, expectedBudget: -1 })).status).toBe(400);
  });
});

describe('A whole campaign sent back in an update', () => {
  it('does not turn a pause for budget into a pause by the user', async () => {
    const { show, get, change } = await advertiser({ dailyBudget: 0.004 });
    expect(await show(1)).toEqual([200]);
    const whole = await get();
    expect(whole).toMatchObject({ status: 'paused', pausedReason: 'daily_budget' });
    const creative = { ...whole.creative, headline: 'New words' };
    expect(await change({ ...whole, creative })).toMatchObject({
      status: 'paused',
      pausedReason: 'daily_budget',
      creative,
    });
    expect(await change({ status: 'paused' })).toMatchObject({ status: 'paused', pausedReason: 'user' });
  });
});

describe('A campaign that has spent its daily budget', () => {
  const spent = async () => {
    service.clock.set(MORNING + ++days * 2 * DAY);
    const made = await advertiser({ budget: 1, dailyBudget: 0.006 });
    expect(await made.show(3)).toEqual([200, 200, null]);
    expect(lifecycle(await made.get())).toEqual(['paused', 'daily_budget', 0.006]);
    return made;
  };
  let days = 0;
  const midnight = () => service.clock.set(Math.ceil(service.clock.now() / DAY) * DAY);

  it('is active in the first request of the next day, whatever the request, before any schedule runs', async () => {
    const one = await spent();
    expect(await one.statuses('paused')).toEqual([one.id]);
    service.clock.set(Math.ceil(service.clock.now() / DAY) * DAY - 1);
    expect(lifecycle(await one.get())).toEqual(['paused', 'daily_budget', 0.006]);
    midnight();
    expect(lifecycle(await one.get())).toEqual(['active', null, 0.006]);
    expect(await one.statuses('active')).toEqual([one.id]);
    expect(await one.statuses('paused')).toEqual([]);
    expect(await one.show(3)).toEqual([200, 200, null]);
    expect(lifecycle(await one.get())).toEqual(['paused', 'daily_budget', 0.012]);
  });

  it('bids right after midnight', async () => {
    const { show } = await spent();
    midnight();
    expect(await show(1)).toEqual([200]);
  });

  it('serves on the next day what it won just before the pause', async () => {
    service.clock.set(MORNING + ++days * 2 * DAY + 15 * 60 * 60 * 1000 - 10_000); // ten seconds to midnight
    const { bid, ad, get } = await advertiser({ budget: 1, dailyBudget: 0.004 });
    const [first, second] = [(await bid())!, (await bid())!];
    expect([await ad(first), await ad(second)]).toEqual([200, 404]);
    midnight();
    expect(await ad(second)).toBe(200);
    expect(lifecycle(await get())).toEqual(['paused', 'daily_budget', 0.008]);
  });

  it('stays active after the schedule runs, and the schedule changes nothing twice', async () => {
    const { get, show } = await spent();
    await service.stack.runSchedules();
    expect(lifecycle(await get())).toEqual(['paused', 'daily_budget', 0.006]);
    midnight();
    await service.stack.runSchedules();
    const written = await get();
    expect(lifecycle(written)).toEqual(['active', null, 0.006]);
    service.clock.advance(60_000);
    await service.stack.runSchedules();
    expect(await get()).toEqual(written);
    expect(await show(1)).toEqual([200]);
  });

  it('accepts an update on the next day as an active campaign', async () => {
    const { change } = await spent();
    midnight();
    expect(lifecycle(await change({ description: 'New day' }))).toEqual(['active', null, 0.006]);
  });
});

describe('Start and end dates', () => {
  const at = (days: number) => new Date(MORNING + days * DAY).toISOString().slice(0, 10);

  it('allow bids from the first moment of the start date to the last of the end date', async () => {
    service.clock.set(MORNING + 40 * DAY);
    const { show, get, bid, ad, statuses, id } = await advertiser({ startDate: at(41), endDate: at(42) });
    expect(await show(1)).toEqual([null]);
    service.clock.set(Date.parse(at(41)) - 200);
    expect(await bid()).toBeUndefined();
    service.clock.set(Date.parse(at(41)));
    expect(await show(1)).toEqual([200]);
    service.clock.set(Date.parse(at(43)) - 1_000);
    const late = (await bid())!;
    expect((await get()).status).toBe('active');
    service.clock.set(Date.parse(at(43)));
    expect(await ad(late)).toBe(404);
    expect(await bid()).toBeUndefined();
    expect(lifecycle(await get())).toEqual(['completed', null, 0.004]);
    expect(await statuses('completed')).toEqual([id]);
    await service.stack.runSchedules();
    expect(lifecycle(await get())).toEqual(['completed', null, 0.004]);
  });

  it('complete a campaign in the response to an update if its end has passed', async () => {
    service.clock.set(MORNING + 50 * DAY);
    const { change } = await advertiser();
    expect((await change({ endDate: at(49) })).status).toBe('completed');
    expect((await change({ status: 'active' })).status).toBe('completed');
    expect((await change({ status: 'active', endDate: at(51) })).status).toBe('active');
  });
});
