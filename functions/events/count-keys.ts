import { keyDayRow } from '../../shared/api-keys/day.ts';
import { type KeyTally, unpackTally } from '../../shared/api-keys/tallies.ts';
import { positionName } from '../../shared/ledgers/positions.ts';
import type { Write } from '../../shared/platform/database.ts';
import { createCounting, type ToCount } from '../../shared/workers/counting.ts';
import { type RecordPlace, streamWorker } from '../../shared/workers/worker.ts';

/** Adds what batches of bids came to, to the days of their keys, exactly once: many batches to a write. */
export default streamWorker('events/count-keys', (effects) => {
  const countAll = createCounting(effects);
  return {
    changes: {
      'key-tallies': async ({ now }, place) => now && additionsOf(now, place),
    },
    finish: (additions: ToCount[][]) => countAll(additions.flat()),
  };
});

function additionsOf(tally: KeyTally, place: RecordPlace): ToCount[] {
  const { sequence } = place;
  const isParked = place.shard === undefined; // the marks of others would be the most of a full batch's memory
  return unpackTally(tally).map(({ keyId, day, counts }) => {
    const part = `${keyId} ${day}`;
    const marks = isParked ? [markOf(tally, keyId, day)] : [];
    return { row: keyDayRow(keyId, day), counts, part, place, sequence, marks };
  });
}

/** In a transaction with what a tally adds to a key: whoever puts a parked one through again counts nothing. */
function markOf(tally: KeyTally, keyId: string, day: string): Write<'key-days'> {
  const { shard } = tally;
  const put = { keyId, day: `mark#${day}#${shard}#${tally[positionName(shard)]}`, ...keyDayRow(keyId, day).set };
  return { table: 'key-days', put, when: 'attribute_not_exists(#keyId)' };
}
