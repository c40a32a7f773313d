import type { PhraseGraph, Senses } from './phrase-graph.ts';

/** Bits per word of a spelling. They select one of the word's eight most common forms. */
const FORM_BITS = 3;
export const MAX_FORMS = 1 << FORM_BITS;
const MAX_SPELLED_WORDS = 10;

/** The stored spellings of phrases in the lexicon's texts. */
export interface SpellingParts {
  /**
   * By vocabulary number, the forms of the word, the most common first, separated by commas; words are separated by
   * spaces. Empty if the stem is the only form.
   */
  forms: string;
  /**
   * By graph node, the number of phrases that pass through it or end there; 0 for the root, whose count is not needed.
   */
  phraseCounts: Uint16Array;
  /**
   * By phrase number, the index of its spelling in the list of distinct spellings. There are few, because most words have their most common
   * form.
   */
  spellings: Uint8Array;
  distinctSpellings: Int32Array;
}

/** Packs the form numbers of a phrase's words into one number. Words after the tenth have their most common form. */
export const packSpelling = (places: readonly number[]): number =>
  places.slice(0, MAX_SPELLED_WORDS).reduce((packed, place, index) => packed | (place << (FORM_BITS * index)), 0);

/** By node, the number of phrases that pass through it or end there. Arcs lead to nodes of higher numbers. */
export function countPhrases(graph: PhraseGraph, senses: Senses): Int32Array {
  const counts = new Int32Array(graph.nodes);
  for (let node = graph.nodes - 1; node >= 0; node--) {
    let count = senses.has(node) ? 1 : 0;
    for (let arc = graph.firstArc(node); arc < graph.firstArc(node + 1); arc++) count += counts[graph.target(arc)] ?? 0;
    counts[node] = count;
  }
  return counts;
}

/** Numbers the phrases of a graph in the order of their words' numbers. */
export class PhraseNumbers {
  readonly #graph: PhraseGraph;
  readonly #senses: Senses;
  readonly #counts: ArrayLike<number>;
  /**
   * By arc of the root, the number of phrases that begin with an earlier arc. A table, because the root has thousands
   * of arcs.
   */
  readonly #beforeFirst: Int32Array;

  /** @param counts by node, see `countPhrases`; the root's count is not read */
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

  /** The number of a phrase in the graph. */
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

/** Restores the lexicon's spelling of phrases, which the graph stores as stems. */
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

  /** Spells a phrase of the graph, given the numbers of its words. */
  write(words: readonly number[]): string[] {
    const { spellings, distinctSpellings } = this.#parts;
    // Lazy, to keep startup fast.
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
