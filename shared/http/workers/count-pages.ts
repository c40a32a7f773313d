import {
  addToPage,
  isPassed,
  lacks,
  markPage,
  nextPage,
  type Page,
  pageRow,
  type StoredValues,
  skipOnPage,
  type ValueCounts,
  valuesOn,
} from '../../platform/breakdowns.ts';
import { type Addition, addedUp, writeOnce } from '../../platform/count-once.ts';
import type { Values } from '../../platform/database.ts';
import type { Effects } from '../../platform/effects.ts';
import { isClaimed, toClaim } from '../../platform/skip-once.ts';
import { type Dimension, isDimension } from '../../platform/values/dimensions.ts';
import { type NotThrough, type Park, parkRefused } from './parking.ts';
import type { RecordPosition } from './stream-worker.ts';

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

/** Pages whose values an instance remembers: about 30 MB. */
const MAX_REMEMBERED = 50_000;

/** What a page is known to contain. */
interface KnownPage {
  stored: StoredValues;
  hasSkipped?: boolean;
}

/**
 * Counts the breakdowns of one day of a campaign or key exactly once, page by page. Each page stores its own position in the shard, so a
 * batch that is repeated after a failure between two pages continues at the second. The values on the second page follow from the first,
 * because a full page stays full.
 */
export function createPageCounting({ db, clock }: Pick<Effects, 'db' | 'clock'>) {
  /**
   * The values of pages, without which each page would be read before it is written. They may lack some that another instance added: the
   * condition of the write finds out.
   */
  const remembered = new Map<string, StoredValues>();

  /** Counts additions of one shard, or a parked one. @returns the failures */
  async function countFrom(first: Page, additions: readonly BreakdownToCount[], park: Park): Promise<NotThrough[]> {
    const resumption = getResumption(additions[0]!);
    const { stored, left: afterFirst, failed } = await step(first, additions, resumption !== undefined, park);
    if (failed.length > 0) return failed;
    const dimensions = new Set(afterFirst.flatMap(({ values }) => values.map(({ dimension }) => dimension)));
    const walks = [...dimensions].map(async (dimension): Promise<NotThrough[]> => {
      if (resumption && resumption.dimension !== dimension) return [];
      let page = nextPage(first, dimension, stored);
      let left = keep(afterFirst, (one) => one.dimension === dimension);
      while (left.length > 0) {
        const next = await step(page, left, resumption !== undefined && page.number < resumption.number, park);
        if (next.failed.length > 0) return next.failed;
        page = nextPage(page, dimension, next.stored);
        left = next.left;
      }
      return [];
    });
    return (await Promise.all(walks)).flat();
  }

  /** Counts additions on a page, unless they are counted there. @returns what is left for the next page, and the failures */
  async function step(page: Page, additions: readonly BreakdownToCount[], isCounted: boolean, park: Park) {
    const one = additions[0]!;
    const { shard } = one.place;
    const part = toPart(one.part, page);
    const stop = (failed: NotThrough[]) => ({ stored: new Set<string>(), left: [], failed });
    try {
      if (!isCounted) await (shard === undefined ? countParkedOn(page, one) : countOn(page, shard, additions));
    } catch (cause) {
      const refusing = { part, subjectOf: () => page.subject, skip: (position: Values) => skipOnPage(page, position) };
      const failed = await parkRefused({ db, clock }, park, refusing, additions, cause);
      if (failed.length > 0) return stop(failed);
      remembered.delete(nameOf(page));
    }
    try {
      const { stored, hasSkipped } = await look(page);
      const left = keep(additions, lacks(page, stored));
      return { stored, left: hasSkipped && shard ? await withoutSkipped(page, part, shard, left) : left, failed: [] };
    } catch (cause) {
      return stop(additions.map(({ place: { at } }) => ({ at, part, cause })));
    }
  }

  async function countOn(page: Page, shard: string, additions: readonly BreakdownToCount[]): Promise<void> {
    const { stored, hasSkipped } = await look(page);
    const addsToRow = !page.dimension && additions.some(({ counts }) => Object.keys(counts).length > 0);
    if (!hasSkipped && !addsToRow && isPassed(page, stored, valuesOf(additions))) return;
    const { row } = await writeOnce({ db, clock }, shard, additions, (uncounted, position, found) =>
      addAll(page, uncounted, position, found ? valuesOn(found.item) : stored),
    );
    remember(page, row);
  }

  async function countParkedOn(page: Page, addition: BreakdownToCount): Promise<void> {
    for (let { stored } = await look(page); ; ) {
      const written = await db.transact([markPage(page, addition.mark), addAll(page, [addition], {}, stored)]);
      const [isMarked, refused] = written.ok ? [] : written.refused;
      if (written.ok || isMarked) break;
      stored = valuesOn(refused?.old);
    }
    remembered.delete(nameOf(page)); // a transaction does not return the new page
  }

  /** What a page contains: as it is remembered, or else as it is stored. */
  async function look(page: Page): Promise<KnownPage> {
    const stored = remembered.get(nameOf(page));
    if (stored) return { stored };
    const { table, key } = pageRow(page);
    return remember(page, await db.get(table, key));
  }

  function remember(page: Page, item: object | undefined): KnownPage {
    const stored = valuesOn(item);
    const hasSkipped = item !== undefined && 'hasSkipped' in item;
    if (hasSkipped) remembered.delete(nameOf(page));
    else {
      if (remembered.size >= MAX_REMEMBERED) remembered.clear();
      remembered.set(nameOf(page), stored);
    }
    return { stored, hasSkipped };
  }

  /** The additions without those that the page skipped: their parked copies count them, also on later pages. */
  async function withoutSkipped(
    { subject }: Page,
    part: string,
    shard: string,
    additions: readonly BreakdownToCount[],
  ): Promise<BreakdownToCount[]> {
    const claims = additions.map(({ sequence }) => toClaim(subject, part, shard, sequence));
    const isSkipped = await Promise.all(claims.map((claim) => isClaimed(db, claim)));
    return additions.filter((_, at) => !isSkipped[at]);
  }

  return async (additions: readonly BreakdownToCount[], park: Park): Promise<NotThrough[]> => {
    const { page, place } = additions[0]!;
    if (place.shard !== undefined) return countFrom(page, additions, park);
    const left: NotThrough[] = [];
    for (const addition of additions) left.push(...(await countFrom(page, [addition], park)));
    return left;
  };
}

const valuesOf = (additions: readonly BreakdownToCount[]): ValueCounts[] => additions.flatMap(({ values }) => values);

const addAll = (page: Page, additions: readonly BreakdownToCount[], position: Values, stored: StoredValues) =>
  addToPage(page, valuesOf(additions), page.dimension ? {} : addedUp(additions), position, stored);

const nameOf = (page: Page): string => JSON.stringify(pageRow(page).key);

/** The additions with only the values that a condition keeps, without those that have none left. */
const keep = (additions: readonly BreakdownToCount[], isKept: (value: ValueCounts) => boolean): BreakdownToCount[] =>
  additions.flatMap((one) => {
    const values = one.values.filter(isKept);
    return values.length > 0 ? [{ ...one, values }] : [];
  });
