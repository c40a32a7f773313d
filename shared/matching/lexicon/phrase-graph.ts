import { prefixSums } from '../text/prefix-sums.ts';

/** Minimum number of filter bits per arc after the first word of a phrase. */
const BITS_PER_ARC = 8;

/** A graph of phrases as it is stored. The arcs of a node are adjacent, ordered by word. */
export interface PhraseGraphParts {
  /** By node, the number of arcs that leave it. The root is node 0. */
  degrees: Uint16Array;
  /** By arc, its word and its target node. */
  words: Uint16Array;
  targets: Uint16Array;
  /**
   * A Bloom filter with one hash: which words follow each node except the root. Most adjacent words continue no phrase; the filter rejects
   * them without a search.
   */
  arcFilter: Int32Array;
}

/**
 * Phrases as a graph of words, (node, word) -> node: a trie with equal branches merged. It is small, needs no building
 * when loaded, and a lookup allocates nothing.
 */
export class PhraseGraph {
  /** By node, its first arc. The arcs of a node end before the first arc of the next node. */
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

  /** Whether no word continues from the node. */
  isLeaf(node: number): boolean {
    return this.#first[node] === this.#first[node + 1];
  }

  /** The node reached by `word` from a node other than the root, or -1. */
  findChild(node: number, word: number): number {
    const bit = hashArc(node, word) >>> this.#shift;
    if ((this.#arcFilter[bit >>> 5]! & (1 << bit)) === 0) return -1;
    const words = this.#words;
    let arc = this.#first[node]!;
    let count = this.#first[node + 1]! - arc;
    // Branchless binary search, because the branch would be unpredictable.
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

  /** The first arc of a node. Its arcs end before the first arc of the next node. */
  firstArc(node: number): number {
    return this.#first[node] ?? 0;
  }

  /** The word of an arc. */
  word(arc: number): number {
    return this.#words[arc] ?? 0;
  }

  /** The node that an arc leads to. */
  target(arc: number): number {
    return this.#targets[arc] ?? 0;
  }

  /** The arc of a word that continues from the node. */
  findArc(node: number, word: number): number {
    let arc = this.firstArc(node);
    for (let count = this.firstArc(node + 1) - arc; count > 1; ) {
      const half = count >>> 1;
      if ((this.#words[arc + half] ?? 0) <= word) arc += half;
      count -= half;
    }
    return arc;
  }

  /** For words 0 to `count` - 1, the node of phrases that begin with the word, or -1. */
  rootNodes(count: number): Int32Array {
    const nodeCount = new Int32Array(count).fill(-1);
    for (const [arc, word] of this.#words.subarray(0, this.#first[1]).entries()) nodeCount[word] = this.#targets[arc]!;
    return nodeCount;
  }
}

/** Builds the filter of a graph. */
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

/** The right shift that turns a 32-bit hash into a bit number of the filter. */
const toShift = (filter: Int32Array): number => 32 - Math.log2(32 * filter.length);

const hashArc = (node: number, word: number): number =>
  (Math.imul(node, 0x9e3779b1) ^ Math.imul(word + 1, 0x85ebca6b)) >>> 0;

const KIND_BITS = 2;

/** Packs a topic and a kind of phrase into one number. */
export const packSense = (topic: number, kind: number): number => (topic << KIND_BITS) | kind;

/** The meanings of phrases as they are stored. Many phrases share the same meanings, so these are numbered lists; list 0 is empty. */
export interface SenseParts {
  /** By graph node, the list of the meanings of phrases that end there. */
  senseLists: Uint16Array;
  /** By list, its number of senses; by sense, its topic and its kind of phrase. */
  counts: Uint8Array;
  meanings: Uint16Array;
}

/**
 * The meanings of phrases. The senses of a phrase that ends at a node have the numbers from `first(node)` to before
 * `end(node)`.
 */
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

  /** Index into PHRASE_KINDS. */
  kind(sense: number): number {
    return (this.#meanings[sense] ?? 0) & ((1 << KIND_BITS) - 1);
  }
}
