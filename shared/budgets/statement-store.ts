import type { Effects } from '../platform/effects.ts';
import { countPages, pageKey, type Statement, type StatementPage, splitIntoPages, toDay } from './statements.ts';

export function statementStore({ db }: Pick<Effects, 'db'>) {
  /** The first pages of an owner's statements, by day. Each has the total of its day. */
  async function firstPages(owner: string, days: readonly string[]): Promise<Map<string, StatementPage>> {
    const keys = days.flatMap((day) => [
      { owner, date: day },
      { owner, date: pageKey(day, 1) },
    ]);
    return new Map((await db.getAll('statements', keys)).map((page) => [toDay(page), page]));
  }

  return {
    firstPages,

    /** Which of these days have no statement, or only some of its pages. */
    async unbilled(owner: string, days: readonly string[]): Promise<string[]> {
      const first = await firstPages(owner, days);
      const lastKeys = [...first].map(([day, { pages }]) => ({ owner, date: pages ? pageKey(day, pages) : day }));
      const complete = new Set((await db.getAll('statements', lastKeys)).map(toDay));
      return days.filter((day) => !complete.has(day));
    },

    /** Stored pages of a month, in the order of their keys. @param after the key of the page before the first one */
    pagesOf: (owner: string, month: string, after: string): AsyncGenerator<StatementPage> =>
      db.query({
        table: 'statements',
        where: '#owner = :owner AND #date BETWEEN :from AND :to',
        // A space sorts before, and a tilde after, everything that continues these keys.
        values: { owner, from: `${after || month} `, to: `${month}~` },
        consistent: true,
      }),

    /**
     * Returns the statements that are not completely stored. The last page is written last, so a statement is complete if it has its last
     * page, or if it was stored before paging.
     */
    async missing(statements: Statement[]): Promise<Statement[]> {
      const keys = statements.flatMap(({ owner, date, campaigns }) => [
        { owner, date },
        { owner, date: pageKey(date, countPages(campaigns)) },
      ]);
      const complete = new Set((await db.getAll('statements', keys)).map(({ owner }) => owner));
      return statements.filter(({ owner }) => !complete.has(owner));
    },

    /** Stores the missing pages of a statement. The stream sends one event per stored page. */
    async issue(statement: Statement): Promise<void> {
      for (const page of splitIntoPages(statement)) {
        // Settles the race of two runs: a page that is already stored, and perhaps sent, is not changed.
        await db.write({ table: 'statements', put: page, when: 'attribute_not_exists(#owner)' });
      }
    },
  };
}
