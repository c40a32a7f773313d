import { createHash } from 'node:crypto';
import {
  addWordVector,
  buildArcFilter,
  type CompiledLexicon,
  countPhrases,
  type FrequencyBands,
  getRarity,
  type KindWeights,
  MAX_FORMS,
  type NgramTable,
  normalize,
  PHRASE_KINDS,
  PhraseGraph,
  type PhraseGraphParts,
  PhraseNumbers,
  PROFILE_FORMAT,
  packSense,
  packSpelling,
  type SafetyWeights,
  type SenseParts,
  Senses,
  type SpellingParts,
  stem,
  toFrequencyBands,
  toTopicKey,
  VECTOR_LENGTH,
  VECTOR_SIZE,
} from '../../shared/matching/index.ts';
import { ENGLISH_ASKING_WORDS } from './asking-english.ts';
import { ASKING_WORDS } from './asking-words.ts';
import type { Phrasebook } from './phrasebook.ts';
import { compileRules } from './safety-rules.ts';
import type { WordVectors } from './word-vectors.ts';

/** A node of the trie of phrases. */
interface Branch {
  children: Map<number, Branch>;
  /** Meanings of the phrase that ends here. */
  meanings: number[];
}

/** A node of the graph that results from merging equal branches of the trie. */
interface Node {
  number: number;
  arcs: { word: number; to: Node }[];
  meanings: string;
}

/** Numbers the words and builds the graph of phrases at build time, to keep cold starts fast. */
export function compileLexicon(
  { version, bands, topics, spellings, safety }: Phrasebook,
  ngrams: NgramTable,
  { words: known, vectors }: WordVectors,
  classifiers: { safety: SafetyWeights; kinds: KindWeights },
): CompiledLexicon {
  const paths = topics.map(({ path }) => path);
  const vocabulary = new Vocabulary(bands);
  // A word and its vector share a number, so words with a vector come first.
  for (const word of known) vocabulary.number(word);
  const root = newBranch();
  for (const [topic, phrases] of topics.entries())
    for (const [kind, name] of PHRASE_KINDS.entries())
      for (const phrase of phrases[name].split('|'))
        if (phrase) insertPhrase(phrase.split(' '), root, packSense(topic, kind), vocabulary);

  const graph = packGraph(mergeBranches(root));
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
    topicsByName: [...groupTopicsByName(paths)],
    topicsByWord: [...groupTopicsByWord(paths)],
    stems: [...vocabulary.numbers.keys()].join(' '),
    rarities: Float32Array.from(vocabulary.rarities),
    vectors,
    topicVectors: buildTopicVectors(topics, vocabulary, vectors),
    ...graph,
    ...packSpellings(spellings, vocabulary, graph),
    ...ngrams,
    asking: ASKING_WORDS,
    englishAsking: ENGLISH_ASKING_WORDS,
    safety: compileRules(safety, toFrequencyBands(bands)),
    safetyWeights: classifiers.safety.weights,
    safetyScales: classifiers.safety.scales,
    kindWeights: classifiers.kinds.weights,
    kindScales: { biases: classifiers.kinds.biases, step: classifiers.kinds.step },
  };
}

/** By topic, the mean of its names' vectors, to which campaigns of similar meaning are near. Zeros for a topic that no campaign has. */
function buildTopicVectors(topics: Phrasebook['topics'], vocabulary: Vocabulary, vectors: Int8Array): Int8Array {
  const numbers = new Int8Array(topics.length * VECTOR_SIZE);
  for (const [topic, { path, names }] of topics.entries()) {
    if (path.startsWith('_')) continue;
    const sum = new Float32Array(VECTOR_SIZE);
    for (const name of names.split('|')) {
      const vector = new Float32Array(VECTOR_SIZE);
      for (const stem of name.split(' ')) {
        const word = vocabulary.numbers.get(stem) ?? -1;
        addWordVector(vector, word, vocabulary.rarities[word] ?? 0, { vectors });
      }
      normalize(vector).forEach((value, k) => {
        sum[k]! += value;
      });
    }
    numbers.set(
      normalize(sum).map((value) => Math.round(VECTOR_LENGTH * value)),
      topic * VECTOR_SIZE,
    );
  }
  return numbers;
}

/** Assigns numbers to stems in the order in which they are added. */
class Vocabulary {
  readonly numbers = new Map<string, number>();
  readonly rarities: number[] = [];
  readonly #bands: FrequencyBands;

  constructor(bands: readonly string[]) {
    this.#bands = toFrequencyBands(bands);
  }

  number(stem: string): number {
    const known = this.numbers.get(stem);
    if (known !== undefined) return known;
    const number = this.numbers.size;
    this.numbers.set(stem, number);
    this.rarities.push(getRarity(stem, this.#bands));
    return number;
  }
}

const newBranch = (): Branch => ({ children: new Map(), meanings: [] });

function insertPhrase(stems: string[], root: Branch, meaning: number, vocabulary: Vocabulary): void {
  let branch = root;
  for (const stem of stems) {
    const word = vocabulary.number(stem);
    const next = branch.children.get(word) ?? newBranch();
    branch.children.set(word, next);
    branch = next;
  }
  branch.meanings.push(meaning);
}

/** The nodes of the graph, the root first. */
function mergeBranches(root: Branch): Node[] {
  const known = new Map<string, Node>();
  const merge = ({ children, meanings: unsorted }: Branch): Node => {
    const arcs = [...children].sort(([a], [b]) => a - b).map(([word, child]) => ({ word, to: merge(child) }));
    const meanings = unsorted.sort((a, b) => a - b).join(' ');
    const key = [meanings, ...arcs.map(({ word, to }) => `${word} ${to.number}`)].join();
    const node = known.get(key) ?? { number: known.size, arcs, meanings };
    known.set(key, node);
    return node;
  };
  merge(root);
  const nodes = [...known.values()].reverse();
  for (const [number, node] of nodes.entries()) node.number = number;
  return nodes;
}

function packGraph(nodes: readonly Node[]): PhraseGraphParts & SenseParts {
  const arcs = nodes.flatMap((node) => node.arcs);
  const degrees = toUint16(nodes.map((node) => node.arcs.length));
  const words = toUint16(arcs.map(({ word }) => word));
  const lists = [...new Set(['', ...nodes.map(({ meanings }) => meanings)])];
  const listNumbers = new Map(lists.map((list, number) => [list, number]));
  const meanings = lists.map((list) => list.split(' ').filter(Boolean).map(Number));
  return {
    degrees,
    words,
    targets: toUint16(arcs.map(({ to }) => to.number)),
    arcFilter: buildArcFilter(degrees, words),
    senseLists: toUint16(nodes.map(({ meanings }) => listNumbers.get(meanings)!)),
    counts: toUint8(meanings.map(({ length }) => length)),
    meanings: toUint16(meanings.flat()),
  };
}

/** Packs the spellings: the forms of each stem, most frequent first, and which form of each stem a phrase uses. */
function packSpellings(
  spellings: ReadonlyMap<string, string>,
  { numbers }: Vocabulary,
  parts: PhraseGraphParts & SenseParts,
): SpellingParts {
  const counts = new Map<string, Map<string, number>>();
  const phrases = [...spellings].map(([stems, spelling]) => ({ stems: stems.split(' '), words: spelling.split(' ') }));
  for (const { stems, words } of phrases)
    for (const [index, stem] of stems.entries()) {
      const ofStem = counts.get(stem) ?? new Map<string, number>();
      counts.set(stem, ofStem.set(words[index]!, (ofStem.get(words[index]!) ?? 0) + 1));
    }
  const commonest = (ofStem: ReadonlyMap<string, number>) =>
    [...ofStem]
      .sort(([, one], [, other]) => other - one)
      .map(([word]) => word)
      .slice(0, MAX_FORMS);
  const forms = new Map([...counts].map(([stem, ofStem]) => [stem, commonest(ofStem)]));
  const graph = new PhraseGraph(parts);
  const senses = new Senses(parts);
  const phraseCounts = countPhrases(graph, senses);
  const phraseNumbers = new PhraseNumbers(graph, senses, phraseCounts);
  const packed = new Array<number>(phraseCounts[0]!).fill(0);
  for (const { stems, words } of phrases) {
    const places = stems.map((stem, index) => Math.max(0, forms.get(stem)!.indexOf(words[index]!)));
    const number = phraseNumbers.find(stems.map((stem) => numbers.get(stem)!));
    packed[number] = packSpelling(places);
  }
  const distinct = [...new Set(packed)];
  const listed = [...numbers.keys()].map((stem) => {
    const ofStem = (forms.get(stem) ?? []).join();
    return ofStem === stem ? '' : ofStem;
  });
  const placeOf = new Map(distinct.map((spelling, place) => [spelling, place]));
  return {
    forms: listed.join(' '),
    phraseCounts: toUint16([0, ...phraseCounts.subarray(1)]),
    spellings: toUint8(packed.map((spelling) => placeOf.get(spelling)!)),
    distinctSpellings: Int32Array.from(distinct),
  };
}

/** Topics by full name and by the last part of the name; internal topics (with an underscore) have no names. */
function groupTopicsByName(paths: readonly string[]): Map<string, number[]> {
  const named = new Map<string, number[]>();
  for (const [topic, path] of paths.entries()) {
    if (path.startsWith('_')) continue;
    for (const key of new Set([toTopicKey(path), toTopicKey(path.slice(path.lastIndexOf('>') + 1))]))
      named.set(key, [...(named.get(key) ?? []), topic]);
  }
  return named;
}

/** Topics by each stem in the last part of their name; if several share a stem, only the broadest ones. */
function groupTopicsByWord(paths: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  const depth = (topic: number) => paths[topic]!.split('>').length;
  for (const [topic, path] of paths.entries()) {
    if (path.startsWith('_')) continue;
    for (const word of toTopicKey(path.slice(path.lastIndexOf('>') + 1)).split(' ')) {
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

const toUint8 = (numbers: number[]): Uint8Array => Uint8Array.from(checkRange(numbers, 0xff));
const toUint16 = (numbers: number[]): Uint16Array => Uint16Array.from(checkRange(numbers, 0xffff));

/** Typed arrays truncate larger numbers silently. */
function checkRange(numbers: number[], most: number): number[] {
  const over = numbers.find((number) => number > most);
  if (over !== undefined)
    throw new Error(
      `The lexicon exceeds its file format: ${over} is above the maximum ${most}. Widen the array in compile.ts`,
    );
  return numbers;
}
