import { ONLY_IN_3, UNDER_IN_2 } from '../../platform/values/category-ids.ts';
import { pairsOf1, pairsUnder1, pathsById } from '../../platform/values/category-paths.ts';

/** Editions of the IAB Content Taxonomy as AdCOM numbers them (List: Category Taxonomies). */
const EDITION_1 = 1;
/** 2.0, 2.1 and 2.2. */
const EDITIONS_2: readonly number[] = [2, 5, 6];
const EDITION_3 = 7;
export const EDITION_3_1 = 9;

/** Whether an edition is one of content; AdCOM numbers those of products and audiences too. */
export const isContentTaxonomy = (edition: number): boolean =>
  edition === EDITION_1 || EDITIONS_2.includes(edition) || edition === EDITION_3 || edition === EDITION_3_1;

/** Translates between the ids of an edition and paths of 3.1. Since 2.0 what is in several editions has one id in all of them. */
export function createTaxonomy() {
  const pathOfId = pathsById();
  const idOfPath = new Map([...pathOfId].map(([id, path]) => [path, id]));
  const idsOfCode = pairsOf1();
  const idsUnderCode = pairsUnder1(idsOfCode);
  // Of several codes with one id the first is its own.
  const codeOfId = new Map([...idsOfCode].reverse().flatMap(([code, ids]) => ids.map((id) => [id, code] as const)));

  /** What is below an id in its edition may stand elsewhere in 3.1. */
  function idsIn3_1(id: string, edition: number, idsOf1: ReadonlyMap<string, string[]>): readonly string[] {
    if (!isContentTaxonomy(edition)) return [];
    if (edition === EDITION_1) return idsOf1.get(id.toUpperCase()) ?? [];
    return EDITIONS_2.includes(edition) ? [id, ...(UNDER_IN_2[id] ?? [])] : [id];
  }

  const pathsAt = (ids: readonly string[]): string[] => ids.flatMap((id) => pathOfId.get(id) ?? []);

  function idAt(path: string, edition: number): string | undefined {
    const id = idOfPath.get(path);
    if (id === undefined) return undefined;
    if (edition === EDITION_1) return codeOfId.get(id);
    return EDITIONS_2.includes(edition) && ONLY_IN_3.includes(id) ? undefined : id;
  }

  return {
    /** The paths of an id; none where the edition does not have it. */
    pathsOf: (id: string, edition: number): string[] => pathsAt(idsIn3_1(id, edition, idsOfCode)),

    /** The same with those of all that is below it in its edition, wherever they stand. */
    pathsUnder: (id: string, edition: number): string[] => pathsAt(idsIn3_1(id, edition, idsUnderCode)),

    /** The id of a path, or of the nearest above it that the edition has. */
    idOf(path: string, edition: number): string | undefined {
      for (let at = path; at; at = at.slice(0, Math.max(0, at.lastIndexOf(' > ')))) {
        const id = idAt(at, edition);
        if (id !== undefined) return id;
      }
      return undefined;
    },
  };
}
