import type { Lexicon } from '../matching/index.ts';
import type { Config } from '../platform/config.ts';
import type { Database, Write } from '../platform/database.ts';
import { fromCampaignItem, isCampaign } from './items.ts';
import { sumWeights, weigh } from './weight.ts';

/**
 * The number of campaigns of a user, and their total memory in a bidding instance. A separate item, updated in the transactions that
 * create, change, and delete campaigns (2 write units each).
 */
const campaignCountKey = (owner: string) => ({ owner, item: '#count' }) as const;

type Limits = Pick<Config, 'maxCampaignsPerOwner' | 'maxCampaignBytesPerOwner'>;

/** The condition settles the race for the last place. It also fails if the campaigns have not been counted yet. */
export const countCreated = (
  owner: string,
  bytes: number,
  { maxCampaignsPerOwner, maxCampaignBytesPerOwner }: Limits,
): Write<'campaigns'> => ({
  table: 'campaigns',
  key: campaignCountKey(owner),
  update: 'ADD #count :one, #bytes :bytes',
  when: '#count < :most AND #bytes <= :room',
  values: { one: 1, bytes, most: maxCampaignsPerOwner, room: maxCampaignBytesPerOwner - bytes },
});

/** Counts the bytes that a change adds or frees. Only adding is limited. */
export const countBytes = (owner: string, added: number, { maxCampaignBytesPerOwner }: Limits): Write<'campaigns'> => ({
  table: 'campaigns',
  key: campaignCountKey(owner),
  update: 'ADD #bytes :added',
  when: added > 0 ? '#bytes <= :room' : 'attribute_exists(#bytes)',
  values: { added, ...(added > 0 && { room: maxCampaignBytesPerOwner - added }) },
});

/**
 * Counts a deletion. If the bytes are unknown (the campaign was stored before bytes were counted), drops the sum; the next create computes
 * it again. Fails if the campaigns have not been counted yet, because a recount in progress would miss the deletion.
 */
export const countDeleted = (owner: string, bytes: number | undefined): Write<'campaigns'> => ({
  table: 'campaigns',
  key: campaignCountKey(owner),
  update: bytes === undefined ? 'ADD #count :less REMOVE #bytes' : 'ADD #count :less, #bytes :freed',
  when: `attribute_exists(${bytes === undefined ? '#count' : '#bytes'})`,
  values: { less: -1, ...(bytes !== undefined && { freed: -bytes }) },
});

/**
 * Counts the campaigns of a user if the count or its bytes are missing: for a new user, or one with campaigns stored before counting. Until
 * the count is stored, no campaign can be created, and a deletion changes the number that the condition expects. Only functions of the
 * previous version, still running during a rollout, could make the count wrong.
 * @param lexicon needed to weigh campaigns stored before bytes were counted; without it, only the number is counted
 */
export async function recount(
  owner: string,
  lexicon: Lexicon | undefined,
  db: Pick<Database, 'get' | 'query' | 'write'>,
): Promise<void> {
  const before = await db.get('campaigns', campaignCountKey(owner));
  const counted = before && 'count' in before ? before.count : undefined;
  let count = 0;
  let bytes = 0;
  const campaigns = db.query({
    table: 'campaigns',
    where: '#owner = :owner AND begins_with(#item, :campaign)',
    values: { owner, campaign: 'campaign#' },
    consistent: true,
  });
  for await (const item of campaigns) {
    if (!isCampaign(item)) continue;
    const campaign = fromCampaignItem(item);
    count++;
    if (lexicon) bytes += campaign.memoryBytes ?? sumWeights(weigh(campaign, campaign.profile, lexicon));
  }
  await db.write({
    table: 'campaigns',
    key: campaignCountKey(owner),
    update: lexicon ? 'SET #count = :count, #bytes = :bytes' : 'SET #count = :count',
    // Settles the race with another count, and with a deletion.
    when: counted === undefined ? 'attribute_not_exists(#count)' : '#count = :counted AND attribute_not_exists(#bytes)',
    values: { count: counted ?? count, ...(lexicon && { bytes }), ...(counted !== undefined && { counted }) },
  });
}
