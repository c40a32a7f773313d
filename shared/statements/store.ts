import type { Effects } from '../effects.ts';
import type { CampaignDay, Day } from '../ledgers/store.ts';
import { type Micros, micros } from '../money.ts';

/** A campaign's part of a statement. */
export type StatementLine = Omit<Day, 'date'> & { campaignId: string; campaignName: string };

/** What a user spent on a UTC day; amounts in micro-dollars. */
export interface Statement {
  owner: string;
  date: string;
  spend: Micros;
  /** Those that spent, most first. */
  campaigns: StatementLine[];
  /** Epoch milliseconds. */
  at: number;
}

/** Campaigns that are listed one by one: a statement and its event have to fit the store and the queue. */
const MOST_LINES = 200;

/** The statements of a day, one for each user who spent, from the day's rows of all campaigns. */
export function statementsOf(
  days: readonly CampaignDay[],
  named: ReadonlyMap<string, { owner: string; name: string }>,
  date: string,
  at: number,
): Statement[] {
  const byOwner = new Map<string, StatementLine[]>();
  for (const { campaignId, date: _, ...counts } of days) {
    if (counts.spend === 0) continue;
    const { owner, name: campaignName } = named.get(campaignId)!;
    const lines = byOwner.get(owner) ?? [];
    lines.push({ campaignId, campaignName, ...counts });
    byOwner.set(owner, lines);
  }
  return [...byOwner].map(([owner, lines]) => {
    const campaigns = shorten(lines.sort((a, b) => b.spend - a.spend || (a.campaignId < b.campaignId ? -1 : 1)));
    return { owner, date, spend: micros(total(lines, 'spend')), campaigns, at };
  });
}

/** The lines that fit; the last one sums those that do not, so that the lines always add up to the whole. */
function shorten(lines: StatementLine[]): StatementLine[] {
  if (lines.length <= MOST_LINES) return lines;
  const others = lines.slice(MOST_LINES - 1);
  const rest = {
    campaignId: '',
    campaignName: `${others.length} other campaigns`,
    impressions: total(others, 'impressions'),
    clicks: total(others, 'clicks'),
    conversions: total(others, 'conversions'),
    spend: micros(total(others, 'spend')),
  };
  return [...lines.slice(0, MOST_LINES - 1), rest];
}

const total = (lines: readonly StatementLine[], of: 'impressions' | 'clicks' | 'conversions' | 'spend'): number =>
  lines.reduce((sum, line) => sum + line[of], 0);

export function statementStore({ db }: Pick<Effects, 'db'>) {
  return {
    /** Stores a statement unless there is one: it is a fact that sends an event, and one day sends one. */
    async issue(statement: Statement): Promise<void> {
      await db.write({ table: 'statements', put: statement, when: 'attribute_not_exists(#owner)' });
    },
  };
}
