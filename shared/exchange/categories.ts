import type { Biddable } from '../campaigns/biddable.ts';
import { createTopicFilters } from '../campaigns/category.ts';
import { type Lexicon, topicsNamed } from '../matching/index.ts';
import { ONLY_IN_3, UNDER_IN_2 } from '../values/category-ids.ts';
import { pairsOf1, pathsById } from '../values/category-paths.ts';

/** Editions of the Content Taxonomy as AdCOM numbers them (List: Category Taxonomies). */
const EDITION_1 = 1;
const EDITION_3_1 = 9;
/** 2.0, 2.1 and 2.2. */
const EDITIONS_2: readonly number[] = [2, 5, 6];
/** Those, 3.0 and 3.1: what is in several of them has one id. */
const EDITIONS_OF_IDS: readonly number[] = [...EDITIONS_2, 7, EDITION_3_1];

type Placed = Pick<Biddable, 'placement' | 'categories'>;

/** Categories as an answer states them; the edition alone where it has none for the campaign. */
interface Stated {
  cat?: string[];
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
    return idsIn3(id, cattax).flatMap((one) => paths.get(one) ?? []);
  }

  function idsIn3(id: string, cattax: number): readonly string[] {
    if (cattax === EDITION_1) return idsOf1.get(id.toUpperCase()) ?? [];
    if (EDITIONS_2.includes(cattax)) return [id, ...(UNDER_IN_2[id] ?? [])];
    return EDITIONS_OF_IDS.includes(cattax) ? [id] : [];
  }

  /** The id of the topic that a campaign stands in first, or of the nearest above it that an edition has. */
  function idOf({ placement, categories }: Placed, cattax = EDITION_3_1): string | undefined {
    const [named] = topicsNamed(categories, lexicon);
    let path = lexicon.topics[named ?? placement.t[0] ?? -1] ?? '';
    while (path && idAt(path, cattax) === undefined) path = path.slice(0, Math.max(0, path.lastIndexOf(' > ')));
    return idAt(path, cattax);
  }

  function idAt(path: string, cattax: number): string | undefined {
    const id = idOfPath.get(path);
    if (id === undefined) return undefined;
    if (cattax === EDITION_1) return codeOfId.get(id);
    return EDITIONS_2.includes(cattax) && ONLY_IN_3.includes(id) ? undefined : id;
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

    /** The category of a campaign in an edition, in 3.1 instead of one that is not of content. */
    statedIn(campaign: Placed, asked: number): Stated {
      const cattax = asked === EDITION_1 || EDITIONS_OF_IDS.includes(asked) ? asked : EDITION_3_1;
      const id = idOf(campaign, cattax);
      return { ...(id !== undefined && { cat: [id] }), cattax };
    },

    /** The names of categories, for reading them as words: the last part of each path. */
    namesOf: (ids: readonly string[], cattax: number): string[] =>
      ids.flatMap((id) => pathsOf(id, cattax)).map((path) => path.split(' > ').at(-1)!),
  };
}
