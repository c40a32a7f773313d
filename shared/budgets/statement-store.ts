import type { Effects } from '../platform/effects.ts';
import { countPages, pageKey, type Statement, splitIntoPages } from './statements.ts';

export function statementStore({ db }: Pick<Effects, 'db'>) {
  return {
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
