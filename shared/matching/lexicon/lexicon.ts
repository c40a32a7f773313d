import { START, words } from '../text/words.ts';
import { type Bands, layBands } from './rarity.ts';
import { laySenses, type Senses } from './senses.ts';
import { Trie, type TrieParts } from './trie.ts';

/** The lexicon as the build writes it: finished, so that loading neither works on language nor grows a tree. */
export interface CompiledLexicon extends TrieParts {
  /** Changes with the content; placements carry it, because they refer to topics by number. */
  version: string;
  /** Stems by band of frequency in everyday English, the most common first, separated by spaces. */
  bands: string[];
  /** Paths by topic number. */
  topics: string[];
  /** Names of topics, folded, and the topics that bear them. */
  named: [name: string, topics: number[]][];
  /** Stems that phrases are made of, by number, separated by spaces. */
  stems: string;
  /** By stem, how rare it is. */
  rarities: Float32Array;
  /** By trie node, how many senses it has; by sense, what it means and which of the weights is its own. */
  counts: Uint8Array;
  meanings: Uint16Array;
  strengths: Uint16Array;
  weights: number[];
}

/** How a phrase speaks of its topic: as the product, as the need for it, in passing, or as something else altogether. */
export const KINDS = ['names', 'want', 'words', 'not'] as const;
export type Kind = (typeof KINDS)[number];
export const [NAMES, WANT, WORDS, NOT] = [0, 1, 2, 3] as const;

/** Paths of the engine's own topics. */
const OWN = {
  smallTalk: '_Small Talk',
  device: '_Device Command',
  weather: '_Weather',
  trivia: '_Trivia',
  task: '_Task',
  writing: '_Writing',
  telling: '_Telling',
  occupation: '_Occupation',
  seek: '_Intent > Seek',
  told: '_Fiction or News',
};
type Known = Record<keyof typeof OWN, number>;

export interface Lexicon {
  version: string;
  /** Paths by topic number, "Travel > Travel Type > Air Travel". */
  topics: string[];
  /** Topics by their folded name, whole ("travel travel type air travel") or last part ("air travel"). */
  named: Map<string, number[]>;
  /** By topic number, the topic it is part of, or -1. */
  parents: Int32Array;
  /** Topics below "_": the engine's own knowledge of what is no product (small talk, tasks) or no place for an ad. */
  own: Uint8Array;
  /** By topic number, whether it is a way of asking. */
  intents: Uint8Array;
  /** By topic number, whether it makes a conversation no place for an ad. */
  sensitive: Uint8Array;
  /** By topic number, whether its phrases hide the products named inside them. */
  covers: Uint8Array;
  /** Numbers of the engine's own topics. */
  known: Known;
  bands: Bands;
  /** Stems that phrases are made of, to their number in the trie. */
  vocabulary: Map<string, number>;
  /** By vocabulary number: how rare the word is, 0..1. */
  rarities: Float32Array;
  /** Number of the word that stands for the start of a message, -1 when no phrase has it. */
  start: number;
  trie: Trie;
  /** By vocabulary number, the trie node of phrases that begin with the word, or -1. */
  roots: Int32Array;
  senses: Senses;
}

/** Lays the look-up structures over a compiled lexicon; some milliseconds, once per process. */
export function loadLexicon(compiled: CompiledLexicon): Lexicon {
  const { version, topics, rarities } = compiled;
  const vocabulary = new Map<string, number>();
  for (const stem of compiled.stems.split(' ')) vocabulary.set(stem, vocabulary.size);
  const numbers = new Map(topics.map((path, number) => [path, number]));
  const known = Object.fromEntries(
    Object.entries(OWN).map(([name, path]) => [name, numbers.get(path) ?? -1]),
  ) as unknown as Known;
  const trie = new Trie(compiled);

  return {
    version,
    topics,
    named: new Map(compiled.named),
    parents: Int32Array.from(topics, (path) => nearestAncestor(path, numbers)),
    own: Uint8Array.from(topics, (path) => (path.startsWith('_') ? 1 : 0)),
    bands: layBands(compiled.bands),
    vocabulary,
    intents: Uint8Array.from(topics, (path) => (path.startsWith('_Intent > ') ? 1 : 0)),
    sensitive: Uint8Array.from(topics, (path) => (path.startsWith('_Sensitive > ') ? 1 : 0)),
    covers: Uint8Array.from(topics, (_, topic) =>
      [known.smallTalk, known.device, known.weather, known.occupation].includes(topic) ||
      topics[topic]!.startsWith('_Intent > ')
        ? 1
        : 0,
    ),
    known,
    rarities,
    roots: trie.beginnings(vocabulary.size),
    start: vocabulary.get(START) ?? -1,
    trie,
    senses: laySenses(compiled.counts, compiled.meanings, compiled.strengths, compiled.weights),
  };
}

/** What topic names are compared by: "Bars & Restaurants" is "bars and restaurants". */
export function topicKey(name: string): string {
  return words(name.replace(/&/g, ' and '))
    .map(({ word }) => word)
    .join(' ');
}

function nearestAncestor(path: string, numbers: ReadonlyMap<string, number>): number {
  const cut = path.lastIndexOf(' > ');
  if (cut < 0) return -1;
  return numbers.get(path.slice(0, cut)) ?? nearestAncestor(path.slice(0, cut), numbers);
}
