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

interface AuctionOptions extends Pick<Opportunity, 'now' | 'random' | 'debug'> {
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
  const refused = getRequestRefusal(request);
  const messagesOf = createContextReader(request, demand.categories);
  const offers = request.imp.map((imp) => offerOf(imp, refused ?? getImpRefusal(imp), messagesOf));
  const open = offers.filter((offer) => offer.reason === null).map(({ imp }) => imp);
  const found = await options.findSlots(open);
  const places = new Map(open.map((imp, index) => [imp, found[index]!]));
  const excludes = createExclusions(request, demand.categories);
  const ofPage = getPageLanguage(request);
  const taken = new Set<string>();
  const given = new Map<string, number>();
  const outcomes: ImpressionOutcome[] = [];
  for (const offer of offers) {
    if (offer.reason !== null) {
      outcomes.push({ impid: offer.imp.id, reason: offer.reason });
      continue;
    }
    const { imp, messages, lacksAsset } = offer;
    const place = places.get(imp)!;
    const { id, messages: said } = getConversation(request, imp);
    const conversation = id ?? '';
    const had = given.get(conversation) ?? 0;
    const language = said.length === 0 ? ofPage : undefined;
    const opportunity = {
      ...options,
      messages,
      countryCode: getCountry(request),
      floor: getFloor(imp, options.floor),
      getExclusion: (campaign: Biddable) =>
        taken.has(campaign.id)
          ? 'frequency_cap'
          : (place.getExclusion(campaign, had) ??
            excludes(campaign) ??
            (isInOtherLanguage(language, campaign) ? 'language' : lacksAsset(campaign) ? 'asset' : null)),
    };
    const outcome = await auctionImpression(imp, opportunity, demand);
    const { winner } = outcome;
    if (winner) {
      taken.add(winner.candidate.campaign.id);
      given.set(conversation, had + 1);
      winner.conversation = place.getConversationTerms(winner.candidate.campaign);
    }
    outcomes.push(outcome);
  }
  return outcomes;
}

/** An impression with what its auction needs, or the reason for no auction. */
type OfferedImpression =
  | { imp: NativeImp; messages: Message[]; lacksAsset: (campaign: Biddable) => boolean; reason: null }
  | { imp: Imp; reason: NoBidReason };

function offerOf(
  imp: Imp,
  refused: NoBidReason | null,
  messagesOf: (imp: Imp) => Message[] | undefined,
): OfferedImpression {
  if (refused) return { imp, reason: refused };
  const messages = messagesOf(imp);
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
  const { won, ...held } = await holdAdAuction(opportunity, demand, (creative) =>
    fillAssets(native, creative, secure === 1),
  );
  if (!won) return { impid, ...held };
  const { candidate, shown, result: assets } = won;
  return { impid, winner: { impid, candidate, shown, native, assets, floor: opportunity.floor }, ...held };
}
