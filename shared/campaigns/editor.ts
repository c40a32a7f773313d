import { type Balance, changeBudgets, ledgerStore, openLedger } from '../ledgers/store.ts';
import type { Lexicon, MatchingProfile } from '../matching/index.ts';
import { isoTime } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import { Unavailable } from '../platform/unavailable.ts';
import { asOf } from './as-of.ts';
import { type Campaign, type Configuration, dailyLimit } from './campaign.ts';
import { beginCount, countOneMore } from './count.ts';
import { lifecycleAfter, pausedBy } from './lifecycle.ts';
import { matchingProfileOf } from './matching-profile.ts';
import { merge } from './merge.ts';
import { changeName, isNameOf, takeName } from './names.ts';
import { type FieldError, fieldErrors } from './rules.ts';
import type { CampaignInput } from './schema.ts';
import { noSpendStats } from './spend-stats.ts';
import { campaignStore, stored, storedSpendStats } from './store.ts';
import { overweight, weigh } from './weight.ts';

/** Rounds of laying a change over a campaign that others change meanwhile, before its user is told to come again. */
const ROUNDS = 20;
/** The first pause between rounds, at most; each may be longer by as much. */
const PAUSE_MS = 10;

export type Saved =
  | { outcome: 'saved'; campaign: Campaign }
  | { outcome: 'invalid'; faults: FieldError[] }
  | { outcome: 'name_taken' }
  | { outcome: 'too_many'; most: number }
  | { outcome: 'not_found' };

/** What advertisers do to campaigns: each with its name, its ledger and its place in matching, all or nothing. */
export function campaignEditor(
  { db, clock, ids, config }: Pick<Effects, 'db' | 'clock' | 'ids' | 'config'>,
  lexicon: Lexicon,
) {
  const campaigns = campaignStore({ db, clock });
  const ledgers = ledgerStore({ db });

  /** The ledger, when a change touches budgets. */
  const moneyIf = async (before: Campaign, after: Configuration): Promise<Balance | undefined> =>
    before.budget === after.budget && dailyLimit(before) === dailyLimit(after) ? undefined : ledgers.money(before.id);

  /** Where a configuration stands in matching, or what is wrong with it. Texts are known to be bounded before they are looked into. */
  function examine(
    input: CampaignInput,
    after: Configuration,
    old?: Campaign,
  ): { placement: MatchingProfile; invalid?: undefined } | { placement?: undefined; invalid: FieldError[] } {
    const before = old && merge({}, old);
    const invalid = fieldErrors(input, after, before);
    if (invalid.length > 0) return { invalid };
    const placement = matchingProfileOf(after, lexicon);
    const heavy = overweight(weigh(after, placement, lexicon), before && old && weigh(before, old.placement, lexicon));
    return heavy.length > 0 ? { invalid: heavy } : { placement };
  }

  return {
    /** A new campaign with its name, its ledger and its stats, all or nothing. */
    async create(owner: string, input: CampaignInput): Promise<Saved> {
      const configuration = merge(input);
      const { invalid, placement } = examine(input, configuration);
      if (!placement) return { outcome: 'invalid', faults: invalid };
      const now = clock.now();
      const time = isoTime(now);
      const campaign: Campaign = {
        ...configuration,
        id: ids.ordered('campaign'),
        owner,
        placement,
        pausedReason: pausedBy(configuration.status),
        pausedDay: null,
        exhaustions: 0,
        moneyAt: null,
        createdAt: time,
        updatedAt: time,
        changedAt: now,
        version: 1,
      };
      const writes = [
        countOneMore(owner, config.maxCampaignsPerUser),
        ...takeName(campaign),
        { table: 'campaigns' as const, put: stored(campaign) },
        { table: 'campaigns' as const, put: storedSpendStats(owner, noSpendStats(campaign.id), now) },
        openLedger(campaign.id, campaign.budget, dailyLimit(campaign), now),
      ];
      for (;;) {
        const written = await db.transact(writes);
        if (written.ok) return { outcome: 'saved', campaign: asOf(campaign, now) };
        const [count, ...names] = written.refused;
        if (names.some(Boolean)) return { outcome: 'name_taken' };
        if (count?.old) return { outcome: 'too_many', most: config.maxCampaignsPerUser };
        await beginCount(owner, db);
      }
    },

    /** Lays a partial body over a campaign. Another change in between is seen by the version, and the body laid over that one. */
    async update(owner: string, id: string, input: CampaignInput): Promise<Saved> {
      for (let round = 0; round < ROUNDS; round++) {
        const before = await campaigns.find(owner, id);
        if (!before) return { outcome: 'not_found' };
        const configuration = merge(input, before);
        const { invalid, placement } = examine(input, configuration, before);
        if (!placement) return { outcome: 'invalid', faults: invalid };
        const now = Math.max(clock.now(), Date.parse(before.updatedAt) + 1); // "updatedAt changes on update", also within one millisecond
        const money = await moneyIf(before, configuration);
        const campaign: Campaign = {
          ...before,
          ...configuration,
          placement,
          ...lifecycleAfter(input, before, configuration, money, now),
          updatedAt: isoTime(now),
          changedAt: now,
          version: before.version + 1,
        };
        const { taken, freed } = await changeName(before, campaign.name, db);
        const written = await db.transact([
          {
            table: 'campaigns',
            put: stored(campaign),
            when: '#version = :version',
            values: { version: before.version },
          },
          ...taken,
          ...freed,
          ...budgetChange(before, campaign, money),
        ]);
        if (written.ok) return { outcome: 'saved', campaign: asOf(campaign, clock.now()) };
        // Taken by the campaign itself when another change gave it the same name at once: then this one is laid over that.
        const clashes = written.refused.slice(1, 1 + taken.length).filter((clash) => clash !== undefined);
        if (clashes.some(({ old }) => !isNameOf(old, id))) return { outcome: 'name_taken' };
        await clock.sleep(ids.random() * PAUSE_MS * (round + 1)); // whoever else changes it gets through meanwhile
      }
      throw new Unavailable('the campaign changed too often');
    },
  };
}

/** What a change of budgets writes to the ledger that it was judged by. */
const budgetChange = (before: Configuration, after: Configuration, money: Balance | undefined): Write[] =>
  money ? [changeBudgets(money, after.budget - before.budget, dailyLimit(after) - dailyLimit(before))] : [];
