import type { Effects } from '../platform/effects.ts';
import { type Balance, moneyKey, noMoney, unfoldedDay } from './balance.ts';
import {
  type CampaignDay,
  type CountsRow,
  dateOf,
  dayOf,
  type LedgerDay,
  type PerformanceTotals,
  totalsOf,
} from './counts.ts';

export type Performance = Balance & PerformanceTotals;

declare module '../platform/items.ts' {
  interface Items {
    ledgers: (Balance & { row: 'money' }) | CountsRow;
  }
}

export function ledgerStore({ db }: Pick<Effects, 'db'>) {
  async function moneyOf(campaignId: string): Promise<Balance | undefined> {
    const row = await db.get('ledgers', moneyKey(campaignId));
    return row?.row === 'money' ? row : undefined;
  }

  return {
    /** The balance of a campaign; every campaign has it from its first moment. */
    async balance(campaignId: string): Promise<Balance> {
      const balance = await moneyOf(campaignId);
      if (!balance) throw new Error(`campaign ${campaignId} has no ledger`);
      return balance;
    },

    /** The rows of the days on which something happened, `from` to `to` inclusive, oldest first. */
    async days(campaignId: string, from: string, to: string): Promise<LedgerDay[]> {
      const balance = await moneyOf(campaignId);
      const rows = new Map<string, CountsRow>();
      const found = db.query({
        table: 'ledgers',
        where: '#campaignId = :campaignId AND #row BETWEEN :from AND :to',
        values: { campaignId, from: `day#${from}`, to: `day#${to}` },
        consistent: true,
      });
      for await (const row of found) if (row.row !== 'money') rows.set(dateOf(row.row), row);
      const open = unfoldedDay(balance);
      const dates = new Set(rows.keys());
      if (open && from <= open && open <= to) dates.add(open);
      return [...dates].sort().map((date) => dayOf(date, rows.get(date), balance));
    },

    /** One day of those campaigns on which something happened. @param balances theirs, read before */
    async dayOfAll(balances: readonly Balance[], date: string): Promise<CampaignDay[]> {
      const keys = balances.map(({ campaignId }) => ({ campaignId, row: `day#${date}` }));
      const rows = new Map<string, CountsRow>();
      for (const row of await db.getAll('ledgers', keys)) if (row.row !== 'money') rows.set(row.campaignId, row);
      return balances
        .filter((balance) => rows.has(balance.campaignId) || unfoldedDay(balance) === date)
        .map((balance) => {
          const { campaignId } = balance;
          return { campaignId, ...dayOf(date, rows.get(campaignId), balance) };
        });
    },

    /** Money and totals of several campaigns, in the order asked; zeros for a campaign without a ledger. */
    async performance(campaignIds: string[]): Promise<Performance[]> {
      const keys = campaignIds.flatMap((campaignId) => [moneyKey(campaignId), { campaignId, row: 'total' }]);
      const balances = new Map<string, Balance>();
      const totals = new Map<string, CountsRow>();
      for (const row of await db.getAll('ledgers', keys)) {
        if (row.row === 'money') balances.set(row.campaignId, row);
        else totals.set(row.campaignId, row);
      }
      return campaignIds.map((id) => ({ ...(balances.get(id) ?? noMoney(id)), ...totalsOf(totals.get(id)) }));
    },
  };
}
