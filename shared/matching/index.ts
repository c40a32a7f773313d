/**
 * Matches campaigns with conversations. The steps, one folder each:
 *
 * 1. text: splits messages into tokens, folds and stems them, and detects code.
 * 2. language: detects the language of a text, and stems its words accordingly.
 * 3. safety: detects unsafe contexts, by written rules and by a classifier.
 * 4. lexicon: finds phrases that mean a topic of the IAB Content Taxonomy, or an internal topic (small talk, tasks).
 * 5. reading: weighs the phrases by speaker, turn, negation, and need. The result is the evidence for each topic, and
 * whether the conversation is sensitive.
 * 6. inventory: an inverted index of campaigns: matching profiles, and posting lists by topic and by keyword term,
 * ordered by descending ceiling. A segment is the same index written as columns of numbers, which an instance loads
 * without building it again.
 * 7. ranking: walks the posting lists of the conversation's topics and terms, the strongest first, estimates each
 * campaign's relevance with a calibrated logistic regression, asks for its bid, and keeps the top k by bid x relevance.
 * Bounds on the score and on the number of steps end the walk early.
 *
 * A folder imports only from those above it; reading and inventory do not import each other. The rest of the code
 * imports only this file.
 */

// Writing and reading an index.
export { ColumnReader, type Columns, ColumnWriter, type Lengths } from './inventory/columns.ts';
// Fitting the relevance model.
export { DemandIndex } from './inventory/demand-index.ts';
export { OTHER_LANGUAGE } from './inventory/language-sets.ts';
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
export { DEFAULT_WORD_RULES } from './language/word-rules.ts';
// Compiling the lexicon (infra/lexicon).
export type { EnglishWords } from './lexicon/english-words.ts';
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
export { findTopicsByName, toTopicId, toTopicKey } from './lexicon/topics.ts';
export { addWordVector, normalize, VECTOR_LENGTH } from './lexicon/vectors.ts';
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
export { createRelatedPhrases } from './ranking/related-phrases.ts';
export {
  getContextFeatures,
  scoreKeywords,
  scoreTopic,
  toRelativeThreshold,
  toRelevance,
} from './ranking/relevance.ts';
export { type AdStrictness, RELEVANCE_MODEL } from './ranking/relevance-model.ts';
export { TermPositions } from './ranking/term-positions.ts';
export { ArrayPool } from './reading/arrays.ts';
export { type ConversationReading, readConversation } from './reading/read-conversation.ts';
export { findUnsafeContext, isSensitiveConversation } from './reading/sensitive.ts';
export type { TextRange } from './reading/token-locator.ts';
export type { Message } from './reading/tokens.ts';
export {
  readSafetyScores,
  SAFETY_CLASSES,
  SAFETY_COLUMNS,
  type SafetyClass,
  type SafetyScores,
  type SafetyWeights,
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
export { fingerprint } from './text/fingerprint.ts';
export { fold } from './text/fold.ts';
export { FEATURES, FIRST_OF_LETTERS, visitMessageFeatures } from './text/message-features.ts';
export {
  FIRST_KIND_LETTERS,
  KIND_FEATURES,
  type KindWeights,
  MESSAGE_KINDS,
  type MessageKind,
  QUESTION,
  readMessageKind,
  softmax,
  visitKindFeatures,
} from './text/message-kind.ts';
export { stem } from './text/stem.ts';
export { LETTERS_BY_SIGN } from './text/typing.ts';
export { DEFAULT_SPLITTING, MESSAGE_START, splitWords } from './text/words.ts';
