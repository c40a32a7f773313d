import { createHash } from 'node:crypto';
import { DAY_MS, ttlAt } from '../platform/clock.ts';
import type { Write } from '../platform/database.ts';
import type { Effects } from '../platform/effects.ts';
import type { Item } from '../platform/items.ts';
import type { Campaign } from './campaign.ts';
import { CREATIVE_FIELD_NAMES, type Creative } from './creative.ts';
import { campaignKey, creativeKey } from './items.ts';

/**
 * How long a version is kept after its campaign has a new one or is deleted. An ad with the old version may be shown a day later and clicked
 * 90 days after that. The extra hour covers requests in progress during the change, and clock differences.
 */
const KEPT_MS = 91 * DAY_MS + 60 * 60 * 1000;

/**
 * The fields that are hashed by position. Never change this list: every stored version, and every `crid` that exchanges have approved, would
 * change with it. Later fields are hashed with their names, and only if they are set.
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

/** Version of a creative within its campaign: a hash, so that equal texts and URLs are the same version. */
export function hashCreative(creative: Creative): string {
  const values = HASHED_BY_POSITION.map((field) => creative[field] ?? '');
  const later = Object.entries(creative)
    .filter(([field, value]) => isLater(field) && isSet(value))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([...values, ...later]))
    .digest('base64url')
    .slice(0, 16);
}

/** The stored version of a campaign's creative; undefined if the campaign was saved before versions existed. */
const storedVersion = ({ creativeVersion, creative }: Campaign): string | undefined =>
  creativeVersion === hashCreative(creative) ? creativeVersion : undefined;

/** The creative's ID for exchanges, which approve it once. It changes only with the creative itself. */
export const getCreativeId = ({ creativeVersion, creative }: ShownCreative): string =>
  creativeVersion ?? hashCreative(creative);

/** Stores the creative of a campaign as a version. @param until epoch ms; leave out while the campaign uses the version */
const storeVersion = ({ owner, id, creative }: Campaign, until?: number): Write<'campaigns'> => ({
  table: 'campaigns',
  put: {
    ...creativeKey(owner, id, hashCreative(creative)),
    creative,
    ...(until !== undefined && { ttl: ttlAt(until) }),
  },
});

/** The first version of a new campaign. */
export const storeFirstVersion = (campaign: Campaign): Write<'campaigns'>[] => [storeVersion(campaign)];

/** Stores the new version after a change, and lets the previous one expire. */
export function changeVersion(before: Campaign, after: Campaign, now: number): Write<'campaigns'>[] {
  if (storedVersion(before) === after.creativeVersion) return [];
  return [storeVersion(after), ...expireVersion(before, now)];
}

/** Lets the version of a campaign's creative expire. It stays long enough for clicks on ads that were shown with it. */
export const expireVersion = (campaign: Campaign, now: number): Write<'campaigns'>[] =>
  storedVersion(campaign) === undefined ? [] : [storeVersion(campaign, now + KEPT_MS)];

/** Stores the version of a campaign that was saved before versions existed. If the campaign changes at the same time, that change wins. */
export async function storeMissingVersion({ db }: Pick<Effects, 'db'>, campaign: Campaign): Promise<void> {
  if (storedVersion(campaign) !== undefined) return;
  await db.transact([
    storeVersion(campaign),
    {
      table: 'campaigns',
      key: campaignKey(campaign.owner, campaign.id),
      update: 'SET #creativeVersion = :creativeVersion',
      when: '#version = :version',
      values: { creativeVersion: hashCreative(campaign.creative), version: campaign.version },
    },
  ]);
}

/** Finds a version of a creative. DynamoDB deletes expired items late, so they are checked here. */
export async function findVersion(
  { db, clock }: Pick<Effects, 'db' | 'clock'>,
  owner: string,
  campaignId: string,
  version: string,
): Promise<Creative | undefined> {
  const item = await db.get('campaigns', creativeKey(owner, campaignId, version));
  return item && isVersion(item) && !(item.ttl !== undefined && item.ttl * 1000 <= clock.now())
    ? item.creative
    : undefined;
}

/** How people tell versions of a creative apart: by headline, and by what else differs between those with the same. */
export async function nameVersions(
  { db }: Pick<Effects, 'db'>,
  { owner, id }: Pick<Campaign, 'owner' | 'id'>,
  versions: readonly string[],
): Promise<Map<string, string>> {
  const keys = versions.map((version) => creativeKey(owner, id, version));
  const items = await db.getAll('campaigns', keys);
  const prefix = creativeKey(owner, id, '').item;
  const creatives = new Map(items.filter(isVersion).map(({ item, creative }) => [item.slice(prefix.length), creative]));
  const toName = (version: string) => {
    const creative = creatives.get(version);
    if (!creative) return `Earlier version ${version.slice(0, 6)}`; // expired
    const alike = [...creatives.values()].filter(({ headline }) => headline === creative.headline);
    const differing = CREATIVE_FIELD_NAMES.filter((field) => alike.some((one) => one[field] !== creative[field]));
    return [creative.headline, ...differing.map((field) => shorten(creative[field]))].filter(Boolean).join(' · ');
  };
  return new Map(versions.map((version) => [version, toName(version)]));
}

/** Names are read in a table. The ends of URLs and texts tell more than their middle. */
function shorten(text: string): string {
  const characters = [...text];
  return characters.length > 60 ? `${characters.slice(0, 29).join('')}…${characters.slice(-30).join('')}` : text;
}

type Version = Extract<Item<'campaigns'>, { item: `creative#${string}` }>;

const isVersion = (item: Item<'campaigns'>): item is Version => item.item.startsWith('creative#');

/** Whether a campaign's creative may be shown. Without a landing page, a click would redirect to itself. */
export const canShowCreative = ({ creative, review }: Campaign): boolean => Boolean(creative.landingUrl) && !review;

/** The creative of an ad, and its stored version, if any. */
export interface ShownCreative {
  creative: Creative;
  creativeVersion?: string;
}

export const getShownCreative = (campaign: Campaign): ShownCreative => ({
  creative: campaign.creative,
  creativeVersion: storedVersion(campaign),
});
