/** Bits of the filter for every node that a word leads to, at least. */
const BITS_PER_EDGE = 8;

/** A trie as it lies in a file: its nodes numbered breadth first, the children of each side by side in the order of their words. */
export interface TrieParts {
  /** By node, how many children it has. The root is node 0. */
  degrees: Uint16Array;
  /** By node, the word that leads to it. */
  words: Uint16Array;
  /**
   * A Bloom filter of which words follow each node, with one hash. Most words that follow each other begin no phrase, and the filter says so without a
   * search.
   */
  edgeFilter: Int32Array;
}

/** Phrases as a trie of words: (node, word) -> node. Small, loaded without building anything, and a look-up allocates nothing. */
export class Trie {
  /** By node, its first child; its last is the one before the first child of the next node. */
  readonly #first: Int32Array;
  readonly #words: Uint16Array;
  readonly #edgeFilter: Int32Array;
  readonly #shift: number;

  constructor({ degrees, words, edgeFilter }: TrieParts) {
    this.#first = prefixSums(degrees, 1);
    this.#words = words;
    this.#edgeFilter = edgeFilter;
    this.#shift = shiftOf(edgeFilter);
  }

  /** Whether no word leads on from the node. */
  isLeaf(node: number): boolean {
    return this.#first[node] === this.#first[node + 1];
  }

  /** The node that `word` leads to from `node`, or -1. */
  child(node: number, word: number): number {
    const bit = edgeHash(node, word) >>> this.#shift;
    if ((this.#edgeFilter[bit >>> 5]! & (1 << bit)) === 0) return -1;
    const words = this.#words;
    let child = this.#first[node]!;
    let count = this.#first[node + 1]! - child;
    // Binary search without a branch: which half it is cannot be predicted.
    while (count > 1) {
      const half = count >>> 1;
      child += words[child + half]! <= word ? half : 0;
      count -= half;
    }
    return count === 1 && words[child] === word ? child : -1;
  }

  /** By word of `count`, the node of phrases that begin with it, or -1. */
  rootNodes(count: number): Int32Array {
    const nodes = new Int32Array(count).fill(-1);
    const [from = 0, to = 0] = this.#first;
    for (let node = from; node < to; node++) nodes[this.#words[node]!] = node;
    return nodes;
  }
}

/** The filter of a trie. */
export function edgeFilterOf(degrees: Uint16Array, words: Uint16Array): Int32Array {
  const filter = new Int32Array(2 ** Math.max(0, Math.ceil(Math.log2((BITS_PER_EDGE * words.length) / 32))));
  const shift = shiftOf(filter);
  let child = 1;
  for (const [node, degree] of degrees.entries()) {
    for (const word of words.subarray(child, child + degree)) {
      const bit = edgeHash(node, word) >>> shift;
      filter[bit >>> 5]! |= 1 << bit;
    }
    child += degree;
  }
  return filter;
}

/** Running totals of the counts from `start` on, and the total of all as the last. */
export function prefixSums(counts: Uint8Array | Uint16Array, start: number): Int32Array {
  const sums = new Int32Array(counts.length + 1);
  let sum = start;
  let i = 0;
  for (const count of counts) {
    sums[i++] = sum;
    sum += count;
  }
  sums[i] = sum;
  return sums;
}

/** How far to shift a hash of 32 bits to the right, so that it numbers a bit of the filter. */
const shiftOf = (filter: Int32Array): number => 32 - Math.log2(32 * filter.length);

const edgeHash = (node: number, word: number): number =>
  (Math.imul(node, 0x9e3779b1) ^ Math.imul(word + 1, 0x85ebca6b)) >>> 0;
