import type { Lexicon } from '../matching/index.ts';
import { isBlank } from '../platform/values/characters.ts';
import { domainOf } from '../platform/values/urls.ts';
import type { Campaign } from './campaign.ts';
import type { FrequencyCap } from './conversation-terms.ts';
import { toMatchingProfile } from './matching-profile.ts';
import type { CreativeReview } from './review/review.ts';

/** A field without which a campaign cannot serve, by what it has yet to say there. */
export type Lack = 'creative.landingUrl' | 'creative.headline' | 'targetAudience.keywords';

/**
 * What bidding keeps of a campaign: enough to match, price and explain it. Its texts are read when an ad is shown; so a hundred
 * thousand of these fit into memory, and into a snapshot.
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
  /** Where its ad leads, without www: what publishers exclude advertisers by. */
  domain: string;
  /** How often it may be shown in one conversation; absent: as often as it wins. */
  frequencyCap?: FrequencyCap;
  /** The passage for which its creative does not serve; absent where there is none. */
  review?: CreativeReview;
  /** Whether its creative can be an image, or a video. */
  hasImage: boolean;
  hasVideo: boolean;
  /** What it has yet to say before it can serve; absent when that is nothing. */
  lacks?: Lack[];
}

/** A pause may end by itself, the rest may not. */
export const canBid = ({ status }: Campaign): boolean => status === 'active' || status === 'paused';

/** A matching profile that another version of the service has made is made anew. */
export const withCurrentProfile = (campaign: Campaign, lexicon: Lexicon): Campaign =>
  campaign.profile.v === lexicon.version ? campaign : { ...campaign, profile: toMatchingProfile(campaign, lexicon) };

/** What bidding keeps of a campaign; undefined when it cannot bid. */
export const toBiddableIfActive = (campaign: Campaign, lexicon: Lexicon): Biddable | undefined =>
  canBid(campaign) ? toBiddable(withCurrentProfile(campaign, lexicon)) : undefined;

/**
 * The most that a campaign may bid, for an index. Nothing would be looked at under a ceiling of 0: a campaign that may bid nothing is
 * found too, and refused with that reason.
 */
export const getMaxBid = ({ maxCpb }: Biddable): number => Math.max(1, maxCpb);

export function toBiddable(campaign: Campaign): Biddable {
  const { targetAudience, creative } = campaign;
  const { keywords, demographics, countries, categories } = targetAudience;
  const lacks: Lack[] = [
    ...(creative.landingUrl ? [] : ['creative.landingUrl' as const]),
    ...(isBlank(creative.headline) ? ['creative.headline' as const] : []),
    ...(keywords.length + demographics.interests.length > 0 ? [] : ['targetAudience.keywords' as const]),
  ];
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
    domain: domainOf(creative.landingUrl),
    hasImage: creative.imageUrl !== '',
    ...(campaign.review && { review: campaign.review }),
    ...(campaign.frequencyCap && { frequencyCap: campaign.frequencyCap }),
    hasVideo: creative.videoUrl !== '' && creative.thumbnailUrl !== '',
    ...(lacks.length > 0 && { lacks }),
  };
}
