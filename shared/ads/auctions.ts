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
import { type AdSlot, createAdSlots } from './bids/ad-slots.ts';
import { createCandidateCreatives } from './bids/candidate-creatives.ts';
import { createKeywordReader } from './bids/keyword-reader.ts';
import { createSecondOpinion } from './bids/second-opinion.ts';
import { createCatalog } from './catalog/catalog.ts';
import { createInactiveCampaignReader } from './catalog/inactive.ts';
import { getLexicon } from './catalog/lexicon.ts';
import type { StoredConversation } from './conversations/conversations.ts';
import { hasOptedOut } from './regs/opt-out.ts';
import type { Regs } from './regs/regs.ts';

/** The seller of the ad slot: the API key, possibly modified by an exchange's request. */
export type Seller = Pick<ApiKey, 'id' | 'owner' | 'mode'>;

/** Data read in parallel with the write that authenticates the key. */
export interface AuctionReads {
  settings: KeySettings;
  /** The request's conversation, if this instance already knew the owner of the key. */
  conversation: StoredConversation | undefined;
}

/** A request for an ad in one conversation. */
interface AuctionRequest extends Pick<Opportunity, 'messages' | 'countryCode' | 'debug' | 'getExclusion'> {
  key: ApiKey;
  reads: AuctionReads;
  conversation: { id?: string | null; turn?: number | null } | null | undefined;
  regs: (Regs & { coppa?: 0 | 1 | null }) | null | undefined;
}

/** A request whose response contains the ad, in a conversation without an ID. */
type AdRequest = Omit<AuctionRequest, 'conversation' | 'regs' | 'getExclusion'> &
  Required<Pick<Opportunity, 'getExclusion'>>;

interface HeldAuction {
  /** With `debug`, the owner's own inactive campaigns are among the candidates. */
  auction: Auction;
  slot: AdSlot;
  /** Whether the user has opted out. If so, nothing from the conversation may be stored. */
  optOut: boolean;
  /** Explains the auction for X-Debug. @param shown the auction that the response used, if different */
  explain(shown?: Auction): Promise<Record<string, unknown>>;
}

export type Auctions = ReturnType<typeof createAuctions>;

/**
 * The auction service: everything between a valid request and a bid, shared by the SSP API, the legacy API, OpenRTB, and Trusted Match.
 * Create one per process, because it keeps the catalog in memory.
 */
export function createAuctions(effects: Effects) {
  const { clock, ids, metrics } = effects;
  const catalog = createCatalog(effects, getLexicon());
  const adSlots = createAdSlots(effects, getLexicon());
  const readSettings = createSettingsReader(effects);
  const findInactive = createInactiveCampaignReader(effects, getLexicon());
  const askJudge = createSecondOpinion(effects);
  const readKeywords = createKeywordReader(effects);
  const breakTie = createTieBreaker();
  const demand: AdDemand = { campaigns: catalog, findCreative: createCandidateCreatives(effects), breakTie };

  /** Finds the ad slots of several conversations with one read. */
  const findSlots = (
    seller: Seller,
    { settings, conversation }: AuctionReads,
    references: Parameters<typeof adSlots.findAll>[2],
  ) => adSlots.findAll(seller, settings, references, conversation);

  /** Reads the keywords for all auctions at once, then explains each. */
  async function explainAll(auctions: readonly Auction[], owner: string, debug: boolean) {
    const getKeywords = await readKeywords(debug ? auctions : []);
    return (auction: Auction) => presentAuction(auction, owner, getKeywords);
  }

  return {
    demand,
    findSlots,
    explainAll,

    /** Reads settings and conversation, and refreshes the catalog. @param conversationId from a body that may not be validated yet */
    async read(keyId: string, conversationId: Promise<string | undefined>): Promise<AuctionReads> {
      const readAhead = conversationId.then((id) => adSlots.readAhead(keyId, id));
      const [settings, conversation] = await Promise.all([readSettings(keyId), readAhead, catalog.refresh()]);
      return { settings, conversation };
    },

    /** Holds the auction for one conversation, with a second opinion if there is a judge. */
    async hold({ key, reads, conversation, regs, ...request }: AuctionRequest): Promise<HeldAuction> {
      const { messages, debug } = request;
      const slot = await adSlots.find(key, reads.settings, conversation, messages, reads.conversation);
      const optOut = regs ? await hasOptedOut(regs) : false;
      const now = clock.now();
      const opportunity: Opportunity & { optOut: boolean } = {
        ...request,
        floor: key.bidFloor,
        adStrictness: reads.settings.adStrictness,
        now,
        random: ids.random,
        optOut,
        getExclusion: (campaign) =>
          regs?.coppa === 1 ? 'coppa' : (request.getExclusion?.(campaign) ?? slot.getExclusion(campaign)),
      };
      const { demand: judgedDemand, judge } = await askJudge(catalog, opportunity, key);
      const judgeMs = clock.now() - now;
      const activeAuction = holdAuction(judgedDemand, opportunity, breakTie);
      const matchMs = clock.now() - now - judgeMs;
      metrics.add('MatchTime', matchMs);
      const auction = debug
        ? addInactiveCandidates(activeAuction, holdAuction(await findInactive(key.owner), opportunity, breakTie))
        : activeAuction;
      const timingsMs = { match: matchMs, ...(judge && { judge: judgeMs }) };
      return {
        auction,
        slot,
        optOut,
        async explain(shown = auction) {
          const explained = await explainAll([shown], key.owner, debug);
          return { ...explained(shown), ...(judge && { judge }), timingsMs };
        },
      };
    },

    /**
     * Holds the auction for an ad that is part of the response.
     * @param make builds the ad from a creative; undefined if the creative is not usable
     */
    async holdForAd<T>(
      { key, reads, getExclusion, ...request }: AdRequest,
      make: (creative: Creative) => T | undefined,
    ) {
      const slot = await adSlots.find(key, reads.settings, undefined, request.messages, reads.conversation);
      const now = clock.now();
      const opportunity = {
        ...request,
        floor: key.bidFloor,
        adStrictness: reads.settings.adStrictness,
        now,
        random: ids.random,
        getExclusion: (campaign: Biddable) => slot.getExclusion(campaign) ?? getExclusion(campaign),
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
