import { fingerprint } from '../text/fingerprint.ts';
import { type Column, toStarts } from './columns.ts';

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Numbered texts, kept as bytes and decoded on request. */
export class Texts {
  readonly #bytes: Uint8Array;
  readonly #starts: Int32Array;

  constructor({ numbers }: Column<'text'>, lengths: Column<'int32'>) {
    this.#bytes = numbers;
    this.#starts = toStarts(lengths);
  }

  get count(): number {
    return this.#starts.length - 1;
  }

  at(number: number): string {
    return decoder.decode(this.#bytes.subarray(this.#starts[number], this.#starts[number + 1]));
  }
}

/** Distinct texts with a hash table in bytes. A bucket contains 1 + a text's number, or 0 if it is empty. */
export class TextTable {
  readonly texts: Texts;
  readonly #table: Column<'int32'>;

  constructor(bytes: Column<'text'>, lengths: Column<'int32'>, table: Column<'int32'>) {
    this.texts = new Texts(bytes, lengths);
    this.#table = table;
  }

  /** The number of a text, or -1. */
  find(text: string): number {
    const { numbers, length } = this.#table;
    if (length === 0) return -1;
    let bucket = toBucket(fingerprint(text), length);
    for (let number = numbers[bucket]! - 1; number >= 0; number = numbers[bucket]! - 1) {
      if (this.texts.at(number) === text) return number;
      bucket = bucket + 1 === length ? 0 : bucket + 1;
    }
    return -1;
  }
}

const toBucket = (fingerprint: number, buckets: number): number => (fingerprint >>> 0) % buckets;

export const encodeText = (text: string): Uint8Array => encoder.encode(text);

/** Builds the hash table of texts, given their fingerprints in order. */
export function buildHashTable(fingerprints: ReadonlySet<number>): Int32Array {
  const table = new Int32Array(fingerprints.size + (fingerprints.size >> 1) + 1);
  let number = 0;
  for (const fingerprint of fingerprints) {
    let bucket = toBucket(fingerprint, table.length);
    while (table[bucket] !== 0) bucket = bucket + 1 === table.length ? 0 : bucket + 1;
    table[bucket] = ++number;
  }
  return table;
}
