import type { ConversationTerms } from '../../campaigns/conversation-terms.ts';
import type { Creative } from '../../campaigns/creative.ts';
import type { Mode } from '../../keys/credential.ts';
import type { Billing } from '../../keys/setting-fields.ts';
import { idOf, idPrefix, isId } from '../../platform/values/ids.ts';
import { impressionCost, type Micros } from '../../platform/values/money.ts';
import { asciiUrl } from '../../platform/values/urls.ts';

/** What a legacy request said of the place where its ad is shown; kept for the ad's events, redacted and cut. */
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

/** What an exchange's bid carries for its notices. Its ad is in the exchange's hands from the beginning, creative and all. */
export interface ExchangeTerms {
  /** What the tokens of its notices are signed with, in base64url; in no answer. */
  secret: string;
  /** Which notice charges. */
  billing: Billing;
  /** Under second price the least that may be charged, CPM in micro-dollars; absent under first price, where the bid is what is paid. */
  least?: Micros;
  /** A click charges too where no impression was told of before: of an offer of Trusted Match alone. */
  byClick?: true;
}

/** What matched, in the advertiser's words or the lexicon's; nothing else of the conversation is kept. */
export interface RecordedTerms {
  /** The campaign's keywords, of an ad that was served. */
  keywords?: string[];
  /** Phrases of the lexicon, and topics that the publisher stated. */
  phrases?: string[];
}

/** What is known from the moment a bid is issued; at most 1 KB when stored, unless it is a legacy ad. */
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
  countryCode: string;
  /** What matched. An array is of the previous version, whose terms were cut from the conversation: show it to nobody. */
  terms: RecordedTerms | string[];
  /** The keywords that matched, by number among those of `campaignVersion`; the charge adds their texts to `terms`. */
  keywords?: number[];
  issuedAt: number;
  /** Epoch milliseconds from which the bid is expired, to the millisecond. */
  validUntil: number;
  /** Epoch seconds after which the store may forget the record. */
  ttl: number;
  /** Of a legacy ad alone, which is in its publisher's hands from the beginning. */
  shown?: LegacyContext;
  /** Of a bid of an exchange alone. */
  exchange?: ExchangeTerms;
  /** The reader has opted out: nothing of what was said is kept, nor who clicks. */
  optOut?: true;
  /** What limits its ad in its conversation. */
  conversation?: ConversationTerms;
  /** Which version of its campaign the auction knew; absent in older records of ads that left with their answer. */
  campaignVersion?: number;
  /** The version of its campaign's creative that the ad was handed out with: of an SSP ad once it is served. */
  creativeVersion?: string;
  /** The creative itself, where it is not stored as a version. */
  creative?: Creative;
}

/** What the first delivery adds: the retrieval of an SSP ad, the first tracked impression of a legacy one. */
export interface Served extends Issued {
  state: 'served';
  servedAt: number;
  /** Micro-dollars charged for the impression (0 in test mode) and the UTC day they were charged to. */
  charged: Micros;
  day: string;
  /** Whether the charge counted the impression; the stream counts those of before. */
  impressionCounted?: boolean;
}

/** A valid click, as it is kept. */
export interface Click {
  at: number;
  userAgent: string;
  /** The page it came from, without query and fragment. */
  referrer: string;
  /** Without its last octet. */
  ip: string;
  /** Whom the legacy API named; empty otherwise. */
  userId: string;
  sessionId: string;
}

/** A bid whose ad was clicked: a legacy one, or an exchange's, perhaps before anybody told of its impression. */
export interface Clicked extends Issued {
  click: Click;
}

/**
 * The id of a bid whose reader has opted out: a UUID of version 8 and not 4. So a click, which is one write, knows before it writes.
 */
export const toOptedOutId = (id: string): string => `${id.slice(0, 14)}8${id.slice(15)}`;

/** Whether the clicks on a bid say nothing of who came: its reader has opted out. */
export const isOptedOut = (bidId: string): boolean => bidId[14] === '8';

export type Bid = Issued | Served | Clicked;

/** How often somebody came to an ad's link, by what it was; `genuineVisits` are valid attempts, repeats included. */
export type ClickCounters = { [Name in `${'genuine' | 'head' | 'prefetch' | 'bot'}Visits`]?: number };

declare module '../../platform/items.ts' {
  interface Items {
    bids: Bid & ClickCounters;
  }
}

export const isClicked = (bid: Bid): bid is Clicked => 'click' in bid;

export const isServed = (bid: Bid): bid is Served => bid.state === 'served';

/** Whether the ad was given with a creative already, that of its request: a legacy one, or an exchange's. */
export const hasCreative = ({ shown, exchange }: Issued): boolean => shown !== undefined || exchange !== undefined;

/** Micro-dollars that the impression of a bid costs. */
export const getCost = (bid: Pick<Issued, 'price'>): Micros => impressionCost(bid.price);

/**
 * The id of the click that an impression can have. It derives from the bid, so that every repeat, and whoever reports a
 * conversion by it, speaks of the same click without an index.
 */
export const toClickId = (bidId: string): string => idOf('click', bidId.replaceAll('-', ''));

/** The id of the impression that a bid can come to, in the same way. */
export const toImpressionId = (bidId: string): string => idOf('impression', bidId.replaceAll('-', ''));

/** The bid that a click id speaks of; undefined for what is no click id. */
export const parseClickId = (clickId: string): string | undefined =>
  isId('click', clickId)
    ? clickId.slice(idPrefix('click').length).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    : undefined;

/** Whether a part of a query sets `click_id`, however it is spelled: some servers read names without regard to case. */
const isClickId = (pair: string): boolean => {
  const [name] = new URLSearchParams(`&${pair}`).keys();
  return name?.toLowerCase() === 'click_id';
};

/**
 * The landing address with our `click_id` in its query. It replaces one that is there already, because advertisers read the first.
 * Everything else stays byte for byte: an address may be signed, and a query that is parsed and written again may be spelled
 * differently. An address stored before addresses were kept in ASCII is converted, because a header must be ASCII.
 */
export function withClickId(landingUrl: string, clickId: string): string {
  const [, address, mark, query, fragment] = /^([^?#]*)(\??)([^#]*)(.*)$/s.exec(asciiUrl(landingUrl))!;
  const ours = `click_id=${clickId}`;
  const pairs = query!.split('&');
  const first = pairs.findIndex(isClickId);
  if (first >= 0) {
    const kept = pairs.flatMap((pair, at) => (at === first ? [ours] : isClickId(pair) ? [] : [pair]));
    return `${address}?${kept.join('&')}${fragment}`;
  }
  const joint = mark === '' ? '?' : query === '' || query!.endsWith('&') ? '' : '&';
  return `${address}${mark}${query}${joint}${ours}${fragment}`;
}
