import { CfnOutput, Duration, Stack } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { type EndpointName, endpointNames, endpointRow } from '../shared/http/operations/endpoints.ts';
import { type WorkerName, workerNames, workerRow } from '../shared/http/operations/workers.ts';
import { tableNames } from '../shared/platform/tables.ts';
import { type FunctionName, functionNames } from './bundle.ts';
import { hot, hotNames } from './hot.ts';
import { apiMetric, errorRate, givenUpRate, refusalRate, serviceMetric, tableThrottles, throttles } from './metrics.ts';
import type { Queues } from './queues.ts';
import type { Settings } from './settings.ts';

/** What there is to watch. */
export interface MonitoredResources {
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
  threshold: number;
  /** In how many of the last periods it must be too high. */
  periods: { bad: number; of: number };
  /** What it means and what to do first. */
  description: string;
}

const MINUTE = Duration.minutes(1);
const FIVE_MINUTES = Duration.minutes(5);

/** The deadlines and the error rate that callers are promised, and nothing that a person need not get up for. */
const alarmRows = (watched: MonitoredResources, { prefix, judge }: Settings): AlarmRow[] => [
  ...responseAlarms(watched.api),
  {
    name: 'parked',
    runbook: 'parked',
    metric: watched.queues.parked.metricApproximateNumberOfMessagesVisible({ period: MINUTE, statistic: 'Maximum' }),
    threshold: 0,
    periods: { bad: 1, of: 1 },
    description:
      'A stream record could not be processed and was parked whole. Counts or events of one item are missing until it is put through again.',
  },
  ...workerNames.flatMap((name) => workerAlarms(name, watched)),
  {
    name: 'dead-letters',
    runbook: 'dead letters',
    metric: givenUpRate(prefix, Duration.hours(1)),
    threshold: 50,
    periods: { bad: 1, of: 1 },
    description:
      'Most deliveries of webhooks are given up: so many receivers do not fail at once, so look for what they have in common, first of all us.',
  },
  ...(watched.protection
    ? [
        {
          name: 'unprotected',
          runbook: 'unprotected',
          metric: watched.protection.metricFailed({ period: FIVE_MINUTES }),
          threshold: 0,
          periods: { bad: 1, of: 1 },
          description:
            'A table may be deletable: switching on its protection failed. The execution says which and why.',
        },
      ]
    : []),
  {
    name: 'deliveries-old',
    runbook: 'waiting',
    // SQS's own age leaves out what was received three times, and begins anew with what is sent anew.
    metric: serviceMetric(prefix, 'DeliveryAge', 'Maximum', Duration.hours(1)),
    threshold: MAX_DELIVERY_AGE_SECONDS,
    periods: { bad: 1, of: 1 },
    description:
      'A delivery has waited for more than a day; at 13 days it is given up. Find out whose receivers take longer than their events come.',
  },
  ...toMetricGroups(functionNames).map((names, at) => ({
    name: `throttled-functions-${at + 1}`,
    runbook: 'throttled',
    metric: throttles(watched.functions, names, MINUTE),
    threshold: 0,
    periods: { bad: 3, of: 5 },
    description: `Lambda refuses invocations of ${names.join(', ')}: the concurrency of the account is used up. Ask for a higher quota, or find who else uses it.`,
  })),
  {
    name: 'catalog-age',
    runbook: 'catalog',
    metric: serviceMetric(prefix, 'CatalogAge', 'Maximum', MINUTE),
    threshold: CATALOG_AGE_MS,
    periods: { bad: 2, of: 3 },
    description:
      'Instances that bid have not been able to read what has changed in the campaigns; from 60 s on they do not bid. Look for "could not be read" in the log group of ssp/bid.',
  },
  ...(judge
    ? [
        {
          name: 'judge-denied',
          runbook: 'judge',
          metric: serviceMetric(prefix, 'JudgeDenied', 'Sum', FIVE_MINUTES),
          threshold: 0,
          periods: { bad: 1, of: 1 },
          description: `The language model refuses this service for lack of permissions, which does not pass by itself. Bids go on by matching alone. Look for "the judge denies access" in the log groups of ${judgeFunctions.slice(0, -1).join(', ')} and ${judgeFunctions.at(-1)}.`,
        },
      ]
    : []),
  ...tableNames.map((name) => ({
    name: `throttled-${name}`,
    runbook: 'throttled',
    metric: tableThrottles(prefix + name, MINUTE),
    threshold: 0,
    periods: { bad: 3, of: 5 },
    description: `The table ${name} refuses reads or writes: one item is too hot, or traffic grew faster than on-demand capacity follows.`,
  })),
];

/** The functions that ask the language model. */
const judgeFunctions = [
  ...endpointNames.filter((name) => endpointRow(name).judge),
  ...workerNames.filter((name) => workerRow(name).judge),
];

/** Half of what bidding goes on with. */
const CATALOG_AGE_MS = 30_000;
/** The most metrics that one alarm can add up. */
const MAX_METRICS = 10;
const toMetricGroups = (names: readonly FunctionName[]): FunctionName[][] =>
  Array.from({ length: Math.ceil(names.length / MAX_METRICS) }, (_, at) =>
    names.slice(at * MAX_METRICS, (at + 1) * MAX_METRICS),
  );

const responseAlarms = (api: IHttpApi): AlarmRow[] => [
  {
    name: 'errors',
    runbook: 'errors',
    metric: errorRate(api, FIVE_MINUTES),
    threshold: 1,
    periods: { bad: 2, of: 2 },
    description:
      'More than 1 % of all answers are 5xx. Look for "level":"error" in the log groups; if a deployment is young, roll it back.',
  },
  {
    name: 'refusals',
    runbook: 'refusals',
    metric: refusalRate(api, Duration.minutes(15)),
    threshold: 1,
    periods: { bad: 2, of: 2 },
    description:
      'For half an hour more than 1 % of all answers were 4xx or 5xx, which the promised error rate counts together. Find the route and the status in the access log: mostly one caller asks wrongly.',
  },
  ...hotNames.flatMap((name) => hotFunctionAlarms(name, api)),
];

const hotFunctionAlarms = (name: EndpointName, api: IHttpApi): AlarmRow[] => {
  const { percentile, ms } = hot[name]!.promise;
  const id = name.replaceAll('/', '-');
  return [
    {
      name: `${id}-errors`,
      runbook: 'errors',
      metric: errorRate(api, MINUTE, name),
      threshold: 1,
      periods: { bad: 3, of: 5 },
      description: `More than 1 % of the answers of ${name} are 5xx. A deployment that is under way is rolled back by itself; else look into its log group.`,
    },
    {
      name: `${id}-slow`,
      runbook: 'slow',
      metric: apiMetric(api, 'Latency', `p${percentile}`, FIVE_MINUTES, name),
      threshold: ms,
      periods: { bad: 2, of: 2 },
      description: `${name} breaks its promise of ${ms} ms for ${percentile} % of its answers. Compare the duration of the function with the latency of its tables, and look for cold starts.`,
    },
  ];
};

/** A worker fed from a stream tells by its lateness that it is stuck, one on a queue by what waits, one that a schedule wakes by its errors. */
function workerAlarms(name: WorkerName, { functions, queues }: MonitoredResources): AlarmRow[] {
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
        threshold: MAX_MESSAGE_AGE_SECONDS,
        periods: { bad: 5, of: 5 },
        description: `A message on ${queue} is older than all its retries take. Look for "message comes back" in the log group of ${name}.`,
      },
      {
        name: `${queue}-in-flight`,
        runbook: 'waiting',
        metric: queues[queue].metricApproximateNumberOfMessagesNotVisible({ period: MINUTE, statistic: 'Maximum' }),
        threshold: MAX_IN_FLIGHT,
        periods: { bad: 5, of: 5 },
        description: `So many messages of ${queue} are hidden that it will soon hand out no more, although from 60,000 on they are sent anew instead. Look for "message comes back" in the log group of ${name}.`,
      },
    ]);
  if (sources.some((source) => 'stream' in source)) {
    if (judge) return []; // suggestions are not worth getting up for
    return [
      {
        name: `${id}-late`,
        runbook: 'late',
        metric: target.metric('IteratorAge', { period: MINUTE, statistic: 'Maximum' }),
        threshold: 60_000,
        periods: { bad: 5, of: 5 },
        description: `${name} is more than a minute behind its stream, which forgets after 24 hours. Look for "batch retried" in its log group: it names what it waits for.`,
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
      threshold: 2,
      periods: { bad: 1, of: 1 },
      description: `${name} failed in all its attempts of an hour. Its log group says why; run it by hand when that is mended.`,
    },
  ];
}

/** Six requests and the pauses between them take under seven minutes; an hour means that something is stuck. */
const MAX_MESSAGE_AGE_SECONDS = 3_600;
const MAX_DELIVERY_AGE_SECONDS = 24 * 3_600;
/** Of the 120,000 that a standard queue holds in flight. */
const MAX_IN_FLIGHT = 90_000;

/** Creates the alarms, which write to the topic when they go off and when it is over. Gives each by its name. */
export function createAlarms(
  scope: Construct,
  watched: MonitoredResources,
  topic: ITopic,
  settings: Settings,
): Map<string, Alarm> {
  const alarms = new Map<string, Alarm>();
  for (const { name, runbook, metric, threshold, periods, description } of alarmRows(watched, settings)) {
    const alarm = new Alarm(scope, `${name}-alarm`, {
      alarmName: `${settings.prefix}${name}`,
      alarmDescription: `${description} Runbook: infra/README.md, "${runbook}".`,
      metric,
      threshold,
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

/** Where alarms are told. A person on call subscribes; the setting `alarmEmail` subscribes one address. */
export function createTopic(scope: Construct, { prefix, alarmEmail }: Settings): Topic {
  const topic = new Topic(scope, 'alarms', { topicName: `${prefix}alarms`, enforceSSL: true });
  // A topic with a policy of its own, such as TLS only, loses the default one, which would let alarms in.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  if (alarmEmail) topic.addSubscription(new EmailSubscription(alarmEmail));
  new CfnOutput(scope, 'alarmTopic', { value: topic.topicArn, description: 'Where alarms are told: subscribe to it' });
  return topic;
}
