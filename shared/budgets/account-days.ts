import { DAY_MS, ttlAt } from '../platform/clock.ts';
import { setting } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import { type CampaignDay, DAY_COUNTS, type DayCounts, NO_COUNTS, sumCounts } from './day-counts.ts';
import { OVERVIEW_DAYS } from './overview.ts';

/** The sums of all campaigns of a user on an ended UTC day. Without them, an overview would read every day of every campaign. */
interface AccountDay extends Partial<DayCounts> {
  owner: string;
  day: string;
  /** Only in the row of all users: set if the day was counted again after it was summed. Another count replaces it. */
  late?: string;
  ttl: number;
}

declare module '../platform/items.ts' {
  interface Items {
    'account-days': AccountDay;
  }
}

/** The row of a day with the sums of all users; it says that the day was summed. Not a user ID, because those contain no spaces. */
const ALL_USERS = 'all users';

const KEPT_MS = (OVERVIEW_DAYS + 10) * DAY_MS;

/** Concurrent writes. */
const CONCURRENCY = 25;

export function accountDayStore({ db }: Pick<Effects, 'db'>) {
  const readAllUsers = async (days: readonly string[]): Promise<Map<string, AccountDay>> => {
    const keys = days.map((day) => ({ owner: ALL_USERS, day }));
    return new Map((await db.getAll('account-days', keys)).map((row) => [row.day, row]));
  };

  const keep = async ({ owner, day, ttl, ...counts }: AccountDay): Promise<void> => {
    const values = { ...counts, ttl };
    await db.write({
      table: 'account-days',
      key: { owner, day },
      update: `SET ${setting(Object.keys(values))}`, // keeps the note of a late count
      // Settles the race of two runs: counts only grow, so the later reading wins. A row of an earlier version lacks the latest counts.
      when: DAY_COUNTS.map((name) => `(attribute_not_exists(#${name}) OR #${name} <= :${name})`).join(' AND '),
      values,
    });
  };

  return {
    /** The ended days of a user with any activity, oldest first; both ends inclusive. */
    async list(owner: string, from: string, to: string): Promise<(DayCounts & { date: string })[]> {
      const days: (DayCounts & { date: string })[] = [];
      const found = db.query({
        table: 'account-days',
        where: '#owner = :owner AND #day BETWEEN :from AND :to',
        values: { owner, from, to },
        consistent: true,
      });
      for await (const { day: date, ...counts } of found) days.push({ ...NO_COUNTS, ...counts, date });
      return days;
    },

    /** Which of these days were never summed. */
    async unsummed(days: readonly string[]): Promise<string[]> {
      const rows = await readAllUsers(days);
      return days.filter((day) => !rows.has(day));
    },

    /** Which of these days were never summed, or were counted again since. */
    async due(days: readonly string[]): Promise<{ date: string; late: string | undefined }[]> {
      const rows = await readAllUsers(days);
      const isDue = (day: string) => !rows.has(day) || rows.get(day)?.late !== undefined;
      return days.filter(isDue).map((date) => ({ date, late: rows.get(date)?.late }));
    },

    /** Notes that a day was counted again, unless it was never summed. @param late differs from any other note */
    async noteLate(day: string, late: string): Promise<void> {
      await db.write({
        table: 'account-days',
        key: { owner: ALL_USERS, day },
        update: 'SET #late = :late',
        when: 'attribute_exists(#owner)',
        values: { late },
      });
    },

    /** Removes a note once the day was summed again. The condition keeps the note of a later count, which the sum may lack. */
    async settleLate(day: string, late: string): Promise<void> {
      const key = { owner: ALL_USERS, day };
      await db.write({ table: 'account-days', key, update: 'REMOVE #late', when: '#late = :late', values: { late } });
    },

    /** Stores the sums of a day that differ from the stored ones, and then that the day was summed. */
    async store(date: string, days: readonly CampaignDay[], ownerOf: (campaignId: string) => string): Promise<void> {
      const toRow = (owner: string, own: readonly DayCounts[]) => ({
        owner,
        day: date,
        ...sumCounts(own),
        ttl: ttlAt(Date.parse(date) + KEPT_MS),
      });
      const rows = [...Map.groupBy(days, ({ campaignId }) => ownerOf(campaignId))].map(([owner, own]) =>
        toRow(owner, own),
      );
      const all = toRow(ALL_USERS, rows);
      const keys = [all, ...rows].map(({ owner, day }) => ({ owner, day }));
      const stored = new Map((await db.getAll('account-days', keys)).map((row) => [row.owner, row]));
      const isChanged = (row: AccountDay) => DAY_COUNTS.some((name) => row[name] !== stored.get(row.owner)?.[name]);
      const changed = rows.filter(isChanged);
      for (let start = 0; start < changed.length; start += CONCURRENCY)
        await Promise.all(changed.slice(start, start + CONCURRENCY).map(keep));
      if (isChanged(all)) await keep(all);
    },
  };
}
