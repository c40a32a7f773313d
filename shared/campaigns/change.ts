import type { Balance } from '../budgets/balance.ts';
import { changeBudgets } from '../budgets/charge.ts';
import { closeBalance, closeForChange } from '../budgets/shards/close-shards.ts';
import type { Lexicon } from '../matching/index.ts';
import { isoTime } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import { Unavailable } from '../platform/unavailable.ts';
import { fromUsd } from '../platform/values/money.ts';
import { type Campaign, type Configuration, getDailyBudget } from './campaign.ts';
import type { CampaignInput } from './campaign-schema.ts';
import { countBytes, recount } from './count.ts';
import { changeVersion, hashCreative } from './creative-versions.ts';
import { findCampaign } from './find.ts';
import { toCampaignItem } from './items.ts';
import { applyToLifecycle, asOf, dependsOnMoney } from './lifecycle.ts';
import { merge } from './merge.ts';
import { changeName, isHeldBy } from './names.ts';
import { editPhrases } from './phrases.ts';
import { reviewUnlessExempt } from './review/review.ts';
import type { SaveResult } from './validate.ts';
import { validateConfiguration } from './validate.ts';

/** Rounds of laying a change over a campaign that others change meanwhile, before its user is told to come again. */
const EDIT_ROUNDS = 20;
/** The first pause between rounds, at most; each may be longer by as much. */
const PAUSE_MS = 10;

/** Lays a partial body over a campaign. Another change in between is seen by the version, and the body laid over that one. */
export async function changeCampaign(
  effects: Pick<Effects, 'db' | 'clock' | 'ids' | 'config'>,
  lexicon: Lexicon,
  owner: string,
  id: string,
  input: CampaignInput,
): Promise<SaveResult> {
  const { db, clock, ids } = effects;
  for (let round = 0; round < EDIT_ROUNDS; round++) {
    const before = await findCampaign(effects, owner, id);
    if (!before) return { outcome: 'not_found' };
    // Settles the race of two who raise the same budget: who is laid over the other's change expected the budget before it.
    const { expectedBudget } = input;
    if (expectedBudget != null && fromUsd(expectedBudget) !== before.budget)
      return { outcome: 'other_budget', budget: before.budget };
    const configuration = merge(input, before);
    const examined = validateConfiguration(lexicon, input, configuration, before);
    if (!examined.profile) return { outcome: 'invalid', faults: examined.invalid };
    const { profile, bytes, oldBytes } = examined;
    const now = Math.max(clock.now(), Date.parse(before.updatedAt) + 1); // "updatedAt changes on update", also within one millisecond
    const balance = dependsOnMoney(input, before, configuration) ? await closeBalance(effects, id) : undefined;
    const campaign: Campaign = {
      ...before,
      ...configuration,
      creativeVersion: hashCreative(configuration.creative),
      profile,
      memoryBytes: bytes,
      ...reviewUnlessExempt(effects.config, owner, configuration.creative),
      ...applyToLifecycle(input, before, configuration, balance, now),
      updatedAt: isoTime(now),
      changedAt: now,
      version: before.version + 1,
    };
    const edited = await editPhrases(effects, campaign, input.suggestedPhrases);
    if (edited.invalid.length > 0) return { outcome: 'invalid', faults: edited.invalid };
    const { taken, freed } = await changeName(before, campaign.name, db);
    // A campaign stored before bytes were counted is counted from now on with what it takes now.
    const counted = bytes === oldBytes ? [] : [countBytes(owner, bytes - oldBytes, effects.config)];
    const written = await db.transact([
      {
        table: 'campaigns',
        put: toCampaignItem(campaign),
        when: '#version = :version',
        values: { version: before.version },
      },
      ...taken,
      ...freed,
      ...changeVersion(before, campaign, now),
      ...budgetChange(before, campaign, balance),
      ...edited.writes,
      ...counted,
    ]);
    if (written.ok) {
      await closeForChange(effects, id);
      return { outcome: 'saved', campaign: asOf(campaign, clock.now()) };
    }
    const countMet = counted.length > 0 ? written.refused.at(-1) : undefined;
    if (countMet?.old && 'bytes' in countMet.old)
      return { outcome: 'too_heavy', mostBytes: effects.config.maxCampaignBytesPerOwner };
    if (countMet) {
      await recount(owner, lexicon, db);
      continue;
    }
    // Taken by the campaign itself when another change gave it the same name at once: then this one is laid over that.
    const clashes = written.refused.slice(1, 1 + taken.length).filter((clash) => clash !== undefined);
    if (clashes.some(({ old }) => !isHeldBy(old, id))) return { outcome: 'name_taken' };
    await clock.sleep(ids.random() * PAUSE_MS * (round + 1)); // whoever else changes it gets through meanwhile
  }
  throw new Unavailable('the campaign changed too often');
}

/**
 * What a change writes to the balance that it was judged by. One that leaves the budgets alone writes no difference: its condition
 * settles the race with a charge that takes the last of a budget meanwhile.
 */
const budgetChange = (before: Configuration, after: Configuration, balance: Balance | undefined): Write[] =>
  balance ? [changeBudgets(balance, after.budget - before.budget, getDailyBudget(after) - getDailyBudget(before))] : [];
