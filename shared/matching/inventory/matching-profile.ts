import { type Lexicon, NAMES, topicKey, WANT } from '../lexicon/lexicon.ts';
import { findPhrases } from '../lexicon/phrases.ts';
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

/** Where a campaign stands in the lexicon. JSON-safe; a few hundred bytes. */
export interface Placement {
  /** The lexicon's version, whose topic numbers these are. Place again when it differs. */
  v: string;
  /** Keywords as stems, 'cheap flight|airlin ticket'. */
  k: string;
  /** Excluded keywords, alike. */
  x: string;
  /** Topic numbers and affinities in percent, strongest first: [12, 100, 7, 45]. */
  t: number[];
}

/** Most topics a placement keeps. */
const TOPICS = 6;
/** Least affinity kept, relative to the strongest. */
const LEAST_AFFINITY = 0.2;
/** For a topic that keywords do not name. */
const UNNAMED = 0.4;
/** Least affinity to what one keyword alone names, relative to the strongest. */
const SOLD = 0.6;
/** For an interest as broad as "Travel". */
const BROAD = 0.4;
/** For words of the creative. */
const CREATIVE = 0.3;

export function place(audience: Audience, lexicon: Lexicon): Placement {
  const affinity = new Map<number, number>();
  const add = (topic: number, weight: number) => affinity.set(topic, (affinity.get(topic) ?? 0) + weight);
  const sold = new Map<number, number>();
  for (const keyword of audience.keywords)
    for (const [topic, weight] of meanings(keyword, lexicon)) {
      add(topic, weight);
      sold.set(topic, Math.max(sold.get(topic) ?? 0, weight));
    }
  // Keywords say what is sold. Interests may say who buys it (nightclubs, for a taxi), and a headline is a play on
  // words: both count in full only for what the keywords name too, or where they name nothing.
  const named = new Map(affinity);
  const doubt = (topic: number) => (named.size === 0 || named.has(topic) ? 1 : UNNAMED);
  for (const name of [...audience.interests, ...audience.categories]) {
    const topics = lexicon.named.get(topicKey(name)) ?? [];
    for (const topic of topics) add(topic, (lexicon.parents[topic]! < 0 ? BROAD : 1) * doubt(topic));
    if (topics.length === 0)
      for (const [topic, weight] of meanings(name, lexicon)) add(topic, 0.5 * weight * doubt(topic));
  }
  for (const text of [audience.headline, audience.description, audience.callToAction])
    for (const [topic, weight] of meanings(text, lexicon)) add(topic, CREATIVE * weight * doubt(topic));

  const best = Math.max(...affinity.values(), 0.5);
  // Who sells ten kinds of shoes and one of bags sells bags.
  for (const [topic, weight] of sold) affinity.set(topic, Math.max(affinity.get(topic)!, SOLD * weight * best));
  const kept = [...affinity]
    .filter(([topic, weight]) => !lexicon.own[topic] && weight / best >= LEAST_AFFINITY)
    .sort(([a, one], [b, other]) => other - one || a - b)
    .slice(0, TOPICS);
  return {
    v: lexicon.version,
    k: phrases(audience.keywords),
    x: phrases(audience.excludedKeywords),
    t: kept.flatMap(([topic, weight]) => [topic, Math.round((100 * weight) / best)]),
  };
}

/** Topics that a text speaks of, each by its strongest phrase: 1 when that phrase is all of the text, less for a part. */
function meanings(text: string, lexicon: Lexicon): Map<number, number> {
  const found = words(text);
  const stems = found.map(({ word }) => stem(word));
  const hits = findPhrases(
    Int32Array.from(stems, (word) => lexicon.vocabulary.get(word) ?? -1),
    Int32Array.from(found, ({ at }) => at),
    lexicon,
  );
  const strongest = new Map<number, number>();
  for (const { topic, kind, weight, from, to } of hits) {
    const part = (to - from + 1) / stems.length;
    const value = (kind === NAMES ? 1 : kind === WANT ? 0.9 : 0.5) * weight * Math.sqrt(part);
    if (value > (strongest.get(topic) ?? 0)) strongest.set(topic, value);
  }
  return strongest;
}

/** The topics that IAB names speak of. */
export const topicsNamed = (names: readonly string[], lexicon: Lexicon): ReadonlySet<number> =>
  new Set(names.flatMap((name) => lexicon.named.get(topicKey(name)) ?? []));

/** Whether one of a campaign's topics, or of what they are part of, is among those wanted. */
export function placedAmong({ t }: Placement, wanted: ReadonlySet<number>, { parents }: Lexicon): boolean {
  for (let i = 0; i < t.length; i += 2)
    for (let topic = t[i]!; topic >= 0; topic = parents[topic]!) if (wanted.has(topic)) return true;
  return false;
}

/** Whether a campaign belongs to a category by its IAB name. */
export const placedIn = (placement: Placement, category: string, lexicon: Lexicon): boolean =>
  placedAmong(placement, topicsNamed([category], lexicon), lexicon);

function phrases(keywords: string[]): string {
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
