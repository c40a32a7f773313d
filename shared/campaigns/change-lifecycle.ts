import { isoTime } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import { asOf } from './as-of.ts';
import type { Campaign } from './campaign.ts';
import { campaignKey } from './items.ts';
import type { Lifecycle } from './lifecycle.ts';

/** A change of lifecycle that no user asked for; the stream's record of it is the fact that sends the event. */
export const changeLifecycle = (campaign: Campaign, lifecycle: Lifecycle, now: number): Write<'campaigns'> => ({
  table: 'campaigns',
  key: campaignKey(campaign.owner, campaign.id),
  update:
    'SET #status = :status, #pausedReason = :pausedReason, #pausedDay = :pausedDay, #exhaustions = :exhaustions, ' +
    '#moneyAt = :moneyAt, #updatedAt = :time, #changedAt = :now, #version = :next',
  when: '#version = :version', // settles the race with its user's own change
  values: {
    status: lifecycle.status,
    pausedReason: lifecycle.pausedReason,
    pausedDay: lifecycle.pausedDay,
    exhaustions: lifecycle.exhaustions,
    moneyAt: lifecycle.moneyAt ?? null,
    time: isoTime(now),
    now,
    version: campaign.version,
    next: campaign.version + 1,
  },
});

/** Writes down a lifecycle that time alone has brought about, unless something else changed the campaign meanwhile. */
export async function storeLifecycle({ db, clock }: Pick<Effects, 'db' | 'clock'>, campaign: Campaign): Promise<void> {
  const now = clock.now();
  const current = asOf(campaign, now);
  if (current !== campaign) await db.write(changeLifecycle(campaign, current, now));
}
