import { createCounting, type ToCount } from '../../shared/http/workers/counting.ts';
import { type RecordPosition, streamWorker } from '../../shared/http/workers/stream-worker.ts';
import { createMark, keyDayRow } from '../../shared/keys/key-day.ts';
import { type KeyTally, unpackTally } from '../../shared/keys/key-tallies.ts';
import { positionName } from '../../shared/platform/count-once.ts';

/** Adds the stored tallies of `count` to the API keys' day rows, exactly once. One write covers many tallies. */
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
  const isParked = place.shard === undefined; // mark parked records only: marks of a full batch would use most of the memory
  return unpackTally(tally).map(({ keyId, day, counts }) => {
    const part = `${keyId} ${day}`;
    const row = keyDayRow(keyId, day);
    const marks = isParked ? [createMark(row, `${day}#${shard}#${tally[positionName(shard)]}`)] : [];
    return { row, counts, part, place, sequence, marks };
  });
}
