import { Aws, Duration } from 'aws-cdk-lib';
import {
  Color,
  Dashboard,
  GraphWidget,
  type IMetric,
  LogQueryVisualizationType,
  LogQueryWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { workerNames, workerRow } from '../shared/http/operations/workers.ts';
import type { MetricName } from '../shared/platform/metrics.ts';
import { tableNames } from '../shared/platform/tables.ts';
import { noBidReasons } from '../shared/platform/values/outcomes.ts';
import type { MonitoredResources } from './alarms.ts';
import { functionNames } from './bundle.ts';
import { hot, hotNames } from './hot.ts';
import { apiMetric, errorRate, serviceMetric, tableThrottles, throttles } from './metrics.ts';
import type { Settings } from './settings.ts';

const MINUTE = Duration.minutes(1);
const streamWorkers = workerNames.filter((name) => workerRow(name).sources.some((source) => 'stream' in source));

/** One page for the person on call: traffic, latency, backlogs, throttling, and logs. */
export function createDashboard(
  scope: Construct,
  watched: MonitoredResources,
  { prefix, stage, judge }: Settings,
): void {
  new Dashboard(scope, 'dashboard', {
    // Dashboard names are unique across the regions of an account: without the region, deploying to a second one would fail.
    dashboardName: `${prefix}service-${Aws.REGION}`,
    defaultInterval: Duration.hours(3),
    widgets: [
      responseGraphs(watched, prefix),
      latencyGraphs(watched),
      bidGraphs(prefix),
      ...(judge ? [judgeGraphs(prefix)] : []),
      successGraphs(prefix),
      backlogGraphs(watched, prefix),
      logTables(stage),
    ],
  });
}

const graph = (title: string, left: IMetric[], unit: string, limit?: number) =>
  new GraphWidget({
    title,
    left,
    width: 8,
    leftYAxis: { min: 0, label: unit, showUnits: false },
    leftAnnotations: limit === undefined ? [] : [{ value: limit, color: Color.RED, label: 'promise' }],
  });

const sums = (prefix: string, ...names: MetricName[]) =>
  names.map((name) => serviceMetric(prefix, name, 'Sum', MINUTE));

const responseGraphs = ({ api, functions }: MonitoredResources, prefix: string) => [
  graph(
    'Requests',
    [...hotNames.map((name) => apiMetric(api, 'Count', 'Sum', MINUTE, name)), apiMetric(api, 'Count', 'Sum', MINUTE)],
    'per minute',
  ),
  graph('Server errors', [...hotNames.map((name) => errorRate(api, MINUTE, name)), errorRate(api, MINUTE)], '%', 1),
  graph(
    'Throttling by Lambda and DynamoDB',
    [throttles(functions, functionNames, MINUTE), ...tableNames.map((name) => tableThrottles(prefix + name, MINUTE))],
    'per minute',
  ),
];

const latencyGraphs = ({ api }: MonitoredResources) =>
  hotNames.map((name) => {
    const { percentile, ms } = hot[name]!.promise;
    const latencies = [percentile, 50].map((p) =>
      apiMetric(api, 'Latency', `p${p}`, MINUTE, name).with({ label: `p${p}` }),
    );
    return graph(`Latency of ${name}`, latencies, 'ms', ms);
  });

const bidGraphs = (prefix: string) => [
  graph('Bids', sums(prefix, 'Bids'), 'per minute'),
  graph('No-bids by reason', sums(prefix, ...noBidReasons.map((reason) => `NoBids.${reason}` as const)), 'per minute'),
  graph(
    'Match time',
    [99, 50].map((p) => serviceMetric(prefix, 'MatchTime', `p${p}`, MINUTE).with({ label: `p${p}` })),
    'ms',
  ),
];

const judgeGraphs = (prefix: string) => [
  graph(
    'Second opinions',
    sums(prefix, 'JudgeAsked', 'JudgeAnswered', 'JudgeLate', 'JudgeFailed', 'JudgeDenied', 'JudgeCircuitOpen'),
    'per minute',
  ),
];

const successGraphs = (prefix: string) => [
  graph('Spend', sums(prefix, 'Spend'), 'USD per minute'),
  graph('Impressions, clicks, conversions', sums(prefix, 'Impressions', 'Clicks', 'Conversions'), 'per minute'),
  graph('Webhook deliveries', sums(prefix, 'Delivered', 'Retried', 'GivenUp'), 'per minute'),
];

const backlogGraphs = ({ functions, queues }: MonitoredResources, prefix: string) => [
  graph(
    'Stream lag and catalog age',
    [
      ...streamWorkers.map((name) =>
        functions[name].metric('IteratorAge', { period: MINUTE, statistic: 'Maximum', label: name }),
      ),
      serviceMetric(prefix, 'CatalogAge', 'Maximum', MINUTE),
    ],
    'ms',
    60_000,
  ),
  graph(
    'Parked records',
    [queues.parked.metricApproximateNumberOfMessagesVisible({ period: MINUTE, statistic: 'Maximum' })],
    'records',
  ),
  graph(
    'Concurrent executions',
    hotNames.map((name) =>
      functions[name].metric('ConcurrentExecutions', { period: MINUTE, statistic: 'Maximum', label: name }),
    ),
    'runs',
  ),
];

const table = (stage: string, title: string, ...queryLines: string[]) =>
  new LogQueryWidget({
    title,
    view: LogQueryVisualizationType.TABLE,
    queryLines,
    width: 8,
    logGroupNames: functionNames.map((name) => `/ads/${stage}/${name}`),
  });

const logTables = (stage: string) => [
  table(
    stage,
    'Responses by operation and status',
    'filter message = "request"',
    'stats count(*) as answers, pct(ms, 99) as p99 by operation, status, error',
    'sort answers desc',
  ),
  table(
    stage,
    'Counted clicks, and reasons for uncounted ones',
    'filter message = "click"',
    'stats count(*) as clicks by counted, reason',
    'sort clicks desc',
  ),
  table(
    stage,
    'Latest errors',
    'filter level = "error"',
    'fields @timestamp, operation, message, requestId',
    'sort @timestamp desc',
    'limit 20',
  ),
];
