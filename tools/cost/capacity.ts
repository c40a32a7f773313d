import { parseArgs } from 'node:util';
import { defaultProduction } from '../../infra/settings.ts';
import { SPEND_FEEDS } from '../../shared/campaigns/items.ts';
import { DAY_MS } from '../../shared/platform/clock.ts';
import { getKeys } from '../../shared/platform/values/typed.ts';
import { BILLED_MS, bill, getBilledMs, sumBill } from './cost.ts';
import { BATCH_SIZES, type Counts, measureCounts } from './counts.ts';
import { BIDS_PER_KEY, formatReportTable, PARTITION_WRITES, reportWrites, withReport } from './key-reports.ts';

/** Traffic and its distribution. */
interface Traffic {
  bidsPerSecond: number;
  wins: number;
  ctr: number;
  receivers: number;
  campaigns: number;
  /** The largest campaign's share of all wins. */
  top: number;
  /** Whether budgets may be split into shards (BUDGET_SHARDS). */
  shards?: boolean;
}

export const DEFAULT_TRAFFIC = { wins: 0.2, ctr: 0.02, receivers: 1, campaigns: 1_000, top: 0.1 } as const;

/** A limit, its use, and how to raise it. */
interface Limit {
  name: string;
  used: number;
  max: number;
  remedy: string;
  /** The limit grows with traffic. */
  grows?: true;
  /** Bids per second at which the limit is reached, if use is not proportional to traffic. */
  fullAt?: number;
}

/** Default AWS quotas per account and region, and the write units per second of one partition. */
const QUOTA = {
  requests: 10_000,
  concurrency: 1_000,
  tableWrites: 40_000,
  partitionWrites: PARTITION_WRITES,
} as const;
/** Assumption: how long a transaction locks its items. Other transactions on them conflict during that time. */
const TRANSACTION_MS = 8;
/** The highest rate that `npm run bench -- hot` has tried on one campaign with a sharded budget. */
const SHARDED_WINS = 1_000;
/** Assumption: the duration of one call of the store. */
const CALL_MS = 8;
/** Sequential calls per batch of a hundred facts: rows, previous spend stats, money, totals, and new spend stats. */
const CALLS_PER_BATCH = 5;
const BATCH = 100;
/** Write units of the change index per update of spend stats, which deletes and inserts an entry. */
const INDEX_UNITS = 2;
/** Taking and freeing a slot, which are attributes of one item per user. */
const SLOT_WRITES = 2;
/** Spend stats of a campaign are updated at each hundredth of its daily budget, and once a minute after clicks. */
const UPDATES_PER_DAY = 100;

/** The limits of the tables, `bids` first. */
function tableLimits({ bidsPerSecond: bids, wins, ctr, receivers }: Traffic, counts: Counts): Limit[] {
  const ads = bids * wins;
  const clicks = ads * ctr;
  const deliveries = (ads + clicks) * receivers;
  const writes = (table: string) =>
    bids * (counts.bid.writesByTable[table] ?? 0) +
    ads * (counts.ad.writesByTable[table] ?? 0) +
    clicks * (counts.click.writesByTable[table] ?? 0) +
    deliveries * (counts.delivery.writesByTable[table] ?? 0);
  return ['bids', 'api-keys', 'ledgers', 'campaigns', 'deliveries', 'limits'].map((table) => ({
    name: `table ${table}, write units a second`,
    used: writes(`ads-${table}`),
    max: QUOTA.tableWrites,
    remedy: MORE_WRITES,
  }));
}

const MORE_WRITES = 'ask for more, and warm the table';

/** Shards of the bids stream: one for each partition of the table. */
function countShards(traffic: Traffic, counts: Counts): number {
  const [bidsTable] = tableLimits(traffic, counts);
  return Math.max(1, Math.ceil(bidsTable!.used / QUOTA.partitionWrites));
}

/** The limits of the tables of reports. With more traffic, more keys share a write, and their bids are spread over more shards. */
function reportLimits(traffic: Traffic, counts: Counts): Limit[] {
  const used = (bidsPerSecond: number) =>
    reportWrites(bidsPerSecond, BIDS_PER_KEY, countShards({ ...traffic, bidsPerSecond }, counts));
  const max = QUOTA.tableWrites;
  return (['tallies', 'days'] as const).map((name) => {
    let fullAt = 10_000;
    while (used(fullAt)[name] < max) fullAt += 10_000;
    const label = `table key-${name}, write units a second`;
    return { name: label, used: used(traffic.bidsPerSecond)[name], max, remedy: MORE_WRITES, fullAt };
  });
}

/** Write units per bid for the reports of keys, at several rates. */
export const formatReports = (counts: Counts): string =>
  formatReportTable((bidsPerSecond) => countShards({ ...DEFAULT_TRAFFIC, bidsPerSecond }, counts));

/** All limits, the most used first. */
export function computeLimits(traffic: Traffic, counts: Counts): Limit[] {
  const { bidsPerSecond: bids, wins, ctr, receivers, campaigns, top, shards: inShards } = traffic;
  const { throttle, deliveryConcurrency } = defaultProduction();
  const ads = bids * wins;
  const clicks = ads * ctr;
  const deliveries = (ads + clicks) * receivers;
  const times = { bid: bids, ad: ads, click: clicks, delivery: deliveries };
  const runsAtOnce = getKeys(times).reduce((sum, step) => sum + (times[step] * getBilledMs(step)) / 1000, 0);
  const shards = countShards(traffic, counts);
  const tables = [...tableLimits(traffic, counts), ...reportLimits(traffic, counts)];
  const news = campaigns * (UPDATES_PER_DAY / (DAY_MS / 1000) + Math.min(1 / 60, clicks / campaigns));
  const limits: Limit[] = [
    {
      name: 'requests a second, of the stage',
      used: bids + ads,
      max: throttle.rateLimit,
      remedy: 'raise throttle in infra/settings.ts',
    },
    {
      name: 'requests a second, of the account',
      used: bids + ads + clicks,
      max: QUOTA.requests,
      remedy: 'ask for more requests a second, then raise ACCOUNT_LIMIT in infra/api.ts',
    },
    {
      name: 'runs at once, of the account',
      used: runsAtOnce,
      max: QUOTA.concurrency,
      remedy: 'ask for more concurrent runs (Lambda)',
    },
    {
      name: 'runs of events/deliver at once',
      used: ((deliveries / BATCH_SIZES.deliveriesInRun) * BILLED_MS['events/deliver']!) / 1000,
      max: deliveryConcurrency,
      remedy: 'a higher deliveryConcurrency, 1,000 at most; then another stack',
    },
    {
      name: 'facts to count a second and shard',
      used: (bids + ads + clicks) / shards,
      max: BATCH / ((CALLS_PER_BATCH * CALL_MS) / 1000),
      remedy: 'not needed: the stream has a shard for each partition of the table',
      grows: true,
    },
    ...tables,
    {
      name: 'news of spend, write units of the change index a second',
      used: news * INDEX_UNITS,
      max: QUOTA.partitionWrites * SPEND_FEEDS.length,
      remedy: 'more SPEND_FEEDS in shared/campaigns/items.ts; or another region or account',
    },
    {
      name: 'deliveries a second of one user',
      used: deliveries * top,
      max: QUOTA.partitionWrites / SLOT_WRITES,
      remedy: 'not needed: the rest waits, without delaying other users',
    },
    {
      name: 'wins a second of one campaign',
      used: ads * top,
      max: inShards ? SHARDED_WINS : 1000 / TRANSACTION_MS,
      remedy: inShards ? 'the advertiser splits the campaign and its budget' : 'BUDGET_SHARDS=true: 1,000 a second',
    },
  ];
  return limits.sort((a, b) => b.used / b.max - a.used / a.max);
}

/** US dollars per month for this traffic. */
function computeMonthlyCost(traffic: Traffic, counts: Counts): number {
  const { bidsPerSecond, wins, ctr, receivers } = traffic;
  const month = { bids: bidsPerSecond * (DAY_MS / 1000) * 30, wins, ctr, receivers };
  const bid = withReport(counts.bid, bidsPerSecond, countShards(traffic, counts));
  return sumBill(bill(month, { ...counts, bid }));
}

const formatNumber = (value: number): string =>
  value >= 10 || value === 0 ? Math.round(value).toLocaleString('en') : value.toPrecision(2);

/** Round to two significant digits: log line lengths vary by a byte between runs. */
const formatDollars = (usd: number): string => Number(usd.toPrecision(2)).toLocaleString('en');

/** A Markdown table of limits, the most used first: the exceeded ones, and the bids per second at which the others are reached. */
export function formatCapacityTable(traffic: Traffic, counts: Counts): string {
  const rows = computeLimits(traffic, counts).map(({ name, used, max, remedy, grows, ...limit }) => {
    const { fullAt = (traffic.bidsPerSecond * max) / used } = limit;
    return `| ${name} | ${formatNumber(used)} of ${formatNumber(max)} | ${Number.isFinite(fullAt) && !grows ? formatNumber(fullAt) : '—'} | ${remedy} |`;
  });
  return ['| Limit | Used | Full at (bids/s) | How to raise it |', '|---|---|---|---|', ...rows].join('\n');
}

/** A Markdown table row for this number of bids per day: exceeded limits and monthly cost. */
export function formatDay(bidsADay: number, counts: Counts): string {
  const traffic = { ...DEFAULT_TRAFFIC, bidsPerSecond: bidsADay / (DAY_MS / 1000) };
  const limits = computeLimits(traffic, counts);
  const full = limits.filter(({ used, max }) => used > max);
  const first = limits[0]!;
  const shown =
    full.length > 0
      ? full.map(({ name }) => name).join('; ')
      : `none; the closest is ${first.name}, ${Math.ceil((100 * first.used) / first.max)} %`;
  return `| ${bidsADay.toLocaleString('en')} | ${formatNumber(traffic.bidsPerSecond)} | ${shown} | $${formatDollars(computeMonthlyCost(traffic, counts))} |`;
}

/** `npm run cost -- capacity --bids-per-second 1000 --wins 0.2 --ctr 0.02 --receivers 1 --campaigns 1000 --top 0.1 --shards` */
async function main(): Promise<void> {
  const option = (value: number) => ({ type: 'string', default: String(value) }) as const;
  const { values } = parseArgs({
    options: {
      'bids-per-second': option(1_000),
      wins: option(DEFAULT_TRAFFIC.wins),
      ctr: option(DEFAULT_TRAFFIC.ctr),
      receivers: option(DEFAULT_TRAFFIC.receivers),
      campaigns: option(DEFAULT_TRAFFIC.campaigns),
      top: option(DEFAULT_TRAFFIC.top),
      shards: { type: 'boolean', default: false },
    },
  });
  const wrong = Object.entries(values).find(([name, value]) => name !== 'shards' && !(Number(value) > 0));
  if (wrong) throw new RangeError(`--${wrong[0]} must be a number above 0`);
  const { 'bids-per-second': bidsPerSecond, wins, ctr, receivers, campaigns, top, shards } = values;
  const traffic: Traffic = {
    bidsPerSecond: Number(bidsPerSecond),
    wins: Number(wins),
    ctr: Number(ctr),
    receivers: Number(receivers),
    campaigns: Number(campaigns),
    top: Number(top),
    shards,
  };
  const counts = await measureCounts();
  console.log(formatCapacityTable(traffic, counts));
  console.log(`\nCost per month: $${formatDollars(computeMonthlyCost(traffic, counts))}, without fixed costs.\n`);
  console.log(['| Bids/day | Bids/s | Exceeded default quotas | USD/month |', '|---|---|---|---|'].join('\n'));
  for (const day of [1e6, 1e8, 1e9, 1e10]) console.log(formatDay(day, counts));
  console.log(`\n${formatReports(counts)}`);
}

if (import.meta.main) {
  await main().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
