import { type Bands, rarity } from './rarity.ts';
import { SenseList, type Senses } from './senses.ts';
import { START, words } from './text.ts';
import { Trie } from './trie.ts';

/** The lexicon as the build writes it: texts already cut into stems, so that loading does no language work. */
export interface CompiledLexicon {
  /** Changes with the content; placements carry it, because they refer to topics by number. */
  version: string;
  /** Stems by band of frequency in everyday English, the most common first, separated by spaces. */
  bands: string[];
  /** `names` … `not`: phrases of stems separated by '|'. */
  topics: CompiledTopic[];
}

export type CompiledTopic = { path: string } & Record<Kind, string>;

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
  /** By vocabulary number: whether the word carries content, so that others may stand before it inside a phrase. */
  content: Uint8Array;
  /** Number of the word that stands for the start of a message, -1 when no phrase has it. */
  start: number;
  trie: Trie;
  /** By vocabulary number, the trie node of phrases that begin with the word, or -1. */
  roots: Int32Array;
  /** By trie node, whether phrases go on from there. */
  inner: Uint8Array;
  senses: Senses;
}

/** Characters of phrases to a node of the trie, about. */
const PER_NODE = 13;

/** Builds the look-up structures of a compiled lexicon; some tens of milliseconds, once per process. */
export function loadLexicon(compiled: CompiledLexicon): Lexicon {
  const bands = new Map<string, number>();
  compiled.bands.forEach((stems, band) => {
    for (const stem of stems.split(' ')) if (!bands.has(stem)) bands.set(stem, band + 1);
  });
  const topics = compiled.topics.map((topic) => topic.path);
  const numbers = new Map(topics.map((path, number) => [path, number]));
  const known = Object.fromEntries(
    Object.entries(OWN).map(([name, path]) => [name, numbers.get(path) ?? -1]),
  ) as unknown as Known;
  const vocabulary = new Map<string, number>();
  const rarities: number[] = [];
  const letters = compiled.topics.reduce(
    (sum, topic) => sum + KINDS.reduce((all, kind) => all + topic[kind].length, 0),
    0,
  );
  const trie = new Trie(1 + letters / PER_NODE);
  const senses = new SenseList();

  const wordOf = (stem: string): number => {
    const known = vocabulary.get(stem);
    if (known !== undefined) return known;
    const word = vocabulary.size;
    vocabulary.set(stem, word);
    rarities.push(rarity(stem, bands));
    return word;
  };

  // Reads on instead of splitting: this runs at every start, before anything is compiled, and lists of lists of texts cost it a third.
  const addAll = (phrases: string, topic: number, kind: number) => {
    let node = 0;
    let unsaid = 1;
    for (let at = 0, end = 0; at < phrases.length; at = end + 1) {
      end = at;
      while (end < phrases.length && phrases[end] !== ' ' && phrases[end] !== '|') end++;
      const word = wordOf(phrases.slice(at, end));
      const isLast = phrases[end] !== ' ';
      const rare = rarities[word]!;
      // Even common words narrow each other down when they stand together.
      unsaid *= 1 - (node > 0 || !isLast ? 0.25 + 0.75 * rare : kind === NAMES ? Math.sqrt(rare) : rare);
      node = trie.grow(node, word);
      if (!isLast) continue;
      senses.add(node, topic, kind, 1 - unsaid);
      node = 0;
      unsaid = 1;
    }
  };
  compiled.topics.forEach((topic, number) => {
    KINDS.forEach((kind, index) => {
      addAll(topic[kind], number, index);
    });
  });

  return {
    version: compiled.version,
    topics,
    named: nameTopics(topics),
    parents: Int32Array.from(topics, (path) => nearestAncestor(path, numbers)),
    own: Uint8Array.from(topics, (path) => (path.startsWith('_') ? 1 : 0)),
    bands,
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
    rarities: Float32Array.from(rarities),
    content: Uint8Array.from(rarities, (rare) => (rare >= 0.1 ? 1 : 0)),
    roots: Int32Array.from(vocabulary.values(), (word) => trie.child(0, word)),
    inner: trie.inner(),
    start: vocabulary.get(START) ?? -1,
    trie,
    senses: senses.byNode(trie.size),
  };
}

function nameTopics(topics: readonly string[]): Map<string, number[]> {
  const named = new Map<string, number[]>();
  for (const [topic, path] of topics.entries()) {
    if (path.startsWith('_')) continue;
    for (const key of new Set([topicKey(path), topicKey(path.slice(path.lastIndexOf('>') + 1))]))
      named.set(key, [...(named.get(key) ?? []), topic]);
  }
  return named;
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
