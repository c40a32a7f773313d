import type { Biddable } from '../campaigns/biddable.ts';
import { hasTopicAmong, type Lexicon, topicsNamed } from '../matching/index.ts';
import { CATEGORIES_1, CATEGORIES_3 } from './category-ids.ts';

/** Editions of the Content Taxonomy as AdCOM numbers them (List: Category Taxonomies). */
const EDITION_1 = 1;
const EDITION_3_1 = 9;
/** 2.0, 2.1, 2.2, 3.0 and 3.1: what is in several of them has one id. */
const EDITIONS_OF_IDS: readonly number[] = [2, 5, 6, 7, EDITION_3_1];

/** Lists of blocked categories that an instance remembers: a publisher's is the same in every request. */
const MOST_KEPT = 200;

type Placed = Pick<Biddable, 'placement' | 'categories'>;

/** Categories as an answer states them. */
interface Stated {
  cat: string[];
  cattax: number;
}

export type Categories = ReturnType<typeof createCategories>;

/** Translates between ids of the IAB Content Taxonomy and where campaigns stand. */
export function createCategories(lexicon: Lexicon) {
  const known = new Map<string, (campaign: Placed) => boolean>();
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

  const topicsUnder = (prefixes: readonly string[]): ReadonlySet<number> =>
    new Set(
      lexicon.topics.flatMap((topic, number) =>
        prefixes.some((prefix) => topic === prefix || topic.startsWith(`${prefix} > `)) ? [number] : [],
      ),
    );

  /** The id of the topic that a campaign stands in first, or of the nearest above it that has one. */
  function idOf({ placement, categories }: Placed): string | undefined {
    const [named] = topicsNamed(categories, lexicon);
    let path = lexicon.topics[named ?? placement.t[0] ?? -1] ?? '';
    while (path && !idOfPath.has(path)) path = path.slice(0, Math.max(0, path.lastIndexOf(' > ')));
    return idOfPath.get(path);
  }

  function filterOf(ids: readonly string[], cattax: number): (campaign: Placed) => boolean {
    const found = ids.map((id) => pathsOf(id, cattax));
    const topics = topicsUnder(found.flat());
    const hasUnknown = found.some((one) => one.length === 0);
    return (campaign) =>
      hasTopicAmong(campaign.placement, topics, lexicon) ||
      [...topicsNamed(campaign.categories, lexicon)].some((topic) => topics.has(topic)) ||
      (hasUnknown && idOf(campaign) === undefined);
  }

  return {
    /**
     * Whether a campaign is in one of some categories. A category that is not known here may be that of any campaign of which none is known.
     */
    among(ids: readonly string[], cattax: number): (campaign: Placed) => boolean {
      if (ids.length === 0) return () => false;
      const name = `${cattax} ${ids.join(' ')}`;
      const found = known.get(name) ?? filterOf(ids, cattax);
      if (known.size >= MOST_KEPT) known.clear();
      known.set(name, found);
      return found;
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

function pathsById(): Map<string, string> {
  const all = new Map<string, string>();
  for (const line of CATEGORIES_3) {
    const above: string[] = [];
    for (const entry of line.split('|')) {
      const depth = entry.lastIndexOf('>') + 1;
      const blank = entry.indexOf(' ');
      above.length = depth;
      above.push(entry.slice(blank + 1));
      all.set(entry.slice(depth, blank), above.join(' > '));
    }
  }
  return all;
}

function pairsOf1(): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const pair of CATEGORIES_1.flatMap((line) => line.split(' '))) {
    const [code = '', id = ''] = pair.split(':');
    all.set(`IAB${code}`, [...(all.get(`IAB${code}`) ?? []), id]);
  }
  return all;
}
