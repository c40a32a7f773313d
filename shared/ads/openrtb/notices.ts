import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Billing } from '../../keys/setting-fields.ts';
import type { Ids } from '../../platform/ids.ts';
import { floorCpm, fromUsd, type Micros, micros, toUsd } from '../../platform/values/money.ts';
import { keysOf } from '../../platform/values/typed.ts';
import type { ExchangeTerms, Issued } from '../bids/bid.ts';

/** What an exchange tells of a bid, each by an address of its own: OpenRTB 2.6, section 3.2.3; the impression by the ad itself. */
const NOTICES = { nurl: 'n', burl: 'b', lurl: 'l', impression: 'i' } as const;
type Notice = keyof typeof NOTICES;

const SECRET_BYTES = 16;
const SIGNATURE_DIGITS = 22;
const TOKEN = new RegExp(`^([nbli])([0-9a-f]{32})([\\w-]{${SIGNATURE_DIGITS}})$`);

/** What a new bid carries for its notices. @param least the floor under second price, undefined under first */
export const createExchangeTerms = (
  { bytes }: Pick<Ids, 'bytes'>,
  billing: Billing,
  least: Micros | undefined,
): ExchangeTerms => ({
  secret: Buffer.from(bytes(SECRET_BYTES)).toString('base64url'),
  billing,
  ...(least !== undefined && { least }),
});

/** Whether a notice is the one that charges. */
export const isCharged = (notice: Notice, { billing }: ExchangeTerms): boolean => notice === billing;

/** The order in which the notices share the digest of a bid. */
const ORDER: readonly Notice[] = ['nurl', 'burl', 'lurl', 'impression'];

/**
 * The signatures of a bid's notices: 128 bits each, all of one HMAC, since a digest for each would take longer than all else of an answer. Who
 * knows a bid's id, or another of its notices, cannot make one.
 */
function signaturesOf(secret: string, bidId: string): Record<Notice, string> {
  // A key as bytes takes Node 25 µs more than one as text.
  const digest = createHmac('sha512', secret, { encoding: 'base64url' }).update(bidId).digest();
  const part = (notice: Notice) =>
    digest
      .subarray(16 * ORDER.indexOf(notice))
      .subarray(0, 16)
      .toString('base64url');
  return { nurl: part('nurl'), burl: part('burl'), lurl: part('lurl'), impression: part('impression') };
}

/** What the exchange puts a value in the place of. */
const macro = (name: string): string => `\${${name}}`;
const PRICE_MACRO = `price=${macro('AUCTION_PRICE')}`;
const LOSS = `loss=${macro('AUCTION_LOSS')}`;

/** Where the notices of a bid are sent, as its exchange has told nothing yet. */
function plainAddresses(baseUrl: string, bidId: string, { secret }: ExchangeTerms): (notice: Notice) => string {
  const hex = bidId.replaceAll('-', '');
  const signatures = signaturesOf(secret, hex);
  return (notice) => `${baseUrl}/api/v1/openrtb2/notice/${NOTICES[notice]}${hex}${signatures[notice]}`;
}

/** Where it is told that the ad of a bid is shown, by whoever has no price to tell. */
export function getImpressionUrl(baseUrl: string, { id, exchange }: Pick<Issued, 'id' | 'exchange'>): string {
  if (!exchange) throw new TypeError('no bid of an exchange');
  return plainAddresses(baseUrl, id, exchange)('impression');
}

/** Where the notices of a bid are sent, with the macros that the exchange fills in. */
export function getNoticeUrls(baseUrl: string, bidId: string, terms: ExchangeTerms): Record<Notice, string> {
  const plain = plainAddresses(baseUrl, bidId, terms);
  const addressOf = (notice: Notice) => `${plain(notice)}?${notice === 'lurl' ? LOSS : PRICE_MACRO}`;
  return {
    nurl: addressOf('nurl'),
    burl: addressOf('burl'),
    lurl: addressOf('lurl'),
    impression: addressOf('impression'),
  };
}

/** What a token says, before it is known to be true. */
interface Claim {
  notice: Notice;
  bidId: string;
  /** Whether the bid's own secret has signed it. */
  isSignedWith(secret: string): boolean;
}

/** Reads a token; undefined for what is none. */
export function parseToken(token: string): Claim | undefined {
  const [, letter = '', hex = '', given = ''] = TOKEN.exec(token) ?? [];
  const notice = keysOf(NOTICES).find((name) => NOTICES[name] === letter);
  if (!notice) return undefined;
  return {
    notice,
    bidId: hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    isSignedWith: (secret) => timingSafeEqual(Buffer.from(given), Buffer.from(signaturesOf(secret, hex)[notice])),
  };
}

/** USD CPM as exchanges write it: digits, perhaps with decimals, of which a quotient may have seventeen and more. */
const PRICE = /^\d{1,9}(\.\d{1,30})?$/;

/**
 * What is paid, CPM: under second price what the notice says, between the floor and the bid; the bid under first price, and where
 * the macro is missing, was not filled in or is no price.
 */
export function getClearingPrice(
  { price, exchange }: Pick<Issued, 'price' | 'exchange'>,
  told: string | undefined,
): Micros {
  const least = exchange?.least;
  if (least === undefined || told === undefined || !PRICE.test(told)) return price;
  const said = floorCpm(fromUsd(Math.min(Number(told), toUsd(price))));
  // An impression costs whole micro-dollars, and one at least: nothing charged means that no money is left.
  const lowest = micros(Math.max(1, Math.ceil(least / 1000)) * 1000);
  return said < lowest ? lowest : said;
}
