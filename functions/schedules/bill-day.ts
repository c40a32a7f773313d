import { type Balance, getSpendOn } from '../../shared/budgets/balance.ts';
import type { CampaignDay } from '../../shared/budgets/counts.ts';
import { ledgerStore } from '../../shared/budgets/ledger.ts';
import { statementStore } from '../../shared/budgets/statement-store.ts';
import { buildStatements } from '../../shared/budgets/statements.ts';
import { readChangesSince } from '../../shared/campaigns/changes.ts';
import { scheduleWorker } from '../../shared/http/workers/worker.ts';
import { DAY_MS, utcDay } from '../../shared/platform/clock.ts';

/** How long after a day's end its impressions may still be on their way to its rows: a statement is written once, and whole. */
const LATE_COUNTS_MS = 5 * 60 * 1000;
/** Days looked back at, for one whose runs all failed; tombstones of deleted campaigns are kept for longer. */
const DAYS_BACK = 3;

/**
 * One statement for each user and UTC day on which the user spent, from the day rows of the ledgers. Campaigns deleted since are
 * in it by their tombstones. Counts that are late make it wait for a later run. Running it again stores nothing new. A statement that
 * cannot be stored keeps no other one waiting; it fails the run in the end, so that it is tried again.
 */
export default scheduleWorker('schedules/bill-day', (effects) => {
  const ledgers = ledgerStore(effects);
  const statements = statementStore(effects);

  return async () => {
    const at = effects.clock.now();
    const named = new Map<string, { owner: string; name: string }>();
    for await (const change of readChangesSince(effects, 0)) {
      if (change.kind === 'campaign') named.set(change.campaign.id, change.campaign);
      if (change.kind === 'deleted') named.set(change.id, change);
    }
    const balances = await ledgers.performance([...named.keys()]);
    const failures: unknown[] = [];
    for (let back = DAYS_BACK; back > 0; back--) {
      const date = utcDay(at - LATE_COUNTS_MS - back * DAY_MS);
      const days = await ledgers.dayOfAll(balances, date);
      const late = new Set(campaignsBehind(balances, days, date).map((id) => named.get(id)!.owner));
      const due = buildStatements(days, named, date, at).filter(({ owner }) => !late.has(owner));
      for (const statement of await statements.missing(due)) {
        await statements.issue(statement).catch((cause) => failures.push(cause));
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} statements could not be stored`);
  };
});

/** Campaigns of whose charges some are not counted yet: the balance says more of the day than its row. Their user's statement waits. */
function campaignsBehind(balances: readonly Balance[], days: readonly CampaignDay[], date: string): string[] {
  const counted = new Map(days.map(({ campaignId, spend }) => [campaignId, spend]));
  const behind = balances.filter(
    (balance) => (getSpendOn(balance, date) ?? 0) > (counted.get(balance.campaignId) ?? 0),
  );
  return behind.map(({ campaignId }) => campaignId);
}
