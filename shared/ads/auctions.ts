import type { Biddable } from '../campaigns/biddable.ts';
import type { Creative } from '../campaigns/creative.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { createSettingsReader } from '../keys/key-settings.ts';
import type { KeySettings } from '../keys/setting-fields.ts';
import type { Effects } from '../platform/effects.ts';
import { type AdDemand, holdAdAuction } from './auction/ad-auction.ts';
import {
  type Auction,
  addInactiveCandidates,
  createTieBreaker,
  holdAuction,
  type Opportunity,
} from './auction/auction.ts';
import { presentAuction } from './auction/present.ts';
import { type AdSlot, createAdSlots } from './bids/ad-place.ts';
import { createCandidateCreatives } from './bids/candidate-creatives.ts';
import { createKeywordReader } from './bids/keyword-reader.ts';
import { createSecondOpinion } from './bids/second-opinion.ts';
import { createCatalog } from './catalog/catalog.ts';
import { createInactiveCampaignReader } from './catalog/inactive.ts';
import { getLexicon } from './catalog/lexicon.ts';
import type { KnownConversation } from './conversations/conversations.ts';
import { hasOptedOut } from './regs/opt-out.ts';
import type { Regs } from './regs/regs.ts';

/** Who asks: the key, or what an exchange's request makes of it. */
export type Seller = Pick<ApiKey, 'id' | 'owner' | 'mode'>;

/** What is read beside the key's own write. */
export interface AuctionReads {
  settings: KeySettings;
  /** The conversation that the request names, where this instance knew already whose key it is. */
  conversation: KnownConversation | undefined;
}

/** One conversation in which an ad is wanted. */
interface AuctionRequest extends Pick<Opportunity, 'messages' | 'countryCode' | 'debug' | 'excludes'> {
  key: ApiKey;
  reads: AuctionReads;
  conversation: { id?: string | null; turn?: number | null } | null | undefined;
  regs: (Regs & { coppa?: 0 | 1 | null }) | null | undefined;
}

/** A conversation that names no id, for an ad that leaves with the answer. */
type AdRequest = Omit<AuctionRequest, 'conversation' | 'regs' | 'excludes'> & Required<Pick<Opportunity, 'excludes'>>;

interface HeldAuction {
  /** With `debug`, the owner's own inactive campaigns are among the candidates. */
  auction: Auction;
  slot: AdSlot;
  /** Whether the reader has opted out: nothing of the conversation may be stored then. */
  optOut: boolean;
  /** What X-Debug tells of the auction. @param shown the auction as the answer made use of it */
  explain(shown?: Auction): Promise<Record<string, unknown>>;
}

export type Auctions = ReturnType<typeof createAuctions>;

/**
 * The auction service: everything between a valid request and a bid, the same for the SSP API, the legacy API, OpenRTB, and Trusted Match.
 * One instance per function, because it keeps the catalog in memory.
 */
export function createAuctions(effects: Effects) {
  const { clock, ids, metrics } = effects;
  const catalog = createCatalog(effects, getLexicon());
  const places = createAdSlots(effects, getLexicon());
  const settingsOf = createSettingsReader(effects);
  const findInactive = createInactiveCampaignReader(effects, getLexicon());
  const askJudge = createSecondOpinion(effects);
  const readKeywords = createKeywordReader(effects);
  const breakTie = createTieBreaker();
  /** For answers that carry the ad itself: its creative is read before it wins. */
  const demand: AdDemand = { campaigns: catalog, findCreative: createCandidateCreatives(effects), breakTie: breakTie };

  /** The places of several conversations, which are read at once. */
  const findPlaces = (
    seller: Seller,
    { settings, conversation }: AuctionReads,
    references: Parameters<typeof places.findAll>[2],
  ) => places.findAll(seller, settings, references, conversation);

  /** Explains auctions to the owner of a key. */
  async function explainAll(auctions: readonly Auction[], owner: string, debug: boolean) {
    const keywordsOf = await readKeywords(debug ? auctions : []);
    return (auction: Auction) => presentAuction(auction, owner, keywordsOf);
  }

  return {
    demand,
    findPlaces,
    explainAll,

    /** @param conversationId as the body names it; the body may not be valid yet */
    async read(keyId: string, conversationId: Promise<string | undefined>): Promise<AuctionReads> {
      const ahead = conversationId.then((id) => places.readAhead(keyId, id));
      const [settings, conversation] = await Promise.all([settingsOf(keyId), ahead, catalog.refresh()]);
      return { settings, conversation };
    },

    /** Holds the auction of one conversation, with the judge's opinion where there is a judge. */
    async hold({ key, reads, conversation, regs, ...request }: AuctionRequest): Promise<HeldAuction> {
      const { messages, debug } = request;
      const place = await places.find(key, reads.settings, conversation, messages, reads.conversation);
      const optOut = regs ? await hasOptedOut(regs) : false;
      const now = clock.now();
      const opportunity: Opportunity & { optOut: boolean } = {
        ...request,
        floor: key.bidFloor,
        now,
        random: ids.random,
        optOut,
        excludes: (campaign) =>
          regs?.coppa === 1 ? 'coppa' : (request.excludes?.(campaign) ?? place.excludes(campaign)),
      };
      const { demand: judged, judge } = await askJudge(catalog, opportunity, key);
      const judgeMs = clock.now() - now;
      const held = holdAuction(judged, opportunity, breakTie);
      const matchMs = clock.now() - now - judgeMs;
      metrics.add('MatchTime', matchMs);
      const auction = debug
        ? addInactiveCandidates(held, holdAuction(await findInactive(key.owner), opportunity, breakTie))
        : held;
      const timingsMs = { match: matchMs, ...(judge && { judge: judgeMs }) };
      return {
        auction,
        slot: place,
        optOut,
        async explain(shown = auction) {
          const explained = await explainAll([shown], key.owner, debug);
          return { ...explained(shown), ...(judge && { judge }), timingsMs };
        },
      };
    },

    /**
     * Holds the auction of an ad that leaves with the answer.
     * @param make what is made of a creative; undefined where it does not do
     */
    async holdForAd<T>({ key, reads, excludes, ...request }: AdRequest, make: (creative: Creative) => T | undefined) {
      const place = await places.find(key, reads.settings, undefined, request.messages, reads.conversation);
      const now = clock.now();
      const opportunity = {
        ...request,
        floor: key.bidFloor,
        now,
        random: ids.random,
        excludes: (campaign: Biddable) => place.excludes(campaign) ?? excludes(campaign),
      };
      const outcome = await holdAdAuction(opportunity, demand, make);
      const timingsMs = { match: clock.now() - now };
      const explain = async () => {
        const explained = await explainAll([outcome.auction], key.owner, request.debug);
        return { ...explained(outcome.auction), timingsMs };
      };
      return { ...outcome, explain };
    },
  };
}
