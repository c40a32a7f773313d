import { prefixSums } from '../text/prefix-sums.ts';

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
