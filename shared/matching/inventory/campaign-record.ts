import type { Lexicon } from '../lexicon/lexicon.ts';
import { type MatchingProfile, parseKeywordStems } from './matching-profile.ts';
import type { KeywordBounds } from './posting-lists.ts';
import type { TermDictionary } from './term-dictionary.ts';

/**
 * Affinities are grouped into bands of equal width, which lets a search begin with the campaigns closest to a topic.
 */
export const AFFINITY_BANDS = 8;
const BAND_WIDTH = 10;
/** The largest affinity of a band. */
export const getBandAffinity = (band: number): number => (100 - BAND_WIDTH * band) / 100;
const toBand = (percent: number): number =>
  Math.max(0, Math.min(AFFINITY_BANDS - 1, Math.floor((100 - percent) / BAND_WIDTH)));

/** The bounds of a campaign in a topic's list. */
const NO_KEYWORDS: KeywordBounds = { length: 0, evidence: 0, keywords: 0 };

interface RecordNumbers {
  at(index: number): number;
}

/** The list of a topic's campaigns in one affinity band, see `getBandAffinity`. */
export const toTopicList = (topic: number, band: number): number => AFFINITY_BANDS * topic + band;

/** The list of campaigns whose meaning is nearest to this topic, see `findNearestTopic`. */
export const toMeaningList = (topic: number, { topics }: Lexicon): number => AFFINITY_BANDS * topics.length + topic;

/** The list of campaigns with a keyword whose rarest word is this term. */
export const toTermList = (term: number, { topics }: Lexicon): number => (AFFINITY_BANDS + 1) * topics.length + term;

/**
 * A keyword's header: its number of words, the index of its rarest word, and its keyword number minus the previous header's. The usual
 * difference of 1 is stored as 0, because a snapshot uses the width of the largest number for all.
 */
const WORD_BITS = 7;
const WORD_MASK = (1 << WORD_BITS) - 1;
const NEXT = 1;
const packHeader = (length: number, head: number, step: number): number =>
  ((step ^ NEXT) << (2 * WORD_BITS)) | (head << WORD_BITS) | length;
export const getKeywordLength = (header: number): number => header & WORD_MASK;
export const getHeadOffset = (header: number): number => (header >>> WORD_BITS) & WORD_MASK;
const getKeywordStep = (header: number): number => (header >>> (2 * WORD_BITS)) ^ NEXT;

/** The number, within its campaign, of the keyword whose terms begin at index `first`. The campaign's keywords begin at `at`. */
export function getKeywordNumber({ records }: { records: RecordNumbers }, at: number, first: number): number {
  let keyword = -1;
  for (let index = at + 1; index < first; index += 1 + getKeywordLength(records.at(index)))
    keyword += getKeywordStep(records.at(index));
  return keyword;
}

/**
 * Encodes a matching profile as numbers: [nearest topic + 1 or 0, number of topics, topic, percent, …, number of keyword phrases, header, term,
 * …, number of exclusions, length, term, …]. Adds its words to the dictionary.
 */
export function toCampaignRecord({ n, t, k, x }: MatchingProfile, terms: TermDictionary): number[] {
  const keywords = parseKeywordStems(k).flatMap((ways, keyword) =>
    ways.map((phrase) => ({ keyword, phrase: addTerms(phrase, terms) })),
  );
  const stepTo = (keyword: number, index: number) => keyword - (keywords[index - 1]?.keyword ?? -1);
  const excluded = x === '' ? [] : x.split('|').map((phrase) => addTerms(phrase, terms));
  return [
    n + 1,
    t.length / 2,
    ...t,
    keywords.length,
    ...keywords.flatMap(({ keyword, phrase }, index) => [
      packHeader(phrase.length, findRarest(phrase, terms), stepTo(keyword, index)),
      ...phrase,
    ]),
    excluded.length,
    ...excluded.flatMap((phrase) => [phrase.length, ...phrase]),
  ];
}

/** The posting lists of a record's campaign, with the bounds of its keywords in each. */
export function getPostingLists(
  { records, terms, lexicon }: { records: RecordNumbers; terms: TermDictionary; lexicon: Lexicon },
  start: number,
): Map<number, KeywordBounds> {
  const lists = new Map<number, KeywordBounds>();
  const nearest = records.at(start) - 1;
  if (nearest >= 0) lists.set(toMeaningList(nearest, lexicon), NO_KEYWORDS);
  let at = start + 1;
  for (let topics = records.at(at++); topics > 0; topics--, at += 2)
    lists.set(toTopicList(records.at(at), toBand(records.at(at + 1))), NO_KEYWORDS);
  const keywords = records.at(at++);
  for (let remaining = keywords; remaining > 0; remaining--) {
    const header = records.at(at);
    const length = getKeywordLength(header);
    const first = at + 1;
    const list = toTermList(records.at(first + getHeadOffset(header)), lexicon);
    const bounds = lists.get(list);
    lists.set(list, {
      length: Math.max(bounds?.length ?? 0, length),
      evidence: Math.max(bounds?.evidence ?? 0, getKeywordSalience({ records, terms }, first, length)),
      keywords,
    });
    at = first + length;
  }
  return lists;
}

/** The evidence of a keyword that was just said in full: 1 if its words are rare. */
export function getKeywordSalience(
  { records, terms }: { records: RecordNumbers; terms: TermDictionary },
  first: number,
  length: number,
): number {
  let absent = 1;
  for (let index = first; index < first + length; index++) {
    const rarity = terms.rarity(records.at(index));
    absent *= 1 - (length > 1 ? 0.25 + 0.75 * rarity : rarity);
  }
  return 1 - absent;
}

/** Adds a phrase's words to the dictionary. A keyword has at most 100 characters, so a header can count its words. */
const addTerms = (phrase: string, terms: TermDictionary): number[] =>
  phrase
    .split(' ')
    .slice(0, WORD_MASK)
    .map((stem) => terms.add(stem));

/** Index of a phrase's rarest word. If several are equally rare, the last one: in English usually the head noun. */
function findRarest(phrase: readonly number[], terms: TermDictionary): number {
  const rarities = phrase.map((term) => terms.rarity(term));
  return rarities.lastIndexOf(Math.max(...rarities));
}
