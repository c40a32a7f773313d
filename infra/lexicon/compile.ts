import { createHash } from 'node:crypto';
import {
  type CompiledLexicon,
  edgeFilterOf,
  type FrequencyBands,
  frequencyBands,
  NAMES,
  type NgramTable,
  PHRASE_KINDS,
  PROFILE_FORMAT,
  packSense,
  rarity,
  stem,
  topicKey,
} from '../../shared/matching/index.ts';
import { ASKING_WORDS } from './asking-words.ts';
import type { Phrasebook } from './phrasebook.ts';
import { compileRules } from './safety-rules.ts';
import type { WordVectors } from './word-vectors.ts';

/** A node of the trie of phrases. */
interface Node {
  children: Map<number, Node>;
  /** What the phrase that ends here means, in the order that the texts say it. */
  senses: { meaning: number; weight: number }[];
}

/** What is done at build time, so that a start need not: numbers the words, builds the trie of phrases, and weighs each phrase. */
export function compileLexicon(
  { version, bands, topics, safety }: Phrasebook,
  ngrams: NgramTable,
  { words: known, vectors }: WordVectors,
): CompiledLexicon {
  const paths = topics.map(({ path }) => path);
  const vocabulary = new Vocabulary(bands);
  // A word's number is also the number of its vector: those that have one come first.
  for (const word of known) vocabulary.number(word);
  const root = newNode();
  for (const [topic, phrases] of topics.entries())
    for (const [kind, name] of PHRASE_KINDS.entries())
      for (const phrase of phrases[name].split('|'))
        if (phrase) insertPhrase(phrase.split(' '), root, packSense(topic, kind), kind === NAMES, vocabulary);

  const nodes = breadthFirst(root);
  const senses = nodes.flatMap(({ node }) => node.senses);
  const weights = [...new Set(senses.map(({ weight }) => weight))];
  const strengths = new Map(weights.map((weight, strength) => [weight, strength]));
  const degrees = inTwoBytes(nodes.map(({ node }) => node.children.size));
  const words = inTwoBytes(nodes.map(({ word }) => word));
  return {
    version: createHash('sha256')
      .update(`${version} ${PROFILE_FORMAT}`)
      .update(ngrams.ngrams)
      .update(ngrams.ngramScores)
      .update(vectors)
      .digest('hex')
      .slice(0, 8),
    bands,
    topics: paths,
    topicsByName: [...nameTopics(paths)],
    topicsByWord: [...topicsByWord(paths)],
    stems: [...vocabulary.numbers.keys()].join(' '),
    rarities: Float32Array.from(vocabulary.rarities),
    vectors,
    degrees,
    words,
    edgeFilter: edgeFilterOf(degrees, words),
    counts: inOneByte(nodes.map(({ node }) => node.senses.length)),
    meanings: inTwoBytes(senses.map((sense) => sense.meaning)),
    strengths: inTwoBytes(senses.map(({ weight }) => strengths.get(weight) ?? -1)),
    weights,
    ...ngrams,
    asking: ASKING_WORDS,
    safety: compileRules(safety, frequencyBands(bands)),
  };
}

/** Stems by number, in the order that they are met. */
class Vocabulary {
  readonly numbers = new Map<string, number>();
  readonly rarities: number[] = [];
  readonly #bands: FrequencyBands;

  constructor(bands: readonly string[]) {
    this.#bands = frequencyBands(bands);
  }

  number(stem: string): number {
    const known = this.numbers.get(stem);
    if (known !== undefined) return known;
    const number = this.numbers.size;
    this.numbers.set(stem, number);
    this.rarities.push(rarity(stem, this.#bands));
    return number;
  }
}

const newNode = (): Node => ({ children: new Map(), senses: [] });

function insertPhrase(stems: string[], root: Node, meaning: number, isName: boolean, vocabulary: Vocabulary): void {
  let node = root;
  let unsaid = 1;
  for (const stem of stems) {
    const word = vocabulary.number(stem);
    const rare = vocabulary.rarities[word]!;
    // Even common words narrow each other down when they stand together.
    unsaid *= 1 - (stems.length > 1 ? 0.25 + 0.75 * rare : isName ? Math.sqrt(rare) : rare);
    const next = node.children.get(word) ?? newNode();
    node.children.set(word, next);
    node = next;
  }
  node.senses.push({ meaning, weight: 1 - unsaid });
}

/** All nodes, those of fewer words first, siblings side by side in the order of their words. */
function breadthFirst(root: Node): { word: number; node: Node }[] {
  const nodes = [{ word: 0, node: root }];
  for (const { node } of nodes) {
    const children = [...node.children].sort(([one], [other]) => one - other);
    for (const [word, child] of children) nodes.push({ word, node: child });
  }
  return nodes;
}

/** Topics by their whole name and by its last part; the engine's own topics have no names. */
function nameTopics(paths: readonly string[]): Map<string, number[]> {
  const named = new Map<string, number[]>();
  for (const [topic, path] of paths.entries()) {
    if (path.startsWith('_')) continue;
    for (const key of new Set([topicKey(path), topicKey(path.slice(path.lastIndexOf('>') + 1))]))
      named.set(key, [...(named.get(key) ?? []), topic]);
  }
  return named;
}

/** Topics by the words of their last part, as stems; of those that share one the broadest. */
function topicsByWord(paths: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  const depth = (topic: number) => paths[topic]!.split('>').length;
  for (const [topic, path] of paths.entries()) {
    if (path.startsWith('_')) continue;
    for (const word of topicKey(path.slice(path.lastIndexOf('>') + 1)).split(' ')) {
      const known = found.get(stem(word)) ?? [];
      const least = Math.min(...known.map(depth), depth(topic));
      found.set(
        stem(word),
        [...new Set([...known, topic])].filter((one) => depth(one) === least),
      );
    }
  }
  return found;
}

const inOneByte = (numbers: number[]): Uint8Array => Uint8Array.from(fitting(numbers, 0xff));
const inTwoBytes = (numbers: number[]): Uint16Array => Uint16Array.from(fitting(numbers, 0xffff));

/** A typed array would cut larger numbers without a word. */
function fitting(numbers: number[], most: number): number[] {
  const over = numbers.find((number) => number > most);
  if (over !== undefined)
    throw new Error(
      `The lexicon has outgrown its file: ${over} where ${most} is the most. Widen the array in compile.ts`,
    );
  return numbers;
}
