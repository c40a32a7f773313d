import { firsts } from './trie.ts';

/** What phrases mean, by the trie node that they end at: the senses of a node are those from `first[node]` to before `first[node + 1]`. */
export interface Senses {
  first: Int32Array;
  /** By sense, its topic and its kind in one number; see `topicOf` and `kindOf`. */
  meanings: Uint16Array;
  /** By sense, how much the words alone say: a place in `weights`. */
  strengths: Uint16Array;
  /** The weights there are, 0..1: far fewer than senses. */
  weights: Float64Array;
}

const KIND_BITS = 2;

export const meaning = (topic: number, kind: number): number => (topic << KIND_BITS) | kind;
export const topicOf = (meaning: number): number => meaning >>> KIND_BITS;
export const kindOf = (meaning: number): number => meaning & ((1 << KIND_BITS) - 1);

/** `counts`: by node, how many senses it has. */
export function laySenses(
  counts: Uint8Array,
  meanings: Uint16Array,
  strengths: Uint16Array,
  weights: readonly number[],
): Senses {
  return { first: firsts(counts, 0), meanings, strengths, weights: Float64Array.from(weights) };
}
