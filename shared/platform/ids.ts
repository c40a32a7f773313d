import { randomBytes } from 'node:crypto';
import { base62, bytesToInteger, type OrderedKind, toId } from './values/ids.ts';

/** Identifiers and randomness as they are handed to everything that needs them. */
export interface Ids {
  bytes(count: number): Uint8Array;
  /** A random (version 4) UUID. */
  uuid(): string;
  /** Prefix, time and randomness: ids of one instance sort in the order in which they were made. */
  ordered(kind: OrderedKind): string;
  /** A uniform number in [0, 1). */
  random(): number;
}

/** Ids over a source of random bytes and a clock; the same source and clock give the same ids. */
export function createIds(bytes: (count: number) => Uint8Array, now: () => number): Ids {
  let last = 0;
  return {
    bytes,
    uuid() {
      const raw = bytes(16);
      raw[6] = (raw[6]! & 0x0f) | 0x40; // version 4, RFC 9562 section 5.4
      raw[8] = (raw[8]! & 0x3f) | 0x80; // variant, RFC 9562 section 4.1
      return Buffer.from(raw)
        .toString('hex')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    },
    ordered(kind) {
      // Microseconds, moved on by one when two ids fall into one millisecond: order stays that of creation.
      last = Math.max(last + 1, now() * 1000);
      return toId(kind, `${base62(BigInt(last), 9)}${base62(bytesToInteger(bytes(8)), 11)}`);
    },
    random: () => Number(bytesToInteger(bytes(6))) / 2 ** 48,
  };
}

/** Bytes that are had from the system at once. */
const AT_ONCE = 4_096;

/** Random bytes of the system, each given once. They are had in advance: asking for them takes longer than all else of an id. */
function randomInAdvance(): (count: number) => Uint8Array {
  let had: Uint8Array = new Uint8Array();
  return (count) => {
    if (had.length < count) had = randomBytes(Math.max(count, AT_ONCE));
    const given = had.subarray(0, count);
    had = had.subarray(count);
    return given;
  };
}

export const systemIds: Ids = createIds(randomInAdvance(), Date.now);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether the text has the shape of the UUIDs made here (lower case). */
export const isUuid = (text: string): boolean => UUID.test(text);
