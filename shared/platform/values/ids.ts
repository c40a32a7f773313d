/** A 62-digit alphabet: digits, then letters. */
const BASE_62 = '[0-9A-Za-z]';
const HEX = '[0-9a-f]';

/** The part after the prefix in ids that sort by time: see `Ids.ordered`. */
const ORDERED = `${BASE_62}{20}` as const;
/** The part after the prefix in ids that derive from a fact and sort by its time: see `derivedId`. */
const DERIVED = `${BASE_62}{22}` as const;
/** A UUID without its hyphens, or half of a SHA-256. */
const BITS_128 = `${HEX}{32}` as const;
/** The digits of base 32 without letters that look like others: I, L, O, U. */
const BASE_32 = '[0-9A-HJKMNP-TV-Z]';

/** All kinds of ids, except bid ids, which are UUIDs. An id is the prefix, `_`, and the rest, which is a pattern here. */
export const idKinds = {
  campaign: { prefix: 'cmp', rest: ORDERED },
  webhook: { prefix: 'wh', rest: ORDERED },
  conversion: { prefix: 'cnv', rest: ORDERED },
  snapshot: { prefix: 'gen', rest: ORDERED },
  event: { prefix: 'evt', rest: DERIVED },
  activity: { prefix: 'act', rest: DERIVED },
  apiKey: { prefix: 'key', rest: BITS_128 },
  click: { prefix: 'clk', rest: BITS_128 },
  impression: { prefix: 'imp', rest: BITS_128 },
  publisher: { prefix: 'pub', rest: `${BASE_32}{12}` },
} as const satisfies Record<string, { prefix: string; rest: string }>;

export type IdKind = keyof typeof idKinds;
/** Kinds whose ids sort by time of creation. */
export type OrderedKind = { [K in IdKind]: (typeof idKinds)[K]['rest'] extends typeof ORDERED ? K : never }[IdKind];

/** Kinds whose ids derive from a fact. */
export type DerivedKind = { [K in IdKind]: (typeof idKinds)[K]['rest'] extends typeof DERIVED ? K : never }[IdKind];

/** The type of an id of this kind. */
export type IdOf<K extends IdKind> = `${(typeof idKinds)[K]['prefix']}_${string}`;

export const idPrefix = <K extends IdKind>(kind: K): `${(typeof idKinds)[K]['prefix']}_` => `${idKinds[kind].prefix}_`;

/** Prefixes of secrets, which help secret scanners to identify leaked ones. */
export const secretPrefixes = { apiKey: 'ak_', webhook: 'whsec_' } as const;

export const toId = (kind: IdKind, rest: string): string => idPrefix(kind) + rest;

const PATTERNS = new Map(
  Object.entries(idKinds).map(([kind, { prefix, rest }]) => [kind, new RegExp(`^${prefix}_${rest}$`)]),
);

/** Whether a text has the format of an id of this kind. Callers check this before they look an id up in the store. */
export const isId = (kind: IdKind, text: string): boolean => PATTERNS.get(kind)?.test(text) === true;

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A non-negative integer in base 62, padded with zeros to `length` digits. */
export function base62(value: bigint, length: number): string {
  let digits = '';
  for (let rest = value; rest > 0n; rest /= 62n) digits = DIGITS[Number(rest % 62n)] + digits;
  return digits.padStart(length, '0');
}

/** Converts bytes, most significant first, to an integer. */
export const bytesToInteger = (bytes: Uint8Array): bigint =>
  bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);

/** Parses an integer in base 62. */
export const parseInteger = (digits: string): bigint =>
  [...digits].reduce((value, digit) => value * 62n + BigInt(DIGITS.indexOf(digit)), 0n);
