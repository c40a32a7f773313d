import { findTopicsByName, hasAnyTopic, type Lexicon } from '../matching/index.ts';
import { remember } from '../platform/values/cache.ts';
import { createCategoryPaths } from '../platform/values/category-paths.ts';
import type { Biddable } from './biddable.ts';

/** The fields that determine the categories of a campaign. */
export type Categorized = Pick<Biddable, 'profile' | 'categories'>;
type CategoryFilter = (campaign: Categorized) => boolean;

/** Size of the cache of topics by category name. */
const MAX_CACHED_NAMES = 5_000;

/**
 * Creates filters for campaigns at or below the given topic paths. A campaign matches by its matching profile, or by the categories that its
 * advertiser names.
 */
export function createTopicFilters(
  lexicon: Lexicon,
  under = groupTopicsByPath(lexicon.topics),
): (paths: readonly string[]) => CategoryFilter {
  const topicsByName = new Map<string, ReadonlySet<number>>();

  function findTopics(name: string): ReadonlySet<number> {
    const topics = topicsByName.get(name) ?? findTopicsByName([name], lexicon);
    remember(topicsByName, name, topics, MAX_CACHED_NAMES);
    return topics;
  }

  return (paths) => {
    const topics = new Set(paths.flatMap((path) => under.get(path) ?? []));
    return ({ profile, categories }) =>
      hasAnyTopic(profile, topics, lexicon) ||
      categories.some((name) => [...findTopics(name)].some((topic) => topics.has(topic)));
  };
}

/** Groups topics by path: each path maps to the topics at or below it. */
export function groupTopicsByPath(topics: readonly string[]): ReadonlyMap<string, number[]> {
  const all = new Map<string, number[]>();
  for (const [number, path] of topics.entries()) {
    for (let above = path; above; above = above.slice(0, Math.max(0, above.lastIndexOf(' > ')))) {
      const numbers = all.get(above);
      if (numbers) numbers.push(number);
      else all.set(above, [number]);
    }
  }
  return all;
}

/**
 * Creates filters for campaigns in the given categories or below them. A category is a name, path, or ID of the IAB Content Taxonomy, or any
 * words, which match campaigns that use the same words.
 */
export function createCategoryFilters(lexicon: Lexicon): (names: readonly string[]) => CategoryFilter {
  const isUnder = createTopicFilters(lexicon);
  let pathsOf: ReturnType<typeof createCategoryPaths> | undefined;
  return (names) => {
    if (names.length === 0) return () => false;
    pathsOf ??= createCategoryPaths(); // takes 10 ms, and most processes never need it
    const words = new Set(names.map(foldCategory));
    const named = [...findTopicsByName(names, lexicon)].flatMap((topic) => lexicon.topics[topic] ?? []);
    const isIn = isUnder([...names.flatMap(pathsOf), ...named]);
    return (campaign) => campaign.categories.some((own) => words.has(foldCategory(own))) || isIn(campaign);
  };
}

const foldCategory = (name: string): string => name.trim().toLowerCase();

/** The category to show for a campaign: the advertiser's first category, otherwise the first topic. Empty if there is neither. */
export function getMainCategory({ profile, categories }: Categorized, lexicon: Lexicon): string {
  const path = lexicon.topics[profile.t[0] ?? -1] ?? '';
  return categories[0] ?? path.split(' > ').at(-1)!;
}
