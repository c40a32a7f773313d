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

/** What the alarms and the dashboard monitor. */
export interface MonitoredResources {
  api: IHttpApi;
  functions: Readonly<Record<FunctionName, IFunction>>;
  queues: Queues;
  /** Enables deletion protection of the tables; undefined if the stage does not keep its data. */
  protection: StateMachine | undefined;
}

interface AlarmRow {
  name: string;
  /** The heading in the runbook (infra/README.md). */
  runbook: string;
  metric: IMetric;
  threshold: number;
  /** The alarm goes off when `bad` of the last `of` periods exceed the threshold. */
  periods: { bad: number; of: number };
  /** What the alarm means, and the first thing to do. */
  description: string;
}

const MINUTE = Duration.minutes(1);
const FIVE_MINUTES = Duration.minutes(5);

/** The promised latencies and error rate, and failures that need a person. Nothing else should wake anyone. */
const alarmRows = (watched: MonitoredResources, { prefix, judge }: Settings): AlarmRow[] => [
  ...responseAlarms(watched.api),
  {
    name: 'parked',
    runbook: 'parked',
    metric: watched.queues.parked.metricApproximateNumberOfMessagesVisible({ period: MINUTE, statistic: 'Maximum' }),
    threshold: 0,
    periods: { bad: 1, of: 1 },
    description:
      'A stream record could not be processed and was parked. Counts or events of one item are missing until the record is replayed.',
  },
  ...workerNames.flatMap((name) => workerAlarms(name, watched)),
  {
    name: 'dead-letters',
    runbook: 'dead letters',
    metric: givenUpRate(prefix, Duration.hours(1)),
    threshold: 50,
    periods: { bad: 1, of: 1 },
    description:
      'Most webhook deliveries fail for good. That many receivers rarely fail at once: look for a common cause, starting with this service.',
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
            'A table may be deletable: enabling its deletion protection failed. The execution of the state machine names the table and the error.',
        },
      ]
    : []),
  {
    name: 'deliveries-old',
    runbook: 'waiting',
    // SQS's own age metric ignores messages received three times or more, and restarts when a message is resent.
    metric: serviceMetric(prefix, 'DeliveryAge', 'Maximum', Duration.hours(1)),
    threshold: MAX_DELIVERY_AGE_SECONDS,
    periods: { bad: 1, of: 1 },
    description:
      'A delivery has waited for more than a day; after 13 days it expires. Find the owner whose receivers respond more slowly than their events arrive.',
  },
  ...toMetricGroups(functionNames).map((names, at) => ({
    name: `throttled-functions-${at + 1}`,
    runbook: 'throttled',
    metric: throttles(watched.functions, names, MINUTE),
    threshold: 0,
    periods: { bad: 3, of: 5 },
    description: `Lambda throttles ${names.join(', ')}: the account has no concurrency left. Request a higher quota, or find what else uses it.`,
  })),
  {
    name: 'catalog-age',
    runbook: 'catalog',
    metric: serviceMetric(prefix, 'CatalogAge', 'Maximum', MINUTE),
    threshold: CATALOG_AGE_MS,
    periods: { bad: 2, of: 3 },
    description:
      'Bidding instances cannot read campaign changes; after 60 s they stop bidding. Look for "could not be read" in the log group of ssp/bid.',
  },
  ...(judge
    ? [
        {
          name: 'judge-denied',
          runbook: 'judge',
          metric: serviceMetric(prefix, 'JudgeDenied', 'Sum', FIVE_MINUTES),
          threshold: 0,
          periods: { bad: 1, of: 1 },
          description: `The language model denies access to this service, and does so until its permissions are fixed. Bidding continues without second opinions. Look for "the judge denies access" in the log groups of ${judgeFunctions.slice(0, -1).join(', ')} and ${judgeFunctions.at(-1)}.`,
        },
      ]
    : []),
  ...tableNames.map((name) => ({
    name: `throttled-${name}`,
    runbook: 'throttled',
    metric: tableThrottles(prefix + name, MINUTE),
    threshold: 0,
    periods: { bad: 3, of: 5 },
    description: `DynamoDB throttles the table ${name}: one item is too hot, or traffic grew faster than on-demand capacity.`,
  })),
];

/** Functions that call the language model. */
const judgeFunctions = [
  ...endpointNames.filter((name) => endpointRow(name).judge),
  ...workerNames.filter((name) => workerRow(name).judge),
];

/** Half the age at which instances stop bidding. */
const CATALOG_AGE_MS = 30_000;
/** CloudWatch limit on the metrics in one alarm's expression. */
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
      'More than 1 % of all responses are 5xx. Look for "level":"error" in the log groups; if there was a recent deployment, roll it back.',
  },
  {
    name: 'refusals',
    runbook: 'refusals',
    metric: refusalRate(api, Duration.minutes(15)),
    threshold: 1,
    periods: { bad: 2, of: 2 },
    description:
      'For half an hour, more than 1 % of all responses were 4xx or 5xx. The promised error rate includes both. Find the route and the status in the access log: the cause is usually a single caller that sends invalid requests.',
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
      description: `More than 1 % of the responses of ${name} are 5xx. A deployment in progress rolls back automatically; otherwise, read its log group.`,
    },
    {
      name: `${id}-slow`,
      runbook: 'slow',
      metric: apiMetric(api, 'Latency', `p${percentile}`, FIVE_MINUTES, name),
      threshold: ms,
      periods: { bad: 2, of: 2 },
      description: `${name} misses its target: ${percentile} % of responses within ${ms} ms. Compare the duration of the function with the latency of its tables, and look for cold starts.`,
    },
  ];
};

/** A stuck worker shows in the iterator age (stream), the age of the oldest message (queue), or the error count (schedule). */
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
        description: `A message on ${queue} is older than all its retries should take. Look for "message comes back" in the log group of ${name}.`,
      },
      {
        name: `${queue}-in-flight`,
        runbook: 'waiting',
        metric: queues[queue].metricApproximateNumberOfMessagesNotVisible({ period: MINUTE, statistic: 'Maximum' }),
        threshold: MAX_IN_FLIGHT,
        periods: { bad: 5, of: 5 },
        description: `The queue ${queue} approaches the limit of 120,000 messages in flight, beyond which it delivers no more. From 60,000 on, the function sends messages again instead of hiding them. Look for "message comes back" in the log group of ${name}.`,
      },
    ]);
  if (sources.some((source) => 'stream' in source)) {
    if (judge) return []; // suggestions are optional
    return [
      {
        name: `${id}-late`,
        runbook: 'late',
        metric: target.metric('IteratorAge', { period: MINUTE, statistic: 'Maximum' }),
        threshold: 60_000,
        periods: { bad: 5, of: 5 },
        description: `${name} is more than a minute behind its stream, which drops records after 24 hours. Look for "batch retried" in its log group: the line names the cause.`,
      },
    ];
  }
  if (queueRows.length > 0) return queueRows;
  return [
    {
      name: `${id}-failed`,
      runbook: 'failed',
      // Lambda attempts an asynchronous invocation three times.
      metric: target.metricErrors({ period: Duration.hours(1) }),
      threshold: 2,
      periods: { bad: 1, of: 1 },
      description: `Every attempt of ${name} within an hour failed. Find the error in its log group; after the fix, invoke it manually.`,
    },
  ];
}

/** Six attempts with their backoff take less than seven minutes; after an hour, something is stuck. */
const MAX_MESSAGE_AGE_SECONDS = 3_600;
const MAX_DELIVERY_AGE_SECONDS = 24 * 3_600;
/** A standard queue allows 120,000 messages in flight. */
const MAX_IN_FLIGHT = 90_000;

/** Creates the alarms, which notify the topic when they go off and when they recover. Returns them by name. */
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
      // Without traffic there are no data points, which is no emergency. A percentile of a few requests is meaningless.
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...(runbook === 'slow' && { evaluateLowSampleCountPercentile: 'ignore' }),
    });
    alarm.addAlarmAction(new SnsAction(topic));
    alarm.addOkAction(new SnsAction(topic));
    alarms.set(name, alarm);
  }
  return alarms;
}

/** The topic that alarms notify. The person on call subscribes; the setting `alarmEmail` subscribes one address. */
export function createTopic(scope: Construct, { prefix, alarmEmail }: Settings): Topic {
  const topic = new Topic(scope, 'alarms', { topicName: `${prefix}alarms`, enforceSSL: true });
  // The policy that enforces TLS replaces the default one, so alarms must be permitted explicitly.
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
      actions: ['sns:Publish'],
      resources: [topic.topicArn],
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
    }),
  );
  if (alarmEmail) topic.addSubscription(new EmailSubscription(alarmEmail));
  new CfnOutput(scope, 'alarmTopic', {
    value: topic.topicArn,
    description: 'The SNS topic for alarms: subscribe to it',
  });
  return topic;
}
