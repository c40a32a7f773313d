import { type Categorized, createTopicFilters, groupTopicsByPath } from '../../campaigns/category.ts';
import { findTopicsByName, type Lexicon } from '../../matching/index.ts';
import { createTaxonomy, EDITION_3_1, isContentTaxonomy } from './taxonomy.ts';

/** Where nothing is offered for the name of a category alone: what is private, what grieves, and what minors may not buy. */
const OFFERED_BY_WORDS_ALONE = [
  'Attractions > Casinos & Gambling',
  'Crime',
  'Disasters',
  'Family and Relationships > Bereavement',
  'Family and Relationships > Divorce',
  'Food & Drink > Alcoholic Beverages',
  'Healthy Living > Wellness > Smoking Cessation',
  'Medical Health > Diseases and Conditions',
  'Medical Health > Pharmaceutical Drugs',
  'Personal Celebrations & Life Events > Funeral',
  'Pop Culture > Celebrity Deaths',
  'Pop Culture > Celebrity Scandal',
  'Sports > Poker and Professional Gambling',
  'War and Conflicts',
];
const isOfferedByName = (path: string): boolean =>
  !OFFERED_BY_WORDS_ALONE.some((one) => path === one || path.startsWith(`${one} > `));

/** Categories as an answer states them; the edition alone where it has none for the campaign. */
interface Stated {
  cat?: string[];
  cattax: number;
}

/** A category by its id in an edition. */
export interface CategoryId {
  id: string;
  cattax: number;
}

export type Categories = ReturnType<typeof createCategories>;

/** Categories of the IAB Content Taxonomy as requests and answers name them, `cattax` being their edition. */
export function createCategories(lexicon: Lexicon) {
  const taxonomy = createTaxonomy();
  const topicsUnder = groupTopicsByPath(lexicon.topics);
  const isUnder = createTopicFilters(lexicon, topicsUnder);

  /** The path of the topic that a campaign stands in first; empty where none is known. */
  function pathOf({ profile, categories }: Categorized): string {
    const [named] = findTopicsByName(categories, lexicon);
    return lexicon.topics[named ?? profile.t[0] ?? -1] ?? '';
  }
  const pathsOf = (said: readonly CategoryId[]) => said.flatMap(({ id, cattax }) => taxonomy.pathsOf(id, cattax));
  const idOf = (campaign: Categorized, cattax: number) => taxonomy.idOf(pathOf(campaign), cattax);

  return {
    /**
     * Whether a campaign is in one of some categories. A category that is not known here may be that of any campaign of which none is known.
     */
    among(ids: readonly string[], cattax: number): (campaign: Categorized) => boolean {
      if (ids.length === 0) return () => false;
      const paths = ids.map((id) => taxonomy.pathsUnder(id, cattax));
      const isIn = isUnder(paths.flat());
      const hasUnknown = paths.some((one) => one.length === 0);
      return (campaign) => isIn(campaign) || (hasUnknown && idOf(campaign, EDITION_3_1) === undefined);
    },

    /** Whether the category that is stated of a campaign is one of some or below them; that of one of which none is known is not. */
    only(ids: readonly string[], cattax: number): (campaign: Categorized) => boolean {
      const paths = ids.flatMap((id) => taxonomy.pathsUnder(id, cattax));
      return (campaign) => {
        const own = pathOf(campaign);
        return paths.some((path) => own === path || own.startsWith(`${path} > `));
      };
    },

    /** Whether an edition has a category of this id, so that campaigns can be in it. */
    knows: (id: string, cattax: number): boolean => taxonomy.pathsUnder(id, cattax).length > 0,

    /** The category of a campaign in an edition, in 3.1 instead of one that is not of content. */
    statedIn(campaign: Categorized, asked: number): Stated {
      const cattax = isContentTaxonomy(asked) ? asked : EDITION_3_1;
      const id = idOf(campaign, cattax);
      return { ...(id !== undefined && { cat: [id] }), cattax };
    },

    /** The names of categories, for reading them as words: the last part of each path. */
    namesOf: (said: readonly CategoryId[]): string[] => pathsOf(said).map((path) => path.split(' > ').at(-1)!),

    /** The topics of categories and of all that is below them, for what is known by them alone: none where one of them says too little for an ad. */
    topicsOf(said: readonly CategoryId[]): number[] {
      if (!pathsOf(said).every(isOfferedByName)) return [];
      const paths = said.flatMap(({ id, cattax }) => taxonomy.pathsUnder(id, cattax));
      const topics = new Set(paths.flatMap((path) => topicsUnder.get(path) ?? []));
      return [...topics].filter((topic) => isOfferedByName(lexicon.topics[topic]!));
    },
  };
}
