import type { PhraseGraph, Senses } from './phrase-graph.ts';

/** Bits of a spelling for each word: which of the word's forms the texts write there, one of the eight commonest. */
const FORM_BITS = 3;
export const MAX_FORMS = 1 << FORM_BITS;
const MAX_SPELLED_WORDS = 10;

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
  places.slice(0, MAX_SPELLED_WORDS).reduce((packed, place, index) => packed | (place << (FORM_BITS * index)), 0);

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

/** Numbers the phrases of a graph, by the order of their words' numbers. */
export class PhraseNumbers {
  readonly #graph: PhraseGraph;
  readonly #senses: Senses;
  readonly #counts: ArrayLike<number>;
  /** By arc of the root, of which there are thousands, how many phrases begin with an earlier one. */
  readonly #beforeFirst: Int32Array;

  /** @param counts by node, see `countPhrases`; that of the root is not read */
  constructor(graph: PhraseGraph, senses: Senses, counts: ArrayLike<number>) {
    this.#graph = graph;
    this.#senses = senses;
    this.#counts = counts;
    this.#beforeFirst = new Int32Array(graph.firstArc(1));
    let before = 0;
    for (let arc = 0; arc < this.#beforeFirst.length; arc++) {
      this.#beforeFirst[arc] = before;
      before += counts[graph.target(arc)] ?? 0;
    }
  }

  /** The number of a phrase that the graph has. */
  find([first = 0, ...others]: readonly number[]): number {
    const graph = this.#graph;
    const root = graph.findArc(0, first);
    let number = this.#beforeFirst[root] ?? 0;
    let node = graph.target(root);
    for (const word of others) {
      const arc = graph.findArc(node, word);
      if (this.#senses.has(node)) number++;
      for (let earlier = graph.firstArc(node); earlier < arc; earlier++)
        number += this.#counts[graph.target(earlier)] ?? 0;
      node = graph.target(arc);
    }
    return number;
  }
}

/** Writes phrases, which the graph knows by stems, as the lexicon's texts do. */
export class Spellings {
  readonly #parts: SpellingParts;
  readonly #stems: readonly string[];
  readonly #number: () => PhraseNumbers;
  #numbers: PhraseNumbers | undefined;
  #forms: string[] | undefined;

  constructor(parts: SpellingParts, stems: readonly string[], graph: PhraseGraph, senses: Senses) {
    this.#parts = parts;
    this.#stems = stems;
    this.#number = () => new PhraseNumbers(graph, senses, parts.phraseCounts);
  }

  /** The words of a phrase of the graph, which is given by the numbers of its words. */
  write(words: readonly number[]): string[] {
    const { spellings, distinctSpellings } = this.#parts;
    // Made when first wanted, because a start does without.
    this.#forms ??= this.#parts.forms.split(' ');
    this.#numbers ??= this.#number();
    const forms = this.#forms;
    const spelling = distinctSpellings[spellings[this.#numbers.find(words)] ?? 0] ?? 0;
    return words.map((word, index) => {
      const place = index < MAX_SPELLED_WORDS ? (spelling >>> (FORM_BITS * index)) & (MAX_FORMS - 1) : 0;
      return forms[word]?.split(',')[place] || (this.#stems[word] ?? '');
    });
  }
}
