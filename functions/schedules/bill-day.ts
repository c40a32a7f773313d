import { campaignStore } from '../../shared/campaigns/store.ts';
import { utcDay } from '../../shared/clock.ts';
import { ledgerStore } from '../../shared/ledgers/store.ts';
import { type Statement, statementStore } from '../../shared/statements/store.ts';
import { scheduleWorker } from '../../shared/stream/schedule.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * One statement for each user who spent on the UTC day before, from the day rows of the ledgers. Campaigns deleted since are in
 * it by their tombstones. Running it again stores nothing new.
 */
export default scheduleWorker('schedules/bill-day', (effects) => {
  const campaigns = campaignStore(effects);
  const ledgers = ledgerStore(effects);
  const statements = statementStore(effects);

  return async () => {
    const at = effects.clock.now();
    const date = utcDay(at - DAY_MS);
    const named = new Map<string, { owner: string; name: string }>();
    for await (const change of campaigns.changedSince(0)) {
      if (change.kind === 'campaign') named.set(change.campaign.id, change.campaign);
      if (change.kind === 'deleted') named.set(change.id, change);
    }
    const byOwner = new Map<string, Statement>();
    for (const { campaignId, date: _, ...counts } of await ledgers.dayOfAll([...named.keys()], date)) {
      if (counts.spend === 0) continue;
      const { owner, name } = named.get(campaignId)!;
      const statement = byOwner.get(owner) ?? { owner, date, spend: 0, campaigns: [], at };
      statement.spend += counts.spend;
      statement.campaigns.push({ campaignId, campaignName: name, ...counts });
      byOwner.set(owner, statement);
    }
    for (const statement of byOwner.values()) await statements.issue(statement);
  };
});
