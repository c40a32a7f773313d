import { isoTime } from '../clock.ts';
import type { Write } from '../database.ts';
import type { Effects } from '../effects.ts';
import { changeBudgets, ledgerStore, type Money, openLedger } from '../ledgers/store.ts';
import type { Lexicon } from '../matching/index.ts';
import { placementOf } from './audience.ts';
import { type Campaign, type Configuration, dailyLimit, type PausedReason, type Status } from './campaign.ts';
import { merge } from './merge.ts';
import { type Fault, faults } from './rules.ts';
import type { CampaignInput } from './schema.ts';
import { campaignStore, nameKey, type Standing, stored, takeName } from './store.ts';

export type Saved =
  | { outcome: 'saved'; campaign: Campaign }
  | { outcome: 'invalid'; faults: Fault[] }
  | { outcome: 'name_taken' }
  | { outcome: 'not_found' };

/** What advertisers do to campaigns: each with its name, its ledger and its place in matching, all or nothing. */
export function campaignEditor({ db, clock, ids }: Pick<Effects, 'db' | 'clock' | 'ids'>, lexicon: Lexicon) {
  const campaigns = campaignStore({ db, clock });
  const ledgers = ledgerStore({ db });

  /** The ledger, where a change of budgets could end a pause. */
  const moneyIf = async (before: Campaign, after: Configuration): Promise<Money | undefined> =>
    isSpent(before) && budgetChange(before, after).length > 0 ? ledgers.money(before.id) : undefined;

  return {
    /** A new campaign with its name and its ledger, all or nothing. */
    async create(owner: string, input: CampaignInput): Promise<Saved> {
      const configuration = merge(input);
      const invalid = faults(input, configuration);
      if (invalid.length > 0) return { outcome: 'invalid', faults: invalid };
      const now = clock.now();
      const time = isoTime(now);
      const campaign: Campaign = {
        ...configuration,
        id: ids.ordered('cmp'),
        owner,
        placement: placementOf(configuration, lexicon),
        pausedReason: pausedBy(configuration.status),
        pausedDay: null,
        exhaustions: 0,
        createdAt: time,
        updatedAt: time,
        changedAt: now,
        version: 1,
      };
      const written = await db.transact([
        takeName(campaign),
        { table: 'campaigns', put: stored(campaign) },
        openLedger(campaign.id, campaign.budget, dailyLimit(campaign), now),
      ]);
      return written.ok ? { outcome: 'saved', campaign } : { outcome: 'name_taken' };
    },

    /** Lays a partial body over a campaign. Another change in between is seen by the version, and the body laid over that one. */
    async update(owner: string, id: string, input: CampaignInput): Promise<Saved> {
      for (;;) {
        const before = await campaigns.find(owner, id);
        if (!before) return { outcome: 'not_found' };
        const configuration = merge(input, before);
        const invalid = faults(input, configuration, before);
        if (invalid.length > 0) return { outcome: 'invalid', faults: invalid };
        const now = Math.max(clock.now(), Date.parse(before.updatedAt) + 1); // "updatedAt changes on update", also within one millisecond
        const campaign: Campaign = {
          ...before,
          ...configuration,
          placement: placementOf(configuration, lexicon),
          ...standingAfter(input, before, configuration, await moneyIf(before, configuration)),
          updatedAt: isoTime(now),
          changedAt: now,
          version: before.version + 1,
        };
        const rename = nameKey(owner, before.name).item !== nameKey(owner, campaign.name).item;
        const written = await db.transact([
          {
            table: 'campaigns',
            put: stored(campaign),
            when: '#version = :version',
            values: { version: before.version },
          },
          ...(rename
            ? [
                takeName(campaign),
                { table: 'campaigns' as const, key: nameKey(owner, before.name), remove: true as const },
              ]
            : []),
          ...budgetChange(before, campaign),
        ]);
        if (written.ok) return { outcome: 'saved', campaign };
        // Taken by the campaign itself when another change gave it the same name at once: then this one is laid over that.
        const taken = rename ? written.refused[1] : undefined;
        if (taken && taken.old?.campaignId !== id) return { outcome: 'name_taken' };
      }
    },
  };
}

const isSpent = ({ pausedReason }: Campaign): boolean => pausedReason === 'budget' || pausedReason === 'daily_budget';

/** The reason that a status given by the user brings with it. */
const pausedBy = (status: Status): PausedReason | null => (status === 'paused' ? 'user' : null);

/** A status that the user sends decides; a raised budget ends the pause that its end began (decisions, section 4). */
function standingAfter(
  input: CampaignInput,
  before: Campaign,
  after: Configuration,
  money: Money | undefined,
): Partial<Standing> {
  if (input.status !== undefined) return { pausedReason: pausedBy(after.status), pausedDay: null };
  if (!money) return {};
  const { remaining, dayRemaining } = money;
  if (remaining + after.budget - before.budget <= 0) return {};
  if (dayRemaining + dailyLimit(after) - dailyLimit(before) <= 0) {
    return { pausedReason: 'daily_budget', pausedDay: money.day };
  }
  return { status: 'active', pausedReason: null, pausedDay: null };
}

function budgetChange(before: Configuration & { id: string }, after: Configuration): Write[] {
  const difference = after.budget - before.budget;
  const daily = dailyLimit(after) - dailyLimit(before);
  return difference === 0 && daily === 0 ? [] : [changeBudgets(before.id, difference, daily)];
}
