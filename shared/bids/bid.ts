import type { Mode } from '../api-keys/key.ts';
import type { Creative } from '../campaigns/campaign.ts';
import { impressionCost, type Micros } from '../money.ts';

/** What is known from the moment a bid is issued; at most 1 KB when stored. */
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
  /** The campaign's terms that matched; nothing else of the conversation is kept. */
  terms: string[];
  issuedAt: number;
  /** Epoch milliseconds from which the bid is expired, to the millisecond. */
  validUntil: number;
  /** Epoch seconds after which the store may forget the record. */
  ttl: number;
}

/** What the first retrieval adds. */
export interface Served extends Issued {
  state: 'served';
  servedAt: number;
  creative: Creative;
  /** Micro-dollars charged for the impression (0 in test mode) and the UTC day they were charged to. */
  charged: Micros;
  day: string;
}

/** A genuine click, as it is kept (contract, section 4.2). */
export interface Click {
  at: number;
  userAgent: string;
  referrer: string;
  /** Without its last octet. */
  ip: string;
}

export interface Clicked extends Served {
  click: Click;
}

export type Bid = Issued | Served | Clicked;

export const isServed = (bid: Bid): bid is Served => bid.state === 'served';

/** Micro-dollars that the impression of a bid costs. */
export const costOf = (bid: Pick<Issued, 'price'>): Micros => impressionCost(bid.price);

/**
 * The id of the click that an impression can have. It derives from the bid, so that every repeat, and whoever reports a
 * conversion by it, speaks of the same click without an index.
 */
export const clickIdOf = (bidId: string): string => `clk_${bidId.replaceAll('-', '')}`;

/**
 * The landing address with `click_id` added to its query. What the advertiser wrote stays to the letter: an address may be signed,
 * and parsing one would spell it anew.
 */
export function withClickId(landingUrl: string, clickId: string): string {
  const at = landingUrl.indexOf('#');
  const [address, fragment] = at < 0 ? [landingUrl, ''] : [landingUrl.slice(0, at), landingUrl.slice(at)];
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return `${address}${joint}click_id=${clickId}${fragment}`;
}
