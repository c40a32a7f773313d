import { prefixSums } from './trie.ts';

const KIND_BITS = 2;

/** A topic and a kind of phrase in one number. */
export const packSense = (topic: number, kind: number): number => (topic << KIND_BITS) | kind;

/** What phrases mean: by the trie node that a phrase ends at, its senses, numbered from `first(node)` to before `end(node)`. */
export class Senses {
  readonly #first: Int32Array;
  /** By sense, its topic and its kind of phrase. */
  readonly #meanings: Uint16Array;
  /** By sense, an index in the weights. */
  readonly #strengths: Uint16Array;
  /** The weights there are: far fewer than senses. */
  readonly #weights: Float64Array;

  constructor(compiled: {
    /** By node, how many senses it has. */
    counts: Uint8Array;
    meanings: Uint16Array;
    strengths: Uint16Array;
    weights: readonly number[];
  }) {
    this.#first = prefixSums(compiled.counts, 0);
    this.#meanings = compiled.meanings;
    this.#strengths = compiled.strengths;
    this.#weights = Float64Array.from(compiled.weights);
  }

  /** How many senses there are. */
  get count(): number {
    return this.#meanings.length;
  }

  first(node: number): number {
    return this.#first[node] ?? 0;
  }

  end(node: number): number {
    return this.#first[node + 1] ?? 0;
  }

  topic(sense: number): number {
    return (this.#meanings[sense] ?? 0) >>> KIND_BITS;
  }

  /** One of PHRASE_KINDS, by number. */
  kind(sense: number): number {
    return (this.#meanings[sense] ?? 0) & ((1 << KIND_BITS) - 1);
  }

  /** How much the words of the phrase alone say, 0..1. */
  weight(sense: number): number {
    return this.#weights[this.#strengths[sense] ?? 0] ?? 0;
  }
}
