import { createHash } from 'node:crypto';
import type { Biddable } from '../campaigns/biddable.ts';
import type { SpendStats } from '../campaigns/spend-stats.ts';
import type { Lexicon } from '../matching/index.ts';

/** Raised when what a field of a snapshot means changes: instances of both versions then go by a snapshot of their own. */
const SNAPSHOT_VERSION = 4;
/** What it holds of a campaign and of its stats: a field more or less does not compile until it is so here, and makes another name. */
const CAMPAIGN_FIELDS: Record<keyof Biddable, true> = {
  id: true,
  owner: true,
  name: true,
  version: true,
  status: true,
  pausedReason: true,
  pausedDay: true,
  budget: true,
  dailyBudget: true,
  bidStrategy: true,
  maxCpb: true,
  targetCpa: true,
  startDate: true,
  endDate: true,
  createdAt: true,
  placement: true,
  countries: true,
  categories: true,
  domain: true,
  hasImage: true,
  hasVideo: true,
  lacks: true,
};
const STATS_FIELDS: Record<keyof SpendStats, true> = {
  id: true,
  spent: true,
  day: true,
  spentToday: true,
  impressions: true,
  clicks: true,
  chargedClicks: true,
  conversions: true,
};

/** Instances that would read a snapshot otherwise, or place campaigns otherwise, know it by another name. */
export function snapshotName({ version }: Pick<Lexicon, 'version'>): string {
  const fields = [CAMPAIGN_FIELDS, STATS_FIELDS].map(Object.keys).join(' ');
  return `bidding ${SNAPSHOT_VERSION} ${createHash('sha256').update(fields).digest('hex').slice(0, 8)} ${version}`;
}
