import type { PhraseGraph } from './phrase-graph.ts';
import type { Senses } from './senses.ts';

/** Bits of a spelling for each word: which of the word's forms the texts write there, one of the eight commonest. */
const FORM_BITS = 3;
export const MOST_FORMS = 1 << FORM_BITS;
const WORDS = 10;

/** How the lexicon's texts write its phrases, as it lies in a file. */
export interface SpellingParts {
  /** By word of the vocabulary its forms, the commonest first, separated by commas; words by spaces. Empty where the stem is the only form. */
  forms: string;
  /** By node of the graph, how many phrases go on from it, one that ends there included; 0 for the root, which none needs. */
  phraseCounts: Uint16Array;
  /** By number of a phrase, its spelling among those that there are: few, as most words have their commonest form. */
  spellings: Uint8Array;
  distinctSpellings: Int32Array;
}

/** A spelling in one number, of its words' places among their forms; words behind the tenth have their commonest form. */
export const packSpelling = (places: readonly number[]): number =>
  places.slice(0, WORDS).reduce((packed, place, index) => packed | (place << (FORM_BITS * index)), 0);

/** By node, how many phrases go on from it. A node leads to nodes of higher numbers. */
export function countPhrases(graph: PhraseGraph, senses: Senses): Int32Array {
  const counts = new Int32Array(graph.nodes);
  for (let node = graph.nodes - 1; node >= 0; node--) {
    let count = senses.has(node) ? 1 : 0;
    for (let arc = graph.firstArc(node); arc < graph.firstArc(node + 1); arc++) count += counts[graph.target(arc)] ?? 0;
    counts[node] = count;
  }
  return counts;
}

/** The number of a phrase that the graph has: how many come before it in the order of their words' numbers. */
export function numberOfPhrase(
  words: readonly number[],
  graph: PhraseGraph,
  senses: Senses,
  counts: ArrayLike<number>,
): number {
  let node = 0;
  let number = 0;
  for (const word of words) {
    const arc = graph.arcOf(node, word);
    if (senses.has(node)) number++;
    for (let earlier = graph.firstArc(node); earlier < arc; earlier++) number += counts[graph.target(earlier)] ?? 0;
    node = graph.target(arc);
  }
  return number;
}

/** Writes phrases, which the graph knows by stems, as the lexicon's texts do. */
export class Spellings {
  readonly #parts: SpellingParts;
  readonly #stems: readonly string[];
  readonly #graph: PhraseGraph;
  readonly #senses: Senses;
  #forms: string[] | undefined;

  constructor(parts: SpellingParts, stems: readonly string[], graph: PhraseGraph, senses: Senses) {
    this.#parts = parts;
    this.#stems = stems;
    this.#graph = graph;
    this.#senses = senses;
  }

  /** The words of a phrase of the graph, which is given by the numbers of its words. */
  write(words: readonly number[]): string[] {
    const { phraseCounts, spellings, distinctSpellings } = this.#parts;
    this.#forms ??= this.#parts.forms.split(' '); // when first wanted: a start does without
    const forms = this.#forms;
    const number = numberOfPhrase(words, this.#graph, this.#senses, phraseCounts);
    const spelling = distinctSpellings[spellings[number] ?? 0] ?? 0;
    return words.map((word, index) => {
      const place = index < WORDS ? (spelling >>> (FORM_BITS * index)) & (MOST_FORMS - 1) : 0;
      return forms[word]?.split(',')[place] || (this.#stems[word] ?? '');
    });
  }
}
