import { findTopicsByName, hasAnyTopic, type Lexicon } from '../matching/index.ts';
import { remember } from '../platform/values/cache.ts';
import { createCategoryPaths } from '../platform/values/category-paths.ts';
import type { Biddable } from './biddable.ts';

/** What says of which categories a campaign is. */
export type Categorized = Pick<Biddable, 'profile' | 'categories'>;
type CategoryFilter = (campaign: Categorized) => boolean;

/** Names of categories whose topics are remembered. */
const MOST_KEPT = 5_000;

/** Makes tests of campaigns: whether one stands in some paths of topics or below them, by its own word or by what is known of it. */
export function createTopicFilters(
  lexicon: Lexicon,
  under = groupTopicsByPath(lexicon.topics),
): (paths: readonly string[]) => CategoryFilter {
  const known = new Map<string, ReadonlySet<number>>();

  function named(name: string): ReadonlySet<number> {
    const topics = known.get(name) ?? findTopicsByName([name], lexicon);
    remember(known, name, topics, MOST_KEPT);
    return topics;
  }

  return (paths) => {
    const topics = new Set(paths.flatMap((path) => under.get(path) ?? []));
    return ({ profile, categories }) =>
      hasAnyTopic(profile, topics, lexicon) ||
      categories.some((name) => [...named(name)].some((topic) => topics.has(topic)));
  };
}

/** Topics by every path that they are at or below. */
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
 * Makes tests of campaigns: whether one belongs to some categories of the IAB Content Taxonomy or what is below them, said by name, path or id; or
 * is of one by the very same words. What is said is looked up once, whoever is asked about then.
 */
export function createCategoryFilters(lexicon: Lexicon): (said: readonly string[]) => CategoryFilter {
  const isUnder = createTopicFilters(lexicon);
  let pathsOf: ReturnType<typeof createCategoryPaths> | undefined;
  return (said) => {
    if (said.length === 0) return () => false;
    pathsOf ??= createCategoryPaths(); // most processes are asked for none: its table takes 10 ms
    const words = new Set(said.map(foldCategory));
    const named = [...findTopicsByName(said, lexicon)].flatMap((topic) => lexicon.topics[topic] ?? []);
    const isIn = isUnder([...said.flatMap(pathsOf), ...named]);
    return (campaign) => campaign.categories.some((own) => words.has(foldCategory(own))) || isIn(campaign);
  };
}

const foldCategory = (name: string): string => name.trim().toLowerCase();

/** The category that a campaign is said to be of; empty where nothing is known of it. */
export function getMainCategory({ profile, categories }: Categorized, lexicon: Lexicon): string {
  const path = lexicon.topics[profile.t[0] ?? -1] ?? '';
  return categories[0] ?? path.split(' > ').at(-1)!;
}
