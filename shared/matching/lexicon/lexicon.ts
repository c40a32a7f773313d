import { LanguageDetector } from '../language/detector.ts';
import type { NgramTable } from '../language/ngrams.ts';
import { WordRulesTable } from '../language/word-rules.ts';
import type { SafetyWeights } from '../safety/classifier.ts';
import { type CompiledGrammar, type Grammar, loadGrammar } from '../safety/grammar.ts';
import { MESSAGE_START } from '../text/words.ts';
import { type IntentWords, IntentWordsTable } from './intent-words.ts';
import { PhraseGraph, type PhraseGraphParts, type SenseParts, Senses } from './phrase-graph.ts';
import { type FrequencyBands, toFrequencyBands } from './rarity.ts';
import { type SpellingParts, Spellings } from './spellings.ts';
import { loadTopics, type Topics } from './topics.ts';

/** The lexicon as the build writes it: loading it neither stems words nor builds a graph. */
export interface CompiledLexicon extends PhraseGraphParts, SenseParts, SpellingParts, NgramTable {
  /** Changes with the content; matching profiles carry it, because they refer to topics by number. */
  version: string;
  /** Stems by band of frequency in everyday English, the most common first, separated by spaces. */
  bands: string[];
  /** Paths by topic number. */
  topics: string[];
  /** Names of topics, folded, and the topics that have them. */
  topicsByName: [name: string, topics: number[]][];
  /** Stems of words that names of topics are made of, and the broadest topics named with them. */
  groupTopicsByWord: [stem: string, topics: number[]][];
  /** Stems that phrases are made of, by number, separated by spaces. */
  stems: string;
  /** By stem, how rare it is. */
  rarities: Float32Array;
  /** Of the stems that have one, which are the first, VECTOR_SIZE numbers each; words of like meaning have like vectors. */
  vectors: Int8Array;
  /** By language other than English, the words that people ask with. */
  asking: Readonly<Record<string, IntentWords>>;
  /** Rules that tell unsafe contexts. */
  safety: CompiledGrammar;
  /** Of the classifier of messages: its weights, and their scales. */
  safetyWeights: Int8Array;
  safetyScales: SafetyWeights['scales'];
}

/** Numbers of a word's vector. */
export const VECTOR_SIZE = 64;

/** How a phrase speaks of its topic: as the product, as the need for it, in passing, or as something else altogether. */
export const PHRASE_KINDS = ['names', 'want', 'words', 'not'] as const;
export type PhraseKind = (typeof PHRASE_KINDS)[number];
export const [NAMES, WANT, WORDS, NOT] = [0, 1, 2, 3] as const;

export interface Lexicon extends Topics {
  version: string;
  /** Topics by their folded name, whole ("travel travel type air travel") or last part ("air travel"). */
  topicsByName: Map<string, number[]>;
  /** The broadest topics that have a word in their name, by its stem. */
  topicsByWord: Map<string, number[]>;
  frequencyBands: FrequencyBands;
  /** Stems that phrases are made of, to their number in the graph. */
  vocabulary: Map<string, number>;
  /** By vocabulary number: how rare the word is, 0..1. */
  rarities: Float32Array;
  /** By vocabulary number, the word's vector, VECTOR_SIZE numbers each; words of higher number have none. */
  vectors: Int8Array;
  /** Number of the word that stands for the start of a message, -1 when no phrase has it. */
  messageStart: number;
  graph: PhraseGraph;
  /** By vocabulary number, the graph's node of phrases that begin with the word, or -1. */
  roots: Int32Array;
  senses: Senses;
  /** Phrases as the lexicon's texts write them, for explanations. */
  spellings: Spellings;
  /** Tells the language of texts, and how the words of one are read. */
  languageDetector: LanguageDetector;
  wordRules: WordRulesTable;
  /** How people ask in other languages than English. */
  intentWords: IntentWordsTable;
  /** Rules that tell unsafe contexts. */
  safety: Grammar;
  /** The classifier of messages: distress, unsafe, or ordinary. */
  safetyClassifier: SafetyWeights;
}

/** Builds the look-up tables of a compiled lexicon; some milliseconds, once per process. */
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
    topicsByWord: new Map(compiled.groupTopicsByWord),
    frequencyBands: bands,
    vocabulary,
    rarities: compiled.rarities,
    vectors: compiled.vectors,
    roots: graph.rootNodes(vocabulary.size),
    messageStart: vocabulary.get(MESSAGE_START) ?? -1,
    graph,
    senses,
    spellings: new Spellings(compiled, stems, graph, senses),
    languageDetector: new LanguageDetector(compiled, (word) => bands.has(word)),
    wordRules: new WordRulesTable(),
    intentWords: new IntentWordsTable(compiled.asking),
    safety: loadGrammar(compiled.safety),
    safetyClassifier: { scales: compiled.safetyScales, weights: compiled.safetyWeights },
  };
}
