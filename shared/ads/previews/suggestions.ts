import { createHash } from 'node:crypto';
import type { Configuration } from '../../campaigns/campaign.ts';
import { toMatchingProfile } from '../../campaigns/matching-profile.ts';
import { createRelatedPhrases, type Lexicon, MatchIndex, type MatchingProfile } from '../../matching/index.ts';
import { remember } from '../../platform/values/cache.ts';
import { type groupNeighbours, toStems } from './neighbours.ts';
import { getEnglishTexts } from './sample.ts';

/** Phrases of the lexicon to choose from. */
const MAX_RELATED = 200;
/** Neighbors to choose from. */
const MAX_NEIGHBOURS = 30;
/** Phrases whose reach is measured. */
const MAX_MEASURED = 16;
const MAX_SUGGESTED = 10;
const MAX_REMEMBERED = 500;

/** Scores of the neighbors of a keyword, and of a product that only the ad's texts name. The closest phrase has 1. */
const NEIGHBOUR_SCORES = { keyword: 1.05, text: 1 };
/** For a phrase that names the same thing as a keyword: "dog food" for "puppy food", but not "puppy school". */
const SAME_THING_BONUS = 0.1;
/** Subtracted from a phrase of the topic that shares no word with the ad ("stroller" for a baby monitor). */
const OTHER_THING_MALUS = 0.2;
/** Subtracted from a phrase whose words better phrases have too. */
const MAX_REPETITION = 0.45;
const MIN_SCORE = 0.5;
/** Added for the widest reach. */
const REACH_BONUS = 0.2;
/** Words in the longest product name to look for in the ad's texts. */
const MAX_NAME_WORDS = 3;

/** Words of asking, which add nothing to a keyword ("find a vet"). */
const ASKING = new Set(
  toStems('find recommend buy best suggest decent need hire afford worth hate under someone lost kind'),
);

interface Phrase {
  text: string;
  stems: readonly string[];
  score: number;
}

export interface Suggestion {
  keyword: string;
  /** Reached by this keyword alone, in the sample. */
  conversations: number;
}

/**
 * Suggests keywords for an English campaign: curated neighbors, and phrases of the lexicon that mean the campaign's topics, the closest
 * first. Phrases consist of everyday words and words of the sample, which leaves out most brands.
 *
 * @param toKeywordProfile returns the profile of an English campaign that has only this keyword
 */
export function createSuggestions(
  lexicon: Lexicon,
  neighbours: ReturnType<typeof groupNeighbours>,
  toKeywordProfile: (keyword: string) => MatchingProfile,
) {
  const texts = [...getEnglishTexts(), ...[...neighbours].flat(2)];
  const knownStems = new Set([...lexicon.frequencyBands.keys(), ...texts.flatMap(toStems)]);
  const findRelated = createRelatedPhrases(lexicon, knownStems);
  const withoutCampaigns = new MatchIndex(lexicon);
  const known = new Map<string, Phrase[]>();

  const isSensitive = (content: string): boolean =>
    withoutCampaigns.match([{ role: 'user', content }], { bid: () => 0 }).noBid === 'sensitive_context';

  /**
   * Neighbors of the keywords, and of products that the texts name if they share a topic with the campaign. A product of one word counts only
   * if there is no other: it may be an aside ("a walker your dog will love").
   */
  function findNeighbours(
    keywords: readonly string[],
    texts: readonly string[],
    topics: ReadonlySet<number>,
  ): Phrase[] {
    const found = new Map<string, number>();
    const add = (name: readonly string[], score: number) => {
      for (const text of neighbours.get(name.join(' ')) ?? []) if (!found.has(text)) found.set(text, score);
    };
    const addNames = (length: number) => {
      for (const words of texts.map(toStems))
        for (let from = 0; from + length <= words.length; from++)
          add(words.slice(from, from + length), NEIGHBOUR_SCORES.text);
    };
    for (const keyword of keywords) add(toStems(keyword), NEIGHBOUR_SCORES.keyword);
    for (let length = MAX_NAME_WORDS; length > 1; length--) addNames(length);
    if (found.size === 0) addNames(1);
    return [...found].slice(0, MAX_NEIGHBOURS).flatMap(([text, score]) => {
      const own = getTopics(toKeywordProfile(text));
      const isRelated = score === NEIGHBOUR_SCORES.keyword ? own.length > 0 : own.some((topic) => topics.has(topic));
      return isRelated ? [{ text, stems: toStems(text), score }] : [];
    });
  }

  function findPhrases({ name, targetAudience, creative }: Configuration): Phrase[] {
    const { keywords, excludedKeywords } = targetAudience;
    // The name says what is sold, and the call to action mostly "Shop now".
    const profile = toMatchingProfile({ targetAudience, creative: { ...creative, callToAction: name } }, lexicon);
    const related = findRelated(profile, MAX_RELATED);
    const closest = related[0]?.closeness || 1;
    const texts = [creative.headline, creative.description, name];
    const ownWords = new Set([...keywords, ...texts].flatMap(toStems));
    const all = [
      ...findNeighbours(keywords, texts, new Set(getTopics(profile))),
      ...related.map(({ text, stems, closeness }) => {
        const malus = stems.some((word) => ownWords.has(word)) ? 0 : OTHER_THING_MALUS;
        return { text, stems, score: closeness / closest - malus };
      }),
    ];
    const own = keywords.map((keyword) => new Set(toStems(keyword)));
    const excluded = excludedKeywords.map(toStems);
    const heads = new Set(keywords.map((keyword) => toStems(keyword).at(-1)));
    const useful = all.filter(
      ({ stems }) =>
        !stems.some((word) => ASKING.has(word)) &&
        stems.at(-1) !== 'for' &&
        // Neither a keyword nor broader than one.
        !own.some((words) => stems.every((word) => words.has(word))) &&
        !excluded.some((words) => words.every((word) => stems.includes(word))),
    );
    const scored = useful.map((phrase) => ({
      ...phrase,
      score: phrase.score + (heads.has(phrase.stems.at(-1)) ? SAME_THING_BONUS : 0),
    }));
    return chooseVaried(scored, MAX_MEASURED).filter(({ text }) => !isSensitive(text));
  }

  /** The phrases to measure. */
  const find = (campaign: Configuration): Phrase[] => {
    const { name, targetAudience, creative } = campaign;
    const key = createHash('sha256')
      .update(JSON.stringify([name, targetAudience, creative]))
      .digest('base64');
    const phrases = known.get(key) ?? findPhrases(campaign);
    remember(known, key, phrases, MAX_REMEMBERED);
    return phrases;
  };

  /** The most useful phrases, given how many conversations each reaches. */
  function rank(phrases: readonly Phrase[], reached: readonly number[]): Suggestion[] {
    const widest = Math.log1p(Math.max(1, ...reached));
    return phrases
      .map(({ text, stems, score }, at) => {
        const conversations = reached[at]!;
        return { text, stems, conversations, score: score + (REACH_BONUS * Math.log1p(conversations)) / widest };
      })
      .filter(({ stems, conversations }) => conversations > 0 || stems.length > 1)
      .sort((one, other) => other.score - one.score)
      .slice(0, MAX_SUGGESTED)
      .map(({ text, conversations }) => ({ keyword: text, conversations }));
  }

  return { find, rank };
}

const getTopics = ({ t }: MatchingProfile): number[] => t.filter((_, at) => at % 2 === 0);

/** The best phrases, such that each says something new. The more of its words a better one has, the lower is its score. */
function chooseVaried(phrases: readonly Phrase[], count: number): Phrase[] {
  const chosen: Phrase[] = [];
  let left = phrases.map((phrase) => ({ phrase, score: phrase.score }));
  while (chosen.length < count && left.length > 0) {
    const best = left.reduce((one, other) => (other.score > one.score ? other : one));
    if (best.score < MIN_SCORE) break;
    const { stems } = best.phrase;
    chosen.push({ ...best.phrase, score: best.score });
    left = left.flatMap(({ phrase, score }) => {
      const shared = phrase.stems.filter((word) => stems.includes(word)).length;
      const repetition = shared / Math.max(phrase.stems.length, stems.length);
      return repetition === 1 ? [] : [{ phrase, score: Math.min(score, phrase.score - MAX_REPETITION * repetition) }];
    });
  }
  return chosen;
}
