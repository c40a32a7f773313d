import { type Biddable, getMaxBid, toBiddableIfActive } from '../../campaigns/biddable.ts';
import { getMarginMs, readChangesSince } from '../../campaigns/changes.ts';
import { hasHistory, type SpendStats } from '../../campaigns/spend-stats.ts';
import {
  buildHashTable,
  ColumnWriter,
  encodeText,
  fingerprint,
  type Lexicon,
  SegmentWriter,
} from '../../matching/index.ts';
import { yieldEvery } from '../../platform/clock.ts';
import type { Effects } from '../../platform/effects.ts';
import { createSnapshotStore, MAX_SNAPSHOT_AGE_MS, type Snapshot } from './snapshot.ts';
import { SNAPSHOT_SHAPE, type SnapshotShape, toFactsRow, toStatsRow } from './snapshot-shape.ts';
import { cutSlices, SLICE_BYTES } from './snapshot-slices.ts';

/** Rewrite a snapshot at this age even without changes, before it is too old to use. */
const RENEW_MS = MAX_SNAPSHOT_AGE_MS / 2;
/** Rewrite a snapshot once this share of it has changed, so that instances read fewer changes from the index. */
const MIN_CHANGED_SHARE = 0.1;
/** With fewer changes than this, do not rewrite: they fit into one page of the index. */
const MIN_CHANGES = 100;

/**
 * Writes a snapshot of the campaigns when the last one is old or much has changed since. Streams from the index of changes to slices, so
 * memory hardly depends on the number and size of campaigns: one slice at a time, plus what the matching index writes only at its end. *
 * Cost per 1,000 campaigns with 20 keywords each, with their stats: 280 write units and 260 read units to write it; at most a tenth of those
 * read units to find that no write is needed. * Writers may overlap and crash at any point: each writes its own slices, which are read only
 * after its head is published, and an older head never replaces a newer one. Unused slices expire by TTL.
 */
export function createSnapshotWriter(
  effects: Pick<Effects, 'db' | 'clock' | 'config' | 'ids'>,
  lexicon: Lexicon,
  { sliceBytes = SLICE_BYTES, few = MIN_CHANGES, share = MIN_CHANGED_SHARE } = {},
) {
  const { clock, config, ids } = effects;
  const snapshots = createSnapshotStore(effects, lexicon);

  async function isOutdated({ upTo, entries }: Snapshot): Promise<boolean> {
    if (clock.now() - upTo >= RENEW_MS) return true;
    const most = Math.max(few, share * entries);
    let changes = 0;
    for await (const _ of yieldEvery(readChangesSince(effects, upTo - getMarginMs(config)), clock)) {
      if (++changes > most) return true;
    }
    return false;
  }

  /**
   * Changes during the read may appear twice or not at all. Readers get them from the index of changes, because they are later than `upTo`.
   */
  async function* readBytes(segment: ReturnType<typeof createSnapshotSegment>): AsyncGenerator<Uint8Array> {
    for await (const change of yieldEvery(readChangesSince(effects, 0), clock)) {
      if (change.kind === 'stats') segment.addStats(change.stats);
      const campaign = change.kind === 'campaign' ? toBiddableIfActive(change.campaign, lexicon) : undefined;
      if (campaign) segment.add(campaign);
      yield* segment.take();
    }
    yield* segment.end();
  }

  return async (): Promise<void> => {
    const last = await snapshots.find();
    if (last && !(await isOutdated(last))) return;
    const header = { generation: ids.ordered('snapshot'), upTo: clock.now() };
    const segment = createSnapshotSegment(lexicon);
    let slices = 0;
    for await (const slice of cutSlices(readBytes(segment), sliceBytes))
      await snapshots.putSlice(header, slices++, slice);
    await snapshots.publish({ ...header, slices, entries: segment.entries(), lengths: segment.lengths });
  };
}

/** Builds a snapshot from a stream of campaigns and stats, and emits its bytes as they are added. */
function createSnapshotSegment(lexicon: Lexicon) {
  const columns = new ColumnWriter(SNAPSHOT_SHAPE);
  const segment = new SegmentWriter(lexicon, columns);
  const statsPrints = new Set<number>();

  function pushText(bytes: 'facts' | 'statsIds' | 'stats', lengths: keyof SnapshotShape, text: string): void {
    const encoded = encodeText(text);
    columns.push(bytes, encoded);
    columns.push(lengths, [encoded.length]);
  }

  return {
    /** Keeps the first version of a campaign that changes during the read. */
    add(campaign: Biddable): void {
      if (segment.add(campaign.id, campaign.profile, getMaxBid(campaign)))
        pushText('facts', 'factLengths', toFactsRow(campaign));
    },

    addStats(stats: SpendStats): void {
      const print = fingerprint(stats.id);
      if (!hasHistory(stats) || statsPrints.has(print)) return;
      statsPrints.add(print);
      pushText('statsIds', 'statsIdLengths', stats.id);
      pushText('stats', 'statsLengths', toStatsRow(stats));
    },

    /** Returns the bytes that are ready to write, each only once. */
    take: (): Uint8Array[] => columns.take(),

    end(): Uint8Array[] {
      segment.end();
      columns.push('statsIdTable', buildHashTable(statsPrints));
      return columns.end();
    },

    lengths: columns.lengths,
    /** Campaigns and stats. */
    entries: (): number => segment.count + statsPrints.size,
  };
}
