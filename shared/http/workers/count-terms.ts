import { createTermNumbers, markTerms, toPages } from '../../budgets/monthly-terms.ts';
import { sumTerms, type TermCounts } from '../../budgets/term-counts.ts';
import type { Effects } from '../../platform/effects.ts';
import { createCounting, type ToCount } from './counting.ts';
import type { NotThrough, Park } from './parking.ts';
import type { RecordPosition } from './stream-worker.ts';

/** What a record adds to the terms of campaigns. */
export interface TermsToCount {
  terms: readonly TermCounts[];
  place: RecordPosition;
  sequence: string;
  /** Names the record, so that it is not counted twice if it was parked. */
  mark: string;
}

/** Concurrent campaigns. */
const AT_ONCE = 100;

/**
 * Counts the terms of campaigns exactly once. Numbers the terms of a campaign and month first, which changes nothing if it is repeated, and
 * then adds to the pages of these numbers.
 */
export function createTermCounting(effects: Pick<Effects, 'db' | 'clock' | 'ids' | 'log' | 'metrics'>) {
  const countAll = createCounting(effects);
  const numberTerms = createTermNumbers(effects);

  /** Counts what records add to one campaign in one month. */
  async function countMonth(records: readonly TermsToCount[], park: Park): Promise<NotThrough[]> {
    const { campaignId, month } = records[0]!.terms[0]!;
    const part = `terms ${campaignId} ${month}`;
    try {
      const numbered = await numberTerms(sumTerms(records.flatMap(({ terms }) => terms)));
      const additions = records.flatMap(({ terms, place, sequence, mark }) =>
        toPages(terms, numbered).map(
          (page): ToCount => ({
            ...page,
            part: `${part} ${page.page}`,
            // A record that was parked before its terms were numbered still needs all pages. Marks skip what was counted.
            place: place.part === part ? { ...place, part: undefined } : place,
            sequence,
            marks: [markTerms(page, month, mark)],
          }),
        ),
      );
      return await countAll(shareTexts(additions), park);
    } catch (cause) {
      return records.map(({ place: { at } }) => ({ at, part, cause }));
    }
  }

  return async (records: readonly TermsToCount[], park: Park): Promise<NotThrough[]> => {
    const split = records.flatMap((record) =>
      [...Map.groupBy(record.terms, ({ campaignId, month }) => `${campaignId} ${month}`).values()].map((terms) => ({
        ...record,
        terms,
      })),
    );
    const months = [...Map.groupBy(split, ({ terms: [first] }) => `${first!.campaignId} ${first!.month}`).values()];
    const left: NotThrough[] = [];
    for (let at = 0; at < months.length; at += AT_ONCE)
      left.push(...(await Promise.all(months.slice(at, at + AT_ONCE).map((one) => countMonth(one, park)))).flat());
    return left;
  };
}

/** Gives all additions to a page the texts of all of them: a write sets only those of its last record. */
function shareTexts(additions: readonly ToCount[]): ToCount[] {
  const pages = Map.groupBy(additions, ({ part }) => part);
  return [...pages.values()].flatMap((ofPage) => {
    const set = Object.assign({}, ...ofPage.map(({ row }) => row.set));
    return ofPage.map((one) => ({ ...one, row: { ...one.row, set } }));
  });
}
