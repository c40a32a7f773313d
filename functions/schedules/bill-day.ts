import { accountDayStore } from '../../shared/budgets/account-days.ts';
import { type Balance, getSpendOn } from '../../shared/budgets/balance.ts';
import type { CampaignDay } from '../../shared/budgets/day-counts.ts';
import { ledgerStore } from '../../shared/budgets/ledger.ts';
import { OVERVIEW_DAYS } from '../../shared/budgets/overview.ts';
import { statementStore } from '../../shared/budgets/statement-store.ts';
import { buildStatements, listBillableDays } from '../../shared/budgets/statements.ts';
import { readChangesSince } from '../../shared/campaigns/changes.ts';
import { scheduleWorker } from '../../shared/http/workers/worker.ts';
import { DAY_MS, utcDay } from '../../shared/platform/clock.ts';

/** Earlier days that a run sums, in case they never were: after the first deployment, or after days without a run. */
const EARLIER_DAYS_PER_RUN = 5;

/**
 * Issues one statement per owner and UTC day with spend, from the day rows of the ledgers. Tombstones name campaigns deleted since.
 * If some charges are not counted yet, the statement waits for a later run. Running it again stores nothing new. If a statement
 * cannot be stored, the others are still stored; then the run fails and is retried. After that, each user's sums of
 * these days are stored, which later runs raise if something was counted late.
 */
export default scheduleWorker('schedules/bill-day', (effects) => {
  const ledgers = ledgerStore(effects);
  const statements = statementStore(effects);
  const accountDays = accountDayStore(effects);

  return async () => {
    const at = effects.clock.now();
    const named = new Map<string, { owner: string; name: string }>();
    for await (const change of readChangesSince(effects, 0)) {
      if (change.kind === 'campaign') named.set(change.campaign.id, change.campaign);
      if (change.kind === 'deleted') named.set(change.id, change);
    }
    const balances = await ledgers.performance([...named.keys()]);
    const ownerOf = (campaignId: string) => named.get(campaignId)!.owner;
    const failures: unknown[] = [];
    const daysByDate = new Map<string, CampaignDay[]>();
    for (const date of listBillableDays(at)) {
      const days = await ledgers.dayOfAll(balances, date);
      daysByDate.set(date, days);
      const waiting = new Set(findUncounted(balances, days, date).map(ownerOf));
      const due = buildStatements(days, named, date, at).filter(({ owner }) => !waiting.has(owner));
      for (const statement of await statements.missing(due)) {
        await statements.issue(statement).catch((cause) => failures.push(cause));
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} statements could not be stored`);
    for (const [date, days] of daysByDate) await accountDays.store(date, days, ownerOf);
    const earlier = await accountDays.due(listEarlierDays(at));
    for (const { date, late } of earlier.slice(0, EARLIER_DAYS_PER_RUN)) {
      await accountDays.store(date, await ledgers.earlierDayOfAll(balances, date), ownerOf);
      if (late !== undefined) await accountDays.settleLate(date, late);
    }
  };
});

/** The days before the billable ones that an overview needs, latest first. */
const listEarlierDays = (now: number): string[] => {
  const [first = ''] = listBillableDays(now);
  return Array.from({ length: OVERVIEW_DAYS }, (_, back) => utcDay(Date.parse(first) - (back + 1) * DAY_MS));
};

/** Campaigns with charges that are not counted yet: the balance has more spend on the date than the day row. */
function findUncounted(balances: readonly Balance[], days: readonly CampaignDay[], date: string): string[] {
  const counted = new Map(days.map(({ campaignId, spend }) => [campaignId, spend]));
  const uncounted = balances.filter(
    (balance) => (getSpendOn(balance, date) ?? 0) > (counted.get(balance.campaignId) ?? 0),
  );
  return uncounted.map(({ campaignId }) => campaignId);
}
