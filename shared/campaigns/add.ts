import { createBalance } from '../budgets/charge.ts';
import type { Lexicon } from '../matching/index.ts';
import { isoTime } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import type { Alongside } from '../platform/idempotency.ts';
import { type Campaign, getDailyBudget } from './campaign.ts';
import { recordCreated } from './campaign-activity.ts';
import type { CampaignInput } from './campaign-schema.ts';
import { countCreated, recount } from './count.ts';
import { hashCreative, storeFirstVersion } from './creative-versions.ts';
import { toCampaignItem } from './items.ts';
import { asOf, pausedBy } from './lifecycle.ts';
import { merge } from './merge.ts';
import { takeName } from './names.ts';
import { toStatsItem } from './publish-stats.ts';
import { reviewUnlessExempt } from './review/review.ts';
import { createSpendStats } from './spend-stats.ts';
import type { SaveResult } from './validate.ts';
import { validateConfiguration } from './validate.ts';

/** Creates a campaign with its name, balance, stats, and activity in one transaction. @param alongside writes that join the transaction */
export async function addCampaign(
  { db, clock, ids, config }: Pick<Effects, 'db' | 'clock' | 'ids' | 'config'>,
  lexicon: Lexicon,
  owner: string,
  input: CampaignInput,
  alongside: Alongside = () => [],
): Promise<SaveResult> {
  const configuration = merge(input);
  const validated = validateConfiguration(lexicon, input, configuration);
  if (!validated.profile) return { outcome: 'invalid', errors: validated.invalid };
  const { profile, bytes } = validated;
  const now = clock.now();
  const time = isoTime(now);
  const created: Campaign = {
    ...configuration,
    id: ids.ordered('campaign'),
    owner,
    creativeVersion: hashCreative(configuration.creative),
    profile,
    memoryBytes: bytes,
    ...reviewUnlessExempt(config, owner, configuration.creative),
    pausedReason: pausedBy(configuration.status),
    pausedDay: null,
    exhaustions: 0,
    moneyAt: null,
    createdAt: time,
    updatedAt: time,
    changedAt: now,
    version: 1,
  };
  const campaign = asOf(created, now); // the stored campaign, the event, and the response must agree
  const record = alongside(campaign.id);
  const writes = [
    ...record,
    countCreated(owner, bytes, config),
    ...takeName(campaign),
    { table: 'campaigns' as const, put: toCampaignItem(campaign) },
    { table: 'campaigns' as const, put: toStatsItem(owner, createSpendStats(campaign.id), now) },
    ...storeFirstVersion(campaign),
    createBalance(campaign.id, campaign.budget, getDailyBudget(campaign), now),
    ...recordCreated(campaign),
  ];
  for (;;) {
    const written = await db.transact(writes);
    if (written.ok) return { outcome: 'saved', campaign };
    const [repeated, [count, ...names]] = [
      written.refused.slice(0, record.length),
      written.refused.slice(record.length),
    ];
    if (repeated.some(Boolean)) return { outcome: 'repeated' };
    if (names.some(Boolean)) return { outcome: 'name_taken' };
    const counted = count?.old;
    if (counted && 'bytes' in counted)
      return counted.count < config.maxCampaignsPerOwner
        ? { outcome: 'too_heavy', maxBytes: config.maxCampaignBytesPerOwner }
        : { outcome: 'too_many', limit: config.maxCampaignsPerOwner };
    await recount(owner, lexicon, db);
  }
}
