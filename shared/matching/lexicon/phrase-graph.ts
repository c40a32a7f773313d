import { prefixSums } from '../text/prefix-sums.ts';

/** Bits of the filter for every arc behind the first word of a phrase, at least. */
const BITS_PER_ARC = 8;

/** A graph of phrases as it lies in a file. The arcs of a node lie side by side, in the order of their words. */
export interface PhraseGraphParts {
  /** By node, how many arcs leave it. The root is node 0. */
  degrees: Uint16Array;
  /** By arc, its word and the node that it leads to. */
  words: Uint16Array;
  targets: Uint16Array;
  /**
   * A Bloom filter of which words follow each node but the root, with one hash. Most words that follow each other begin no phrase, and
   * the filter says so without a search.
   */
  arcFilter: Int32Array;
}

/**
 * Phrases as a graph of words: (node, word) -> node. A trie whose equal branches are one, so that a node is what may follow a
 * beginning, and what it means to end there. Small, loaded without building anything, and a look-up allocates nothing.
 */
export class PhraseGraph {
  /** By node, its first arc; its last is the one before the first arc of the next node. */
  readonly #first: Int32Array;
  readonly #words: Uint16Array;
  readonly #targets: Uint16Array;
  readonly #arcFilter: Int32Array;
  readonly #shift: number;

  constructor({ degrees, words, targets, arcFilter }: PhraseGraphParts) {
    this.#first = prefixSums(degrees);
    this.#words = words;
    this.#targets = targets;
    this.#arcFilter = arcFilter;
    this.#shift = toShift(arcFilter);
  }

  /** Whether no word leads on from the node. */
  isLeaf(node: number): boolean {
    return this.#first[node] === this.#first[node + 1];
  }

  /** The node that `word` leads to from a node that is not the root, or -1. */
  findChild(node: number, word: number): number {
    const bit = hashArc(node, word) >>> this.#shift;
    if ((this.#arcFilter[bit >>> 5]! & (1 << bit)) === 0) return -1;
    const words = this.#words;
    let arc = this.#first[node]!;
    let count = this.#first[node + 1]! - arc;
    // Binary search without a branch: which half it is cannot be predicted.
    while (count > 1) {
      const half = count >>> 1;
      arc += words[arc + half]! <= word ? half : 0;
      count -= half;
    }
    return count === 1 && words[arc] === word ? this.#targets[arc]! : -1;
  }

  get nodes(): number {
    return this.#first.length - 1;
  }

  /** The first arc of a node; its last is the one before the first of the next node. */
  firstArc(node: number): number {
    return this.#first[node] ?? 0;
  }

  /** The node that an arc leads to. */
  target(arc: number): number {
    return this.#targets[arc] ?? 0;
  }

  /** The arc of a word that leads on from the node. */
  findArc(node: number, word: number): number {
    let arc = this.firstArc(node);
    for (let count = this.firstArc(node + 1) - arc; count > 1; ) {
      const half = count >>> 1;
      if ((this.#words[arc + half] ?? 0) <= word) arc += half;
      count -= half;
    }
    return arc;
  }

  /** By word of `count`, the node of phrases that begin with it, or -1. */
  rootNodes(count: number): Int32Array {
    const nodeCount = new Int32Array(count).fill(-1);
    for (const [arc, word] of this.#words.subarray(0, this.#first[1]).entries()) nodeCount[word] = this.#targets[arc]!;
    return nodeCount;
  }
}

/** The filter of a graph. */
export function buildArcFilter(degrees: Uint16Array, words: Uint16Array): Int32Array {
  let arc = degrees[0] ?? 0;
  const bits = Math.max(32, BITS_PER_ARC * (words.length - arc));
  const filter = new Int32Array(2 ** Math.ceil(Math.log2(bits / 32)));
  const shift = toShift(filter);
  for (let node = 1; node < degrees.length; node++)
    for (const end = arc + degrees[node]!; arc < end; arc++) {
      const bit = hashArc(node, words[arc]!) >>> shift;
      filter[bit >>> 5]! |= 1 << bit;
    }
  return filter;
}

/** How far to shift a hash of 32 bits to the right, so that it numbers a bit of the filter. */
const toShift = (filter: Int32Array): number => 32 - Math.log2(32 * filter.length);

const hashArc = (node: number, word: number): number =>
  (Math.imul(node, 0x9e3779b1) ^ Math.imul(word + 1, 0x85ebca6b)) >>> 0;

const KIND_BITS = 2;

/** A topic and a kind of phrase in one number. */
export const packSense = (topic: number, kind: number): number => (topic << KIND_BITS) | kind;

/** What phrases mean, as it lies in a file. Many mean the same, so that what they mean are numbered lists; list 0 is empty. */
export interface SenseParts {
  /** By node of the graph of phrases, the list of what those that end there mean. */
  senseLists: Uint16Array;
  /** By list, how many senses it has; by sense, its topic and its kind of phrase. */
  counts: Uint8Array;
  meanings: Uint16Array;
}

/** What phrases mean: by the node that a phrase ends at, its senses, numbered from `first(node)` to before `end(node)`. */
export class Senses {
  readonly #lists: Uint16Array;
  readonly #first: Int32Array;
  readonly #meanings: Uint16Array;

  constructor({ senseLists, counts, meanings }: SenseParts) {
    this.#lists = senseLists;
    this.#first = prefixSums(counts);
    this.#meanings = meanings;
  }

  first(node: number): number {
    return this.#first[this.#lists[node]!]!;
  }

  end(node: number): number {
    return this.#first[this.#lists[node]! + 1]!;
  }

  /** Whether a phrase ends at a node. */
  has(node: number): boolean {
    return this.end(node) > this.first(node);
  }

  topic(sense: number): number {
    return (this.#meanings[sense] ?? 0) >>> KIND_BITS;
  }

  /** One of PHRASE_KINDS, by number. */
  kind(sense: number): number {
    return (this.#meanings[sense] ?? 0) & ((1 << KIND_BITS) - 1);
  }
}
