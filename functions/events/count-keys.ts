import { createCounting, type ToCount } from '../../shared/http/workers/counting.ts';
import { type RecordPosition, streamWorker } from '../../shared/http/workers/stream-worker.ts';
import { createMark, keyDayRow } from '../../shared/keys/key-day.ts';
import { type KeyTally, unpackTally } from '../../shared/keys/key-tallies.ts';
import { positionName } from '../../shared/platform/count-once.ts';

/** Adds what batches of bids came to, to the days of their keys, exactly once: many batches to a write. */
export default streamWorker('events/count-keys', (effects) => {
  const countAll = createCounting(effects);
  return {
    changes: {
      'key-tallies': async ({ now }, place) => now && toAdditions(now, place),
    },
    finish: (additions: ToCount[][]) => countAll(additions.flat()),
  };
});

function toAdditions(tally: KeyTally, place: RecordPosition): ToCount[] {
  const { sequence } = place;
  const { shard } = tally;
  const isParked = place.shard === undefined; // the marks of others would be the most of a full batch's memory
  return unpackTally(tally).map(({ keyId, day, counts }) => {
    const part = `${keyId} ${day}`;
    const row = keyDayRow(keyId, day);
    const marks = isParked ? [createMark(row, `${day}#${shard}#${tally[positionName(shard)]}`)] : [];
    return { row, counts, part, place, sequence, marks };
  });
}
