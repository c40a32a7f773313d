import type { Lexicon } from '../lexicon/lexicon.ts';
import { type MatchingProfile, parseKeywordStems } from './matching-profile.ts';
import type { KeywordBounds } from './posting-lists.ts';
import type { TermDictionary } from './term-dictionary.ts';

/** Bands of affinity, each as wide as the others: the campaigns that are closest to a topic are found first. */
export const AFFINITY_BANDS = 8;
const BAND_WIDTH = 10;
/** The largest affinity of a band. */
export const getBandAffinity = (band: number): number => (100 - BAND_WIDTH * band) / 100;
const toBand = (percent: number): number =>
  Math.max(0, Math.min(AFFINITY_BANDS - 1, Math.floor((100 - percent) / BAND_WIDTH)));

/** Of a campaign in the list of a topic, which no keyword has put there. */
const NO_KEYWORDS: KeywordBounds = { length: 0, evidence: 0, keywords: 0 };

/** Numbers of records by index. */
interface RecordNumbers {
  at(index: number): number;
}

/** The list of the campaigns of a topic whose affinity to it is in a band, see `bandAffinity`. */
export const toTopicList = (topic: number, band: number): number => AFFINITY_BANDS * topic + band;

/** The list of the campaigns one of whose keywords has a term as its rarest word. */
export const toTermList = (term: number, { topics }: Lexicon): number => AFFINITY_BANDS * topics.length + term;

/**
 * A keyword's header: how many words it has, which of them is its rarest, and how many keywords of its campaign it is on from the header
 * before. Mostly it is the next, which is written as 0, because a snapshot writes these numbers as wide as the widest.
 */
const WORD_BITS = 7;
const WORD_MASK = (1 << WORD_BITS) - 1;
const NEXT = 1;
const packHeader = (length: number, head: number, step: number): number =>
  ((step ^ NEXT) << (2 * WORD_BITS)) | (head << WORD_BITS) | length;
export const getKeywordLength = (header: number): number => header & WORD_MASK;
export const getHeadOffset = (header: number): number => (header >>> WORD_BITS) & WORD_MASK;
const getKeywordStep = (header: number): number => (header >>> (2 * WORD_BITS)) ^ NEXT;

/** Which of its campaign's keywords the one is whose terms begin at an index of the records; those of the campaign begin at `at`. */
export function getKeywordNumber({ records }: { records: RecordNumbers }, at: number, first: number): number {
  let keyword = -1;
  for (let index = at + 1; index < first; index += 1 + getKeywordLength(records.at(index)))
    keyword += getKeywordStep(records.at(index));
  return keyword;
}

/**
 * A matching profile as numbers: [topics, topic, percent, …, phrases of keywords, header, term, …, exclusions, length, term, …]. Its words
 * are added to the dictionary.
 */
export function toCampaignRecord({ t, k, x }: MatchingProfile, terms: TermDictionary): number[] {
  const keywords = parseKeywordStems(k).flatMap((ways, keyword) =>
    ways.map((phrase) => ({ keyword, phrase: addTerms(phrase, terms) })),
  );
  const stepTo = (keyword: number, index: number) => keyword - (keywords[index - 1]?.keyword ?? -1);
  const excluded = x === '' ? [] : x.split('|').map((phrase) => addTerms(phrase, terms));
  return [
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

/** Every list that the campaign of a record is in, each once, with what its keywords can score there. */
export function getPostingLists(
  { records, terms, lexicon }: { records: RecordNumbers; terms: TermDictionary; lexicon: Lexicon },
  start: number,
): Map<number, KeywordBounds> {
  const lists = new Map<number, KeywordBounds>();
  let at = start;
  for (let topics = records.at(at++); topics > 0; topics--, at += 2)
    lists.set(toTopicList(records.at(at), toBand(records.at(at + 1))), NO_KEYWORDS);
  const keywords = records.at(at++);
  for (let left = keywords; left > 0; left--) {
    const header = records.at(at);
    const length = getKeywordLength(header);
    const first = at + 1;
    const list = toTermList(records.at(first + getHeadOffset(header)), lexicon);
    const known = lists.get(list);
    lists.set(list, {
      length: Math.max(known?.length ?? 0, length),
      evidence: Math.max(known?.evidence ?? 0, getKeywordSalience({ records, terms }, first, length)),
      keywords,
    });
    at = first + length;
  }
  return lists;
}

/** The evidence that a keyword is when it was said whole just now: 1 when its words are rare. */
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

/** A phrase's words; more than a header can count are in no keyword of 100 characters. */
const addTerms = (phrase: string, terms: TermDictionary): number[] =>
  phrase
    .split(' ')
    .slice(0, WORD_MASK)
    .map((stem) => terms.add(stem));

/** Position of a phrase's rarest word, the last of equals: in English the noun that it is about. */
function findRarest(phrase: readonly number[], terms: TermDictionary): number {
  const rarities = phrase.map((term) => terms.rarity(term));
  return rarities.lastIndexOf(Math.max(...rarities));
}
