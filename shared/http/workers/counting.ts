import { compactTotals, isTotals } from '../../budgets/counts.ts';
import { compactTerms, isTerms } from '../../budgets/monthly-terms.ts';
import { type Addition, addTo, type CountedRow, countOnce } from '../../platform/count-once.ts';
import type { Values, Write } from '../../platform/database.ts';
import type { Effects } from '../../platform/effects.ts';
import type { Item } from '../../platform/items.ts';
import type { MetricName } from '../../platform/metrics.ts';
import { getKeys, toError } from '../../platform/values/typed.ts';
import { type BreakdownToCount, createPageCounting } from './count-pages.ts';
import { type NotThrough, type Park, parkRefused } from './parking.ts';
import type { RecordPosition } from './stream-worker.ts';

/**
 * What a record adds to one row and to the metrics. A record can add to several rows. Each is a separate `part`, counted, parked, and
 * processed again independently of the others. `marks` record that a part was counted, if its position in a shard is unknown.
 */
export interface ToCount extends Addition {
  row: CountedRow<'ledgers' | 'key-days'>;
  part: string;
  place: RecordPosition;
  marks: Write[];
  measured?: Partial<Record<MetricName, number>>;
  /** Set if the row is the first page of a breakdown. Its mark replaces `marks`. */
  breakdown?: Pick<BreakdownToCount, 'page' | 'values' | 'mark'>;
}

/**
 * Maximum concurrent row writes. A batch can have thousands of rows; written all at once, the last would time out waiting for a connection.
 */
const AT_ONCE = 100;

/**
 * Counts the additions of a batch exactly once. Each row gets one write, which also updates the row's position in the shard, so repeated
 * records are skipped. If the row refuses the write, its records are parked. A record without a shard was parked before; it is counted in a
 * transaction with a mark.
 */
export function createCounting(effects: Pick<Effects, 'db' | 'clock' | 'log' | 'metrics'>) {
  const { db, log, metrics } = effects;
  const countPages = createPageCounting(effects);

  /** Counts the additions to one row, either all from one shard or all parked. Returns those that failed. */
  async function countRow(additions: readonly ToCount[], park: Park): Promise<NotThrough[]> {
    const { row, part, place, breakdown } = additions.at(-1)!; // the last record decides the attributes that are set
    if (breakdown)
      return countPages(
        additions.flatMap((one) => (one.breakdown ? { ...one, ...one.breakdown } : [])),
        park,
      );
    if (place.shard === undefined) return countParked(additions);
    try {
      const { counted, row: left } = await countOnce(effects, row, place.shard, additions);
      measure(counted);
      if (left && 'row' in left) await tidyUp(left);
      return [];
    } catch (cause) {
      const refusing = { part, subjectOf: () => row.key, skip: (position: Values) => addTo(row, {}, position) };
      return parkRefused(effects, park, refusing, additions, cause);
    }
  }

  /** Compacts a row that grows. A failure is only logged, because the additions are counted and a later batch compacts again. */
  async function tidyUp(row: Item<'ledgers'>): Promise<void> {
    try {
      if (isTotals(row)) await compactTotals(effects, row);
      else if (isTerms(row)) await compactTerms(effects, row);
    } catch (cause) {
      log.warn('totals not tidied', { campaignId: row.campaignId, stack: toError(cause).stack });
    }
  }

  async function countParked(additions: readonly ToCount[]): Promise<NotThrough[]> {
    const left: NotThrough[] = [];
    for (const addition of additions) {
      const { row, counts, marks, place, part } = addition;
      try {
        const { ok: isNew } = await db.transact([...marks, addTo(row, counts)]);
        if (isNew) measure([addition]);
      } catch (cause) {
        left.push({ at: place.at, part, cause });
      }
    }
    return left;
  }

  function measure(additions: readonly ToCount[]): void {
    for (const { measured = {} } of additions) for (const name of getKeys(measured)) metrics.add(name, measured[name]);
  }

  return async (additions: readonly ToCount[], park: Park): Promise<NotThrough[]> => {
    const asked = additions.filter(
      ({ counts, part, place, breakdown }) =>
        (breakdown || Object.keys(counts).length > 0) && `${place.part ?? part} `.startsWith(`${part} `),
    );
    const rows = Map.groupBy(asked, ({ row }) => JSON.stringify([row.table, row.key]));
    const waiting = [...rows.values()];
    const left: NotThrough[] = [];
    for (let at = 0; at < waiting.length; at += AT_ONCE)
      left.push(...(await Promise.all(waiting.slice(at, at + AT_ONCE).map((one) => countRow(one, park)))).flat());
    return left;
  };
}
