import { hasTopicAmong, type Lexicon, topicsNamed } from '../matching/index.ts';
import type { Biddable } from './biddable.ts';

type Placed = Pick<Biddable, 'placement' | 'categories'>;

/**
 * Tells whether a campaign belongs to one of some categories of the IAB Content Taxonomy: by its own word, or by where it stands.
 * The names are looked up once, whoever is asked about then.
 */
export function categoryFilter(names: readonly string[], lexicon: Lexicon): (campaign: Placed) => boolean {
  if (names.length === 0) return () => false;
  const said = new Set(names.map(foldCategory));
  const topics = topicsNamed(names, lexicon);
  return ({ placement, categories }) =>
    categories.some((own) => said.has(foldCategory(own))) || hasTopicAmong(placement, topics, lexicon);
}

const foldCategory = (name: string): string => name.trim().toLowerCase();

/** The category that a campaign is said to be of; empty where nothing is known of it. */
export function mainCategory({ placement, categories }: Placed, lexicon: Lexicon): string {
  const path = lexicon.topics[placement.t[0] ?? -1] ?? '';
  return categories[0] ?? path.split(' > ').at(-1)!;
}
