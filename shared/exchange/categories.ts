import type { Biddable } from '../campaigns/biddable.ts';
import { createTopicFilters } from '../campaigns/category.ts';
import { type Lexicon, topicsNamed } from '../matching/index.ts';
import { pairsOf1, pathsById } from '../values/category-paths.ts';

/** Editions of the Content Taxonomy as AdCOM numbers them (List: Category Taxonomies). */
const EDITION_1 = 1;
const EDITION_3_1 = 9;
/** 2.0, 2.1, 2.2, 3.0 and 3.1: what is in several of them has one id. */
const EDITIONS_OF_IDS: readonly number[] = [2, 5, 6, 7, EDITION_3_1];

type Placed = Pick<Biddable, 'placement' | 'categories'>;

/** Categories as an answer states them. */
interface Stated {
  cat: string[];
  cattax: number;
}

export type Categories = ReturnType<typeof createCategories>;

/** Translates between ids of the IAB Content Taxonomy and where campaigns stand. */
export function createCategories(lexicon: Lexicon) {
  const isUnder = createTopicFilters(lexicon);
  const paths = pathsById();
  const idOfPath = new Map([...paths].map(([id, path]) => [path, id]));
  const idsOf1 = pairsOf1();
  const codeOfId = new Map([...idsOf1].reverse().flatMap(([code, ids]) => ids.map((id) => [id, code] as const)));

  /** Paths of an id in an edition; none where it is not known, or the edition is not one of content. */
  function pathsOf(id: string, cattax: number): string[] {
    const ids =
      cattax === EDITION_1 ? (idsOf1.get(id.toUpperCase()) ?? []) : EDITIONS_OF_IDS.includes(cattax) ? [id] : [];
    return ids.flatMap((one) => paths.get(one) ?? []);
  }

  /** The id of the topic that a campaign stands in first, or of the nearest above it that has one. */
  function idOf({ placement, categories }: Placed): string | undefined {
    const [named] = topicsNamed(categories, lexicon);
    let path = lexicon.topics[named ?? placement.t[0] ?? -1] ?? '';
    while (path && !idOfPath.has(path)) path = path.slice(0, Math.max(0, path.lastIndexOf(' > ')));
    return idOfPath.get(path);
  }

  return {
    /**
     * Whether a campaign is in one of some categories. A category that is not known here may be that of any campaign of which none is known.
     */
    among(ids: readonly string[], cattax: number): (campaign: Placed) => boolean {
      if (ids.length === 0) return () => false;
      const found = ids.map((id) => pathsOf(id, cattax));
      const isIn = isUnder(found.flat());
      const hasUnknown = found.some((one) => one.length === 0);
      return (campaign) => isIn(campaign) || (hasUnknown && idOf(campaign) === undefined);
    },

    /** The category of a campaign in an edition; in 3.1 where that one cannot say it. undefined where none is known of it. */
    statedIn(campaign: Placed, cattax: number): Stated | undefined {
      const id = idOf(campaign);
      if (id === undefined) return undefined;
      if (cattax !== EDITION_1) return { cat: [id], cattax: EDITIONS_OF_IDS.includes(cattax) ? cattax : EDITION_3_1 };
      for (let path = paths.get(id) ?? ''; path; path = path.slice(0, Math.max(0, path.lastIndexOf(' > ')))) {
        const code = codeOfId.get(idOfPath.get(path) ?? '');
        if (code) return { cat: [code], cattax: EDITION_1 };
      }
      return { cat: [id], cattax: EDITION_3_1 };
    },

    /** The names of categories, for reading them as words: the last part of each path. */
    namesOf: (ids: readonly string[], cattax: number): string[] =>
      ids.flatMap((id) => pathsOf(id, cattax)).map((path) => path.split(' > ').at(-1)!),
  };
}
