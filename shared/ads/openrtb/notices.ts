import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Billing } from '../../keys/setting-fields.ts';
import type { Ids } from '../../platform/ids.ts';
import { floorCpm, fromUsd, type Micros, micros, toUsd } from '../../platform/values/money.ts';
import { getKeys } from '../../platform/values/typed.ts';
import type { ExchangeTerms, Issued } from '../bids/bid.ts';

/** Notices of a bid, each with its own URL (OpenRTB 2.6, section 3.2.3). The ad itself sends the impression. */
const NOTICES = { nurl: 'n', burl: 'b', lurl: 'l', impression: 'i' } as const;
type Notice = keyof typeof NOTICES;

const SECRET_BYTES = 16;
const SIGNATURE_DIGITS = 22;
const TOKEN = new RegExp(`^([nbli])([0-9a-f]{32})([\\w-]{${SIGNATURE_DIGITS}})$`);

/** What a new bid stores for its notices. @param least the floor in a second-price auction; undefined in a first-price auction */
export const createExchangeTerms = (
  { bytes }: Pick<Ids, 'bytes'>,
  billing: Billing,
  least: Micros | undefined,
): ExchangeTerms => ({
  secret: Buffer.from(bytes(SECRET_BYTES)).toString('base64url'),
  billing,
  ...(least !== undefined && { least }),
});

/** Whether this notice charges the impression. */
export const isCharged = (notice: Notice, { billing }: ExchangeTerms): boolean => notice === billing;

/** The position of each notice's signature in the digest. Must not change, or issued URLs become invalid. */
const ORDER: readonly Notice[] = ['nurl', 'burl', 'lurl', 'impression'];

/**
 * Signs the notices of a bid: 128 bits each, all from one HMAC, because one HMAC per notice would dominate the response time. Knowing the
 * bid's ID or another notice is not enough to forge one.
 */
function signNotices(secret: string, bidId: string): Record<Notice, string> {
  // A key as bytes is 25 µs slower in Node than a key as text.
  const digest = createHmac('sha512', secret, { encoding: 'base64url' }).update(bidId).digest();
  const part = (notice: Notice) =>
    digest
      .subarray(16 * ORDER.indexOf(notice))
      .subarray(0, 16)
      .toString('base64url');
  return { nurl: part('nurl'), burl: part('burl'), lurl: part('lurl'), impression: part('impression') };
}

/** A macro that the exchange replaces with a value. */
const macro = (name: string): string => `\${${name}}`;
const PRICE_MACRO = `price=${macro('AUCTION_PRICE')}`;
const LOSS_MACRO = `loss=${macro('AUCTION_LOSS')}`;

/** URLs of the notices, without macros. */
function createNoticeUrl(baseUrl: string, bidId: string, { secret }: ExchangeTerms): (notice: Notice) => string {
  const hex = bidId.replaceAll('-', '');
  const signatures = signNotices(secret, hex);
  return (notice) => `${baseUrl}/api/v1/openrtb2/notice/${NOTICES[notice]}${hex}${signatures[notice]}`;
}

/** Impression URL for callers that do not send a price. */
export function getImpressionUrl(baseUrl: string, { id, exchange }: Pick<Issued, 'id' | 'exchange'>): string {
  if (!exchange) throw new TypeError('not a bid of an exchange');
  return createNoticeUrl(baseUrl, id, exchange)('impression');
}

/** URLs of the notices, with macros for the exchange to fill in. */
export function getNoticeUrls(baseUrl: string, bidId: string, terms: ExchangeTerms): Record<Notice, string> {
  const plain = createNoticeUrl(baseUrl, bidId, terms);
  const getUrl = (notice: Notice) => `${plain(notice)}?${notice === 'lurl' ? LOSS_MACRO : PRICE_MACRO}`;
  return {
    nurl: getUrl('nurl'),
    burl: getUrl('burl'),
    lurl: getUrl('lurl'),
    impression: getUrl('impression'),
  };
}

/** A parsed token whose signature is not yet checked. */
interface Claim {
  notice: Notice;
  bidId: string;
  /** Whether the token was signed with the secret of the bid. */
  isSignedWith(secret: string): boolean;
}

/** Parses a token; undefined if it is malformed. */
export function parseToken(token: string): Claim | undefined {
  const [, letter = '', hex = '', signature = ''] = TOKEN.exec(token) ?? [];
  const notice = getKeys(NOTICES).find((name) => NOTICES[name] === letter);
  if (!notice) return undefined;
  return {
    notice,
    bidId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    isSignedWith: (secret) => timingSafeEqual(Buffer.from(signature), Buffer.from(signNotices(secret, hex)[notice])),
  };
}

/** USD CPM as exchanges send it. A computed price can have 17 or more decimals. */
const PRICE = /^\d{1,9}(\.\d{1,30})?$/;

/**
 * The CPM to charge. In a second-price auction, the price in the notice, limited to between the floor and the bid. In a first-price auction,
 * or if the notice has no valid price, the bid.
 */
export function getClearingPrice(
  { price, exchange }: Pick<Issued, 'price' | 'exchange'>,
  noticePrice: string | undefined,
): Micros {
  const least = exchange?.least;
  if (least === undefined || noticePrice === undefined || !PRICE.test(noticePrice)) return price;
  const paid = floorCpm(fromUsd(Math.min(Number(noticePrice), toUsd(price))));
  // An impression costs a whole number of micro-dollars, at least 1, because a charge of 0 means that the budget is exhausted.
  const lowest = micros(Math.max(1, Math.ceil(least / 1000)) * 1000);
  return paid < lowest ? lowest : paid;
}
