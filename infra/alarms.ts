import { Duration } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { type EndpointName, endpointNames, endpointRow } from '../shared/http/operations/endpoints.ts';
import { type WorkerName, workerNames, workerRow } from '../shared/http/operations/workers.ts';
import { tableNames } from '../shared/platform/tables.ts';
import { type FunctionName, functionNames } from './bundle.ts';
import { hot, hotNames } from './hot.ts';
import { apiMetric, errorRate, givenUpRate, ownMetric, refusalRate, tableThrottles, throttles } from './metrics.ts';
import type { Queues } from './queues.ts';
import type { Settings } from './settings.ts';

/** What there is to watch. */
export interface Watched {
  api: IHttpApi;
  functions: Readonly<Record<FunctionName, IFunction>>;
  queues: Queues;
  /** What makes tables refuse to be deleted, where they shall. */
  protection: StateMachine | undefined;
}

interface AlarmRow {
  name: string;
  /** The heading of the runbook (infra/README.md) under which there is more. */
  runbook: string;
  metric: IMetric;
  above: number;
  /** In how many of the last periods it must be too high. */
  periods: { bad: number; of: number };
  /** What it means and what to do first. */
  says: string;
}

const MINUTE = Duration.minutes(1);
const FIVE_MINUTES = Duration.minutes(5);

/** The deadlines and the error rate that callers are promised, and nothing that a person need not get up for. */
const alarmRows = (watched: Watched, { prefix, judge }: Settings): AlarmRow[] => [
  ...answerRows(watched.api),
  {
    name: 'parked',
    runbook: 'parked',
    metric: watched.queues.parked.metricApproximateNumberOfMessagesVisible({ period: MINUTE, statistic: 'Maximum' }),
    above: 0,
    periods: { bad: 1, of: 1 },
    says: 'A stream record could not be processed and was parked whole. Counts or events of one item are missing until it is put through again.',
  },
  ...workerNames.flatMap((name) => workerRows(name, watched)),
  {
    name: 'dead-letters',
    runbook: 'dead letters',
    metric: givenUpRate(prefix, Duration.hours(1)),
    above: 50,
    periods: { bad: 1, of: 1 },
    says: 'Most deliveries of webhooks are given up: so many receivers do not fail at once, so look for what they have in common, first of all us.',
  },
  ...(watched.protection
    ? [
        {
          name: 'unprotected',
          runbook: 'unprotected',
          metric: watched.protection.metricFailed({ period: FIVE_MINUTES }),
          above: 0,
          periods: { bad: 1, of: 1 },
          says: 'A table may be deletable: switching on its protection failed. The execution says which and why.',
        },
      ]
    : []),
  {
    name: 'deliveries-old',
    runbook: 'waiting',
    // SQS's own age leaves out what was received three times, and begins anew with what is sent anew.
    metric: ownMetric(prefix, 'DeliveryAge', 'Maximum', Duration.hours(1)),
    above: OLD_SECONDS,
    periods: { bad: 1, of: 1 },
    says: 'A delivery has waited for more than a day; at 13 days it is given up. Find out whose receivers take longer than their events come.',
  },
  ...inTens(functionNames).map((names, at) => ({
    name: `throttled-functions-${at + 1}`,
    runbook: 'throttled',
    metric: throttles(watched.functions, names, MINUTE),
    above: 0,
    periods: { bad: 3, of: 5 },
    says: `Lambda refuses invocations of ${names.join(', ')}: the concurrency of the account is used up. Ask for a higher quota, or find who else uses it.`,
  })),
  {
    name: 'catalog-age',
    runbook: 'catalog',
    metric: ownMetric(prefix, 'CatalogAge', 'Maximum', MINUTE),
    above: CATALOG_AGE_MS,
    periods: { bad: 2, of: 3 },
    says: 'Instances that bid have not been able to read what has changed in the campaigns; from 60 s on they do not bid. Look for "could not be read" in the log group of ssp/bid.',
  },
  ...(judge
    ? [
        {
          name: 'judge-denied',
          runbook: 'judge',
          metric: ownMetric(prefix, 'JudgeDenied', 'Sum', FIVE_MINUTES),
          above: 0,
          periods: { bad: 1, of: 1 },
          says: `The language model refuses this service for lack of permissions, which does not pass by itself. Bids go on by matching alone. Look for "the judge denies access" in the log groups of ${judging.slice(0, -1).join(', ')} and ${judging.at(-1)}.`,
        },
      ]
    : []),
  ...tableNames.map((name) => ({
    name: `throttled-${name}`,
    runbook: 'throttled',
    metric: tableThrottles(prefix + name, MINUTE),
    above: 0,
    periods: { bad: 3, of: 5 },
    says: `The table ${name} refuses reads or writes: one item is too hot, or traffic grew faster than on-demand capacity follows.`,
  })),
];

/** The functions that ask the language model. */
const judging = [
  ...endpointNames.filter((name) => endpointRow(name).judge),
  ...workerNames.filter((name) => workerRow(name).judge),
];

/** Half of what bidding goes on with. */
const CATALOG_AGE_MS = 30_000;
/** The most metrics that one alarm can add up. */
const MOST_METRICS = 10;
const inTens = (names: readonly FunctionName[]): FunctionName[][] =>
  Array.from({ length: Math.ceil(names.length / MOST_METRICS) }, (_, at) =>
    names.slice(at * MOST_METRICS, (at + 1) * MOST_METRICS),
  );

const answerRows = (api: IHttpApi): AlarmRow[] => [
  {
    name: 'errors',
    runbook: 'errors',
    metric: errorRate(api, FIVE_MINUTES),
    above: 1,
    periods: { bad: 2, of: 2 },
    says: 'More than 1 % of all answers are 5xx. Look for "level":"error" in the log groups; if a deployment is young, roll it back.',
  },
  {
    name: 'refusals',
    runbook: 'refusals',
    metric: refusalRate(api, Duration.minutes(15)),
    above: 1,
    periods: { bad: 2, of: 2 },
    says: 'For half an hour more than 1 % of all answers were 4xx or 5xx, which the promised error rate counts together. Find the route and the status in the access log: mostly one caller asks wrongly.',
  },
  ...hotNames.flatMap((name) => hotRows(name, api)),
];

const hotRows = (name: EndpointName, api: IHttpApi): AlarmRow[] => {
  const { percentile, ms } = hot[name]!.promise;
  const id = name.replaceAll('/', '-');
  return [
    {
      name: `${id}-errors`,
      runbook: 'errors',
      metric: errorRate(api, MINUTE, name),
      above: 1,
      periods: { bad: 3, of: 5 },
      says: `More than 1 % of the answers of ${name} are 5xx. A deployment that is under way is rolled back by itself; else look into its log group.`,
    },
    {
      name: `${id}-slow`,
      runbook: 'slow',
      metric: apiMetric(api, 'Latency', `p${percentile}`, FIVE_MINUTES, name),
      above: ms,
      periods: { bad: 2, of: 2 },
      says: `${name} breaks its promise of ${ms} ms for ${percentile} % of its answers. Compare the duration of the function with the latency of its tables, and look for cold starts.`,
    },
  ];
};

/** A worker fed from a stream tells by its lateness that it is stuck, one on a queue by what waits, one that a schedule wakes by its errors. */
function workerRows(name: WorkerName, { functions, queues }: Watched): AlarmRow[] {
  const id = name.replaceAll('/', '-');
  const target = functions[name];
  const { sources, judge } = workerRow(name);
  const queueRows = sources
    .filter((source) => 'queue' in source)
    .flatMap(({ queue }): AlarmRow[] => [
      {
        name: `${queue}-waiting`,
        runbook: 'waiting',
        metric: queues[queue].metricApproximateAgeOfOldestMessage({ period: MINUTE, statistic: 'Maximum' }),
        above: WAITING_SECONDS,
        periods: { bad: 5, of: 5 },
        says: `A message on ${queue} is older than all its retries take. Look for "message comes back" in the log group of ${name}.`,
      },
      {
        name: `${queue}-in-flight`,
        runbook: 'waiting',
        metric: queues[queue].metricApproximateNumberOfMessagesNotVisible({ period: MINUTE, statistic: 'Maximum' }),
        above: MOST_IN_FLIGHT,
        periods: { bad: 5, of: 5 },
        says: `So many messages of ${queue} are hidden that it will soon hand out no more, although from 60,000 on they are sent anew instead. Look for "message comes back" in the log group of ${name}.`,
      },
    ]);
  if (sources.some((source) => 'stream' in source)) {
    if (judge) return []; // suggestions are not worth getting up for
    return [
      {
        name: `${id}-late`,
        runbook: 'late',
        metric: target.metric('IteratorAge', { period: MINUTE, statistic: 'Maximum' }),
        above: 60_000,
        periods: { bad: 5, of: 5 },
        says: `${name} is more than a minute behind its stream, which forgets after 24 hours. Look for "batch retried" in its log group: it names what it waits for.`,
      },
    ];
  }
  if (queueRows.length > 0) return queueRows;
  return [
    {
      name: `${id}-failed`,
      runbook: 'failed',
      // Lambda tries an invocation three times.
      metric: target.metricErrors({ period: Duration.hours(1) }),
      above: 2,
      periods: { bad: 1, of: 1 },
      says: `${name} failed in all its attempts of an hour. Its log group says why; run it by hand when that is mended.`,
    },
  ];
}

/** Six requests and the pauses between them take under seven minutes; an hour means that something is stuck. */
const WAITING_SECONDS = 3_600;
const OLD_SECONDS = 24 * 3_600;
/** Of the 120,000 that a standard queue holds in flight. */
const MOST_IN_FLIGHT = 90_000;

/** Creates the alarms, which write to the topic when they go off and when it is over. Gives each by its name. */
export function createAlarms(
  scope: Construct,
  watched: Watched,
  topic: ITopic,
  settings: Settings,
): Map<string, Alarm> {
  const alarms = new Map<string, Alarm>();
  for (const { name, runbook, metric, above, periods, says } of alarmRows(watched, settings)) {
    const alarm = new Alarm(scope, `${name}-alarm`, {
      alarmName: `${settings.prefix}${name}`,
      alarmDescription: `${says} Runbook: infra/README.md, "${runbook}".`,
      metric,
      threshold: above,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      datapointsToAlarm: periods.bad,
      evaluationPeriods: periods.of,
      // Nothing measured is nothing asked: silence is no emergency, and a percentile of a handful says nothing.
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...(runbook === 'slow' && { evaluateLowSampleCountPercentile: 'ignore' }),
    });
    alarm.addAlarmAction(new SnsAction(topic));
    alarm.addOkAction(new SnsAction(topic));
    alarms.set(name, alarm);
  }
  return alarms;
}
