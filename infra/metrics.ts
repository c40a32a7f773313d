import type { Duration } from 'aws-cdk-lib';
import type { IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { type EndpointName, endpointRow } from '../shared/http/operations/endpoints.ts';
import { getServiceName, type MetricName, NAMESPACE } from '../shared/platform/metrics.ts';
import type { FunctionName } from './bundle.ts';

type ApiMetric = 'Count' | '4xx' | '5xx' | 'Latency';

/** A metric of the gateway, for the whole API or for one operation (its first method). Latency is as callers see it. */
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

/** A metric that the functions emit. */
export const serviceMetric = (prefix: string, metricName: MetricName, statistic: string, period: Duration): Metric =>
  new Metric({
    namespace: NAMESPACE,
    metricName,
    statistic,
    period,
    label: metricName.replace(/^NoBids\./, ''),
    dimensionsMap: { service: getServiceName(prefix) },
  });

/**
 * Percentage of finished deliveries that failed for good; 0 below twenty failures in a period. One failing receiver is its owner's
 * problem; most of them failing at once is ours.
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

/** Metric ids must be unique within a graph or an alarm. */
const toMetricId = (what: string, name = 'all') => `${what}_${name.replaceAll(/\W/g, '_')}`;

/** By contract, this operation returns 503 if no ad matches, so its 503s do not count as errors. */
const EXPECTED_503: EndpointName = 'legacy/request';

/** Percentage of responses that are 5xx; 0 below five in a period, so one error at night wakes no one. */
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
 * Percentage of responses that are 4xx or 5xx: the promised error rate includes both. 0 below 200 responses in a period, where a
 * single one would exceed the threshold.
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

/** Invocations that Lambda throttled. A function without calls reports no data, which counts as 0. */
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

/** Throttled reads and writes of a table. */
export function tableThrottles(TableName: string, period: Duration): MathExpression {
  const events = (metricName: string) =>
    new Metric({ namespace: 'AWS/DynamoDB', metricName, statistic: 'Sum', period, dimensionsMap: { TableName } });
  const [reads, writes] = [toMetricId('reads', TableName), toMetricId('writes', TableName)];
  return new MathExpression({
    // A metric has no data without throttling; without FILL, the sum would have no value either.
    expression: `FILL(${reads}, 0) + FILL(${writes}, 0)`,
    usingMetrics: { [reads]: events('ReadThrottleEvents'), [writes]: events('WriteThrottleEvents') },
    label: TableName,
    period,
  });
}
