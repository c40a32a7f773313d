import type { Duration } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { type EndpointName, endpointRow } from '../shared/http/operations/endpoints.ts';
import { type MetricName, NAMESPACE, serviceOf } from '../shared/platform/metrics.ts';
import type { FunctionName } from './bundle.ts';

type ApiMetric = 'Count' | '4xx' | '5xx' | 'Latency';

/** What the gateway measured, of the whole API or of one operation by its first method: the time as the caller sees it. */
export function apiMetric(
  api: IHttpApi,
  metricName: ApiMetric,
  statistic: string,
  period: Duration,
  name?: EndpointName,
): Metric {
  const row = name && endpointRow(name);
  return new Metric({
    namespace: 'AWS/ApiGateway',
    metricName,
    statistic,
    period,
    label: name ?? 'all',
    dimensionsMap: {
      ApiId: api.apiId,
      ...(row && { Method: row.methods[0]!, Resource: row.path!, Stage: '$default' }),
    },
  });
}

/** What the functions measure themselves. */
export const serviceMetric = (prefix: string, metricName: MetricName, statistic: string, period: Duration): Metric =>
  new Metric({
    namespace: NAMESPACE,
    metricName,
    statistic,
    period,
    label: metricName.replace(/^NoBids\./, ''),
    dimensionsMap: { service: serviceOf(prefix) },
  });

/**
 * Percent of the deliveries that came to an end which ended by being given up; fewer than twenty in a period are none. One receiver
 * that is down is its owner's affair; most of them at once are ours.
 */
export function givenUpRate(prefix: string, period: Duration): MathExpression {
  return new MathExpression({
    expression: 'IF(givenUp >= 20, 100 * givenUp / (givenUp + FILL(delivered, 0)), 0)',
    usingMetrics: {
      givenUp: serviceMetric(prefix, 'GivenUp', 'Sum', period),
      delivered: serviceMetric(prefix, 'Delivered', 'Sum', period),
    },
    label: 'given up',
    period,
  });
}

/** Within one graph or alarm every metric of an expression needs a name of its own. */
const toMetricId = (what: string, name = 'all') => `${what}_${name.replaceAll(/\W/g, '_')}`;

/** Answers 503 to a conversation that nobody advertises in, by contract: nothing that a person need get up for. */
const EXPECTED_503: EndpointName = 'legacy/request';

/** Percent of answers that are our fault; fewer than five in a period are none, so that one bad answer at night wakes nobody. */
export function errorRate(api: IHttpApi, period: Duration, name?: EndpointName): MathExpression {
  const [errors, requests] = [toMetricId('errors', name), toMetricId('requests', name)];
  const [usual, asked] = [toMetricId('errors', EXPECTED_503), toMetricId('requests', EXPECTED_503)];
  const [faults, others] = name
    ? [errors, requests]
    : [`(${errors} - FILL(${usual}, 0))`, `(${requests} - FILL(${asked}, 0))`];
  return new MathExpression({
    expression: `IF(${faults} >= 5, 100 * ${faults} / ${others}, 0)`,
    usingMetrics: {
      [errors]: apiMetric(api, '5xx', 'Sum', period, name),
      [requests]: apiMetric(api, 'Count', 'Sum', period, name),
      ...(!name && {
        [usual]: apiMetric(api, '5xx', 'Sum', period, EXPECTED_503),
        [asked]: apiMetric(api, 'Count', 'Sum', period, EXPECTED_503),
      }),
    },
    label: name ?? 'all',
    period,
  });
}

/**
 * Percent of all answers that are 4xx or 5xx, which is how the promised error rate counts them: whose fault they are makes no
 * difference to it. Where fewer than 200 were given in a period a single one would be too many, so it is none.
 */
export function refusalRate(api: IHttpApi, period: Duration): MathExpression {
  return new MathExpression({
    expression: 'IF(answers >= 200, 100 * (FILL(refused, 0) + FILL(failed, 0)) / answers, 0)',
    usingMetrics: {
      refused: apiMetric(api, '4xx', 'Sum', period),
      failed: apiMetric(api, '5xx', 'Sum', period),
      answers: apiMetric(api, 'Count', 'Sum', period),
    },
    label: '4xx and 5xx',
    period,
  });
}

/** Invocations that Lambda refused for want of concurrency. A function that nobody called reports nothing, which counts as none. */
export function throttles(
  functions: Readonly<Record<FunctionName, IFunction>>,
  names: readonly FunctionName[],
  period: Duration,
): MathExpression {
  return new MathExpression({
    expression: names.map((name) => `FILL(${toMetricId('refused', name)}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(
      names.map((name) => [toMetricId('refused', name), functions[name].metricThrottles({ period })]),
    ),
    label: 'functions',
    period,
  });
}

/** Reads and writes that a table refused. */
export function tableThrottles(TableName: string, period: Duration): MathExpression {
  const events = (metricName: string) =>
    new Metric({ namespace: 'AWS/DynamoDB', metricName, statistic: 'Sum', period, dimensionsMap: { TableName } });
  const [reads, writes] = [toMetricId('reads', TableName), toMetricId('writes', TableName)];
  return new MathExpression({
    // Each reports only when it refuses; alone it would leave the sum without a value.
    expression: `FILL(${reads}, 0) + FILL(${writes}, 0)`,
    usingMetrics: { [reads]: events('ReadThrottleEvents'), [writes]: events('WriteThrottleEvents') },
    label: TableName,
    period,
  });
}
