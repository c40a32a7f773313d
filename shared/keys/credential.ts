import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { base62, bytesToInteger, idPrefix, parseInteger, secretPrefixes, toId } from '../platform/values/ids.ts';

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
 * Generates a secret key: `ak_live_` or `ak_test_`, 160 random bits, and the CRC-32 of both, in base 62.
 * The checksum detects garbage and typing errors without a read.
 */
export const generateKey = (mode: Mode, random: (count: number) => Uint8Array): string => generate(mode, random, '');

/**
 * Generates a further secret of a key. It contains the key's id between the random bits and the checksum, so a request needs no lookup to
 * find the key. The id is not secret; the key's item decides which secrets are accepted.
 */
export const generateRotatedSecret = (mode: Mode, random: (count: number) => Uint8Array, keyId: string): string =>
  generate(mode, random, base62(BigInt(`0x${keyId.slice(idPrefix('apiKey').length)}`), ID_DIGITS));

function generate(mode: Mode, random: (count: number) => Uint8Array, id: string): string {
  const unsigned = `${secretPrefixes.apiKey}${mode}_${base62(bytesToInteger(random(SECRET_BYTES)), SECRET_DIGITS)}${id}`;
  return unsigned + checksum(unsigned);
}

/** Whether a text has the format of a key and a correct checksum. */
export const isKey = (text: string): boolean =>
  KEY_PATTERN.test(text) && checksum(text.slice(0, -CHECKSUM_DIGITS)) === text.slice(-CHECKSUM_DIGITS);

/** The id under which a key is stored: 128 bits of its SHA-256, which do not reveal the key. */
export const keyFingerprint = (key: string): string =>
  toId('apiKey', createHash('sha256').update(key).digest('hex').slice(0, 32));

/** A parsed secret: the id of its key and the fingerprint of the secret itself. For a key's first secret, they are the same. */
export interface Credential {
  keyId: string;
  secret: string;
  mode: Mode;
}

/** Parses a text that `isKey` accepts. */
export function parseCredential(key: string): Credential {
  const secret = keyFingerprint(key);
  const id = key.slice(PREFIX_LENGTH + SECRET_DIGITS, -CHECKSUM_DIGITS);
  const mode = key.startsWith(`${secretPrefixes.apiKey}test_`) ? 'test' : 'live';
  return { mode, secret, keyId: id === '' ? secret : toId('apiKey', parseInteger(id).toString(16).padStart(32, '0')) };
}

/** Masks a key for display: prefix and last four characters. */
export const maskKey = (key: string): string => `${key.slice(0, PREFIX_LENGTH)}****${key.slice(-4)}`;
