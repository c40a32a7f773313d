import {
  addToPage,
  areTooMany,
  lacksAfter,
  markPage,
  nextPage,
  type Page,
  pageRow,
  sumValues,
  type ValueCounts,
} from '../../platform/breakdowns.ts';
import { type Addition, addedUp, type Found, writeOnce } from '../../platform/count-once.ts';
import type { Effects } from '../../platform/effects.ts';
import { type Dimension, isDimension } from '../../platform/values/dimensions.ts';
import type { NotThrough, RecordPosition } from './stream-worker.ts';

/** What a record adds to the breakdown of a day. Its `counts` are added to the row of the first page. */
export interface BreakdownToCount extends Addition {
  page: Page;
  values: ValueCounts[];
  /** Names the record in the marks of pages on which it was counted, if its position in a shard is unknown. */
  mark: string;
  part: string;
  place: RecordPosition;
}

/** The remaining work of a parked record, if it was counted on earlier pages: from a page of one dimension on. */
const toPart = (part: string, { dimension, number }: Page): string =>
  dimension ? `${part} ${dimension} ${number}` : part;

/** The page from which a parked record continues; undefined if it starts at the first. */
function getResumption({ place, part }: BreakdownToCount): { dimension: Dimension; number: number } | undefined {
  const [dimension = '', number] = place.part?.slice(part.length + 1).split(' ') ?? [];
  return isDimension(dimension) ? { dimension, number: Number(number) } : undefined;
}

/**
 * Counts the breakdowns of one day of a campaign or key exactly once, page by page. Each page stores its own position in the shard, so a
 * batch that is repeated after a failure between two pages continues at the second. The values on the second page follow from the first,
 * because a full page stays full.
 */
export function createPageCounting({ db, clock }: Pick<Effects, 'db' | 'clock'>) {
  /** Counts additions of one shard, or a parked one. @returns the failures */
  async function countFrom(first: Page, additions: readonly BreakdownToCount[]): Promise<NotThrough[]> {
    const resumption = getResumption(additions[0]!);
    const { item, left: afterFirst, failed } = await step(first, additions, resumption !== undefined);
    if (failed.length > 0) return failed;
    const dimensions = new Set(afterFirst.flatMap(({ values }) => values.map(({ dimension }) => dimension)));
    const walks = [...dimensions].map(async (dimension): Promise<NotThrough[]> => {
      if (resumption && resumption.dimension !== dimension) return [];
      let page = nextPage(first, dimension, item);
      let left = keep(afterFirst, (one) => one.dimension === dimension);
      while (left.length > 0) {
        const next = await step(page, left, resumption !== undefined && page.number < resumption.number);
        if (next.failed.length > 0) return next.failed;
        page = nextPage(page, dimension, next.item);
        left = next.left;
      }
      return [];
    });
    return (await Promise.all(walks)).flat();
  }

  /** Counts additions on a page, or only reads it if they are counted there. */
  async function step(page: Page, additions: readonly BreakdownToCount[], isCounted: boolean) {
    try {
      const { table, key } = pageRow(page);
      const item = isCounted ? await db.get(table, key) : await countOn(page, additions);
      return { item, left: keep(additions, lacksAfter(page, item)), failed: [] };
    } catch (cause) {
      return {
        left: [],
        failed: additions.map(({ place: { at }, part }) => ({ at, part: toPart(part, page), cause })),
      };
    }
  }

  /** @returns the page afterwards */
  async function countOn(page: Page, additions: readonly BreakdownToCount[]): Promise<object | undefined> {
    const { place, values, counts, mark } = additions[0]!;
    const countsOf = (more: readonly Pick<Addition, 'counts'>[]) => (page.dimension ? {} : addedUp(more));
    const { table, key } = pageRow(page);
    if (place.shard !== undefined) {
      const all = sumValues(additions.flatMap((one) => one.values));
      const { row } = await writeOnce(
        { db, clock },
        place.shard,
        additions,
        (uncounted, position, found) =>
          addToPage(
            page,
            uncounted === additions ? all : uncounted.flatMap((one) => one.values),
            countsOf(uncounted),
            position,
            found,
          ),
        // Costs a fraction of a refused write. The condition of the write settles the race with others.
        areTooMany(page, all) ? { item: await db.get(table, key) } : undefined,
      );
      return row;
    }
    for (let found: Found = { item: await db.get(table, key) }; ; ) {
      const written = await db.transact([
        markPage(page, mark),
        addToPage(page, values, countsOf([{ counts }]), {}, found),
      ]);
      const [isMarked, refused] = written.ok ? [] : written.refused;
      if (written.ok || isMarked) return await db.get(table, key);
      found = { item: refused?.old };
    }
  }

  return async (additions: readonly BreakdownToCount[]): Promise<NotThrough[]> => {
    const { page, place } = additions[0]!;
    if (place.shard !== undefined) return countFrom(page, additions);
    const left: NotThrough[] = [];
    for (const addition of additions) left.push(...(await countFrom(page, [addition])));
    return left;
  };
}

/** The additions with only the values that a condition keeps, without those that have none left. */
const keep = (additions: readonly BreakdownToCount[], isKept: (value: ValueCounts) => boolean): BreakdownToCount[] =>
  additions.flatMap((one) => {
    const values = one.values.filter(isKept);
    return values.length > 0 ? [{ ...one, values }] : [];
  });
