import { createHash } from 'node:crypto';
import { DAY_MS, ttlAt } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import type { Creative } from '../platform/values/creative.ts';
import type { Campaign } from './campaign.ts';
import { campaignKey, creativeKey } from './items.ts';

/**
 * How long a version is kept once its campaign has another one, or is gone. An ad with it may be shown a day later, and clicked 90
 * days after that; the hour is for requests that are under way when the campaign changes, and for clocks that differ.
 */
const KEPT_MS = 91 * DAY_MS + 60 * 60 * 1000;

/**
 * The fields that every version hashes, by position. Never change this list: each stored version and each `crid` that exchanges have
 * approved would change with it. A field that creatives get later is hashed with its name, and only where it is set.
 */
const HASHED_BY_POSITION = [
  'headline',
  'description',
  'callToAction',
  'landingUrl',
  'imageUrl',
  'videoUrl',
  'thumbnailUrl',
  'sponsoredBy',
] as const satisfies (keyof Creative)[];

const isLater = (field: string): boolean => !HASHED_BY_POSITION.some((known) => known === field);
const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** Names a creative among those of its campaign: the same texts and addresses are the same version. */
export function versionOf(creative: Creative): string {
  const values = HASHED_BY_POSITION.map((field) => creative[field] ?? '');
  const later = Object.entries(creative)
    .filter(([field, value]) => isLater(field) && isSet(value))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([...values, ...later]))
    .digest('base64url')
    .slice(0, 16);
}

/** The version under which a campaign's creative is stored; undefined where code that knew no versions has saved it. */
const storedVersion = ({ creativeVersion, creative }: Campaign): string | undefined =>
  creativeVersion === versionOf(creative) ? creativeVersion : undefined;

/** What names the creative of an ad to others, who approve it once: no change but one of the creative itself makes another. */
export const creativeIdOf = ({ creativeVersion, creative }: ShownCreative): string =>
  creativeVersion ?? versionOf(creative);

/** Stores the creative of a campaign as a version. @param until epoch milliseconds; without an end while the campaign has it */
const storeVersion = ({ owner, id, creative }: Campaign, until?: number): Write<'campaigns'> => ({
  table: 'campaigns',
  put: {
    ...creativeKey(owner, id, versionOf(creative)),
    creative,
    ...(until !== undefined && { ttl: ttlAt(until) }),
  },
});

/** The first version of a new campaign. */
export const beginVersions = (campaign: Campaign): Write<'campaigns'>[] => [storeVersion(campaign)];

/** Stores the version that a change brings, and ends the one before it. */
export function changeVersion(before: Campaign, after: Campaign, now: number): Write<'campaigns'>[] {
  if (storedVersion(before) === after.creativeVersion) return [];
  return [storeVersion(after), ...endVersion(before, now)];
}

/** Lets the version of a campaign's creative go in a while; ads that were shown with it are still clicked. */
export const endVersion = (campaign: Campaign, now: number): Write<'campaigns'>[] =>
  storedVersion(campaign) === undefined ? [] : [storeVersion(campaign, now + KEPT_MS)];

/** Stores the version of a campaign that code without versions has saved, unless something else changes it meanwhile. */
export async function storeMissingVersion({ db }: Pick<Effects, 'db'>, campaign: Campaign): Promise<void> {
  if (storedVersion(campaign) !== undefined) return;
  await db.transact([
    storeVersion(campaign),
    {
      table: 'campaigns',
      key: campaignKey(campaign.owner, campaign.id),
      update: 'SET #creativeVersion = :creativeVersion',
      when: '#version = :version',
      values: { creativeVersion: versionOf(campaign.creative), version: campaign.version },
    },
  ]);
}

/** Whether a campaign's creative may be shown: one without a landing page would lead back to its own click. */
export const mayShowCreative = ({ creative, review }: Campaign): boolean => Boolean(creative.landingUrl) && !review;

/** The creative of an ad that is handed out, and the version that it is stored as, if it is. */
export interface ShownCreative {
  creative: Creative;
  creativeVersion?: string;
}

export const shownCreative = (campaign: Campaign): ShownCreative => ({
  creative: campaign.creative,
  creativeVersion: storedVersion(campaign),
});
