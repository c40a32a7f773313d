import { canonicalLanguage } from '../language/detector.ts';
import { DEFAULT_WORD_RULES, type WordRules } from '../language/word-rules.ts';
import { type Lexicon, NAMES, WANT } from '../lexicon/lexicon.ts';
import { findPhrases } from '../lexicon/phrases.ts';
import { toTopicKey } from '../lexicon/topics.ts';
import { findNearestTopic } from '../lexicon/vectors.ts';
import { splitWords } from '../text/words.ts';
import { buildCampaignVector, encodeVector } from './campaign-vectors.ts';

/** The advertiser's texts: everything about a campaign that matching sees. */
export interface Audience {
  keywords: string[];
  excludedKeywords: string[];
  interests: string[];
  /** IAB Content Taxonomy names. */
  categories: string[];
  headline: string;
  description: string;
  callToAction: string;
  /** ISO 639-1. If empty, the language is detected from the texts. */
  languages: readonly string[];
}

/**
 * What matching stores of a campaign: its keywords as stems, and its topics. Stored with the campaign as the attribute
 * `placement`; JSON-safe, a few hundred bytes.
 */
export interface MatchingProfile {
  /** Version of the lexicon that the topic numbers refer to. A profile of another version must be rebuilt. */
  v: string;
  /**
   * Keywords as stems, 'cheap flight|airlin ticket', one part per keyword in the campaign's order. A keyword that
   * languages stem differently has several variants, 'flug/flight'. A part is empty if an earlier keyword has the same
   * stems.
   */
  k: string;
  /** Excluded keywords as stems, 'hostel|night train'. */
  x: string;
  /** The topic whose meaning is nearest, or -1: see `findNearestTopic`. */
  n: number;
  /** Topic numbers and affinities in percent, the strongest first: [12, 100, 7, 45]. */
  t: number[];
  /** The campaign's languages, 'de en'; empty if they are unknown. */
  l: string;
  /** The vector of its texts, in base64; empty if there is none. */
  w: string;
}

/** Increment it when profiles are built differently: stored profiles are then rebuilt. */
export const PROFILE_FORMAT = 6;

const MAX_TOPICS = 6;
/** Minimum affinity, relative to the strongest. */
const MIN_AFFINITY = 0.2;
/** For a topic that keywords do not name. */
const UNNAMED_WEIGHT = 0.4;
/** Minimum affinity to a topic that a single keyword names, relative to the strongest. */
const MIN_KEYWORD_AFFINITY = 0.6;
/** For an interest as broad as "Travel". */
const BROAD_INTEREST_WEIGHT = 0.4;
/** For a keyword that is a word of a topic's name. */
const WORD_OF_NAME_WEIGHT = 0.6;
/** For words of the creative. */
const CREATIVE_WEIGHT = 0.3;

/**
 * Up to this total length, keywords are also stored as stems of a guessed language. Longer lists would double in size, and their language is
 * clear anyway.
 */
const MAX_GUESSED_LENGTH = 300;

export function buildMatchingProfile(audience: Audience, lexicon: Lexicon): MatchingProfile {
  const { languages, rules } = getLanguages(audience, lexicon);
  const [mainRules] = rules;
  const affinity = new Map<number, number>();
  const add = (topic: number, weight: number) => affinity.set(topic, (affinity.get(topic) ?? 0) + weight);
  /** By topic, the weight of its strongest keyword. */
  const strongest = new Map<number, number>();
  for (const keyword of audience.keywords)
    for (const [topic, weight] of findTopicsOfKeyword(keyword, mainRules, lexicon)) {
      add(topic, weight);
      strongest.set(topic, Math.max(strongest.get(topic) ?? 0, weight));
    }
  // Keywords say what is sold. Interests may say who buys it (nightclubs, for a taxi), and a headline may be a play on
  // words: both count in full only for topics that the keywords also name, or if keywords name none.
  const namedTopics = new Set(affinity.keys());
  const getTrust = (topic: number) => (namedTopics.size === 0 || namedTopics.has(topic) ? 1 : UNNAMED_WEIGHT);
  for (const name of [...audience.interests, ...audience.categories]) {
    const topics = lexicon.topicsByName.get(toTopicKey(name)) ?? [];
    for (const topic of topics) {
      const isBroad = lexicon.ancestors[topic]?.length === 0;
      add(topic, (isBroad ? BROAD_INTEREST_WEIGHT : 1) * getTrust(topic));
    }
    if (topics.length === 0)
      for (const [topic, weight] of findTopics(splitWords(name, DEFAULT_WORD_RULES), DEFAULT_WORD_RULES, lexicon))
        add(topic, 0.5 * weight * getTrust(topic));
  }
  for (const text of [audience.headline, audience.description, audience.callToAction])
    for (const [topic, weight] of findTopics(splitWords(text, mainRules), mainRules, lexicon))
      add(topic, CREATIVE_WEIGHT * weight * getTrust(topic));

  const best = Math.max(...affinity.values(), 0.5);
  // An advertiser with ten keywords for shoes and one for bags also sells bags.
  for (const [topic, weight] of strongest)
    affinity.set(topic, Math.max(affinity.get(topic) ?? 0, MIN_KEYWORD_AFFINITY * weight * best));
  const kept = [...affinity]
    .filter(([topic, weight]) => !lexicon.isInternal[topic] && weight / best >= MIN_AFFINITY)
    .sort(([a, one], [b, other]) => other - one || a - b)
    .slice(0, MAX_TOPICS);
  const vector = buildCampaignVector(audience, mainRules, lexicon);
  return {
    v: lexicon.version,
    k: stemPhrases(audience.keywords, rules)
      .map((variants) => variants.join('/'))
      .join('|')
      .replace(/\|+$/, ''),
    x: stemPhrases(audience.excludedKeywords, rules).flat().join('|'),
    t: kept.flatMap(([topic, weight]) => [topic, Math.round((100 * weight) / best)]),
    l: languages.join(' '),
    n: findNearestTopic(vector, lexicon),
    w: encodeVector(vector),
  };
}

/** The languages of an audience, and their word rules. If the language is unknown, the default rules apply. */
function getLanguages(
  { languages, keywords, headline, description, callToAction }: Audience,
  { languageDetector, wordRules }: Lexicon,
): { languages: string[]; rules: [WordRules, ...WordRules[]] } {
  const detected =
    languages.length > 0
      ? [...new Set(languages.map(canonicalLanguage))].map((code) => ({ code, isSure: true }))
      : [languageDetector.detect([headline, description, callToAction, ...keywords].join('\n'))];
  const [first = DEFAULT_WORD_RULES, ...others] = new Set(detected.map((language) => wordRules.get(language)));
  return {
    languages: detected.filter(({ isSure }) => isSure).map(({ code }) => code),
    rules: [cacheForms(first), ...others.map(cacheForms)],
  };
}

/** Caches the forms of words: two lists of keywords may have ten thousand words, each looked up several times. */
function cacheForms(rules: WordRules): WordRules {
  const seen = new Map<string, ReturnType<WordRules['getForms']>>();
  return {
    ...rules,
    getForms(word) {
      const found = seen.get(word) ?? rules.getForms(word);
      seen.set(word, found);
      return found;
    },
  };
}

/**
 * The topics of a keyword's phrases, and topics named by the whole keyword if it has several words ("home security"). A single word without
 * topics gets the topics whose names contain it ("electronics", "gaming").
 */
function findTopicsOfKeyword(keyword: string, rules: WordRules, lexicon: Lexicon): Map<number, number> {
  const keywordWords = splitWords(keyword, rules);
  const found = findTopics(keywordWords, rules, lexicon);
  const [first, ...others] = keywordWords.map(({ word }) => rules.getForms(word));
  if (others.length > 0) {
    const strongest = Math.max(0, ...found.values()) || 1;
    for (const topic of lexicon.topicsByName.get(toTopicKey(keyword)) ?? []) found.set(topic, strongest);
    return found;
  }
  const isNamed = [...found].some(([topic, weight]) => weight >= MIN_AFFINITY && !lexicon.isInternal[topic]);
  if (isNamed || !first || first.isFunctionWord) return found;
  return new Map((lexicon.topicsByWord.get(first.plain) ?? []).map((topic) => [topic, WORD_OF_NAME_WEIGHT]));
}

/**
 * The topics of a text, each with the weight of its strongest phrase: 1 if the phrase is the whole text, less for a
 * part.
 */
function findTopics(found: ReturnType<typeof splitWords>, rules: WordRules, lexicon: Lexicon): Map<number, number> {
  const stems = found.map(({ word }) => {
    const { plain, isFunctionWord } = rules.getForms(word);
    return isFunctionWord ? '' : plain;
  });
  const wordNumbers = Int32Array.from(stems, (word) => lexicon.vocabulary.get(word) ?? -1);
  const positions = Int32Array.from(found, ({ position }) => position);
  const hits = findPhrases({ wordNumbers, positions }, lexicon);
  const strongest = new Map<number, number>();
  for (const { topic, kind, weight, from, to } of hits) {
    const part = (to - from + 1) / stems.length;
    const value = (kind === NAMES ? 1 : kind === WANT ? 0.9 : 0.5) * weight * Math.sqrt(part);
    if (value > (strongest.get(topic) ?? 0)) strongest.set(topic, value);
  }
  return strongest;
}

/** Whether `wanted` contains one of a campaign's topics or their ancestors. */
export const hasAnyTopic = ({ t }: MatchingProfile, wanted: ReadonlySet<number>, { ancestors }: Lexicon): boolean =>
  t.some((topic, i) => i % 2 === 0 && (wanted.has(topic) || ancestors[topic]?.some((above) => wanted.has(above))));

/** The stems of each keyword in each language. Duplicate stems are kept only for the first keyword. */
function stemPhrases(keywords: string[], rules: readonly WordRules[]): string[][] {
  const isLong = keywords.join().length > MAX_GUESSED_LENGTH;
  const variants = (one: WordRules) => (isLong ? 1 : one.stemsPerKeyword);
  const seen = new Set(['']);
  return keywords.map((keyword) =>
    rules
      .flatMap((one) => stemPhrase(keyword, one, variants(one)))
      .filter((phrase) => !seen.has(phrase) && seen.add(phrase)),
  );
}

/** Parses the variants of each keyword in a profile's `k`. */
export const parseKeywordStems = (k: string): string[][] =>
  k.split('|').map((variants) => variants.split('/').filter(Boolean));

/** Up to `variants` stemmed forms of a keyword. Function words are left out unless there are no others. */
function stemPhrase(keyword: string, rules: WordRules, variants: number): string[] {
  const forms = splitWords(keyword, rules).map(({ word }) => rules.getForms(word));
  const content = forms.filter(({ isFunctionWord }) => !isFunctionWord);
  const kept = content.length > 0 ? content : forms;
  return Array.from({ length: variants }, (_, way) => kept.map(({ stems }) => stems[way] ?? stems[0]).join(' '));
}
