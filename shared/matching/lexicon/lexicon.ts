import { LanguageDetector } from '../language/detector.ts';
import type { NgramTable } from '../language/ngrams.ts';
import { WordRulesTable } from '../language/word-rules.ts';
import type { SafetyWeights } from '../safety/classifier.ts';
import { type CompiledGrammar, type Grammar, loadGrammar } from '../safety/grammar.ts';
import type { KindWeights } from '../text/message-kind.ts';
import { MESSAGE_START } from '../text/words.ts';
import type { EnglishWords } from './english-words.ts';
import { type IntentWords, IntentWordsTable } from './intent-words.ts';
import { PhraseGraph, type PhraseGraphParts, type SenseParts, Senses } from './phrase-graph.ts';
import { type FrequencyBands, toFrequencyBands } from './rarity.ts';
import { type SpellingParts, Spellings } from './spellings.ts';
import { loadTopics, type Topics } from './topics.ts';

/** The lexicon as the build writes it. Loading it neither stems words nor builds a graph. */
export interface CompiledLexicon extends PhraseGraphParts, SenseParts, SpellingParts, NgramTable {
  /** Changes with the content. Matching profiles carry it, because they refer to topics by number. */
  version: string;
  /** Stems by frequency band in everyday English, the most common first, separated by spaces. */
  bands: string[];
  /** Paths by topic number. */
  topics: string[];
  /** Folded names of topics, and the topics that have them. */
  topicsByName: [name: string, topics: number[]][];
  /** Stems of words in topic names, and the broadest topics whose names contain them. */
  topicsByWord: [stem: string, topics: number[]][];
  /** The stems of phrases by vocabulary number, separated by spaces. */
  stems: string;
  /** By stem, its rarity from 0 to 1. */
  rarities: Float32Array;
  /**
   * Word vectors, VECTOR_SIZE numbers each, for the first stems of the vocabulary. Words of similar meaning have
   * similar vectors.
   */
  vectors: Int8Array;
  /** By topic, the vector of its names; zeros for internal and sensitive topics. */
  topicVectors: Int8Array;
  /** The words for wishes, purchases, facts, and chores of each language except English. */
  asking: Readonly<Record<string, IntentWords>>;
  /** The words for these and other intents in English. */
  englishAsking: EnglishWords;
  /** Rules that detect unsafe contexts. */
  safety: CompiledGrammar;
  /** Weights and scales of the classifier of messages. */
  safetyWeights: Int8Array;
  safetyScales: SafetyWeights['scales'];
  /** The classifier of kinds of messages. */
  kindWeights: Int8Array;
  kindScales: Omit<KindWeights, 'weights'>;
}

/** Length of a word vector. */
export const VECTOR_SIZE = 64;

/** How a phrase relates to its topic: the product, the need for it, a passing mention, or a different meaning. */
export const PHRASE_KINDS = ['names', 'want', 'words', 'not'] as const;
export type PhraseKind = (typeof PHRASE_KINDS)[number];
export const [NAMES, WANT, WORDS, NOT] = [0, 1, 2, 3] as const;

export interface Lexicon extends Topics {
  version: string;
  /** Topics by folded name, whole ("travel travel type air travel") or last part ("air travel"). */
  topicsByName: Map<string, number[]>;
  /** The broadest topics whose names contain each stem. */
  topicsByWord: Map<string, number[]>;
  frequencyBands: FrequencyBands;
  /** Maps stems of phrases to their number in the graph. */
  vocabulary: Map<string, number>;
  /** By vocabulary number, the rarity of the word, from 0 to 1. */
  rarities: Float32Array;
  /** Word vectors by vocabulary number, VECTOR_SIZE numbers each. Words with higher numbers have none. */
  vectors: Int8Array;
  /** By topic, VECTOR_SIZE numbers. As floats, because a match compares itself with all of them. */
  topicVectors: Float32Array;
  /** Number of the token for the start of a message, or -1 if no phrase has it. */
  messageStart: number;
  graph: PhraseGraph;
  /** By vocabulary number, the graph node of phrases that begin with the word, or -1. */
  roots: Int32Array;
  senses: Senses;
  /** The spellings of phrases in the lexicon's texts, for explanations. */
  spellings: Spellings;
  languageDetector: LanguageDetector;
  wordRules: WordRulesTable;
  /** Words of wishes, purchases, facts, and chores. */
  intentWords: IntentWordsTable;
  /** Rules that detect unsafe contexts. */
  safety: Grammar;
  /** The classifier of messages: distress, unsafe, condolence. */
  safetyClassifier: SafetyWeights;
  kindClassifier: KindWeights;
}

/** Builds the lookup tables of a compiled lexicon. Takes some milliseconds, once per process. */
export function loadLexicon(compiled: CompiledLexicon): Lexicon {
  const vocabulary = new Map<string, number>();
  const stems = compiled.stems.split(' ');
  for (const stem of stems) vocabulary.set(stem, vocabulary.size);
  const graph = new PhraseGraph(compiled);
  const senses = new Senses(compiled);
  const bands = toFrequencyBands(compiled.bands);
  return {
    ...loadTopics(compiled.topics),
    version: compiled.version,
    topicsByName: new Map(compiled.topicsByName),
    topicsByWord: new Map(compiled.topicsByWord),
    frequencyBands: bands,
    vocabulary,
    rarities: compiled.rarities,
    vectors: compiled.vectors,
    topicVectors: Float32Array.from(compiled.topicVectors),
    roots: graph.rootNodes(vocabulary.size),
    messageStart: vocabulary.get(MESSAGE_START) ?? -1,
    graph,
    senses,
    spellings: new Spellings(compiled, stems, graph, senses),
    languageDetector: new LanguageDetector(compiled, (word) => bands.has(word)),
    wordRules: new WordRulesTable(),
    intentWords: new IntentWordsTable(compiled.asking, compiled.englishAsking),
    safety: loadGrammar(compiled.safety),
    safetyClassifier: { scales: compiled.safetyScales, weights: compiled.safetyWeights },
    kindClassifier: { ...compiled.kindScales, weights: compiled.kindWeights },
  };
}
