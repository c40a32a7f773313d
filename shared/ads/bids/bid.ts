import type { ConversationTerms } from '../../campaigns/conversation-terms.ts';
import type { Creative } from '../../campaigns/creative.ts';
import type { Mode } from '../../keys/credential.ts';
import type { Billing } from '../../keys/setting-fields.ts';
import type { AdStrictness } from '../../matching/index.ts';
import { type DimensionValues, NONE } from '../../platform/values/dimensions.ts';
import { idPrefix, isId, toId } from '../../platform/values/ids.ts';
import { impressionCost, type Micros } from '../../platform/values/money.ts';
import { asciiUrl } from '../../platform/values/urls.ts';

/** Context of a legacy request, stored for the events of its ad. Redacted and truncated. */
export interface LegacyContext {
  conversation: string;
  userQuery: string;
  placement: { type: string; position: string };
  userId: string;
  sessionId: string;
  userAgent: string;
  /** Without its last octet. */
  ip: string;
}

/** What a bid stores for the notices of its exchange. The exchange already has the ad, including the creative. */
export interface ExchangeTerms {
  /** Signs the tokens of the notices; base64url. Never part of a response. */
  secret: string;
  /** Which notice charges. */
  billing: Billing;
  /** Second price: the minimum charge, CPM in micro-dollars. Absent under first price, where the charge is the bid. */
  least?: Micros;
  /** Trusted Match only: a click charges if no impression has been reported. */
  byClick?: true;
}

/** Who sold the impression of an exchange's bid (OpenRTB 2.6, section 3.2.25): whether the chain of sellers is complete, and its last node. */
export interface SupplyChain {
  complete: 0 | 1;
  /** Domain of the last seller's system, and the seller's ID in it. Absent if the request did not state both, or they are too long. */
  asi?: string;
  sid?: string;
}

/** Matched terms. The only trace of the conversation in a bid, so they must never be conversation text. */
export interface RecordedTerms {
  /** Keywords of the campaign; only once the ad is served. */
  keywords?: string[];
  /** Phrases of the lexicon, and topics that the publisher declared. */
  phrases?: string[];
  /** Indexes of the phrases that reports may name: lexicon phrases of no sensitive topic. Absent in older records, whose phrases are in no report. */
  reportable?: number[];
}

/** A bid when it is issued. At most 1 KB when stored, unless it is a legacy ad. */
export interface Issued {
  id: string;
  state: 'issued' | 'served';
  keyId: string;
  keyOwner: string;
  mode: Mode;
  campaignId: string;
  campaignOwner: string;
  /** CPM in micro-dollars. */
  price: Micros;
  relevance: number;
  /** The strictest level that the relevance reaches. Absent in bids of the previous version, which reached `balanced`. */
  level?: AdStrictness;
  countryCode: string;
  /** Id of the lexicon topic by which the winner fits the conversation. Absent for sensitive topics, after an opt-out, and in older records. */
  topic?: string;
  /** Domain of the landing page, without `www.`. Absent in older records. */
  domain?: string;
  /** The publisher's own label of an A/B test. Absent after an opt-out. */
  variant?: string;
  /** Matched terms. An array comes from a previous version and contains conversation text: never show it. */
  terms: RecordedTerms | string[];
  /** Indexes of matched keywords in `campaignVersion`. The charge adds their texts to `terms`. */
  keywords?: number[];
  issuedAt: number;
  /** When the bid expires, epoch ms. */
  validUntil: number;
  /** When DynamoDB may delete the record, epoch seconds. */
  ttl: number;
  /** Legacy ads only. Their publisher already has the ad. */
  shown?: LegacyContext;
  /** Exchange bids only. */
  exchange?: ExchangeTerms;
  /** Exchange bids only, for the events of the key's owner. Absent in older records. */
  schain?: SupplyChain;
  /** The user has opted out: store no matched terms and no data of the clicker. */
  optOut?: true;
  /**
   * Conversation limits for the ad. `until` is the `ttl` of a record that a click may otherwise extend: while it names a conversation, it
   * is kept no longer than the conversation itself. Absent in older records.
   */
  conversation?: ConversationTerms & { until?: number };
  /** Tells the named conversations of an owner apart: too few characters of a hash to find one again. Removed with `conversation`; absent after an opt-out. */
  conversationCode?: string;
  /** Version of the campaign in the auction. Absent in older records if the bid response contained the ad. */
  campaignVersion?: number;
  /** Creative version of the ad. An SSP ad has it once it is served. */
  creativeVersion?: string;
  /** The creative, if it is not stored as a version. */
  creative?: Creative;
}

/** A bid after its first delivery: the retrieval of an SSP ad, or the first tracked impression of a legacy ad. */
export interface Served extends Issued {
  state: 'served';
  servedAt: number;
  /** Micro-dollars charged for the impression (0 in test mode) and the UTC day they were charged to. */
  charged: Micros;
  day: string;
  /** Whether the charge counted the impression. If it is absent, the stream worker counts it. */
  impressionCounted?: boolean;
  /** The reader has reported that the ad is not relevant. Says nothing about who or when, so it is also stored after an opt-out. */
  notRelevant?: true;
  /** The client has reported that the ad was visible long enough. Like `notRelevant`, it says nothing about who or when. */
  viewable?: true;
}

/** A valid click. */
export interface Click {
  at: number;
  userAgent: string;
  /** URL of the referring page, without query and fragment. */
  referrer: string;
  /** Without its last octet. */
  ip: string;
  /** From the legacy API; empty otherwise. */
  userId: string;
  sessionId: string;
  /** The publisher reported it with its key: address and time may be those of a server. */
  reported?: true;
}

/** A bid with a click. A legacy or exchange ad may be clicked before its impression is reported. */
export interface Clicked extends Issued {
  click: Click;
}

/** Marks a bid id as opted out: UUID version 8 instead of 4. A click is a single write, so the id itself must reveal the opt-out. */
export const toOptedOutId = (id: string): string => `${id.slice(0, 14)}8${id.slice(15)}`;

/** Whether the user behind a bid has opted out, so that its clicks store nothing about who clicks. */
export const isOptedOut = (bidId: string): boolean => bidId[14] === '8';

export type Bid = Issued | Served | Clicked;

/** Click attempts by kind. `genuineVisits` counts valid attempts including repeats. */
export type ClickCounters = { [Name in `${'genuine' | 'head' | 'prefetch' | 'bot'}Visits`]?: number };

declare module '../../platform/items.ts' {
  interface Items {
    bids: Bid & ClickCounters;
  }
}

export const isClicked = (bid: Bid): bid is Clicked => 'click' in bid;

export const isServed = (bid: Bid): bid is Served => bid.state === 'served';

/** Whether the creative was fixed at the auction, as for legacy and exchange ads. SSP ads get it when they are served. */
export const hasCreative = ({ shown, exchange }: Pick<Issued, 'shown' | 'exchange'>): boolean =>
  shown !== undefined || exchange !== undefined;

/** The values by which a bid or its conversion is counted. */
export const toDimensions = (
  bid: Partial<Pick<Issued, 'keyId' | 'countryCode' | 'topic' | 'creativeVersion' | 'variant' | 'domain'>>,
): DimensionValues => ({
  country: bid.countryCode || NONE,
  publisher: bid.keyId ?? NONE,
  topic: bid.topic ?? NONE,
  creative: bid.creativeVersion ?? NONE,
  variant: bid.variant ?? NONE,
  domain: bid.domain ?? NONE,
});

/** Cost of the impression, in micro-dollars. */
export const getCost = (bid: Pick<Issued, 'price'>): Micros => impressionCost(bid.price);

/**
 * The click id of a bid. It derives from the bid id, so that repeated clicks share it and a conversion finds its bid without an index.
 */
export const toClickId = (bidId: string): string => toId('click', bidId.replaceAll('-', ''));

/** The impression id of a bid, derived like the click id. */
export const toImpressionId = (bidId: string): string => toId('impression', bidId.replaceAll('-', ''));

/** Parses a click id into its bid id; undefined if malformed. */
export const parseClickId = (clickId: string): string | undefined =>
  isId('click', clickId)
    ? clickId.slice(idPrefix('click').length).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    : undefined;

/** Whether a query parameter is `click_id` in any case or encoding: some servers ignore the case of names. */
const isClickId = (pair: string): boolean => {
  const [name] = new URLSearchParams(`&${pair}`).keys();
  return name?.toLowerCase() === 'click_id';
};

/**
 * Sets `click_id` in the query of the landing URL. Replaces an existing one, because advertisers read the first. Keeps all other bytes: the
 * URL may be signed, and reserializing the query could change its encoding. Converts older stored URLs to ASCII, as the Location header
 * requires.
 */
export function withClickId(landingUrl: string, clickId: string): string {
  const [, address, mark, query, fragment] = /^([^?#]*)(\??)([^#]*)(.*)$/s.exec(asciiUrl(landingUrl))!;
  const parameter = `click_id=${clickId}`;
  const pairs = query!.split('&');
  const first = pairs.findIndex(isClickId);
  if (first >= 0) {
    const replaced = pairs.flatMap((pair, at) => (at === first ? [parameter] : isClickId(pair) ? [] : [pair]));
    return `${address}?${replaced.join('&')}${fragment}`;
  }
  const joint = mark === '' ? '?' : query === '' || query!.endsWith('&') ? '' : '&';
  return `${address}${mark}${query}${joint}${parameter}${fragment}`;
}
