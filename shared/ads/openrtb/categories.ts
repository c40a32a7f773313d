import { type Categorized, createTopicFilters, groupTopicsByPath } from '../../campaigns/category.ts';
import { findTopicsByName, type Lexicon } from '../../matching/index.ts';
import { isPrivateTopic } from '../../platform/values/sensitive-topics.ts';
import { createTaxonomy, EDITION_3_1, isContentTaxonomy } from './taxonomy.ts';

/** The category fields of a bid. `cat` is absent if the campaign has no category in the edition. */
interface BidCategory {
  cat?: string[];
  cattax: number;
}

/** A category: its ID in an edition. */
export interface CategoryId {
  id: string;
  cattax: number;
}

export type Categories = ReturnType<typeof createCategories>;

/** Reads and writes the category IDs of OpenRTB. `cattax` is the edition of the IAB Content Taxonomy. */
export function createCategories(lexicon: Lexicon) {
  const taxonomy = createTaxonomy();
  const topicsUnder = groupTopicsByPath(lexicon.topics);
  const isUnder = createTopicFilters(lexicon, topicsUnder);

  /** Path of the campaign's first topic, or empty. */
  function getPath({ profile, categories }: Categorized): string {
    const [named] = findTopicsByName(categories, lexicon);
    return lexicon.topics[named ?? profile.t[0] ?? -1] ?? '';
  }
  const getPaths = (ids: readonly CategoryId[]) => ids.flatMap(({ id, cattax }) => taxonomy.pathsOf(id, cattax));
  const getId = (campaign: Categorized, cattax: number) => taxonomy.idOf(getPath(campaign), cattax);

  return {
    /**
     * Creates a filter for campaigns in the given categories. An unknown category matches every campaign without a category, so that
     * blocking it fails closed.
     */
    among(ids: readonly string[], cattax: number): (campaign: Categorized) => boolean {
      if (ids.length === 0) return () => false;
      const paths = ids.map((id) => taxonomy.pathsUnder(id, cattax));
      const isIn = isUnder(paths.flat());
      const hasUnknown = paths.some((one) => one.length === 0);
      return (campaign) => isIn(campaign) || (hasUnknown && getId(campaign, EDITION_3_1) === undefined);
    },

    /**
     * Creates a filter for campaigns whose bid states one of the given categories or a subcategory. It rejects campaigns without a category.
     */
    only(ids: readonly string[], cattax: number): (campaign: Categorized) => boolean {
      const paths = ids.flatMap((id) => taxonomy.pathsUnder(id, cattax));
      return (campaign) => {
        const own = getPath(campaign);
        return paths.some((path) => own === path || own.startsWith(`${path} > `));
      };
    },

    /** Whether an edition has a category with this ID. */
    knows: (id: string, cattax: number): boolean => taxonomy.pathsUnder(id, cattax).length > 0,

    /** The category of a campaign in an edition. Uses edition 3.1 if the given edition does not classify content. */
    statedIn(campaign: Categorized, edition: number): BidCategory {
      const cattax = isContentTaxonomy(edition) ? edition : EDITION_3_1;
      const id = getId(campaign, cattax);
      return { ...(id !== undefined && { cat: [id] }), cattax };
    },

    /** Names of categories for matching as words: the last part of each path. */
    namesOf: (ids: readonly CategoryId[]): string[] => getPaths(ids).map((path) => path.split(' > ').at(-1)!),

    /** Topics of categories and their subcategories, for a page known only by its categories. Empty if one of them needs matching words. */
    topicsOf(ids: readonly CategoryId[]): number[] {
      if (getPaths(ids).some(isPrivateTopic)) return [];
      const paths = ids.flatMap(({ id, cattax }) => taxonomy.pathsUnder(id, cattax));
      const topics = new Set(paths.flatMap((path) => topicsUnder.get(path) ?? []));
      return [...topics].filter((topic) => !isPrivateTopic(lexicon.topics[topic]!));
    },
  };
}
