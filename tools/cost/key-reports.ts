import { workers } from '../../shared/http/operations/workers.ts';
import { packTally, type TallyGroup } from '../../shared/keys/key-tallies.ts';
import type { Amounts } from '../../shared/platform/count-once.ts';
import { COUNTRIES } from '../../shared/platform/values/countries.ts';
import { generator } from '../random.ts';
import { PAGES, TERMS } from './meter.ts';
import { divide, itemBytes, type TableUse } from './table-use.ts';

/** Tables that count the bids of keys: tallies per shard batch, and days per key. */
export const TALLIES = 'ads-key-tallies';
export const KEY_DAYS = 'ads-key-days';

/** Assumed bids per second of a key; its limit is fifteen. */
export const BIDS_PER_KEY = 14;

/** Campaigns among whose ads the bids of a second are. */
const CAMPAIGNS = 100;

const [{ gatherSeconds }] = workers['events/count-keys'].sources;

/** The maximum batch size of Lambda. */
const BATCH_BYTES = 6 * 1024 * 1024;
const UNIT_BYTES = 1024;
/** Write units per second of a table partition. The stream has a shard for each partition. */
export const PARTITION_WRITES = 1_000;
/** Stream shards per day for each open shard; a shard lasts about four hours. */
const SHARDS_PER_DAY = 7;
/** Bytes of a row without shard positions, and of each position. */
const ROW_BYTES = 350;
const POSITION_BYTES = 40;
/** Bytes that a stream record adds to its item. */
const ENVELOPE_BYTES = 700;

/** Bytes of a tally of this many bids, each of another key, and every fifth with an impression. */
function tallyBytes(bids: number, isBrokenDown: boolean): number {
  const random = generator(1);
  const hex = () => Math.floor(random() * 16).toString(16);
  const oneOf = (count: number) => Math.floor(random() * count);
  const additions = Array.from({ length: bids }, (_, at): TallyGroup => {
    const won: Amounts = at % 5 === 0 ? { impressions: 1, charged_10000: Math.floor(random() * 10_000) } : {};
    const keyId = `key_${Array.from({ length: 32 }, hex).join('')}`;
    const level = ['fill_strict', 'fill_balanced', 'fill_open'][at % 3]!;
    return {
      keyId,
      day: '2026-11-20',
      counts: { bids: 1, [level]: 1, ...won },
      campaignId: `cmp_${String(oneOf(CAMPAIGNS)).padStart(20, '0')}`,
      dimensions: {
        country: COUNTRIES[oneOf(20)]!,
        publisher: keyId,
        topic: String(oneOf(100)).padStart(6, '0'),
        creative: String(oneOf(CAMPAIGNS)).padStart(16, '0'),
        variant: ['none', 'card'][oneOf(2)]!,
        domain: `shop-${oneOf(CAMPAIGNS)}.example`,
      },
    };
  });
  const shard = `bids shardId-${'0'.repeat(20)}-00000000`;
  const { counts, groups } = packTally(additions);
  return itemBytes({
    shard,
    counts,
    ...(isBrokenDown && { groups }),
    ttl: 1_795_000_000,
    at_00000000000: '0'.repeat(28),
  });
}

/** The size of a tally is linear in its keys, and that of its breakdowns in its bids. */
const [FEW, MANY] = [10, 1_000];
const ALONE_BYTES = tallyBytes(FEW, false);
const KEY_BYTES = (tallyBytes(MANY, false) - ALONE_BYTES) / (MANY - FEW);
const BID_BYTES = (tallyBytes(MANY, true) - tallyBytes(MANY, false)) / MANY;

/**
 * Write units per second for the reports of keys.
 * @param bids per second, over all keys
 * @param bidsOfKey per second, for each key
 * @param shards of the bids stream, which split a key's bids
 * @param isBrokenDown whether tallies contain breakdowns
 */
export function reportWrites(
  bids: number,
  bidsOfKey: number,
  shards: number,
  isBrokenDown = true,
): { tallies: number; days: number } {
  const keys = Math.max(1, bids / bidsOfKey);
  // Per second: the shards with a bid, and the keys with a bid in one shard.
  const busyShards = shards * (1 - Math.exp(-bids / shards));
  const keysInShard = keys * (1 - Math.exp(-bids / keys / shards));
  const bytes =
    ALONE_BYTES + Math.max(0, keysInShard - FEW) * KEY_BYTES + (isBrokenDown ? bids / busyShards : 0) * BID_BYTES;
  const tallies = busyShards * Math.ceil(bytes / UNIT_BYTES);
  const tallyShards = Math.max(1, Math.ceil(tallies / PARTITION_WRITES));
  const batchSeconds = Math.min(gatherSeconds, (BATCH_BYTES * tallyShards) / (busyShards * (bytes + ENVELOPE_BYTES)));
  const batchesWithKey = tallyShards * (1 - Math.exp((-bids / keys / tallyShards) * batchSeconds));
  const rowUnits = Math.ceil((ROW_BYTES + tallyShards * SHARDS_PER_DAY * POSITION_BYTES) / UNIT_BYTES);
  return { tallies, days: (keys * batchesWithKey * rowUnits) / batchSeconds };
}

/** Report writes per bid, computed from one second of bids. Days of keys are written once per minute. */
export function toReportUse(use: TableUse, bids: number): TableUse {
  const tallies = (use.writesByTable[TALLIES] ?? 0) / bids;
  const days = (use.writesByTable[KEY_DAYS] ?? 0) / bids / gatherSeconds;
  return { ...divide(use, bids), writes: tallies + days, writesByTable: { [TALLIES]: tallies, [KEY_DAYS]: days } };
}

/** The measured use of a step without its report writes. */
export function withoutReport(use: TableUse): TableUse {
  const { [TALLIES]: tallies = 0, [KEY_DAYS]: days = 0, ...others } = use.writesByTable;
  const { [PAGES]: pages = 0, [TERMS]: terms = 0, ...writesOf } = others;
  return { ...use, writes: use.writes - tallies - days - pages - terms, writesByTable: writesOf };
}

/** The measured use of a bid plus its report writes at this rate of bids. */
export function withReport(bid: TableUse, bids: number, shards: number): TableUse {
  const { writes, writesByTable: writesOf, ...use } = withoutReport(bid);
  const { tallies, days } = reportWrites(bids, BIDS_PER_KEY, shards);
  return {
    ...use,
    writes: writes + (tallies + days) / bids,
    writesByTable: { ...writesOf, [TALLIES]: tallies / bids, [KEY_DAYS]: days / bids },
  };
}

const RATES = [100, 500, 1_000, 10_000, 100_000];
const HEAD = [
  '| bids a second | shards of the stream | units a bid, of keys that bid 14 times a second | of keys that bid once |',
  '|---|---|---|---|',
];

/** A Markdown table of report writes per bid. @param shardsAt number of shards by bids per second */
export function formatReportTable(shardsAt: (bids: number) => number): string {
  const lines = RATES.map((bids) => {
    const units = [BIDS_PER_KEY, 1].map((bidsOfKey) => {
      const { tallies, days } = reportWrites(bids, bidsOfKey, shardsAt(bids));
      return ((tallies + days) / bids).toFixed(3);
    });
    return `| ${[bids.toLocaleString('en'), shardsAt(bids), ...units].join(' | ')} |`;
  });
  return [...HEAD, ...lines].join('\n');
}
