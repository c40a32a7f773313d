import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { functionNames } from '../../../infra/bundle.ts';
import { workerNames, workerRow } from '../../../shared/http/operations/workers.ts';
import { tableNames } from '../../../shared/platform/tables.ts';
import { noBidReasons } from '../../../shared/platform/values/outcomes.ts';
import { CHOICES, find, nameOf, type Resource, resourcesOf, templateOf } from './template.ts';

const template = templateOf(CHOICES.iam);
const judged = templateOf(CHOICES.now);
const alarmsOf = (one: typeof template) =>
  resourcesOf(one, 'AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
const alarms = alarmsOf(template);
const alarm = (name: string) => find(template, 'AWS::CloudWatch::Alarm', 'AlarmName', `ads-prod-${name}`).Properties;

/** The dimensions of the metrics of each namespace. A metric of other dimensions does not exist, and its alarm stays silent. */
const DIMENSIONS: Record<string, string[]> = {
  'AWS/ApiGateway': ['ApiId', 'Method', 'Resource', 'Stage'],
  'AWS/DynamoDB': ['TableName'],
  'AWS/Lambda': ['FunctionName'],
  'AWS/SQS': ['QueueName'],
  'AWS/States': ['StateMachineArn'],
  ConversationAds: ['service'],
};

/** A readable metric: statistic, period in seconds, name, and dimensions. */
function describeMetric(
  one: typeof template,
  { Metric, Stat, Period }: { Metric: Resource['Properties']; Stat: string; Period: number },
): string {
  const dimensions = Metric.Dimensions.map(({ Name }: { Name: string }) => Name);
  const expected = DIMENSIONS[Metric.Namespace]!;
  // A gateway metric without a route covers the whole API.
  expect([expected, expected.slice(0, 1)]).toContainEqual(dimensions);
  const of = Metric.Dimensions.map(({ Value }: { Value: Parameters<typeof nameOf>[1] }) => nameOf(one, Value));
  return `${Stat} in ${Period} s of ${Metric.Namespace} ${Metric.MetricName}: ${of.join(' ')}`;
}

/** What an alarm watches: one metric, or an expression with its metrics. */
function watchedBy(
  one: typeof template,
  { Metrics, ...alone }: Resource['Properties'],
): string | Record<string, string> {
  if (!Metrics) return describeMetric(one, { Metric: alone, Stat: alone.Statistic, Period: alone.Period });
  const [first, ...parts] = Metrics.map(({ ReturnData }: Resource['Properties']) => ReturnData);
  expect([first ?? true, ...parts]).toEqual([true, ...parts.map(() => false)]);
  const described = Metrics.map(({ Id, Expression, MetricStat }: Resource['Properties']) => [
    Expression ? 'is' : Id,
    Expression ?? describeMetric(one, MetricStat),
  ]);
  return described.length === 1 ? described[0][1] : Object.fromEntries(described);
}

const boundOf = ({ ComparisonOperator, Threshold, DatapointsToAlarm, EvaluationPeriods }: Resource['Properties']) => {
  expect(ComparisonOperator).toBe('GreaterThanThreshold');
  return { above: Threshold, periods: `${DatapointsToAlarm} of ${EvaluationPeriods}` };
};

const api = 'ads-prod-api';
const BID = `${api} POST /api/v1/ssp/bid $default`;
const AD = `${api} GET /api/v1/ssp/ad/{bidId} $default`;
const CLICK = `${api} GET /api/v1/click/{trackingId} $default`;
const LEGACY = `${api} POST /api/v1/ad-serving/request $default`;

const wordOf = (name: string) => name.replaceAll('-', '_');

/** The legacy request returns 503 if no campaign matches the conversation, which is not an error of the service. */
const withoutLegacy = (what: string) => `(${what}_all - FILL(${what}_legacy_request, 0))`;

/** Fewer than five errors count as none, so that one bad response at night does not page anyone. */
const errorRate = (id: string, route: string) => ({
  is: `IF(errors_${id} >= 5, 100 * errors_${id} / requests_${id}, 0)`,
  [`errors_${id}`]: `Sum in 60 s of AWS/ApiGateway 5xx: ${route}`,
  [`requests_${id}`]: `Sum in 60 s of AWS/ApiGateway Count: ${route}`,
});

interface Expected {
  name: string;
  watches: string | Record<string, string>;
  above: number;
  periods: string;
}

const ALARMS: Expected[] = [
  {
    name: 'errors',
    watches: {
      is: `IF(${withoutLegacy('errors')} >= 5, 100 * ${withoutLegacy('errors')} / ${withoutLegacy('requests')}, 0)`,
      errors_all: `Sum in 300 s of AWS/ApiGateway 5xx: ${api}`,
      requests_all: `Sum in 300 s of AWS/ApiGateway Count: ${api}`,
      errors_legacy_request: `Sum in 300 s of AWS/ApiGateway 5xx: ${LEGACY}`,
      requests_legacy_request: `Sum in 300 s of AWS/ApiGateway Count: ${LEGACY}`,
    },
    above: 1,
    periods: '2 of 2',
  },
  {
    name: 'refusals',
    watches: {
      is: 'IF(answers >= 200, 100 * (FILL(refused, 0) + FILL(failed, 0)) / answers, 0)',
      refused: `Sum in 900 s of AWS/ApiGateway 4xx: ${api}`,
      failed: `Sum in 900 s of AWS/ApiGateway 5xx: ${api}`,
      answers: `Sum in 900 s of AWS/ApiGateway Count: ${api}`,
    },
    above: 1,
    periods: '2 of 2',
  },
  { name: 'ssp-bid-errors', watches: errorRate('ssp_bid', BID), above: 1, periods: '3 of 5' },
  { name: 'ssp-ad-errors', watches: errorRate('ssp_ad', AD), above: 1, periods: '3 of 5' },
  { name: 'click-redirect-errors', watches: errorRate('click_redirect', CLICK), above: 1, periods: '3 of 5' },
  {
    name: 'ssp-bid-slow',
    watches: `p99 in 300 s of AWS/ApiGateway Latency: ${BID}`,
    above: 1_000,
    periods: '2 of 2',
  },
  {
    name: 'ssp-ad-slow',
    watches: `p99 in 300 s of AWS/ApiGateway Latency: ${AD}`,
    above: 3_000,
    periods: '2 of 2',
  },
  {
    name: 'click-redirect-slow',
    watches: `p95 in 300 s of AWS/ApiGateway Latency: ${CLICK}`,
    above: 200,
    periods: '2 of 2',
  },
  {
    name: 'parked',
    watches: 'Maximum in 60 s of AWS/SQS ApproximateNumberOfMessagesVisible: ads-prod-parked',
    above: 0,
    periods: '1 of 1',
  },
  ...['events-count', 'events-count-keys', 'events-fan-out'].map((worker) => ({
    name: `${worker}-late`,
    watches: `Maximum in 60 s of AWS/Lambda IteratorAge: ads-prod-${worker}`,
    above: 60_000,
    periods: '5 of 5',
  })),
  ...['schedules-start-day', 'schedules-write-snapshot', 'schedules-bill-day'].map((worker) => ({
    name: `${worker}-failed`,
    watches: `Sum in 3600 s of AWS/Lambda Errors: ads-prod-${worker}`,
    above: 2, // Lambda attempts an asynchronous invocation three times.
    periods: '1 of 1',
  })),
  {
    name: 'deliveries-waiting',
    watches: 'Maximum in 60 s of AWS/SQS ApproximateAgeOfOldestMessage: ads-prod-deliveries',
    above: 3_600,
    periods: '5 of 5',
  },
  {
    name: 'deliveries-in-flight',
    watches: 'Maximum in 60 s of AWS/SQS ApproximateNumberOfMessagesNotVisible: ads-prod-deliveries',
    above: 90_000, // SQS delivers no more messages from 120,000 in flight on.
    periods: '5 of 5',
  },
  {
    name: 'deliveries-old',
    watches: 'Maximum in 3600 s of ConversationAds DeliveryAge: ads-prod',
    above: 24 * 3_600,
    periods: '1 of 1',
  },
  {
    name: 'dead-letters',
    watches: {
      is: 'IF(givenUp >= 20, 100 * givenUp / (givenUp + FILL(delivered, 0)), 0)',
      givenUp: 'Sum in 3600 s of ConversationAds GivenUp: ads-prod',
      delivered: 'Sum in 3600 s of ConversationAds Delivered: ads-prod',
    },
    above: 50,
    periods: '1 of 1',
  },
  {
    name: 'unprotected',
    watches: 'Sum in 300 s of AWS/States ExecutionsFailed: ads-prod-table-protection',
    above: 0,
    periods: '1 of 1',
  },
  {
    name: 'catalog-age',
    watches: 'Maximum in 60 s of ConversationAds CatalogAge: ads-prod',
    above: 30_000, // Instances stop bidding at 60,000.
    periods: '2 of 3',
  },
  ...tableNames.map((table) => ({
    name: `throttled-${table}`,
    watches: {
      is: `FILL(reads_ads_prod_${wordOf(table)}, 0) + FILL(writes_ads_prod_${wordOf(table)}, 0)`,
      [`reads_ads_prod_${wordOf(table)}`]: `Sum in 60 s of AWS/DynamoDB ReadThrottleEvents: ads-prod-${table}`,
      [`writes_ads_prod_${wordOf(table)}`]: `Sum in 60 s of AWS/DynamoDB WriteThrottleEvents: ads-prod-${table}`,
    },
    above: 0,
    periods: '3 of 5',
  })),
  // CloudWatch allows at most ten metrics per alarm.
  ...Array.from({ length: Math.ceil(functionNames.length / 10) }, (_, at) => {
    const names = functionNames.slice(10 * at, 10 * at + 10).map((name) => name.replaceAll('/', '-'));
    return {
      name: `throttled-functions-${at + 1}`,
      watches: {
        is: names.map((name) => `FILL(refused_${wordOf(name)}, 0)`).join(' + '),
        ...Object.fromEntries(
          names.map((name) => [`refused_${wordOf(name)}`, `Sum in 60 s of AWS/Lambda Throttles: ads-prod-${name}`]),
        ),
      },
      above: 0,
      periods: '3 of 5',
    };
  }),
];

test.each(ALARMS)('$name goes off above $above in $periods periods', ({ name, watches, above, periods }) => {
  expect({ watches: watchedBy(template, alarm(name)), ...boundOf(alarm(name)) }).toEqual({ watches, above, periods });
});

test('judge-denied goes off at the first missing permission, in stages with a judge', () => {
  const { Properties } = find(judged, 'AWS::CloudWatch::Alarm', 'AlarmName', 'ads-prod-judge-denied');
  expect({ watches: watchedBy(judged, Properties), ...boundOf(Properties) }).toEqual({
    watches: 'Sum in 300 s of ConversationAds JudgeDenied: ads-prod',
    above: 0,
    periods: '1 of 1',
  });
  const invoking = resourcesOf(judged, 'AWS::IAM::Role').filter((role) => JSON.stringify(role).includes('InvokeModel'));
  expect(invoking).toHaveLength(3);
  expect(Properties.AlarmDescription).toContain(
    'the log groups of ssp/bid, legacy/request and events/suggest-phrases.',
  );
});

test('there are no other alarms', () => {
  const namesOf = (one: typeof template) => alarmsOf(one).map(({ AlarmName }) => AlarmName.slice('ads-prod-'.length));
  const expected = ALARMS.map(({ name }) => name);
  expect(namesOf(template).sort()).toEqual(expected.toSorted());
  expect(namesOf(judged).sort()).toEqual([...expected, 'judge-denied'].sort());
});

test.each(workerNames.filter((name) => !workerRow(name).judge))('an alarm reports that %s is stuck', (name) => {
  const id = name.replaceAll('/', '-');
  const names = workerRow(name).sources.map((source) => {
    if ('stream' in source) return `${id}-late`;
    return 'queue' in source ? `${source.queue}-waiting` : `${id}-failed`;
  });
  expect(ALARMS.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
});

test('a percentile is not evaluated for a handful of samples', () => {
  for (const { AlarmName, EvaluateLowSampleCountPercentile } of alarms)
    expect(EvaluateLowSampleCountPercentile).toBe(AlarmName.endsWith('-slow') ? 'ignore' : undefined);
});

test('only the alarms of hot operations stop a rollout', () => {
  const groups = JSON.stringify(resourcesOf(template, 'AWS::CodeDeploy::DeploymentGroup'));
  const stopping = resourcesOf(template, 'AWS::CloudWatch::Alarm').filter(({ id }) => groups.includes(`"${id}"`));
  expect(stopping.map(({ Properties }) => Properties.AlarmName.slice('ads-prod-'.length)).sort()).toEqual(
    ['ssp-bid', 'ssp-ad', 'click-redirect'].flatMap((name) => [`${name}-errors`, `${name}-slow`]).sort(),
  );
});

test('every alarm describes what to do, names its runbook section, and notifies the topic', () => {
  const headings = [...readFileSync('infra/README.md', 'utf8').matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
  const topic = find(template, 'AWS::SNS::Topic', 'TopicName', 'ads-prod-alarms').id;
  const all = [...alarms, ...alarmsOf(judged)];
  for (const { AlarmDescription, AlarmActions, OKActions, ActionsEnabled, TreatMissingData } of all) {
    const [, heading] = /^.{40,} Runbook: infra\/README\.md, "([^"]+)"\.$/.exec(AlarmDescription)!;
    expect(headings).toContain(heading);
    expect(AlarmActions).toEqual([{ Ref: topic }]);
    expect(OKActions).toEqual([{ Ref: topic }]);
    expect(ActionsEnabled ?? true).toBe(true);
    expect(TreatMissingData).toBe('notBreaching');
  }
  expect(resourcesOf(template, 'AWS::SNS::Subscription').map(({ Properties }) => Properties)).toEqual([
    { Protocol: 'email', Endpoint: 'on-call@example.com', TopicArn: { Ref: topic } },
  ]);
});

test('only alarms of this account publish to the topic, over TLS', () => {
  const topic = { Ref: find(template, 'AWS::SNS::Topic', 'TopicName', 'ads-prod-alarms').id };
  const policies = resourcesOf(template, 'AWS::SNS::TopicPolicy').map(({ Properties }) => Properties);
  expect(policies).toEqual([
    {
      Topics: [topic],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Sid: expect.any(String),
            Effect: 'Deny',
            Principal: '*',
            Action: 'sns:Publish',
            Resource: topic,
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
          },
          {
            Sid: expect.any(String),
            Effect: 'Allow',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Action: 'sns:Publish',
            Resource: topic,
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          },
        ],
      },
    },
  ]);
});

test('the dashboard shows what the functions measure', () => {
  const [{ Properties }] = resourcesOf(template, 'AWS::CloudWatch::Dashboard') as [Resource];
  const body = JSON.stringify(Properties.DashboardBody);
  for (const name of [
    'Bids',
    'MatchTime',
    'CatalogAge',
    'Spend',
    'GivenUp',
    ...noBidReasons.map((reason) => `NoBids.${reason}`),
  ]) {
    expect(body).toContain(`\\"ConversationAds\\",\\"${name}\\",\\"service\\",\\"ads-prod\\"`);
  }
});

test('the dashboard shows the outcomes of second opinions, in stages with a judge', () => {
  const bodyOf = (of: typeof template) =>
    JSON.stringify(resourcesOf(of, 'AWS::CloudWatch::Dashboard').map(({ Properties }) => Properties.DashboardBody));
  for (const name of ['JudgeAsked', 'JudgeAnswered', 'JudgeLate', 'JudgeFailed', 'JudgeDenied', 'JudgeCircuitOpen']) {
    expect(bodyOf(judged)).toContain(`\\"ConversationAds\\",\\"${name}\\"`);
    expect(bodyOf(template)).not.toContain(name);
  }
});

test('dev has no alarms and no dashboard', () => {
  const dev = templateOf(CHOICES.dev);
  dev.resourceCountIs('AWS::CloudWatch::Alarm', 0);
  dev.resourceCountIs('AWS::CloudWatch::Dashboard', 0);
  dev.resourceCountIs('AWS::SNS::Topic', 0);
});
