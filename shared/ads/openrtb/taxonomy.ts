import { ONLY_IN_3, UNDER_IN_2 } from '../../platform/values/category-ids.ts';
import { pairsOf1, pairsUnder1, pathsById } from '../../platform/values/category-paths.ts';

/** Editions of the IAB Content Taxonomy, as numbered in AdCOM (List: Category Taxonomies). */
const EDITION_1 = 1;
/** 2.0, 2.1 and 2.2. */
const EDITIONS_2: readonly number[] = [2, 5, 6];
const EDITION_3 = 7;
export const EDITION_3_1 = 9;

/** Whether an edition classifies content. AdCOM also numbers taxonomies of products and audiences. */
export const isContentTaxonomy = (edition: number): boolean =>
  edition === EDITION_1 || EDITIONS_2.includes(edition) || edition === EDITION_3 || edition === EDITION_3_1;

/** Translates between the IDs of an edition and paths of edition 3.1. From 2.0 on, a category has the same ID in all editions. */
export function createTaxonomy() {
  const pathOfId = pathsById();
  const idOfPath = new Map([...pathOfId].map(([id, path]) => [path, id]));
  const idsOfCode = pairsOf1();
  const idsUnderCode = pairsUnder1(idsOfCode);
  // If several codes have the same ID, the first is the exact one.
  const codeOfId = new Map([...idsOfCode].reverse().flatMap(([code, ids]) => ids.map((id) => [id, code] as const)));

  /** IDs in edition 3.1. The subcategories of an ID may have a different parent in 3.1. */
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
    /** Paths of an ID; empty if the edition does not have it. */
    pathsOf: (id: string, edition: number): string[] => pathsAt(idsIn3_1(id, edition, idsOfCode)),

    /** Paths of an ID and of everything below it in its edition. */
    pathsUnder: (id: string, edition: number): string[] => pathsAt(idsIn3_1(id, edition, idsUnderCode)),

    /** ID of a path, or of its nearest ancestor that exists in the edition. */
    idOf(path: string, edition: number): string | undefined {
      for (let at = path; at; at = at.slice(0, Math.max(0, at.lastIndexOf(' > ')))) {
        const id = idAt(at, edition);
        if (id !== undefined) return id;
      }
      return undefined;
    },
  };
}
