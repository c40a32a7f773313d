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
import { recordUpdated } from './campaign-activity.ts';
import type { CampaignInput } from './campaign-schema.ts';
import { countBytes, recount } from './count.ts';
import { changeVersion, hashCreative } from './creative-versions.ts';
import { findCampaign } from './find.ts';
import { toCampaignItem } from './items.ts';
import { applyToLifecycle, asOf, dependsOnBudget } from './lifecycle.ts';
import { merge } from './merge.ts';
import { changeName, isHeldBy } from './names.ts';
import { editPhrases } from './phrases.ts';
import { reviewUnlessExempt } from './review/review.ts';
import type { SaveResult } from './validate.ts';
import { validateConfiguration } from './validate.ts';

/** Attempts to update a campaign despite concurrent updates, before the request fails with 503. */
const MAX_ROUNDS = 20;
/** Maximum pause after the first round. The maximum grows by the same amount each round. */
const PAUSE_MS = 10;

/** Updates the given fields of a campaign. If a concurrent update changes the version first, applies this one on top of it. */
export async function changeCampaign(
  effects: Pick<Effects, 'db' | 'clock' | 'ids' | 'config'>,
  lexicon: Lexicon,
  owner: string,
  id: string,
  input: CampaignInput,
): Promise<SaveResult> {
  const { db, clock, ids } = effects;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = await findCampaign(effects, owner, id);
    if (!before) return { outcome: 'not_found' };
    // Settles the race of two clients that raise the same budget: the second one expected the old budget.
    const { expectedBudget } = input;
    if (expectedBudget != null && fromUsd(expectedBudget) !== before.budget)
      return { outcome: 'other_budget', budget: before.budget };
    const configuration = merge(input, before);
    const validated = validateConfiguration(lexicon, input, configuration, before);
    if (!validated.profile) return { outcome: 'invalid', errors: validated.invalid };
    const { profile, bytes, oldBytes } = validated;
    const now = Math.max(clock.now(), Date.parse(before.updatedAt) + 1); // updatedAt must change on every update, even within one millisecond
    const balance = dependsOnBudget(input, before, configuration) ? await closeBalance(effects, id) : undefined;
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
    if (edited.invalid.length > 0) return { outcome: 'invalid', errors: edited.invalid };
    const { taken, freed } = await changeName(before, campaign.name, db);
    // Also adds the bytes of a campaign that was stored before bytes were counted.
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
      ...recordUpdated(before, campaign, edited.changes),
      ...counted,
    ]);
    if (written.ok) {
      await closeForChange(effects, id);
      return { outcome: 'saved', campaign: asOf(campaign, clock.now()) };
    }
    const refusedCount = counted.length > 0 ? written.refused.at(-1) : undefined;
    if (refusedCount?.old && 'bytes' in refusedCount.old)
      return { outcome: 'too_heavy', maxBytes: effects.config.maxCampaignBytesPerOwner };
    if (refusedCount) {
      await recount(owner, lexicon, db);
      continue;
    }
    // If a concurrent update gave this campaign the same name, the name already belongs to this campaign: try again.
    const clashes = written.refused.slice(1, 1 + taken.length).filter((clash) => clash !== undefined);
    if (clashes.some(({ old }) => !isHeldBy(old, id))) return { outcome: 'name_taken' };
    await clock.sleep(ids.random() * PAUSE_MS * (round + 1)); // lets the other updates finish
  }
  throw new Unavailable('the campaign changed too often');
}

/**
 * Changes the balance on which the lifecycle was based. Needed even if the budgets stay the same: the condition settles the race with a
 * charge that uses up a budget.
 */
const budgetChange = (before: Configuration, after: Configuration, balance: Balance | undefined): Write[] =>
  balance ? [changeBudgets(balance, after.budget - before.budget, getDailyBudget(after) - getDailyBudget(before))] : [];
