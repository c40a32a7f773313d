import type { PageItem } from '../platform/breakdowns.ts';
import type { Effects } from '../platform/effects.ts';
import type { Item } from '../platform/items.ts';
import { type Balance, balanceKey, emptyBalance, getPendingDay, isBalance } from './balance.ts';
import type { ClickerRow } from './clickers.ts';
import {
  type CountsRow,
  getOpenDays,
  type OpenDays,
  type PerformanceTotals,
  toDate,
  toLedgerDay,
  toTotals,
} from './counts.ts';
import type { CampaignDay, LedgerDay } from './day-counts.ts';
import type { SeenRow, TermsPage } from './monthly-terms.ts';
import { includeShards } from './shards/close-shards.ts';
import type { BudgetShard } from './shards/shard.ts';

export type Performance = Balance & PerformanceTotals;

/** Performance, plus the day counts that are still in the totals row. */
type ReadPerformance = Performance & { openDays: OpenDays };

declare module '../platform/items.ts' {
  interface Items {
    ledgers: (Balance & { row: 'money' }) | CountsRow | BudgetShard | BreakdownPage | TermsPage | SeenRow | ClickerRow;
  }
}

/** A page of the breakdown of a day (`by#…`), or a mark of a parked record that was counted there (`mark#…`). */
interface BreakdownPage extends PageItem {
  campaignId: string;
  row: `by#${string}` | `mark#${string}`;
}

const isCounts = (row: Item<'ledgers'>): row is CountsRow => row.row === 'total' || row.row.startsWith('day#');

export function ledgerStore({ db }: Pick<Effects, 'db'>) {
  /** Balances and totals of several campaigns, in the given order; zeros for a campaign without a ledger. */
  const performance = async (campaignIds: string[]): Promise<ReadPerformance[]> =>
    campaignIds.map(await read(campaignIds));

  async function read(campaignIds: string[]): Promise<(campaignId: string) => ReadPerformance> {
    const keys = campaignIds.flatMap((campaignId) => [balanceKey(campaignId), { campaignId, row: 'total' }]);
    const balances = new Map<string, Balance>();
    const totals = new Map<string, CountsRow>();
    for (const row of await db.getAll('ledgers', keys)) {
      if (isBalance(row)) balances.set(row.campaignId, await includeShards({ db }, row));
      else if (isCounts(row)) totals.set(row.campaignId, row);
    }
    return (id) => {
      const total = totals.get(id);
      return { ...(balances.get(id) ?? emptyBalance(id)), ...toTotals(total), openDays: getOpenDays(total) };
    };
  }

  const readOne = async (id: string) => (await read([id]))(id);

  const store = {
    /** The days with any activity, from `from` to `to` inclusive, oldest first. */
    async days(campaignId: string, from: string, to: string): Promise<LedgerDay[]> {
      const { openDays, ...balance } = await readOne(campaignId);
      const rows = new Map<string, CountsRow>();
      const found = db.query({
        table: 'ledgers',
        where: '#campaignId = :campaignId AND #row BETWEEN :from AND :to',
        values: { campaignId, from: `day#${from}`, to: `day#${to}` },
        consistent: true,
      });
      for await (const row of found) if (isCounts(row)) rows.set(toDate(row.row), row);
      // A day that moved to its row between the two reads would be counted twice: read again.
      const { openDays: openDaysAfter } = await readOne(campaignId);
      if ([...openDays.keys()].some((date) => !openDaysAfter.has(date))) return store.days(campaignId, from, to);
      const open = [...openDays.keys(), getPendingDay(balance) ?? ''].filter((date) => from <= date && date <= to);
      const dates = new Set([...rows.keys(), ...open]);
      return [...dates].sort().map((date) => toLedgerDay(date, rows.get(date), balance, openDays));
    },

    /** One day's counts of the campaigns with any activity on it. @param performances of these campaigns, read before this call */
    async dayOfAll(performances: readonly ReadPerformance[], date: string): Promise<CampaignDay[]> {
      const keys = performances.map(({ campaignId }) => ({ campaignId, row: `day#${date}` }));
      const rows = new Map<string, CountsRow>();
      for (const row of await db.getAll('ledgers', keys)) if (isCounts(row)) rows.set(row.campaignId, row);
      return performances
        .filter((one) => rows.has(one.campaignId) || getPendingDay(one) === date || one.openDays.has(date))
        .map((one) => {
          const { campaignId, openDays } = one;
          return { campaignId, ...toLedgerDay(date, rows.get(campaignId), one, openDays) };
        });
    },

    /** The same for a day that may have moved to its row since the performances were read: such a day would be counted twice. */
    async earlierDayOfAll(performances: readonly ReadPerformance[], date: string): Promise<CampaignDay[]> {
      const days = await store.dayOfAll(performances, date);
      const open = performances.filter(({ openDays }) => openDays.has(date)).map(({ campaignId }) => campaignId);
      const moved = (await performance(open)).filter(({ openDays }) => !openDays.has(date));
      const ids = new Set(moved.map(({ campaignId }) => campaignId));
      const again: CampaignDay[] = [];
      for (const campaignId of ids)
        for (const day of await store.days(campaignId, date, date)) again.push({ campaignId, ...day });
      return [...days.filter(({ campaignId }) => !ids.has(campaignId)), ...again];
    },

    performance,
  };
  return store;
}
