/**
 * Matching of campaigns with a conversation. How a match goes:
 *
 *  1. text       cuts messages into tokens, folds and stems them, and tells code from speech.
 *  2. language   tells the language of a text, and stems its words by it.
 *  3. safety     tells unsafe contexts by rules: verbs of harm with their objects, and the like.
 *  4. lexicon    finds phrases that mean a topic of the IAB Content Taxonomy, or one that is sold by nobody (small talk, tasks).
 *  5. reading    weighs them by speaker, dialogue turn, negation and need: evidence for each topic; whether the place is sensitive.
 *  6. inventory  holds campaigns as an inverted index: matching profile, posting lists by topic and by keyword term, the highest
 *                ceiling first. Written as a segment, columns of numbers, it need not be built again by who reads it.
 *  7. ranking    walks the posting lists of the conversation's topics and terms, the strongest first, estimates the relevance of each
 *                campaign by a calibrated logistic regression, asks for its bid, and keeps the top k by bid x relevance. Bounds on
 *                score and steps end the walk early.
 *
 * Each room imports from those before it only (reading and inventory know nothing of each other); others import this file alone.
 */

// What an index is written as and read from.
export { ColumnReader, type Columns, ColumnWriter, type Lengths } from './inventory/columns.ts';
// What the relevance model is fitted with.
export { DemandIndex } from './inventory/demand-index.ts';
export { OTHER_LANGUAGE as OTHER } from './inventory/language-sets.ts';
export {
  type Audience,
  buildMatchingProfile,
  hasAnyTopic,
  type MatchingProfile,
  PROFILE_FORMAT,
} from './inventory/matching-profile.ts';
export { INDEX_SHAPE, type IndexColumns } from './inventory/segment.ts';
export { SegmentWriter } from './inventory/segment-writer.ts';
export { buildHashTable, encodeText, Texts, TextTable } from './inventory/text-table.ts';
export { canonicalLanguage } from './language/detector.ts';
export { hashNgram, type NgramTable } from './language/ngrams.ts';
// What the build compiles the lexicon with (infra/lexicon).
export type { IntentWords } from './lexicon/intent-words.ts';
export {
  type CompiledLexicon,
  type Lexicon,
  loadLexicon,
  PHRASE_KINDS,
  type PhraseKind,
  VECTOR_SIZE,
} from './lexicon/lexicon.ts';
export { packLexicon, unpackLexicon } from './lexicon/lexicon-file.ts';
export {
  buildArcFilter,
  PhraseGraph,
  type PhraseGraphParts,
  packSense,
  type SenseParts,
  Senses,
} from './lexicon/phrase-graph.ts';
export { type FrequencyBands, getRarity, toFrequencyBands } from './lexicon/rarity.ts';
export {
  countPhrases,
  MAX_FORMS,
  PhraseNumbers,
  packSpelling,
  type SpellingParts,
} from './lexicon/spellings.ts';
export { findTopicsByName, toTopicKey } from './lexicon/topics.ts';
export { WordCache } from './lexicon/word-cache.ts';
export type { MatchedTerm } from './ranking/explain.ts';
export { getCampaignFeatures, KeywordMatcher } from './ranking/keyword-matcher.ts';
export {
  isCampaignIndependent,
  type MatchCandidate,
  MatchIndex,
  type MatchOptions,
  type MatchResult,
} from './ranking/match-index.ts';
export {
  getContextFeatures,
  scoreKeywords,
  scoreTopic,
  toRelativeThreshold,
  toRelevance,
} from './ranking/relevance.ts';
export { RELEVANCE_MODEL } from './ranking/relevance-model.ts';
export { TermPositions } from './ranking/term-positions.ts';
export { ArrayPool } from './reading/arrays.ts';
export { type ConversationReading, readConversation } from './reading/read-conversation.ts';
export { findUnsafeContext, isSensitiveConversation } from './reading/sensitive.ts';
export type { TextRange } from './reading/token-locator.ts';
export type { Message } from './reading/tokens.ts';
export {
  FEATURES,
  FIRST_OF_LETTERS,
  readSafetyScores,
  SAFETY_CLASSES,
  SAFETY_COLUMNS,
  type SafetyClass,
  type SafetyScores,
  type SafetyWeights,
  visitFeatures,
  WINDOW,
} from './safety/classifier.ts';
export { findHarms } from './safety/find-harms.ts';
export {
  type CompiledGrammar,
  HARMLESS,
  type Harm,
  NAME,
  POSSESSOR,
  type Rule,
  type RuleStep,
} from './safety/grammar.ts';
export { LETTERS_BY_SIGN } from './safety/typing.ts';
export { fingerprint } from './text/fingerprint.ts';
export { fold } from './text/fold.ts';
export { stem } from './text/stem.ts';
export { DEFAULT_SPLITTING, MESSAGE_START, splitWords } from './text/words.ts';
