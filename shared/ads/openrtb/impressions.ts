import type { Biddable } from '../../campaigns/biddable.ts';
import type { Message } from '../../matching/index.ts';
import type { Micros } from '../../platform/values/money.ts';
import type { NoBidReason } from '../../platform/values/outcomes.ts';
import { type AdDemand, type AdOpportunity, holdAdAuction } from '../auction/ad-auction.ts';
import type { Auction, Opportunity } from '../auction/auction.ts';
import type { AdSlot } from '../bids/ad-slots.ts';
import type { Categories } from './categories.ts';
import { createContextReader, getConversation } from './context.ts';
import { createAssetFilter, fillAssets } from './native.ts';
import type { ExchangeBidRequest, Imp } from './openrtb-schema.ts';
import {
  createExclusions,
  getCountry,
  getFloor,
  getImpRefusal,
  getPageLanguage,
  getRequestRefusal,
  isInOtherLanguage,
  isNative,
  type NativeImp,
} from './opportunity.ts';
import type { ImpressionWinner } from './present.ts';

/** What auctions for impressions need. */
interface ImpressionDemand extends AdDemand {
  categories: Categories;
}

interface AuctionOptions extends Pick<Opportunity, 'adStrictness' | 'now' | 'random' | 'debug'> {
  /** Ad slots of impressions, in the same order. */
  findSlots(imps: readonly Imp[]): Promise<AdSlot[]>;
  /** Floor of the API key, CPM in micro-dollars. */
  floor: Micros;
}

/** Result of an impression, with its auction if there was one. */
interface ImpressionOutcome {
  impid: string;
  winner?: ImpressionWinner;
  reason: NoBidReason | null;
  auction?: Auction;
}

/** Holds an auction for each impression of a request. A campaign wins at most one. */
export async function auctionImpressions(
  request: ExchangeBidRequest,
  options: AuctionOptions,
  demand: ImpressionDemand,
): Promise<ImpressionOutcome[]> {
  const refusal = getRequestRefusal(request);
  const getMessages = createContextReader(request, demand.categories);
  const prepared = request.imp.map((imp) => prepareImpression(imp, refusal ?? getImpRefusal(imp), getMessages));
  const biddable = prepared.filter(({ reason }) => reason === null).map(({ imp }) => imp);
  const adSlots = await options.findSlots(biddable);
  const slots = new Map(biddable.map((imp, index) => [imp, adSlots[index]!]));
  const excludes = createExclusions(request, demand.categories);
  const pageLanguage = getPageLanguage(request);
  const winningCampaigns = new Set<string>();
  const adsByConversation = new Map<string, number>();
  const outcomes: ImpressionOutcome[] = [];
  for (const impression of prepared) {
    if (impression.reason !== null) {
      outcomes.push({ impid: impression.imp.id, reason: impression.reason });
      continue;
    }
    const { imp, messages, lacksAsset } = impression;
    const slot = slots.get(imp)!;
    const { id, messages: turns } = getConversation(request, imp);
    const conversation = id ?? '';
    const previousAds = adsByConversation.get(conversation) ?? 0;
    const language = turns.length === 0 ? pageLanguage : undefined;
    const opportunity = {
      ...options,
      messages,
      countryCode: getCountry(request),
      floor: getFloor(imp, options.floor),
      getExclusion: (campaign: Biddable) =>
        winningCampaigns.has(campaign.id)
          ? 'frequency_cap'
          : (slot.getExclusion(campaign, previousAds) ??
            excludes(campaign) ??
            (isInOtherLanguage(language, campaign) ? 'language' : lacksAsset(campaign) ? 'asset' : null)),
    };
    const outcome = await auctionImpression(imp, opportunity, demand);
    const { winner } = outcome;
    if (winner) {
      winningCampaigns.add(winner.candidate.campaign.id);
      adsByConversation.set(conversation, previousAds + 1);
      winner.conversation = slot.getConversationTerms(winner.candidate.campaign);
      winner.conversationCode = slot.conversationCode;
      winner.variant = imp.ext?.variant ?? request.ext?.variant;
    }
    outcomes.push(outcome);
  }
  return outcomes;
}

/** An impression with the input for its auction, or the reason for no auction. */
type PreparedImpression =
  | { imp: NativeImp; messages: Message[]; lacksAsset: (campaign: Biddable) => boolean; reason: null }
  | { imp: Imp; reason: NoBidReason };

function prepareImpression(
  imp: Imp,
  refusal: NoBidReason | null,
  getMessages: (imp: Imp) => Message[] | undefined,
): PreparedImpression {
  if (refusal) return { imp, reason: refusal };
  const messages = getMessages(imp);
  if (!messages) return { imp, reason: 'no_user_message' };
  if (!isNative(imp)) return { imp, reason: 'format' };
  const assets = createAssetFilter(imp.native.request);
  return assets.excludesAll ? { imp, reason: 'asset' } : { imp, messages, lacksAsset: assets.excludes, reason: null };
}

/** Finds the best campaign whose ad has every required asset. */
async function auctionImpression(
  { id: impid, secure, native: { request: native } }: NativeImp,
  opportunity: AdOpportunity,
  demand: AdDemand,
): Promise<ImpressionOutcome> {
  const { won, ...auctionResult } = await holdAdAuction(opportunity, demand, (creative) =>
    fillAssets(native, creative, secure === 1),
  );
  if (!won) return { impid, ...auctionResult };
  const { candidate, shown, result: assets } = won;
  return { impid, winner: { impid, candidate, shown, native, assets, floor: opportunity.floor }, ...auctionResult };
}
