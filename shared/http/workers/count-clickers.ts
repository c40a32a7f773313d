import { markCounted } from '../../ads/bids/store.ts';
import { type ClickerClick, countClicks, getClicks } from '../../ads/clickers.ts';
import { clickerRow } from '../../budgets/clickers.ts';
import {
  addTo,
  isBefore,
  positionName,
  positionText,
  sequenceText,
  withoutCounted,
} from '../../platform/count-once.ts';
import type { Values, Write } from '../../platform/database.ts';
import type { Effects } from '../../platform/effects.ts';
import { type NotThrough, type Park, parkRefused } from './parking.ts';
import type { RecordPosition } from './stream-worker.ts';

/** A click of a stream record. */
export type ClickToCount = ClickerClick & { place: RecordPosition; sequence: string };

const PART = 'clicker';

/** Concurrent clickers. */
const AT_ONCE = 100;
/** Clicks of a write: a transaction has up to 100 writes, and each click may be of another key. */
const MAX_PER_WRITE = 90;

/**
 * Counts the clicks of each clicker, and those after the first 30 as suspect, for their campaign and key. The row of the clicker stores its
 * position in the shard, and one transaction writes it together with the suspect clicks, so both count each record once. The order of
 * the records does not matter for the number of suspect clicks.
 */
export function createClickerCounting(effects: Pick<Effects, 'db' | 'clock'>) {
  const { db, clock } = effects;
  let lastTransaction: Promise<unknown> = Promise.resolve();

  /** One transaction at a time: those of other clickers often write the same totals, and would conflict. */
  function transact(writes: Write[]) {
    const written = lastTransaction.then(() => db.transact(writes));
    lastTransaction = written.catch(() => {});
    return written;
  }

  async function countFrom(shard: string, clicks: readonly ClickToCount[]): Promise<void> {
    const name = positionName(shard);
    let before = 0;
    for (let left = clicks; left.length > 0; ) {
      const some = left.slice(0, MAX_PER_WRITE);
      const position = { [name]: positionText(some.at(-1)!.sequence, clock.now()) };
      const { row, suspects } = countClicks(some, before, position);
      // A repeated batch, possibly split differently, or a retry after a lost response, writes the same records.
      const write = { ...row, when: `${row.when} AND ${isBefore(name)}` };
      write.values = { ...row.values, first: sequenceText(some[0]!.sequence) };
      const written = await (suspects.length > 0 ? transact([write, ...suspects]) : db.write(write));
      const old = 'refused' in written ? written.refused[0]?.old : 'old' in written ? written.old : undefined;
      before = written.ok ? before + some.length : getClicks(old);
      left = written.ok ? left.slice(some.length) : withoutCounted(left, old, name);
    }
  }

  async function countParked(click: ClickToCount): Promise<void> {
    for (let before = 0; ; ) {
      const { row, suspects } = countClicks([click], before);
      const written = await transact([markCounted(click.bidId, PART), row, ...suspects]);
      const [isMarked, refused] = written.ok ? [] : written.refused;
      if (written.ok || isMarked) return;
      before = getClicks(refused?.old);
    }
  }

  async function countClicker(clicks: readonly ClickToCount[], park: Park): Promise<NotThrough[]> {
    const { place, ...first } = clicks[0]!;
    try {
      if (place.shard === undefined) for (const click of clicks) await countParked(click);
      else await countFrom(place.shard, clicks);
      return [];
    } catch (cause) {
      const { campaignId } = first;
      const skip = (position: Values) => addTo(clickerRow(first), {}, position);
      return parkRefused(effects, park, { part: PART, subjectOf: () => ({ campaignId }), skip }, clicks, cause);
    }
  }

  return async (clicks: readonly ClickToCount[], park: Park): Promise<NotThrough[]> => {
    const asked = clicks.filter(({ place: { part } }) => part === undefined || part === PART);
    const clickers = [...Map.groupBy(asked, ({ campaignId, clicker }) => `${campaignId} ${clicker}`).values()];
    const left: NotThrough[] = [];
    for (let at = 0; at < clickers.length; at += AT_ONCE)
      left.push(...(await Promise.all(clickers.slice(at, at + AT_ONCE).map((one) => countClicker(one, park)))).flat());
    return left;
  };
}
