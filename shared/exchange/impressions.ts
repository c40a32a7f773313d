import type { Auction, Opportunity } from '../bidding/auction.ts';
import type { Place } from '../bids/place.ts';
import type { Biddable } from '../campaigns/biddable.ts';
import type { Micros } from '../values/money.ts';
import type { NoBidReason } from '../values/outcomes.ts';
import { type AdMarket, type AdOpportunity, auctionAd } from './auction.ts';
import type { Categories } from './categories.ts';
import { contextOf, impressionConversation } from './context.ts';
import { answerAssets } from './native.ts';
import {
  countryOf,
  exclusionsOf,
  floorOf,
  isNative,
  type NativeImp,
  refusalOfImp,
  refusalOfRequest,
} from './opportunity.ts';
import type { ImpressionWinner } from './present.ts';
import type { ExchangeBidRequest, Imp } from './schema.ts';

/** What holding auctions takes. */
interface Market extends AdMarket {
  categories: Categories;
}

/** Who asks, and when. */
interface Terms extends Pick<Opportunity, 'now' | 'random' | 'debug'> {
  placeOf(imp: Imp): Promise<Place>;
  /** The key's own floor, CPM in micro-dollars. */
  floor: Micros;
}

/** What came of an impression; the auction where one was held. */
interface ImpressionOutcome {
  impid: string;
  winner?: ImpressionWinner;
  reason: NoBidReason | null;
  auction?: Auction;
}

/** Holds an auction for each impression of a request; no campaign wins two. */
export async function auctionImpressions(
  request: ExchangeBidRequest,
  terms: Terms,
  market: Market,
): Promise<ImpressionOutcome[]> {
  const refused = refusalOfRequest(request);
  const excludes = exclusionsOf(request, market.categories);
  const taken = new Set<string>();
  const given = new Map<string, number>();
  const outcomes: ImpressionOutcome[] = [];
  for (const imp of request.imp) {
    const reason = refused ?? refusalOfImp(imp);
    const messages = contextOf(request, imp, market.categories);
    if (reason || !messages || !isNative(imp)) {
      outcomes.push({ impid: imp.id, reason: reason ?? (messages ? 'format' : 'no_user_message') });
      continue;
    }
    const place = await terms.placeOf(imp);
    const conversation = impressionConversation(request, imp).id ?? '';
    const had = given.get(conversation) ?? 0;
    const opportunity = {
      ...terms,
      messages,
      countryCode: countryOf(request),
      floor: floorOf(imp, terms.floor),
      excludes: (campaign: Biddable) =>
        taken.has(campaign.id) ? 'outranked' : (place.excludes(campaign, had) ?? excludes(campaign)),
    };
    const outcome = await auctionImpression(imp, opportunity, market);
    const { winner } = outcome;
    if (winner) {
      taken.add(winner.candidate.campaign.id);
      given.set(conversation, had + 1);
      winner.conversation = place.termsFor(winner.candidate.campaign);
    }
    outcomes.push(outcome);
  }
  return outcomes;
}

/** The best campaign whose ad has all that the impression requires. */
async function auctionImpression(
  { id: impid, secure, native: { request: native } }: NativeImp,
  opportunity: AdOpportunity,
  market: AdMarket,
): Promise<ImpressionOutcome> {
  const { won, ...held } = await auctionAd(opportunity, market, (creative) =>
    answerAssets(native, creative, secure === 1),
  );
  if (!won) return { impid, ...held };
  const { candidate, shown, made: assets } = won;
  return { impid, winner: { impid, candidate, shown, native, assets, floor: opportunity.floor }, ...held };
}
