import assert from 'node:assert/strict';
import { utcDay } from '../../../../shared/platform/clock.ts';
import type { Database, Write } from '../../../../shared/platform/database.ts';
import { Unavailable } from '../../../../shared/platform/unavailable.ts';
import { Conflict, type createMemoryDatabase } from '../../../memory/database.ts';
import { OWNER } from '../../../memory/service.ts';
import type { AnyItem } from '../../../memory/untyped-database.ts';
import type { TestClock } from '../../../service.ts';

/** How often each hard case has happened. */
export const OCCASIONS = [
  'credit after close',
  'close before the first credit',
  'grant across midnight',
  'lowering below outstanding money',
  'doubling during close',
  'deletion with a grant in flight',
] as const;

export type Occasions = Record<(typeof OCCASIONS)[number], number>;

const LONG_MS = 10 * 60_000;
const isGrant = (write: Write): boolean => 'update' in write && write.update.includes(' ADD #granted');

/** Observes how a campaign's money moves, using only the stored rows. */
export function watchMoney(
  db: ReturnType<typeof createMemoryDatabase>,
  campaignId: string,
  share: number,
  clock: Pick<TestClock, 'now' | 'advance'>,
) {
  const occasions: Occasions = {
    'credit after close': 0,
    'close before the first credit': 0,
    'grant across midnight': 0,
    'lowering below outstanding money': 0,
    'doubling during close': 0,
    'deletion with a grant in flight': 0,
  };
  const root = (): AnyItem => db.item('ledgers', { campaignId, row: 'money' })!;
  const today = () => utcDay(clock.now());
  const dayOf = new Map<number, string>();

  /** The stored shards with grants, and the granted amount of each. */
  function shards(balance: AnyItem) {
    return Object.entries(balance).flatMap(([name, granted]) => {
      const [, shard] = /^granted_(\d+)$/.exec(name) ?? [];
      if (shard === undefined) return [];
      const {
        granted: arrived = 0,
        left = 0,
        spent = 0,
      } = db.item('ledgers', { campaignId: `${campaignId}#${shard}`, row: `shard#${balance.epoch}` }) ?? {};
      return [{ inFlight: granted - arrived, arrived, left, spent }];
    });
  }
  const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
  const money = () => {
    const balance = root();
    const all = shards(balance);
    const spentInShards = sum(all.map(({ spent }) => spent));
    const outside = sum(all.map(({ inFlight, left }) => inFlight + left));
    const counted = balance.countDay === balance.day ? balance.daySpend : 0;
    return { balance, all, outside, spent: balance.spent + spentInShards, spentToday: counted + spentInShards };
  };

  let budget = db.item('campaigns', { owner: OWNER, item: `campaign#${campaignId}` })!.budget as number;
  let last: Pick<ReturnType<typeof money>, 'spent' | 'spentToday'> & { day: string } = {
    spent: 0,
    spentToday: 0,
    day: '',
  };

  function check(): void {
    const { balance, all, outside, spent, spentToday } = money();
    budget = db.item('campaigns', { owner: OWNER, item: `campaign#${campaignId}` })?.budget ?? budget;
    for (const { inFlight, arrived, left, spent: spentOfIt } of all) {
      assert(inFlight >= 0 && left >= 0, 'a shard has what it was granted');
      assert.equal(left + spentOfIt, arrived, 'a shard has what arrived there, or has spent it');
    }
    assert.equal(balance.remaining + outside + spent, budget, 'no micro-dollar of the budget is lost or made');
    assert.equal(balance.dayRemaining + outside + spentToday, balance.dailyBudget, 'nor of the day');
    if (spent > last.spent) assert(spent <= budget, 'nothing is spent beyond the budget');
    if (spentToday > last.spentToday && balance.day === last.day) {
      assert(spentToday <= balance.dailyBudget, 'nor beyond the day');
    }
    if (balance.phase) {
      assert(balance.remaining > 0 && balance.dayRemaining > 0, 'the last of a budget is never granted');
      assert(outside <= share * Math.min(budget, balance.dailyBudget), 'shards hold no more than their share');
    }
    last = { spent, spentToday, day: balance.day };
  }

  /** The hard case that a write is about to cause, if any. */
  function notice(write: Write): void {
    const balance = root();
    if (write.table === 'campaigns' && 'put' in write && 'deleted' in write.put) {
      if (shards(balance).some(({ inFlight }) => inFlight > 0)) occasions['deletion with a grant in flight']++;
    }
    if (write.table !== 'ledgers' || !('update' in write)) return;
    const { key, update } = write as { key: { row: string }; update: string };
    if (isGrant(write)) dayOf.set(balance.epoch, balance.day);
    const row = db.item('ledgers', key);
    if (update.startsWith('SET #granted')) {
      if (row?.closed) occasions['credit after close']++;
      if (today() > dayOf.get(Number(key.row.slice('shard#'.length)))!) occasions['grant across midnight']++;
    }
    if (update.startsWith('SET #closed') && !row) occasions['close before the first credit']++;
    if (update.startsWith('SET #width') && balance.phase !== 'open') occasions['doubling during close']++;
  }

  return {
    occasions,
    money,
    check,
    isGranting: (): boolean => money().all.some(({ inFlight }) => inFlight > 0),

    /** Call before the budget is lowered. */
    lowering(to: number): void {
      const { balance, outside, spent } = money();
      if (balance.phase && spent < to && to < spent + outside) occasions['lowering below outstanding money']++;
    },

    /** A step of the store: now and then a conflict instead, or a write that is sent again since its answer was late; and after a grant a long time,
     * or no answer. */
    step<T>({ method, writes }: { method: keyof Database; writes: Write[] }, act: () => T, random: () => number): T {
      if (writes.length === 0) return act();
      if (method === 'transact' && random() < 0.6) throw new Conflict();
      for (const write of writes) notice(write);
      let answer = act();
      if (method === 'write' && random() < 0.05) answer = act();
      check();
      if (writes.some(isGrant)) {
        const drawn = random();
        if (drawn < 0.2) clock.advance(LONG_MS);
        else if (drawn < 0.5) throw new Unavailable('the answer was lost');
      }
      return answer;
    },
  };
}
