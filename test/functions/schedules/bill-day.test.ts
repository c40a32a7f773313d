import { beforeEach, describe, expect, it } from 'vitest';
import { loadWorker } from '../../../infra/local/functions.ts';
import type { Database } from '../../../shared/platform/database.ts';
import { Unavailable } from '../../../shared/platform/unavailable.ts';
import { useEventReceiver } from '../../event-receiver.ts';
import { useServiceInMemory } from '../../memory/stack.ts';
import { untyped } from '../../memory/untyped-database.ts';
import { MORNING } from '../../service.ts';

// @module-tag whole
const service = useServiceInMemory();
const receiver = useEventReceiver();
const DAY_MS = 24 * 60 * 60 * 1000;
const MIDNIGHT = MORNING - 9 * 60 * 60 * 1000;

let day = 0;
/** Every test uses days of its own and continues at nine in the morning of the next one. */
beforeEach(() => service.clock.set(MORNING + ++day * 10 * DAY_MS));
const toDate = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const today = () => toDate(service.clock.now());
/** The next day, this many minutes after midnight. */
const tomorrow = (minutes: number) => service.clock.set(MIDNIGHT + (day * 10 + 1) * DAY_MS + minutes * 60_000);

const listen = async (user: string) => {
  const { status } = await service.user(user)('POST', '/webhooks', {
    url: receiver.url(`/${user}`),
    events: ['account.billing'],
  });
  expect(status).toBe(201);
};

/** A user's campaign that serves this many ads at 4 USD CPM. */
async function spend(user: string, word: string, times: number, campaign: object = {}, key: object = {}) {
  const created = await service.campaign({ targetAudience: { keywords: [word] }, ...campaign }, user);
  const again = async (count: number) => {
    const secret = await service.key(key);
    for (let i = 0; i < count; i++) {
      const { bidId } = (await service.bid(secret, word)).body;
      expect((await service.ad(secret, bidId)).status).toBe(200);
      if (i === 0) await service.call('GET', `/api/v1/click/${bidId}`, { headers: { 'user-agent': 'curl/8' } });
      service.clock.advance(100);
    }
    await service.stack.drain();
  };
  await again(times);
  return { ...created, again };
}

const bill = async () => {
  await service.stack.runSchedules();
  await service.stack.drain();
};
const statements = (user: string) => receiver.at(`/${user}`, 'account.billing').map(({ event }) => event);

describe('The statement of a day', () => {
  it("is issued once to each user with spend, with the day's campaigns to the micro-dollar", async () => {
    for (const user of ['ann', 'ben', 'idle']) await listen(user);
    const one = await spend('ann', 'appleoom', 3, { maxCpb: 4.567 });
    const two = await spend('ann', 'pearoom', 1, { maxCpb: 0.001 });
    await service.campaign({ targetAudience: { keywords: ['unseenoom'] } }, 'ann');
    const bens = await spend('ben', 'plumoom', 2, { budget: 0.006 });
    await service.campaign({ targetAudience: { keywords: ['idleoom'] } }, 'idle');
    const date = today();

    await bill(); // the day is not over
    tomorrow(4);
    await bill(); // the last impressions may not be counted yet
    expect(receiver.received).toEqual([]);
    tomorrow(10);
    for (let i = 0; i < 3; i++) await bill();
    await service.stack.workers['schedules/bill-day']();
    await service.stack.drain();

    expect(statements('idle')).toEqual([]);
    expect(statements('ann')).toEqual([
      {
        id: expect.stringMatching(/^evt_/),
        type: 'account.billing',
        created: new Date(service.clock.now()).toISOString(),
        api_version: 'v1',
        data: {
          kind: 'daily_statement',
          user_id: 'ann',
          date,
          page: 1,
          pages: 1,
          currency: 'USD',
          spend: 0.013702,
          campaigns: [
            {
              campaign_id: one.id,
              campaign_name: one.name,
              impressions: 3,
              clicks: 1,
              conversions: 0,
              spend: 0.013701,
            },
            {
              campaign_id: two.id,
              campaign_name: two.name,
              impressions: 1,
              clicks: 1,
              conversions: 0,
              spend: 0.000001,
            },
          ],
        },
      },
    ]);
    expect(statements('ben').map(({ data }) => [data.spend, data.campaigns[0].campaign_id])).toEqual([
      [0.006, bens.id],
    ]);
  });

  it('contains only the spend of that day', async () => {
    await listen('cora');
    const { again } = await spend('cora', 'cherryoom', 2);
    const first = today();
    tomorrow(1);
    await again(3);
    tomorrow(30);
    await bill();
    service.clock.advance(DAY_MS);
    await bill();
    expect(statements('cora').map(({ data }) => [data.date, data.spend, data.campaigns[0].impressions])).toEqual([
      [first, 0.008, 2],
      [toDate(Date.parse(first) + DAY_MS), 0.012, 3],
    ]);
  });

  it('contains campaigns deleted on the day, with their names', async () => {
    await listen('dora');
    service.clock.set(MIDNIGHT + day * 10 * DAY_MS + 60_000);
    const { id, name } = await spend('dora', 'damsonoom', 1);
    await service.user('dora')('DELETE', `/campaigns/${id}`);
    const date = today();
    tomorrow(6 * 60 + 10);
    await service.stack.sweep();
    await bill();
    expect(statements('dora').map(({ data }) => [data.date, data.campaigns])).toEqual([
      [date, [{ campaign_id: id, campaign_name: name, impressions: 1, clicks: 1, conversions: 0, spend: 0.004 }]],
    ]);
  });

  it('is issued later if no run happened on the next morning or the day after', async () => {
    await listen('ella');
    await spend('ella', 'elderoom', 1);
    const date = today();
    service.clock.advance(3 * DAY_MS);
    await service.stack.sweep();
    await bill();
    await bill();
    expect(statements('ella').map(({ data }) => [data.date, data.spend])).toEqual([[date, 0.004]]);
  });

  it('excludes test mode', async () => {
    await listen('finn');
    await spend('finn', 'figoom', 2, {}, { mode: 'test' });
    tomorrow(10);
    await bill();
    expect(statements('finn')).toEqual([]);
  });

  it('is the same after two concurrent runs and after a crash halfway', async () => {
    for (const user of ['gus', 'hal']) {
      await listen(user);
      await spend(user, `grape${user}oom`, 1);
    }
    tomorrow(10);
    const { db } = service.stack.effects;
    let writes = 0;
    const failing: Database = {
      ...db,
      write: async (write, returning) => {
        if (++writes > 1) throw new Error('no');
        return db.write(write, returning);
      },
    };
    const crashing = await loadWorker('schedules/bill-day', { ...service.stack.effects, db: failing });
    await expect(crashing()).rejects.toThrow('1 statements could not be stored');
    await Promise.all([1, 2, 3].map(() => service.stack.workers['schedules/bill-day']()));
    await service.stack.drain();
    expect([...statements('gus'), ...statements('hal')].map(({ data }) => data.spend)).toEqual([0.004, 0.004]);
  });
});

describe('A statement whose write fails', () => {
  /** Tombstones of many campaigns of a user, each with some spend. Resolves to their ids. */
  async function spentByMany(user: string, count: number, nameOf: (index: number) => string) {
    const db = untyped(service.stack.effects.db);
    const ids = Array.from({ length: count }, (_, index) => `cmp_${user}${String(index).padStart(12, '0')}`);
    const writes = ids.flatMap((id, index) => {
      const tombstone = { id, owner: user, name: nameOf(index), deleted: true, version: 2 };
      const item = { ...tombstone, item: `campaign#${id}`, feed: 'campaigns', changedAt: service.clock.now() };
      return [
        { table: 'campaigns' as const, put: item },
        { table: 'ledgers' as const, put: { campaignId: id, row: `day#${today()}`, impressions: 1, spend: 4_000 } },
      ];
    });
    await Promise.all(writes.map((write) => db.write(write)));
    return ids;
  }
  /** The function whose nth write of a statement fails: either only that one or every one from then on. */
  const failingAt = (isRefused: (nth: number, owner: string) => boolean) => {
    const { db } = service.stack.effects;
    let nth = 0;
    const failing: Database = {
      ...db,
      write: async (write, returning) => {
        if ('put' in write && 'owner' in write.put && isRefused(++nth, write.put.owner)) throw new Unavailable('no');
        return db.write(write, returning);
      },
    };
    return loadWorker('schedules/bill-day', { ...service.stack.effects, db: failing });
  };

  it('does not delay other users, fails the run, and is stored by the next run', async () => {
    for (const user of ['ida', 'jon', 'kim']) {
      await listen(user);
      await spend(user, `peach${user}oom`, 1);
    }
    tomorrow(10);
    await expect((await failingAt((_, owner) => owner === 'jon'))()).rejects.toThrow('1 statements');
    await service.stack.drain();
    expect(['ida', 'jon', 'kim'].map((user) => statements(user).length)).toEqual([1, 0, 1]);
    await bill();
    expect(['ida', 'jon', 'kim'].map((user) => statements(user).length)).toEqual([1, 1, 1]);
  });

  it('is sent in pages that fit into a message, every campaign once, even if a run stops between pages', async () => {
    await listen('lea');
    const ids = await spentByMany('lea', 205, (index) => `${'😀'.repeat(97)} ${index}`);
    tomorrow(10);
    await expect((await failingAt((nth) => nth > 1))()).rejects.toThrow('1 statements');
    await service.stack.drain();
    service.clock.advance(60 * 60_000);
    await bill();
    await bill();
    // Two pages of one run are sent in parallel, in no fixed order.
    const pages = statements('lea')
      .map(({ data }) => data)
      .sort((a, b) => a.page - b.page);
    expect(pages.map(({ page, pages, spend, campaigns }) => [page, pages, spend, campaigns.length])).toEqual([
      [1, 3, 0.82, 100],
      [2, 3, 0.82, 100],
      [3, 3, 0.82, 5],
    ]);
    expect(
      pages.flatMap(({ campaigns }) => campaigns.map((line: { campaign_id: string }) => line.campaign_id)),
    ).toEqual(ids);
    expect(new Set(statements('lea').map(({ id }) => id)).size).toBe(3);
    expect(
      await service.stack.effects.db.get('statements', { owner: 'lea', date: `${pages[0].date}#1` }),
    ).toBeDefined();
  });

  it('is not sent again if it was stored before pages existed', async () => {
    await listen('mia');
    await spentByMany('mia', 1, () => 'One');
    const date = today();
    await untyped(service.stack.effects.db).write({
      table: 'statements',
      put: { owner: 'mia', date, spend: 4_000, campaigns: [], at: 1 },
    });
    await service.stack.drain();
    tomorrow(10);
    await bill();
    expect(statements('mia').map(({ data }) => [data.date, data.page, data.pages])).toEqual([[date, 1, 1]]);
  });
});

describe('A statement with uncounted charges', () => {
  it('waits for the last counts and is then complete', async () => {
    await listen('late');
    const key = await service.key();
    await service.campaign({ targetAudience: { keywords: ['latecountoom'] } }, 'late');
    const show = async () => {
      service.clock.advance(100);
      expect((await service.ad(key, (await service.bid(key, 'latecountoom')).body.bidId)).status).toBe(200);
    };
    await show();
    await service.stack.drain();
    await show(); // these two are charged, but their records are still in the stream
    await show();
    tomorrow(10);
    await service.stack.runSchedules();
    await service.stack.receive();
    expect(statements('late')).toEqual([]);
    await service.stack.drain();
    tomorrow(70);
    await bill();
    await bill();
    expect(statements('late').map(({ data }) => data.spend)).toEqual([0.012]);
  });
});
