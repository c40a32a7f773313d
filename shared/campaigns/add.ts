import { createBalance } from '../budgets/charge.ts';
import type { Lexicon } from '../matching/index.ts';
import { isoTime } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import type { Alongside } from '../platform/idempotency.ts';
import { asOf } from './as-of.ts';
import { type Campaign, dailyLimit } from './campaign.ts';
import type { CampaignInput } from './campaign-schema.ts';
import { beginCount, countOneMore } from './count.ts';
import { beginVersions, hashCreative } from './creative-versions.ts';
import { examine } from './examine.ts';
import { pausedBy } from './lifecycle.ts';
import { merge } from './merge.ts';
import { takeName } from './names.ts';
import { reviewFor } from './review/review.ts';
import type { Saved } from './saved.ts';
import { noSpendStats } from './spend-stats.ts';
import { toCampaignItem } from './stored.ts';
import { toStatsItem } from './stored-stats.ts';

/** A new campaign with its name, its balance and its stats, all or nothing. */
export async function addCampaign(
  { db, clock, ids, config }: Pick<Effects, 'db' | 'clock' | 'ids' | 'config'>,
  lexicon: Lexicon,
  owner: string,
  input: CampaignInput,
  alongside: Alongside = () => [],
): Promise<Saved> {
  const configuration = merge(input);
  const examined = examine(lexicon, input, configuration);
  if (!examined.profile) return { outcome: 'invalid', faults: examined.invalid };
  const { profile, bytes } = examined;
  const now = clock.now();
  const time = isoTime(now);
  const created: Campaign = {
    ...configuration,
    id: ids.ordered('campaign'),
    owner,
    creativeVersion: hashCreative(configuration.creative),
    profile,
    memoryBytes: bytes,
    ...reviewFor(config, owner, configuration.creative),
    pausedReason: pausedBy(configuration.status),
    pausedDay: null,
    exhaustions: 0,
    moneyAt: null,
    createdAt: time,
    updatedAt: time,
    changedAt: now,
    version: 1,
  };
  const campaign = asOf(created, now); // so that what is stored and told is what is answered
  const record = alongside(campaign.id);
  const writes = [
    ...record,
    countOneMore(owner, bytes, config),
    ...takeName(campaign),
    { table: 'campaigns' as const, put: toCampaignItem(campaign) },
    { table: 'campaigns' as const, put: toStatsItem(owner, noSpendStats(campaign.id), now) },
    ...beginVersions(campaign),
    createBalance(campaign.id, campaign.budget, dailyLimit(campaign), now),
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
    const met = count?.old;
    if (met && 'bytes' in met)
      return met.count < config.maxCampaignsPerOwner
        ? { outcome: 'too_heavy', mostBytes: config.maxCampaignBytesPerOwner }
        : { outcome: 'too_many', most: config.maxCampaignsPerOwner };
    await beginCount(owner, lexicon, db);
  }
}
