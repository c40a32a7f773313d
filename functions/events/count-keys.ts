import { createTermCounting, type TermsToCount } from '../../shared/http/workers/count-terms.ts';
import { createCounting, type ToCount } from '../../shared/http/workers/counting.ts';
import { type RecordPosition, streamWorker } from '../../shared/http/workers/stream-worker.ts';
import { type KeyTally, toBreakdowns, unpackTally } from '../../shared/keys/key-tallies.ts';
import { firstPage, pageRow, sumValues, type ValueCounts } from '../../shared/platform/breakdowns.ts';
import { positionName } from '../../shared/platform/count-once.ts';

/** Adds the stored tallies of `count` to the days of API keys and campaigns, exactly once. One write covers many tallies. */
export default streamWorker('events/count-keys', (effects) => {
  const countAll = createCounting(effects);
  const countTerms = createTermCounting(effects);
  return {
    changes: {
      'key-tallies': async ({ now }, place) => now && toCounts(now, place),
    },
    async finish(tallies: TallyToCount[], park) {
      const failures = [
        countAll(
          tallies.flatMap(({ additions }) => additions),
          park,
        ),
        countTerms(
          tallies.flatMap(({ terms }) => terms),
          park,
        ),
      ];
      return (await Promise.all(failures)).flat();
    },
  };
});

/** What one tally adds to days and to terms. */
interface TallyToCount {
  additions: ToCount[];
  terms: TermsToCount[];
}

function toCounts(tally: KeyTally, place: RecordPosition): TallyToCount {
  const { shard } = tally;
  const { days, groups, terms } = unpackTally(tally);
  const position = `${shard}#${tally[positionName(shard)]}`;
  const counts = new Map(days.map((one) => [`${one.keyId} ${one.day}`, one.counts]));
  const pages = [
    ...days.map(({ keyId, day }) => ({ page: firstPage({ keyId }, day), values: [] as ValueCounts[] })),
    ...groups.flatMap(toBreakdowns),
  ];
  const byPart = Map.groupBy(pages, ({ page: { subject, day } }) => `${Object.values(subject)[0]} ${day}`);
  const { sequence } = place;
  const additions = [...byPart].map(([part, all]) => {
    const { page } = all[0]!;
    const mark = `${page.day}#${position}`;
    const breakdown = { page, values: sumValues(all.flatMap(({ values }) => values)), mark };
    return { row: pageRow(page), counts: counts.get(part) ?? {}, part, place, sequence, marks: [], breakdown };
  });
  return { additions, terms: terms.length > 0 ? [{ terms, place, sequence, mark: position }] : [] };
}
