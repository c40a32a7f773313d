import { type Biddable, ceilingOf } from '../campaigns/biddable.ts';
import { hasHistory, type SpendStats } from '../campaigns/spend-stats.ts';
import { bytesOfText, ColumnWriter, fingerprint, type Lexicon, SegmentWriter, tableOf } from '../matching/index.ts';
import { factsOf, SNAPSHOT_SHAPE, type SnapshotShape, statsRowOf } from './snapshot-shape.ts';

/** Makes a snapshot of campaigns and stats that come one by one: bytes come out of it as they go in. */
export function createSnapshotSegment(lexicon: Lexicon) {
  const columns = new ColumnWriter(SNAPSHOT_SHAPE);
  const segment = new SegmentWriter(lexicon, columns);
  const statsPrints = new Set<number>();

  function pushText(bytes: 'facts' | 'statsIds' | 'stats', lengths: keyof SnapshotShape, text: string): void {
    const encoded = bytesOfText(text);
    columns.push(bytes, encoded);
    columns.push(lengths, [encoded.length]);
  }

  return {
    /** Of a campaign that comes twice, since it changed meanwhile, the first is kept. */
    add(campaign: Biddable): void {
      if (segment.add(campaign.id, campaign.profile, ceilingOf(campaign)))
        pushText('facts', 'factLengths', factsOf(campaign));
    },

    addStats(stats: SpendStats): void {
      const print = fingerprint(stats.id);
      if (!hasHistory(stats) || statsPrints.has(print)) return;
      statsPrints.add(print);
      pushText('statsIds', 'statsIdLengths', stats.id);
      pushText('stats', 'statsLengths', statsRowOf(stats));
    },

    /** What can be written by now, once. */
    take: (): Uint8Array[] => columns.take(),

    end(): Uint8Array[] {
      segment.end();
      columns.push('statsIdTable', tableOf(statsPrints));
      return columns.end();
    },

    lengths: columns.lengths,
    /** Campaigns and stats. */
    entries: (): number => segment.count + statsPrints.size,
  };
}
