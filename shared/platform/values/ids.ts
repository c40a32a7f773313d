/** A 62-digit alphabet: digits, then letters. */
const BASE_62 = '[0-9A-Za-z]';
const HEX = '[0-9a-f]';

/** What follows the prefix of ids that sort by their time: see `Ids.ordered`. */
const ORDERED = `${BASE_62}{20}` as const;
/** A UUID without its hyphens, or half of a SHA-256. */
const BITS_128 = `${HEX}{32}` as const;

/** The table of ids: the prefix of each kind, which `_` follows, and the rest as a pattern. A bid's id alone is a bare UUID. */
export const idKinds = {
  campaign: { prefix: 'cmp', rest: ORDERED },
  webhook: { prefix: 'wh', rest: ORDERED },
  conversion: { prefix: 'cnv', rest: ORDERED },
  snapshot: { prefix: 'gen', rest: ORDERED },
  event: { prefix: 'evt', rest: `${BASE_62}{22}` },
  apiKey: { prefix: 'key', rest: BITS_128 },
  click: { prefix: 'clk', rest: BITS_128 },
  impression: { prefix: 'imp', rest: BITS_128 },
} as const satisfies Record<string, { prefix: string; rest: string }>;

export type IdKind = keyof typeof idKinds;
/** Kinds whose ids sort by time of creation. */
export type OrderedKind = { [K in IdKind]: (typeof idKinds)[K]['rest'] extends typeof ORDERED ? K : never }[IdKind];

/** What an id of this kind looks like to the compiler. */
export type IdOf<K extends IdKind> = `${(typeof idKinds)[K]['prefix']}_${string}`;

export const idPrefix = <K extends IdKind>(kind: K): `${(typeof idKinds)[K]['prefix']}_` => `${idKinds[kind].prefix}_`;

/** What secrets begin with, so that those who search for leaked ones can tell what they have found. */
export const secretPrefixes = { apiKey: 'ak_', webhook: 'whsec_' } as const;

/** The id of this kind with this rest. */
export const toId = (kind: IdKind, rest: string): string => idPrefix(kind) + rest;

const PATTERNS = new Map(
  Object.entries(idKinds).map(([kind, { prefix, rest }]) => [kind, new RegExp(`^${prefix}_${rest}$`)]),
);

/** Whether a text has the shape of an id of this kind: nothing else is looked for in the store. */
export const isId = (kind: IdKind, text: string): boolean => PATTERNS.get(kind)?.test(text) === true;

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A non-negative integer in base 62, padded with zeros to `length` digits. */
export function base62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; rest > 0n; rest /= 62n) digits = DIGITS[Number(rest % 62n)] + digits;
  return digits.padStart(length, '0');
}

/** Bytes, most significant first, as one integer. */
export const bytesToInteger = (bytes: Uint8Array): bigint =>
  bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);

/** The integer that digits in base 62 mean. */
export const parseInteger = (digits: string): bigint =>
  [...digits].reduce((value, digit) => value * 62n + BigInt(DIGITS.indexOf(digit)), 0n);
