import { parseArgs } from 'node:util';
import type { FunctionName } from '../../infra/bundle.ts';
import { endpointRow } from '../../shared/http/operations/endpoints.ts';
import { isWorker, workerRow } from '../../shared/http/operations/workers.ts';
import { getKeys, toRecord } from '../../shared/platform/values/typed.ts';
import { BATCH_SIZES, type Counts, measureCounts, type Step } from './counts.ts';
import { opinionTokens, phraseTokens, type TokenUse } from './judge.ts';
import { LISTED, prices } from './prices.ts';
import type { TableUse } from './table-use.ts';

/** The traffic of a month. */
interface Month {
  bids: number;
  /** The share of bids whose ad is served, and the share of ads that are clicked. */
  wins: number;
  ctr: number;
  /** Webhooks that receive each impression and click. */
  receivers: number;
  /** The share of bids with a second opinion; 0 if JUDGE is off. */
  judged?: number;
}

/** How often each step runs each function. A click is alone in its batches. */
const RUNS: Readonly<Record<Step, Partial<Record<FunctionName, number>>>> = {
  bid: { 'ssp/bid': 1, 'events/count': 1 / (BATCH_SIZES.keys * BATCH_SIZES.bidsOfKey) },
  ad: { 'ssp/ad': 1, 'events/count': 1 / BATCH_SIZES.adsInBatch, 'events/fan-out': 1 / BATCH_SIZES.adsInFanOut },
  click: { 'click/redirect': 1, 'events/count': 1, 'events/fan-out': 1 },
  delivery: { 'events/deliver': 1 / BATCH_SIZES.deliveriesInRun },
};

/**
 * Assumption: billed milliseconds per run. Two sequential DynamoDB calls take 8 ms, three take 14 ms; the rest is our code, plus a cold
 * start of 400 ms once per 500 runs. Deliveries wait for the slowest receiver in their run.
 */
export const BILLED_MS: Partial<Record<FunctionName, number>> = {
  'ssp/bid': 13,
  'ssp/ad': 20,
  'click/redirect': 8,
  'events/count': 25,
  'events/fan-out': 20,
  'events/deliver': 150,
};
/** Assumption: milliseconds that a bid waits for a second opinion. */
const JUDGE_MS = 250;
/** Assumption: bytes of a line of the access log, and of a line of metrics. */
const ACCESS_BYTES = 150;
const METRIC_BYTES = 260;
/** Assumption: a line of metrics for every tenth bid or ad, none for clicks, and one per batch for workers. */
const METRIC_LINES: Readonly<Record<Step, { own: number; after: number }>> = {
  bid: { own: 0.1, after: 0 },
  ad: { own: 0.1, after: 1 / BATCH_SIZES.adsInBatch },
  click: { own: 0, after: 1 },
  delivery: { own: 0, after: 1 / BATCH_SIZES.deliveriesInRun },
};
/** Assumption: bids that share a catalog refresh, for fifty bids per second on two instances that refresh once per second. */
const BIDS_PER_REFRESH = 25;
/** Served ads are kept for 90 days. The few that are clicked, for up to twice as long, are left out. */
const MONTHS_KEPT = 3;

/** Billed milliseconds of a step in all its runs, including those of workers. */
export const getBilledMs = (step: Step): number =>
  getKeys(RUNS[step]).reduce((sum, name) => sum + RUNS[step][name]! * (BILLED_MS[name] ?? 0), 0);

const getMemoryMb = (name: FunctionName): number => (isWorker(name) ? workerRow(name) : endpointRow(name)).memoryMb;
const toGbSeconds = (ms: number, name: FunctionName): number => (ms / 1000) * (getMemoryMb(name) / 1024);
const gbSeconds = (name: FunctionName): number => toGbSeconds(BILLED_MS[name] ?? 0, name);

const LOGS = 'CloudWatch, logs';
const REFRESH = 'DynamoDB, refresh reads';
const BREAKDOWNS = 'DynamoDB, breakdowns';
const TERMS = 'DynamoDB, terms';

/** US dollars per month by AWS service. */
export function bill({ bids, wins, ctr, receivers, judged = 0 }: Month, counts: Counts): Record<string, number> {
  const ads = bids * wins;
  const clicks = ads * ctr;
  const times: Record<Step, number> = { bid: bids, ad: ads, click: clicks, delivery: (ads + clicks) * receivers };
  const steps = getKeys(times);
  const sum = (of: (step: Step) => number) => steps.reduce((total, step) => total + times[step] * of(step), 0);
  const runs = (step: Step, of: (name: FunctionName) => number) =>
    getKeys(RUNS[step]).reduce((total, name) => total + RUNS[step][name]! * of(name), 0);
  const opinions = bids * judged;
  return {
    'API Gateway, requests': (bids + ads + clicks) * prices.httpRequest,
    'Lambda, requests': sum((step) => runs(step, () => 1)) * prices.lambdaRequest,
    'Lambda, duration': sum((step) => runs(step, gbSeconds)) * prices.lambdaGbSecond,
    'DynamoDB, writes': sum((step) => counts[step].writes) * prices.writeUnit,
    [BREAKDOWNS]: bids * counts.breakdowns.shared * prices.writeUnit,
    [TERMS]: bids * counts.terms.shared * prices.writeUnit,
    'DynamoDB, reads': sum((step) => (step === 'bid' ? 0 : counts[step].reads)) * prices.readUnit,
    [REFRESH]: (bids / BIDS_PER_REFRESH) * counts.bid.reads * prices.readUnit,
    'DynamoDB, storage': ads * MONTHS_KEPT * counts.recordBytes * prices.tableByteMonth,
    'DynamoDB, streams': 0,
    'Second opinion, model': opinions * getTokenPrice(opinionTokens()),
    'Second opinion, waiting': opinions * toGbSeconds(JUDGE_MS, 'ssp/bid') * prices.lambdaGbSecond,
    SQS: times.delivery * counts.delivery.queueRequests * (prices.queueRequest + prices.groupSurcharge),
    [LOGS]:
      (sum((step) => counts[step].logBytes + (METRIC_LINES[step].own + METRIC_LINES[step].after) * METRIC_BYTES) +
        (bids + ads + clicks) * ACCESS_BYTES) *
      prices.logByte,
  };
}

const getTokenPrice = ({ sent, answered }: TokenUse): number =>
  sent * prices.modelTokenSent + answered * prices.modelTokenAnswered;

/** US dollars for the breakdowns or terms of bids, ads, and clicks that are all alone in their batches. */
export function billAlone({ bids, wins, ctr }: Month, { alone }: Counts['breakdowns']): number {
  const units = alone.bid + wins * (alone.ad + ctr * alone.click);
  return bids * units * prices.writeUnit;
}

/** `npm run cost -- --bids 1e6 --wins 0.2 --ctr 0.02 --receivers 1 --judged 0 --campaigns 1000` */
async function main(): Promise<void> {
  const options = { bids: '1e6', wins: '0.2', ctr: '0.02', receivers: '1', judged: '0', campaigns: '1000' };
  const { values } = parseArgs({
    options: {
      ...Object.fromEntries(
        Object.entries(options).map(([name, value]) => [name, { type: 'string', default: value } as const]),
      ),
    },
  });
  const texts: Readonly<Record<string, unknown>> = values;
  const given = toRecord(getKeys(options), (name) => Number(texts[name]));
  const wrong = Object.entries(given).find(([, value]) => !(value >= 0));
  if (wrong) throw new RangeError(`--${wrong[0]} must be a number, 0 or more`);

  const { campaigns, ...month } = given;
  const counts = await measureCounts();
  console.table(toSteps(counts), ['writes', 'reads', 'logBytes', 'queueRequests']);
  const lines = bill(month, counts);
  const perMillion = (usd: number) => (usd / month.bids) * 1e6;
  printBills([{ ...lines, total: sumBill(lines) }]);
  printBills([
    {
      'per million bids': perMillion(sumBill(lines)),
      '… without logs': perMillion(sumBill(lines) - lines[LOGS]!),
      '… breakdowns': perMillion(lines[BREAKDOWNS]!),
      '… breakdowns, alone': perMillion(billAlone(month, counts.breakdowns)),
      '… terms': perMillion(lines[TERMS]!),
      '… terms, alone': perMillion(billAlone(month, counts.terms)),
    },
  ]);
  console.log('Includes refresh reads, logs, and metrics in logs. Excludes the fixed costs below.\n');
  // Load the CDK late: it takes a second, and only fixed costs need it.
  const { fixedCosts } = await import('./fixed.ts');
  const fixed = fixedCosts(campaigns);
  printBills([{ ...fixed, 'fixed: total': sumBill(fixed) }]);
  if (month.judged) printBills([{ 'phrases, 1,000 campaigns': 1_000 * getTokenPrice(phraseTokens()) }]);
  console.log(
    `List prices of ${LISTED.region} on ${LISTED.on}, without free tiers. Excludes data transfer out of AWS.`,
  );
}

/** The measured steps by printed name. */
function toSteps(counts: Counts): Record<string, TableUse> {
  const { bid, ad, click, delivery, alone, richAd, exchange, trustedMatch, conversation } = counts;
  return {
    bid,
    ad,
    click,
    delivery,
    'bid, alone in its batch': alone.bid,
    'ad, alone in its batch': alone.ad,
    'click, alone in its batch': alone.click,
    'delivery, first in a minute': alone.delivery,
    'request for an ad of the largest creative': richAd,
    'request for a bid, no conversation named': conversation.unnamed.bid,
    'request for a bid, a conversation named': conversation.limited.bid,
    'request for an ad, no conversation named': conversation.unnamed.ad,
    'request for an ad, a conversation named and limited': conversation.limited.ad,
    'OpenRTB: bid': exchange.bid,
    "OpenRTB: bid, the winner's creative unknown": exchange.unknownCreative,
    'OpenRTB: notice that charges': exchange.charge,
    'OpenRTB: notice that counts': exchange.notice,
    'OpenRTB: click': exchange.click,
    'Trusted Match: offer': trustedMatch.offer,
    'Trusted Match: click that charges': trustedMatch.click,
  };
}

/** Dollars by billed item. */
type Bill = Readonly<Record<string, number>>;

export const sumBill = (lines: Bill): number => Object.values(lines).reduce((sum, usd) => sum + usd, 0);

/** Formats bills in columns. The last bill has every line; missing lines of others are 0. */
const dollarLines = (bills: readonly Bill[]): string[] =>
  Object.keys(bills.at(-1)!).map((what) => {
    const cells = bills.map((lines) => `$${(lines[what] ?? 0).toFixed(2)}`.padStart(10));
    return [what.padEnd(26), ...cells].join(' ');
  });

function printBills(bills: readonly Bill[]): void {
  for (const line of dollarLines(bills)) console.log(line);
  console.log();
}

// Last, because it uses the constants above.
if (import.meta.main) {
  await main().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
