import { describe, expect, it } from 'vitest';
import { useEventReceiver } from '../../event-receiver.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { untyped } from '../../memory/untyped-database.ts';
import { createCaller, createHandlers } from '../../service.ts';

// @module-tag whole
const service = useServiceInMemory();
const receiver = useEventReceiver();
const PAST = '2020-01-01';

let advertisers = 0;

/** An advertiser with a webhook, one campaign, and its users. An impression costs 0.004. */
async function advertiser(body: object = {}) {
  const user = `transit${++advertisers}`;
  const word = `transit${'abcdefghijklmnopqrstuvwxyz'[advertisers]}oom`;
  const ask = service.user(user);
  const events = ['created', 'updated', 'paused', 'budget_exhausted'].map((kind) => `campaign.${kind}`);
  await ask('POST', '/webhooks', { url: receiver.url(`/${user}`), events });
  const key = await service.key();
  const created = await service.campaign({ targetAudience: { keywords: [word] }, ...body }, user);
  const path = `/campaigns/${created.id}`;
  const getState = ({ status, pausedReason }: { status: string; pausedReason: string | null }) => [
    status,
    pausedReason,
  ];

  /** The state, which must be the same in the response, in the record, and for the next request. */
  async function agreed(answer: { status: string; pausedReason: string | null }) {
    const item = { owner: user, item: `campaign#${created.id}` };
    const stored = (await untyped(service.stack.effects.db).get('campaigns', item)) as typeof answer;
    expect(getState(stored)).toEqual(getState(answer));
    expect(getState((await ask('GET', path)).body)).toEqual(getState(answer));
    return getState(answer);
  }

  let heard = 0;
  return {
    path,
    win: async () => (await service.bid(key, word)).body.bidId as string,
    ad: (bidId: string) => service.ad(key, bidId),
    created: () => agreed(created),
    change: async (change: object) => {
      const { status, body } = await ask('PATCH', path, change);
      expect(status).toBe(200);
      return agreed(body);
    },
    show: async (times = 1) => {
      for (let time = 0; time < times; time++) {
        service.clock.advance(100);
        const { bidId } = (await service.bid(key, word)).body;
        expect((await service.ad(key, bidId)).status).toBe(200);
      }
    },
    /** Events sent since the last call. */
    takeEvents: async () => {
      await service.stack.drain();
      const news = receiver.at(`/${user}`).slice(heard);
      heard += news.length;
      return news
        .map(({ event: { type, data } }) =>
          [type.slice('campaign.'.length), data.status ?? data.reason].join(' ').trim(),
        )
        .sort();
    },
  };
}

describe('A campaign set to active', () => {
  it('is completed after its end: in the record, the response, and the event', async () => {
    const { created, takeEvents, change } = await advertiser({ endDate: PAST });
    expect(await created()).toEqual(['completed', null]);
    expect(await takeEvents()).toEqual(['created completed']);
    expect(await change({ status: 'draft' })).toEqual(['draft', null]);
    expect(await change({ status: 'active' })).toEqual(['completed', null]);
    expect(await takeEvents()).toEqual(['updated completed', 'updated draft']);
  });

  it('is completed when its end moves into the past, and no schedule announces it again', async () => {
    const { created, takeEvents, change } = await advertiser();
    expect(await created()).toEqual(['active', null]);
    expect(await change({ endDate: PAST })).toEqual(['completed', null]);
    expect(await takeEvents()).toEqual(['created active', 'updated completed']);
    await service.stack.runSchedules();
    expect(await takeEvents()).toEqual([]);
  });

  it('is paused, with the event, when its budget is spent', async () => {
    const { takeEvents, change, show } = await advertiser({ budget: 0.008 });
    await show(2);
    expect(await takeEvents()).toEqual(['budget_exhausted', 'created active', 'paused budget']);
    expect(await change({ status: 'active' })).toEqual(['paused', 'budget']);
    expect(await takeEvents()).toEqual([]);
    expect(await change({ status: 'draft' })).toEqual(['draft', null]);
    expect(await change({ status: 'active', description: 'Go' })).toEqual(['paused', 'budget']);
    expect(await takeEvents()).toEqual(['paused budget', 'updated draft', 'updated paused']);
    expect(await change({ status: 'active', budget: 0.012 })).toEqual(['active', null]);
    expect(await takeEvents()).toEqual(['updated active']);
  });

  it('is paused for the day when its daily budget is spent', async () => {
    const { takeEvents, change, show } = await advertiser({ budget: 1, dailyBudget: 0.004 });
    await show();
    expect(await change({ status: 'paused' })).toEqual(['paused', 'user']);
    expect(await change({ status: 'active' })).toEqual(['paused', 'daily_budget']);
    expect(await change({ status: 'active', dailyBudget: 0.008 })).toEqual(['active', null]);
    await show();
    expect((await takeEvents()).filter((event) => event === 'paused daily_budget').length).toBeGreaterThan(0);
  });

  it('stays active with a zero budget if nothing was spent', async () => {
    const { created, change, takeEvents } = await advertiser({ budget: 0 });
    expect(await created()).toEqual(['active', null]);
    expect(await change({ status: 'active' })).toEqual(['active', null]);
    expect(await takeEvents()).toEqual(['created active']);
  });

  it('is paused by a concurrent charge that spends the rest of its budget', async () => {
    const { change, show } = await advertiser({ budget: 0.004, status: 'active' });
    await Promise.all([show(), change({ description: 'At the same time', status: 'active' }).catch(() => {})]);
    expect(await change({ description: 'Later' })).toEqual(['paused', 'budget']);
  });

  it('is paused for the day by a charge between the read of its balance and the write', async () => {
    const { change, win, ad, path } = await advertiser({ budget: 1, dailyBudget: 0.004 });
    const bidId = await win();
    await change({ status: 'paused' }); // bids won earlier can still be served
    const { db } = service.stack.effects;
    let charged = 0;
    const transact: typeof db.transact = async (...parts) => {
      if (charged++ === 0) expect((await ad(bidId)).status).toBe(200);
      return db.transact(...parts);
    };
    const handlers = await createHandlers({ ...service.stack.effects, db: { ...db, transact } });
    const headers = { 'x-user-id': `transit${advertisers}` };
    const answer = await createCaller(() => handlers)('PATCH', `/api/v1${path}`, {
      headers,
      body: { status: 'active' },
    });
    expect(answer.body).toMatchObject({ status: 'paused', pausedReason: 'daily_budget', spentBudget: 0.004 });
    expect(charged).toBeGreaterThan(1);
  });
});

describe('A budget lowered below what is spent', () => {
  it('sends no second budget_exhausted, however often it is raised and lowered', async () => {
    const { takeEvents, change, show } = await advertiser({ budget: 0.008 });
    await show(2);
    expect(await takeEvents()).toContain('budget_exhausted');
    for (const budget of [0.004, 5, 0.001, 0.02, 0.008]) await change({ budget });
    expect(await change({ budget: 0.004, status: 'active' })).toEqual(['paused', 'budget']);
    expect(await takeEvents()).not.toContain('budget_exhausted');
    await change({ budget: 0.012 });
    await show();
    expect(await takeEvents()).toContain('budget_exhausted'); // exhausted again by new spend
  });

  it('sends no second event if more was spent after a raise: only exhaustion by spend sends one', async () => {
    const { takeEvents, change, show } = await advertiser({ budget: 0.005 });
    await show(2);
    expect(await takeEvents()).toContain('budget_exhausted');
    await change({ budget: 1 });
    await show(2);
    await takeEvents();
    expect(await change({ budget: 0.001 })).toEqual(['paused', 'budget']);
    expect(await takeEvents()).toEqual(['paused budget', 'updated paused']);
  });

  it('sends the first event if the budget was never exhausted before', async () => {
    const { takeEvents, change, show } = await advertiser({ budget: 0.02 });
    await show();
    expect(await change({ budget: 0.002 })).toEqual(['paused', 'budget']);
    expect(await takeEvents()).toEqual(['budget_exhausted', 'created active', 'paused budget', 'updated paused']);
    await change({ budget: 1 });
    await change({ budget: 0.002 });
    expect(await takeEvents()).not.toContain('budget_exhausted');
  });
});
