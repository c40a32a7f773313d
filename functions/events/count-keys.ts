import { createCounting, type ToCount } from '../../shared/http/workers/counting.ts';
import { type RecordPosition, streamWorker } from '../../shared/http/workers/stream-worker.ts';
import { type KeyTally, toBreakdowns, unpackTally } from '../../shared/keys/key-tallies.ts';
import { firstPage, pageRow, sumValues, type ValueCounts } from '../../shared/platform/breakdowns.ts';
import { positionName } from '../../shared/platform/count-once.ts';

/** Adds the stored tallies of `count` to the days of API keys and campaigns, exactly once. One write covers many tallies. */
export default streamWorker('events/count-keys', (effects) => {
  const countAll = createCounting(effects);
  return {
    changes: {
      'key-tallies': async ({ now }, place) => now && toAdditions(now, place),
    },
    finish: (additions: ToCount[][], park) => countAll(additions.flat(), park),
  };
});

function toAdditions(tally: KeyTally, place: RecordPosition): ToCount[] {
  const { shard } = tally;
  const { days, groups } = unpackTally(tally);
  const counts = new Map(days.map((one) => [`${one.keyId} ${one.day}`, one.counts]));
  const pages = [
    ...days.map(({ keyId, day }) => ({ page: firstPage({ keyId }, day), values: [] as ValueCounts[] })),
    ...groups.flatMap(toBreakdowns),
  ];
  const byPart = Map.groupBy(pages, ({ page: { subject, day } }) => `${Object.values(subject)[0]} ${day}`);
  return [...byPart].map(([part, all]) => {
    const { page } = all[0]!;
    const mark = `${page.day}#${shard}#${tally[positionName(shard)]}`;
    const breakdown = { page, values: sumValues(all.flatMap(({ values }) => values)), mark };
    const { sequence } = place;
    return { row: pageRow(page), counts: counts.get(part) ?? {}, part, place, sequence, marks: [], breakdown };
  });
}
