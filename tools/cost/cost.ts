import { parseArgs } from 'node:util';
import type { FunctionName } from '../../infra/bundle.ts';
import { endpointRow } from '../../shared/http/operations/endpoints.ts';
import { isWorker, workerRow } from '../../shared/http/operations/workers.ts';
import { keysOf, recordOf } from '../../shared/platform/values/typed.ts';
import { type Counts, measureCounts, SHARED, type Step } from './counts.ts';
import { opinionTokens, phraseTokens, type TokenUse } from './judge.ts';
import { LISTED, prices } from './prices.ts';
import { print, totalOf } from './side-by-side.ts';
import { stepsOf } from './steps.ts';

/** How much happens in a month. */
interface Month {
  bids: number;
  /** Of the bids, how many are exchanged for their ad; of the ads, how many are followed. */
  wins: number;
  ctr: number;
  /** Webhooks that hear of each impression, and of each click. */
  receivers: number;
  /** Of the bids, on how many a second opinion is asked for; 0 where JUDGE is off. */
  judged?: number;
}

/** Functions that one of each step runs, and how often. A click is alone in its batches. */
const RUNS: Readonly<Record<Step, Partial<Record<FunctionName, number>>>> = {
  bid: { 'ssp/bid': 1, 'events/count': 1 / (SHARED.keys * SHARED.bidsOfKey) },
  ad: { 'ssp/ad': 1, 'events/count': 1 / SHARED.adsInBatch, 'events/fan-out': 1 / SHARED.adsInFanOut },
  click: { 'click/redirect': 1, 'events/count': 1, 'events/fan-out': 1 },
  delivery: { 'events/deliver': 1 / SHARED.deliveriesInRun },
};

/**
 * Assumed, since only the cloud can tell: milliseconds that a run is billed for. Two calls of DynamoDB one after the other take 8 ms,
 * three 14; the rest is ours, and a start of 400 ms in every five hundred runs. Deliveries wait for the slowest receiver of their run.
 */
export const BILLED_MS: Partial<Record<FunctionName, number>> = {
  'ssp/bid': 13,
  'ssp/ad': 20,
  'click/redirect': 8,
  'events/count': 25,
  'events/fan-out': 20,
  'events/deliver': 150,
};
/** Assumed: milliseconds that a bid waits for a second opinion. */
const JUDGE_MS = 250;
/** Assumed: bytes of the gateway's line, and of a line of metrics. */
const ACCESS_BYTES = 150;
const METRIC_BYTES = 260;
/** Assumed of a function of bids or ads, a line of metrics for every tenth request, that of clicks measures nothing; and what follows, one for a batch. */
const METRIC_LINES: Readonly<Record<Step, { own: number; after: number }>> = {
  bid: { own: 0.1, after: 0 },
  ad: { own: 0.1, after: 1 / SHARED.adsInBatch },
  click: { own: 0, after: 1 },
  delivery: { own: 0, after: 1 / SHARED.deliveriesInRun },
};
/** Assumed: bids that share a look for changed campaigns, where fifty a second come to two instances and each looks once a second. */
const BIDS_IN_LOOK = 25;
/** Served ads are kept for 90 days. */
const MONTHS_KEPT = 3;

/** Milliseconds in all runs that one step takes, those of workers included. */
export const msInRuns = (step: Step): number =>
  keysOf(RUNS[step]).reduce((sum, name) => sum + RUNS[step][name]! * (BILLED_MS[name] ?? 0), 0);

const memoryOf = (name: FunctionName): number => (isWorker(name) ? workerRow(name) : endpointRow(name)).memoryMb;
const inGbSeconds = (ms: number, name: FunctionName): number => (ms / 1000) * (memoryOf(name) / 1024);
const gbSeconds = (name: FunctionName): number => inGbSeconds(BILLED_MS[name] ?? 0, name);

const LOGS = 'CloudWatch, logs';
const REFRESH = 'DynamoDB, refresh reads';

/** US dollars a month for each service that bills. */
export function bill({ bids, wins, ctr, receivers, judged = 0 }: Month, counts: Counts): Record<string, number> {
  const ads = bids * wins;
  const clicks = ads * ctr;
  const times: Record<Step, number> = { bid: bids, ad: ads, click: clicks, delivery: (ads + clicks) * receivers };
  const steps = keysOf(times);
  const sum = (of: (step: Step) => number) => steps.reduce((total, step) => total + times[step] * of(step), 0);
  const runs = (step: Step, of: (name: FunctionName) => number) =>
    keysOf(RUNS[step]).reduce((total, name) => total + RUNS[step][name]! * of(name), 0);
  const opinions = bids * judged;
  return {
    'API Gateway, requests': (bids + ads + clicks) * prices.httpRequest,
    'Lambda, requests': sum((step) => runs(step, () => 1)) * prices.lambdaRequest,
    'Lambda, duration': sum((step) => runs(step, gbSeconds)) * prices.lambdaGbSecond,
    'DynamoDB, writes': sum((step) => counts[step].writes) * prices.writeUnit,
    'DynamoDB, reads': sum((step) => (step === 'bid' ? 0 : counts[step].reads)) * prices.readUnit,
    [REFRESH]: (bids / BIDS_IN_LOOK) * counts.bid.reads * prices.readUnit,
    'DynamoDB, storage': ads * MONTHS_KEPT * counts.recordBytes * prices.tableByteMonth,
    'DynamoDB, streams': 0,
    'Second opinion, model': opinions * priceOf(opinionTokens()),
    'Second opinion, waiting': opinions * inGbSeconds(JUDGE_MS, 'ssp/bid') * prices.lambdaGbSecond,
    SQS: times.delivery * counts.delivery.queueRequests * (prices.queueRequest + prices.groupSurcharge),
    [LOGS]:
      (sum((step) => counts[step].logBytes + (METRIC_LINES[step].own + METRIC_LINES[step].after) * METRIC_BYTES) +
        (bids + ads + clicks) * ACCESS_BYTES) *
      prices.logByte,
  };
}

const priceOf = ({ sent, answered }: TokenUse): number =>
  sent * prices.modelTokenSent + answered * prices.modelTokenAnswered;

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
  const given = recordOf(keysOf(options), (name) => Number(texts[name]));
  const wrong = Object.entries(given).find(([, value]) => !(value >= 0));
  if (wrong) throw new RangeError(`--${wrong[0]} must be a number, 0 or more`);

  const { campaigns, ...month } = given;
  const counts = await measureCounts();
  console.table(stepsOf(counts), ['writes', 'reads', 'logBytes', 'queueRequests']);
  const lines = bill(month, counts);
  const perMillion = (usd: number) => (usd / month.bids) * 1e6;
  print([{ ...lines, total: totalOf(lines) }]);
  print([
    {
      'per million bids': perMillion(totalOf(lines)),
      '… logs aside': perMillion(totalOf(lines) - lines[LOGS]!),
    },
  ]);
  console.log(
    'In it: refresh reads, logs, and the metrics that functions write into them. Not in it: what follows, which is fixed.\n',
  );
  // The CDK takes a second to load, and bills alone do without it.
  const { fixedCosts } = await import('./fixed.ts');
  const fixed = fixedCosts(campaigns);
  print([{ ...fixed, 'fixed: total': totalOf(fixed) }]);
  if (month.judged) print([{ 'phrases, 1,000 campaigns': 1_000 * priceOf(phraseTokens()) }]);
  console.log(`List prices of ${LISTED.region} on ${LISTED.on}, without free tiers. Not in it: data that leaves AWS.`);
}

if (import.meta.main) {
  await main().catch((error: Error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
