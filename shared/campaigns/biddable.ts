import type { Lexicon } from '../matching/index.ts';
import { getDomain } from '../platform/values/urls.ts';
import type { Campaign } from './campaign.ts';
import type { FrequencyCap } from './conversation-terms.ts';
import { toMatchingProfile } from './matching-profile.ts';
import { findMissingFields, type MissingField } from './missing-fields.ts';
import type { CreativeReview } from './review/review.ts';

/**
 * A campaign as a bidding instance keeps it in memory: enough to match, price, and explain it. Ad texts are read only when an ad is
 * shown, so 100,000 campaigns fit into memory and into a snapshot.
 */
export interface Biddable
  extends Pick<
    Campaign,
    | 'id'
    | 'owner'
    | 'name'
    | 'version'
    | 'status'
    | 'pausedReason'
    | 'pausedDay'
    | 'budget'
    | 'dailyBudget'
    | 'bidStrategy'
    | 'maxCpb'
    | 'targetCpa'
    | 'startDate'
    | 'endDate'
    | 'createdAt'
    | 'profile'
  > {
  countries: string[];
  categories: string[];
  /** Domain of the landing page, without `www.`. Publishers block advertisers by it. */
  domain: string;
  /** Absent if there is no limit. */
  frequencyCap?: FrequencyCap;
  /** Absent if there are none. */
  excludedPublishers?: string[];
  /** Why the creative does not serve; absent if it passed the review. */
  review?: CreativeReview;
  /** Whether the creative supports the image format and the video format. */
  hasImage: boolean;
  hasVideo: boolean;
  /** Fields that the campaign still needs to serve; absent if there are none. */
  lacks?: MissingField[];
}

/** Whether a campaign bids now, or may bid again without a change by its owner: some pauses end with time. */
export const canBid = ({ status }: Campaign): boolean => status === 'active' || status === 'paused';

/** Rebuilds the matching profile if another version of the lexicon built it. */
export const withCurrentProfile = (campaign: Campaign, lexicon: Lexicon): Campaign =>
  campaign.profile.v === lexicon.version ? campaign : { ...campaign, profile: toMatchingProfile(campaign, lexicon) };

/** Converts a campaign for bidding; undefined if it cannot bid. */
export const toBiddableIfActive = (campaign: Campaign, lexicon: Lexicon): Biddable | undefined =>
  canBid(campaign) ? toBiddable(withCurrentProfile(campaign, lexicon)) : undefined;

/**
 * The maximum bid used to index a campaign. At least 1, because the index skips campaigns with a maximum of 0, and auctions must find them
 * to reject them with a reason.
 */
export const getMaxBid = ({ maxCpb }: Biddable): number => Math.max(1, maxCpb);

export function toBiddable(campaign: Campaign): Biddable {
  const { targetAudience, creative } = campaign;
  const { countries, categories } = targetAudience;
  const lacks = findMissingFields(targetAudience, creative);
  return {
    id: campaign.id,
    owner: campaign.owner,
    name: campaign.name,
    version: campaign.version,
    status: campaign.status,
    pausedReason: campaign.pausedReason,
    pausedDay: campaign.pausedDay,
    budget: campaign.budget,
    dailyBudget: campaign.dailyBudget,
    bidStrategy: campaign.bidStrategy,
    maxCpb: campaign.maxCpb,
    targetCpa: campaign.targetCpa,
    startDate: campaign.startDate,
    endDate: campaign.endDate,
    createdAt: campaign.createdAt,
    profile: campaign.profile,
    countries,
    categories,
    domain: getDomain(creative.landingUrl),
    hasImage: creative.imageUrl !== '',
    ...(campaign.review && { review: campaign.review }),
    ...(campaign.frequencyCap && { frequencyCap: campaign.frequencyCap }),
    ...(campaign.excludedPublishers?.length && { excludedPublishers: campaign.excludedPublishers }),
    hasVideo: creative.videoUrl !== '' && creative.thumbnailUrl !== '',
    ...(lacks.length > 0 && { lacks }),
  };
}
