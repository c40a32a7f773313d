import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { base62, bytesToInteger } from '../platform/base62.ts';
import { idOf } from '../values/ids.ts';

export type Mode = 'live' | 'test';

const SECRET_BYTES = 20; // 160 bits
const SECRET_DIGITS = 27; // ceil(160 / log2(62))
const CHECKSUM_DIGITS = 6; // ceil(32 / log2(62))
const KEY_PATTERN = new RegExp(`^ak_(live|test)_[0-9A-Za-z]{${SECRET_DIGITS + CHECKSUM_DIGITS}}$`);

const checksum = (text: string): string => base62(BigInt(crc32(text)), CHECKSUM_DIGITS);

/**
 * A new secret key: `ak_live_` or `ak_test_`, 160 random bits and the CRC-32 of all that, in base 62.
 * The checksum tells garbage and typing errors from keys without asking the store.
 */
export function mintKey(mode: Mode, random: (count: number) => Uint8Array): string {
  const unsigned = `ak_${mode}_${base62(bytesToInteger(random(SECRET_BYTES)), SECRET_DIGITS)}`;
  return unsigned + checksum(unsigned);
}

/** Whether a text can be a key at all: its shape and its checksum are right. */
export const isKey = (text: string): boolean =>
  KEY_PATTERN.test(text) && checksum(text.slice(0, -CHECKSUM_DIGITS)) === text.slice(-CHECKSUM_DIGITS);

/** The identifier under which a key is stored: 128 bits of its SHA-256, from which the key cannot be found again. */
export const keyFingerprint = (key: string): string =>
  idOf('apiKey', createHash('sha256').update(key).digest('hex').slice(0, 32));

/** What is shown of a key after its creation: prefix and last four characters. */
export const mask = (key: string): string => `${key.slice(0, 'ak_live_'.length)}****${key.slice(-4)}`;
