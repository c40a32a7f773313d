import { type Lexicon, NAMES, WANT } from '../lexicon/lexicon.ts';
import { findPhrases } from '../lexicon/phrases.ts';
import { topicKey } from '../lexicon/topics.ts';
import { stem } from '../text/stem.ts';
import { words } from '../text/words.ts';

/** The advertiser's own words; nothing else about a campaign reaches matching. */
export interface Audience {
  keywords: string[];
  excludedKeywords: string[];
  interests: string[];
  /** IAB Content Taxonomy names. */
  categories: string[];
  headline: string;
  description: string;
  callToAction: string;
}

/**
 * What matching keeps of a campaign: its keywords as stems, and its topics. Stored with the campaign as the attribute `placement`;
 * JSON-safe, a few hundred bytes.
 */
export interface MatchingProfile {
  /** The lexicon's version, whose topic numbers these are. A profile of another version must be made again. */
  v: string;
  /** Keywords as stems, 'cheap flight|airlin ticket'. */
  k: string;
  /** Excluded keywords, alike. */
  x: string;
  /** Topic numbers and affinities in percent, strongest first: [12, 100, 7, 45]. */
  t: number[];
}

/** Most topics a profile keeps. */
const MOST_TOPICS = 6;
/** Least affinity kept, relative to the strongest. */
const LEAST_AFFINITY = 0.2;
/** For a topic that keywords do not name. */
const UNNAMED_WEIGHT = 0.4;
/** Least affinity to what one keyword alone names, relative to the strongest. */
const LEAST_KEYWORD_AFFINITY = 0.6;
/** For an interest as broad as "Travel". */
const BROAD_INTEREST_WEIGHT = 0.4;
/** For words of the creative. */
const CREATIVE_WEIGHT = 0.3;

export function matchingProfile(audience: Audience, lexicon: Lexicon): MatchingProfile {
  const affinity = new Map<number, number>();
  const add = (topic: number, weight: number) => affinity.set(topic, (affinity.get(topic) ?? 0) + weight);
  /** By topic, the weight of the keyword that speaks of it most. */
  const strongest = new Map<number, number>();
  for (const keyword of audience.keywords)
    for (const [topic, weight] of topicsOfText(keyword, lexicon)) {
      add(topic, weight);
      strongest.set(topic, Math.max(strongest.get(topic) ?? 0, weight));
    }
  // Keywords say what is sold. Interests may say who buys it (nightclubs, for a taxi), and a headline is a play on
  // words: both count in full only for what the keywords name too, or where they name nothing.
  const named = new Set(affinity.keys());
  const trust = (topic: number) => (named.size === 0 || named.has(topic) ? 1 : UNNAMED_WEIGHT);
  for (const name of [...audience.interests, ...audience.categories]) {
    const topics = lexicon.topicsByName.get(topicKey(name)) ?? [];
    for (const topic of topics) {
      const isBroad = lexicon.ancestors[topic]?.length === 0;
      add(topic, (isBroad ? BROAD_INTEREST_WEIGHT : 1) * trust(topic));
    }
    if (topics.length === 0)
      for (const [topic, weight] of topicsOfText(name, lexicon)) add(topic, 0.5 * weight * trust(topic));
  }
  for (const text of [audience.headline, audience.description, audience.callToAction])
    for (const [topic, weight] of topicsOfText(text, lexicon)) add(topic, CREATIVE_WEIGHT * weight * trust(topic));

  const best = Math.max(...affinity.values(), 0.5);
  // Who sells ten kinds of shoes and one of bags sells bags.
  for (const [topic, weight] of strongest)
    affinity.set(topic, Math.max(affinity.get(topic) ?? 0, LEAST_KEYWORD_AFFINITY * weight * best));
  const kept = [...affinity]
    .filter(([topic, weight]) => !lexicon.isInternal[topic] && weight / best >= LEAST_AFFINITY)
    .sort(([a, one], [b, other]) => other - one || a - b)
    .slice(0, MOST_TOPICS);
  return {
    v: lexicon.version,
    k: stemPhrases(audience.keywords),
    x: stemPhrases(audience.excludedKeywords),
    t: kept.flatMap(([topic, weight]) => [topic, Math.round((100 * weight) / best)]),
  };
}

/** Topics that a text speaks of, each by its strongest phrase: 1 when that phrase is all of the text, less for a part. */
function topicsOfText(text: string, lexicon: Lexicon): Map<number, number> {
  const found = words(text);
  const stems = found.map(({ word }) => stem(word));
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

/** Whether one of a campaign's topics, or of what they are part of, is among those wanted. */
export const hasTopicAmong = ({ t }: MatchingProfile, wanted: ReadonlySet<number>, { ancestors }: Lexicon): boolean =>
  t.some((topic, i) => i % 2 === 0 && (wanted.has(topic) || ancestors[topic]?.some((above) => wanted.has(above))));

/** Keywords as stems, each once, joined by '|'. */
function stemPhrases(keywords: string[]): string {
  const unique = new Set(
    keywords.map((keyword) =>
      words(keyword)
        .map(({ word }) => stem(word))
        .join(' '),
    ),
  );
  unique.delete('');
  return [...unique].join('|');
}
