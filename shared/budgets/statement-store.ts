import type { Effects } from '../platform/effects.ts';
import { countPages, pageKey, type Statement, splitIntoPages } from './statements.ts';

export function statementStore({ db }: Pick<Effects, 'db'>) {
  return {
    /**
     * Those of a day's statements that are not stored whole. The last page is written last, so a statement that has it is, and so is
     * one that was stored before there were pages.
     */
    async missing(statements: Statement[]): Promise<Statement[]> {
      const keys = statements.flatMap(({ owner, date, campaigns }) => [
        { owner, date },
        { owner, date: pageKey(date, countPages(campaigns)) },
      ]);
      const whole = new Set((await db.getAll('statements', keys)).map(({ owner }) => owner));
      return statements.filter(({ owner }) => !whole.has(owner));
    },

    /** Stores the pages of a statement that are not stored yet: each is a fact that sends an event, once. */
    async issue(statement: Statement): Promise<void> {
      for (const page of splitIntoPages(statement)) {
        // Settles the race of two runs, and leaves what an earlier one stored as it was sent.
        await db.write({ table: 'statements', put: page, when: 'attribute_not_exists(#owner)' });
      }
    },
  };
}
