/** Bits of the sieve for every edge, at least. */
const BITS = 8;

/** A tree as it lies in a file: its nodes numbered from the root outwards, the children of each side by side in the order of their words. */
export interface TrieParts {
  /** By node, how many children it has. The root is node 0. */
  degrees: Uint16Array;
  /** By node, the word that leads to it. */
  words: Uint16Array;
  /**
   * A bit for every edge, some edges to a bit. Most words that follow each other begin no phrase, and the sieve says so without a
   * search.
   */
  sieve: Int32Array;
}

/** Phrases as a tree of words: an edge is (node, word) -> node. Small to hold, nothing to build, and a look-up allocates nothing. */
export class Trie {
  /** By node, its first child; its last is the one before the first child of the next node. */
  readonly #first: Int32Array;
  readonly #words: Uint16Array;
  readonly #sieve: Int32Array;
  readonly #shift: number;

  constructor({ degrees, words, sieve }: TrieParts) {
    this.#first = firsts(degrees, 1);
    this.#words = words;
    this.#sieve = sieve;
    this.#shift = shiftOf(sieve);
  }

  /** Whether no word leads on from the node. */
  isLeaf(node: number): boolean {
    return this.#first[node] === this.#first[node + 1];
  }

  /** The node that `word` leads to from `node`, or -1. */
  child(node: number, word: number): number {
    const bit = mix(node, word) >>> this.#shift;
    if ((this.#sieve[bit >>> 5]! & (1 << bit)) === 0) return -1;
    const words = this.#words;
    let child = this.#first[node]!;
    let count = this.#first[node + 1]! - child;
    // Halves without an if: which half it is cannot be guessed, and the processor would guess.
    while (count > 1) {
      const half = count >>> 1;
      child += words[child + half]! <= word ? half : 0;
      count -= half;
    }
    return count === 1 && words[child] === word ? child : -1;
  }

  /** By word of `count`, the node of phrases that begin with it, or -1. */
  beginnings(count: number): Int32Array {
    const nodes = new Int32Array(count).fill(-1);
    for (let node = this.#first[0]!; node < this.#first[1]!; node++) nodes[this.#words[node]!] = node;
    return nodes;
  }
}

/** The sieve of a tree. */
export function sift(degrees: Uint16Array, words: Uint16Array): Int32Array {
  const sieve = new Int32Array(2 ** Math.max(0, Math.ceil(Math.log2((BITS * words.length) / 32))));
  const shift = shiftOf(sieve);
  let child = 1;
  for (const [node, degree] of degrees.entries())
    for (const end = child + degree; child < end; child++) {
      const bit = mix(node, words[child]!) >>> shift;
      sieve[bit >>> 5]! |= 1 << bit;
    }
  return sieve;
}

/** Where the things of each begin when they lie side by side from `start` on, and where the last of all end. */
export function firsts(counts: Uint8Array | Uint16Array, start: number): Int32Array {
  const { length } = counts;
  const first = new Int32Array(length + 1);
  let next = start;
  for (let i = 0; i < length; i++) {
    first[i] = next;
    next += counts[i]!;
  }
  first[length] = next;
  return first;
}

/** How far to move a figure of 32 bits to the right, so that it numbers a bit of the sieve. */
const shiftOf = (sieve: Int32Array): number => 32 - Math.log2(32 * sieve.length);

const mix = (node: number, word: number): number =>
  (Math.imul(node, 0x9e3779b1) ^ Math.imul(word + 1, 0x85ebca6b)) >>> 0;
