import { closeForChange } from '../budgets/shards/close-shards.ts';
import { laterThan } from '../platform/activity.ts';
import { ttlAt } from '../platform/clock.ts';
import type { Effects } from '../platform/effects.ts';
import { recordDeleted } from './campaign-activity.ts';
import { countDeleted, recount } from './count.ts';
import { expireVersion } from './creative-versions.ts';
import { findCampaign } from './find.ts';
import { campaignKey, FEED, phrasesKey, spendStatsKey, TOMBSTONE_MS } from './items.ts';
import { freeName } from './names.ts';

/** Deletes a campaign and frees its name. The tombstone tells bidding instances. Returns whether the campaign existed. */
export async function deleteCampaign(
  effects: Pick<Effects, 'db' | 'clock' | 'config'>,
  owner: string,
  id: string,
): Promise<boolean> {
  const { db, clock } = effects;
  let countsBytes = true;
  for (;;) {
    const before = await findCampaign(effects, owner, id);
    if (!before) return false;
    const now = clock.now();
    const version = before.version + 1;
    const written = await db.transact([
      countDeleted(owner, countsBytes ? before.memoryBytes : undefined),
      {
        table: 'campaigns',
        put: {
          ...campaignKey(owner, id),
          id,
          name: before.name,
          deleted: true,
          feed: FEED,
          changedAt: now,
          version,
          ttl: ttlAt(now + TOMBSTONE_MS),
        },
        when: '#version = :version',
        values: { version: before.version },
      },
      ...(await freeName(before, db)),
      ...expireVersion(before, now),
      { table: 'campaigns', key: spendStatsKey(owner, id), remove: true },
      { table: 'campaigns', key: phrasesKey(owner, id), remove: true },
      ...recordDeleted({ ...before, version, changedAt: laterThan(before.changedAt, now) }),
    ]);
    if (written.ok) {
      await closeForChange(effects, id);
      return true;
    }
    const [count] = written.refused;
    if (count?.old) countsBytes = false;
    else if (count) await recount(owner, undefined, db);
  }
}
