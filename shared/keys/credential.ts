import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { base62, bytesToInteger, idOf, idPrefix, integerOf, secretPrefixes } from '../platform/values/ids.ts';

export type Mode = 'live' | 'test';

const SECRET_BYTES = 20; // 160 bits
const SECRET_DIGITS = 27; // ceil(160 / log2(62))
const CHECKSUM_DIGITS = 6; // ceil(32 / log2(62))
const ID_DIGITS = 22; // ceil(128 / log2(62))
const PREFIX_LENGTH = `${secretPrefixes.apiKey}live_`.length;
const FIRST_DIGITS = SECRET_DIGITS + CHECKSUM_DIGITS;
const KEY_PATTERN = new RegExp(
  `^${secretPrefixes.apiKey}(live|test)_[0-9A-Za-z]{${FIRST_DIGITS}}([0-9A-Za-z]{${ID_DIGITS}})?$`,
);

const checksum = (text: string): string => base62(BigInt(crc32(text)), CHECKSUM_DIGITS);

/**
 * A new secret key: `ak_live_` or `ak_test_`, 160 random bits and the CRC-32 of all that, in base 62.
 * The checksum tells garbage and typing errors from keys without asking the store.
 */
export const generateKey = (mode: Mode, random: (count: number) => Uint8Array): string => generate(mode, random, '');

/**
 * A further secret of a key. It has the key's id between random bits and checksum: so whoever comes with it says which key it is, and no
 * request has to look that up. The id is no secret; which secrets a key has stands in its item.
 */
export const generateRotatedSecret = (mode: Mode, random: (count: number) => Uint8Array, keyId: string): string =>
  generate(mode, random, base62(BigInt(`0x${keyId.slice(idPrefix('apiKey').length)}`), ID_DIGITS));

function generate(mode: Mode, random: (count: number) => Uint8Array, id: string): string {
  const unsigned = `${secretPrefixes.apiKey}${mode}_${base62(bytesToInteger(random(SECRET_BYTES)), SECRET_DIGITS)}${id}`;
  return unsigned + checksum(unsigned);
}

/** Whether a text can be a key at all: its shape and its checksum are right. */
export const isKey = (text: string): boolean =>
  KEY_PATTERN.test(text) && checksum(text.slice(0, -CHECKSUM_DIGITS)) === text.slice(-CHECKSUM_DIGITS);

/** The identifier under which a key is stored: 128 bits of its SHA-256, from which the key cannot be found again. */
export const keyFingerprint = (key: string): string =>
  idOf('apiKey', createHash('sha256').update(key).digest('hex').slice(0, 32));

/** What somebody comes with: the key that it is for, and the secret's own fingerprint. They are the same of a key's first secret. */
export interface Credential {
  keyId: string;
  secret: string;
  mode: Mode;
}

/** What a text that is a key says. */
export function parseCredential(key: string): Credential {
  const secret = keyFingerprint(key);
  const id = key.slice(PREFIX_LENGTH + SECRET_DIGITS, -CHECKSUM_DIGITS);
  const mode = key.startsWith(`${secretPrefixes.apiKey}test_`) ? 'test' : 'live';
  return { mode, secret, keyId: id === '' ? secret : idOf('apiKey', integerOf(id).toString(16).padStart(32, '0')) };
}

/** What is shown of a key after its creation: prefix and last four characters. */
export const maskKey = (key: string): string => `${key.slice(0, PREFIX_LENGTH)}****${key.slice(-4)}`;
