import { createHash, randomBytes } from 'node:crypto';
import { base62, bytesToInteger, type DerivedKind, type OrderedKind, toId } from './values/ids.ts';

/** Ids and randomness, passed to everything that needs them, so that tests can control them. */
export interface Ids {
  bytes(count: number): Uint8Array;
  /** A random (version 4) UUID. */
  uuid(): string;
  /** An id of prefix, time, and random bytes. Ids of one instance sort in the order of their creation. */
  ordered(kind: OrderedKind): string;
  /** A uniform number in [0, 1). */
  random(): number;
}

/** Creates ids from a source of random bytes and a clock. The same source and clock produce the same ids. */
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
      // Microseconds, at least one more than in the last id, so that ids of the same millisecond keep their order.
      last = Math.max(last + 1, now() * 1000);
      return toId(kind, `${base62(BigInt(last), 9)}${base62(bytesToInteger(bytes(8)), 11)}`);
    },
    random: () => Number(bytesToInteger(bytes(6))) / 2 ** 48,
  };
}

/**
 * Derives an id only from a fact, so a fact that is recorded twice has the same id. The id begins with the time of the fact, so ids sort by
 * time.
 */
export function derivedId(kind: DerivedKind, fact: string, at: number): string {
  const hash = createHash('sha256').update(`${fact} ${at}`).digest().subarray(0, 10);
  return toId(kind, `${base62(BigInt(at), 8)}${base62(bytesToInteger(hash), 14)}`);
}

/** Random bytes to fetch from the system at a time. */
const POOL_BYTES = 4_096;

/** Returns random bytes from a pool, each byte once. Without the pool, fetching bytes would take most of the time to create an id. */
function createRandomPool(): (count: number) => Uint8Array {
  let pool: Uint8Array = new Uint8Array();
  return (count) => {
    if (pool.length < count) pool = randomBytes(Math.max(count, POOL_BYTES));
    const bytes = pool.subarray(0, count);
    pool = pool.subarray(count);
    return bytes;
  };
}

export const systemIds: Ids = createIds(createRandomPool(), Date.now);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text is a UUID in lower case, as created here. */
export const isUuid = (text: string): boolean => UUID.test(text);
