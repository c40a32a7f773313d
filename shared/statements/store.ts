import type { Effects } from '../effects.ts';
import type { Day } from '../ledgers/store.ts';

/** What a user spent on a UTC day; amounts in micro-dollars. */
export interface Statement {
  owner: string;
  date: string;
  spend: number;
  campaigns: (Omit<Day, 'date'> & { campaignId: string; campaignName: string })[];
  /** Epoch milliseconds. */
  at: number;
}

export function statementStore({ db }: Pick<Effects, 'db'>) {
  return {
    /** Stores a statement unless there is one: it is a fact that sends an event, and one day sends one. */
    async issue(statement: Statement): Promise<void> {
      await db.write({ table: 'statements', put: statement, when: 'attribute_not_exists(#owner)' });
    },
  };
}
