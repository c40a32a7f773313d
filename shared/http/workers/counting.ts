import type { CountsRow } from '../../budgets/counts.ts';
import { compactTotals } from '../../budgets/counts.ts';
import { type Addition, addTo, type CountedRow, countOnce } from '../../platform/count-once.ts';
import type { Write } from '../../platform/database.ts';
import type { Effects } from '../../platform/effects.ts';
import type { MetricName } from '../../platform/metrics.ts';
import { getKeys, toError } from '../../platform/values/typed.ts';
import type { NotThrough, RecordPosition } from './stream-worker.ts';

/**
 * What a fact adds to a row and to the operators' graphs. A record may add to several rows: each is a part of its own, which is counted,
 * parked and put through without the others; the marks say that the part was counted where its place in a shard does not.
 */
export interface ToCount extends Addition {
  row: CountedRow;
  part: string;
  place: RecordPosition;
  marks: Write[];
  measured?: Partial<Record<MetricName, number>>;
}

/** Rows that are written at a time: a batch may have thousands, and none is to wait for its connection until it is given up. */
const AT_ONCE = 100;

/**
 * Counts what a batch adds, exactly once: all that it adds to a row is one write, which takes the row's position in the shard along, so
 * records that come again are passed over. A record that comes without its shard was parked, and is counted in a transaction with a mark.
 */
export function createCounting(effects: Pick<Effects, 'db' | 'clock' | 'log' | 'metrics'>) {
  const { db, log, metrics } = effects;

  /** Counts what a batch adds to one row, the records of one shard or those that were parked. Resolves to those not through. */
  async function countRow(additions: readonly ToCount[]): Promise<NotThrough[]> {
    const { row, place } = additions[0]!;
    if (place.shard === undefined) return countParked(additions);
    try {
      const { counted, row: left } = await countOnce(effects, row, place.shard, additions);
      measure(counted);
      if (left && 'row' in left && left.row === 'total') await tidyUp(left);
      return [];
    } catch (cause) {
      return additions.map(({ place: { at }, part }) => ({ at, part, cause }));
    }
  }

  /** What was counted is through, whether or not its row can be tidied now: a later batch does it. */
  async function tidyUp(row: CountsRow): Promise<void> {
    try {
      await compactTotals(effects, row);
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

  return async (additions: readonly ToCount[]): Promise<NotThrough[]> => {
    const asked = additions.filter(
      ({ counts, part, place }) => Object.keys(counts).length > 0 && (place.part ?? part) === part,
    );
    const rows = Map.groupBy(asked, ({ row }) => JSON.stringify([row.table, row.key]));
    const waiting = [...rows.values()];
    const left: NotThrough[] = [];
    for (let at = 0; at < waiting.length; at += AT_ONCE)
      left.push(...(await Promise.all(waiting.slice(at, at + AT_ONCE).map(countRow))).flat());
    return left;
  };
}
