import { amend, type Holdings, noHoldings } from '../campaigns/holdings.ts';
import { type Change, campaignStore, marginMs } from '../campaigns/store.ts';
import type { Effects } from '../effects.ts';
import { inLanes } from '../lanes.ts';
import type { Lexicon } from '../matching/index.ts';
import { bucketOf, holdingsOf, pack } from './part.ts';
import { MOST_AGE_MS, type Snapshot, snapshotStore } from './store.ts';

/** How often everything is read again, as a net under the changes. */
const REBUILD_MS = MOST_AGE_MS / 2;
/** Campaigns of a part, about: few enough that parsing one keeps no request waiting. */
const PART = 256;
/** Bytes of a part, at most; an item of DynamoDB holds 400 KB. */
const MOST_BYTES = 120_000;
/** Parts worked on at once. */
const LANES = 4;

/**
 * Keeps the snapshot up to date: reads what changed since it was made and writes the parts that this touches; anew where there is
 * none to go on from. Publishers may overlap and stop anywhere: parts go forward only, one that is newer than the whole says does
 * no harm, and whoever finds a newer one leaves the rest to the one who wrote it.
 */
export function publisher(
  effects: Pick<Effects, 'db' | 'clock' | 'config'>,
  lexicon: Lexicon,
  { part = PART, mostBytes = MOST_BYTES } = {},
) {
  const { clock, config } = effects;
  const campaigns = campaignStore(effects);
  const snapshots = snapshotStore(effects, lexicon);

  /** Writes parts, until another publisher is found to be ahead or a part has outgrown its place. */
  async function write(buckets: number, upTo: number, touched: Map<number, Holdings>) {
    const troubles: ('outrun' | 'too large')[] = [];
    await inLanes(LANES, [...touched], async ([bucket, holdings]) => {
      if (troubles.length > 0) return;
      const body = await pack(holdings);
      if (body.length > mostBytes && holdings.campaigns.size + holdings.funds.size > 1) troubles.push('too large');
      else if (!(await snapshots.putPart(bucket, buckets, upTo, body))) troubles.push('outrun');
    });
    return troubles[0] ?? 'written';
  }

  /** Brings a snapshot up to date. Where that cannot be done, how many buckets it takes at least to make it anew. */
  async function revise(snapshot: Snapshot, now: number): Promise<number | undefined> {
    const { buckets } = snapshot;
    const changes = new Map<number, Change[]>();
    for await (const change of campaigns.changedSince(snapshot.upTo - marginMs(config))) {
      const bucket = bucketOf(idOf(change), buckets);
      const list = changes.get(bucket);
      if (list) list.push(change);
      else changes.set(bucket, [change]);
    }
    const touched = new Map<number, Holdings>();
    const damaged: number[] = [];
    await inLanes(LANES, [...changes], async ([bucket, list]) => {
      const part = await snapshots.part(snapshot, bucket);
      if (!part) return void damaged.push(bucket);
      const holdings = holdingsOf(part);
      const news = list.filter((change) => amend(holdings, change, lexicon)); // the margin repeats what is known
      if (news.length > 0) touched.set(bucket, holdings);
    });
    if (damaged.length > 0) return 1;
    const outcome = await write(buckets, now, touched);
    if (outcome === 'written') {
      const parts = snapshot.parts.map((upTo, bucket) => (touched.has(bucket) ? now : upTo));
      await snapshots.publish({ ...snapshot, upTo: now, parts });
    }
    return outcome === 'too large' ? 2 * buckets : undefined;
  }

  async function rebuild(now: number, least: number): Promise<void> {
    const all = noHoldings();
    for await (const change of campaigns.changedSince(0)) amend(all, change, lexicon);
    for (let buckets = Math.max(least, Math.ceil(all.campaigns.size / part)); ; buckets *= 2) {
      const outcome = await write(buckets, now, divide(all, buckets));
      if (outcome === 'too large') continue;
      const parts = Array<number>(buckets).fill(now);
      if (outcome === 'written') await snapshots.publish({ buckets, upTo: now, rebuiltAt: now, parts });
      return;
    }
  }

  return async (): Promise<void> => {
    const now = clock.now();
    const snapshot = await snapshots.find();
    const isFresh = snapshot && now - snapshot.rebuiltAt < REBUILD_MS;
    const least = isFresh ? await revise(snapshot, now) : 1;
    if (least) await rebuild(now, least);
  };
}

const idOf = (change: Change): string =>
  change.kind === 'campaign' ? change.campaign.id : change.kind === 'funds' ? change.funds.id : change.id;

function divide({ campaigns, funds }: Holdings, buckets: number): Map<number, Holdings> {
  const parts = new Map(Array.from({ length: buckets }, (_, bucket) => [bucket, noHoldings()]));
  for (const [id, campaign] of campaigns) parts.get(bucketOf(id, buckets))!.campaigns.set(id, campaign);
  for (const [id, one] of funds) parts.get(bucketOf(id, buckets))!.funds.set(id, one);
  return parts;
}
