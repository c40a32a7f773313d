import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { workerNames, workerRow } from '../../../shared/operations/workers.ts';
import { tableNames } from '../../../shared/platform/tables.ts';
import { noBidReasons } from '../../../shared/values/outcomes.ts';
import { CHOICES, find, type Resource, resourcesOf, templateOf } from './template.ts';

const template = templateOf(CHOICES.iam);
const alarms = resourcesOf(template, 'AWS::CloudWatch::Alarm').map(({ Properties }) => Properties);
const alarm = (name: string) => find(template, 'AWS::CloudWatch::Alarm', 'AlarmName', `ads-prod-${name}`).Properties;

test.each([
  { name: 'ssp-bid-slow', route: 'POST /api/v1/ssp/bid', percentile: 'p99', ms: 1000 },
  { name: 'ssp-ad-slow', route: 'GET /api/v1/ssp/ad/{bidId}', percentile: 'p99', ms: 3000 },
  { name: 'click-redirect-slow', route: 'GET /api/v1/click/{trackingId}', percentile: 'p95', ms: 200 },
])('$name goes off when $percentile of $route is over $ms ms', ({ name, route, percentile, ms }) => {
  const { Metrics, Threshold, EvaluateLowSampleCountPercentile } = alarm(name);
  const [{ MetricStat }] = Metrics;
  const dimensions = Object.fromEntries(
    MetricStat.Metric.Dimensions.map(({ Name, Value }: Record<string, unknown>) => [Name, Value]),
  );
  expect(MetricStat).toMatchObject({
    Stat: percentile,
    Metric: { Namespace: 'AWS/ApiGateway', MetricName: 'Latency' },
  });
  expect(`${dimensions.Method} ${dimensions.Resource}`).toBe(route);
  expect(Threshold).toBe(ms);
  expect(EvaluateLowSampleCountPercentile).toBe('ignore');
});

test('errors goes off over one percent of all but the legacy request, whose 503 says that nobody advertises', () => {
  const { Metrics, Threshold } = alarm('errors');
  const [{ Expression }, ...measured] = Metrics;
  const [faults, requests] = ['errors', 'requests'].map((what) => `(${what}_all - FILL(${what}_legacy_request, 0))`);
  expect(Expression).toBe(`IF(${faults} >= 5, 100 * ${faults} / ${requests}, 0)`);
  const routes = measured.map(
    ({
      MetricStat: { Metric },
    }: {
      MetricStat: { Metric: { MetricName: string; Dimensions: { Name: string; Value: unknown }[] } };
    }) => [Metric.MetricName, Metric.Dimensions.find(({ Name }) => Name === 'Resource')?.Value],
  );
  const legacy = '/api/v1/ad-serving/request';
  expect(routes).toEqual([
    ['5xx', undefined],
    ['Count', undefined],
    ['5xx', legacy],
    ['Count', legacy],
  ]);
  expect(Threshold).toBe(1);
});

test('refusals goes off over one percent of 4xx and 5xx together for half an hour, and not for ten requests', () => {
  const { Metrics, Threshold, EvaluationPeriods, DatapointsToAlarm, ComparisonOperator } = alarm('refusals');
  const [{ Expression }, ...measured] = Metrics;
  expect(Expression).toBe('IF(answers >= 200, 100 * (FILL(refused, 0) + FILL(failed, 0)) / answers, 0)');
  const of = Object.fromEntries(
    measured.map(({ Id, MetricStat }: { Id: string; MetricStat: object }) => [Id, MetricStat]),
  );
  for (const [id, MetricName] of Object.entries({ refused: '4xx', failed: '5xx', answers: 'Count' })) {
    expect(of[id]).toMatchObject({ Stat: 'Sum', Period: 900, Metric: { Namespace: 'AWS/ApiGateway', MetricName } });
    // Of the whole API: no route is left out.
    expect(of[id].Metric.Dimensions.map(({ Name }: { Name: string }) => Name)).toEqual(['ApiId']);
  }
  expect({ Threshold, EvaluationPeriods, DatapointsToAlarm, ComparisonOperator }).toEqual({
    Threshold: 1,
    EvaluationPeriods: 2,
    DatapointsToAlarm: 2,
    ComparisonOperator: 'GreaterThanThreshold',
  });
});

test('refusals tells, and stops no rollout', () => {
  const { id } = find(template, 'AWS::CloudWatch::Alarm', 'AlarmName', 'ads-prod-refusals');
  const groups = resourcesOf(template, 'AWS::CodeDeploy::DeploymentGroup');
  expect(groups.length).toBeGreaterThan(0);
  expect(JSON.stringify(groups)).not.toContain(id);
});

test.each(['ssp-bid-errors', 'ssp-ad-errors', 'click-redirect-errors'])('%s goes off over one percent', (name) => {
  const { Metrics, Threshold } = alarm(name);
  expect(Metrics[0].Expression).toMatch(/^IF\((\w+) >= 5, 100 \* \1 \/ \w+, 0\)$/);
  expect(
    Metrics.map(({ MetricStat }: { MetricStat?: { Metric: { MetricName: string } } }) => MetricStat?.Metric.MetricName),
  ).toEqual([undefined, '5xx', 'Count']);
  expect(Threshold).toBe(1);
});

test('the first parked record is told', () => {
  const { id } = find(template, 'AWS::SQS::Queue', 'QueueName', 'ads-prod-parked');
  expect(alarm('parked')).toMatchObject({
    Dimensions: [{ Name: 'QueueName', Value: { 'Fn::GetAtt': [id, 'QueueName'] } }],
    MetricName: 'ApproximateNumberOfMessagesVisible',
    Threshold: 0,
    ComparisonOperator: 'GreaterThanThreshold',
  });
});

test('phrases that are suggested late wake nobody', () => {
  expect(alarms.map(({ AlarmName }) => AlarmName).filter((name) => name.includes('suggest'))).toEqual([]);
});

test.each(workerNames.filter((name) => !workerRow(name).judge))('%s is told of when it is stuck', (name) => {
  const id = name.replaceAll('/', '-');
  const { sources } = workerRow(name);
  if (sources.some((source) => 'stream' in source)) {
    expect(alarm(`${id}-late`)).toMatchObject({ MetricName: 'IteratorAge', Threshold: 60_000 });
  } else if (sources.some((source) => 'queue' in source)) {
    expect(alarm('deliveries-waiting')).toMatchObject({ MetricName: 'ApproximateAgeOfOldestMessage', Threshold: 3600 });
    expect(alarm('deliveries-in-flight')).toMatchObject({ Threshold: 90_000 });
  } else {
    expect(alarm(`${id}-failed`)).toMatchObject({ MetricName: 'Errors', Period: 3600, Threshold: 2 });
  }
});

test('deliveries that are given up wake nobody until they are most of all', () => {
  const { Metrics, Threshold } = alarm('dead-letters');
  const [{ Expression }, ...measured] = Metrics;
  expect(Expression).toBe('IF(givenUp >= 20, 100 * givenUp / (givenUp + FILL(delivered, 0)), 0)');
  expect(Threshold).toBe(50);
  for (const { MetricStat } of measured) {
    expect(MetricStat).toMatchObject({
      Stat: 'Sum',
      Period: 3600,
      Metric: { Namespace: 'ConversationAds', Dimensions: [{ Name: 'service', Value: 'ads-prod' }] },
    });
  }
});

test('a delivery that waits for a day is told of, long before it is given up', () => {
  const { Metrics, Threshold } = alarm('deliveries-old');
  expect(Metrics).toMatchObject([
    {
      MetricStat: {
        Stat: 'Maximum',
        Period: 3600,
        Metric: {
          Namespace: 'ConversationAds',
          MetricName: 'DeliveryAge',
          Dimensions: [{ Name: 'service', Value: 'ads-prod' }],
        },
      },
    },
  ]);
  expect(Threshold).toBe(86_400);
});

test('what Lambda refuses is told of every function, in alarms of ten metrics at most', () => {
  const told = alarms
    .filter(({ AlarmName }) => AlarmName.startsWith('ads-prod-throttled-functions-'))
    .flatMap(({ Metrics, Threshold }) => {
      const refused = Metrics.filter(({ MetricStat }: { MetricStat?: object }) => MetricStat);
      expect(refused.length).toBeLessThanOrEqual(10);
      expect(Threshold).toBe(0);
      return refused.map(
        // biome-ignore lint/suspicious/noExplicitAny: CloudFormation as it is written
        ({ MetricStat }: any) => MetricStat.Metric.Dimensions[0].Value.Ref,
      );
    });
  const functions = resourcesOf(template, 'AWS::Lambda::Function')
    .filter(({ Properties }) => Properties.FunctionName) // what a deployment alone calls has no name
    .map(({ id }) => id);
  expect(told.sort()).toEqual(functions.sort());
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

test('the dashboard shows what becomes of second opinions, where there is a judge', () => {
  const bodyOf = (of: typeof template) =>
    JSON.stringify(resourcesOf(of, 'AWS::CloudWatch::Dashboard').map(({ Properties }) => Properties.DashboardBody));
  const judged = templateOf(CHOICES.now);
  for (const name of ['JudgeAsked', 'JudgeAnswered', 'JudgeLate', 'JudgeFailed', 'JudgeDenied', 'JudgeCircuitOpen']) {
    expect(bodyOf(judged)).toContain(`\\"ConversationAds\\",\\"${name}\\"`);
    expect(bodyOf(template)).not.toContain(name);
  }
});

test('judge-denied goes off at the first refusal for lack of permissions, where there is a judge', () => {
  const judged = templateOf(CHOICES.now);
  const { Properties } = find(judged, 'AWS::CloudWatch::Alarm', 'AlarmName', 'ads-prod-judge-denied');
  expect(Properties).toMatchObject({
    Metrics: [
      {
        MetricStat: {
          Stat: 'Sum',
          Metric: {
            Namespace: 'ConversationAds',
            MetricName: 'JudgeDenied',
            Dimensions: [{ Name: 'service', Value: 'ads-prod' }],
          },
        },
      },
    ],
    Threshold: 0,
    DatapointsToAlarm: 1,
    EvaluationPeriods: 1,
  });
  const invoking = resourcesOf(judged, 'AWS::IAM::Role').filter((role) => JSON.stringify(role).includes('InvokeModel'));
  expect(invoking).toHaveLength(3);
  expect(Properties.AlarmDescription).toContain(
    'the log groups of ssp/bid, legacy/request and events/suggest-phrases.',
  );
  expect(alarms.map(({ AlarmName }) => AlarmName)).not.toContain('ads-prod-judge-denied');
});

test('catalog-age goes off when bids know the campaigns as they were half a minute ago, for two minutes of three', () => {
  expect(alarm('catalog-age')).toMatchObject({
    Metrics: [{ MetricStat: { Stat: 'Maximum', Metric: { Namespace: 'ConversationAds', MetricName: 'CatalogAge' } } }],
    Threshold: 30_000,
    DatapointsToAlarm: 2,
    EvaluationPeriods: 3,
  });
});

test.each(tableNames)('what the table %s refuses is told', (name) => {
  expect(alarm(`throttled-${name}`).Threshold).toBe(0);
});

test('every alarm says what to do, names its place in the runbook, and reaches somebody', () => {
  const headings = [...readFileSync('infra/README.md', 'utf8').matchAll(/^### (.+)$/gm)].map(([, heading]) => heading);
  const topic = find(template, 'AWS::SNS::Topic', 'TopicName', 'ads-prod-alarms').id;
  const all = [template, templateOf(CHOICES.now)].flatMap((one) => resourcesOf(one, 'AWS::CloudWatch::Alarm'));
  for (const { AlarmDescription, AlarmActions, OKActions, TreatMissingData } of all.map((one) => one.Properties)) {
    const [, heading] = /Runbook: infra\/README\.md, "([^"]+)"\.$/.exec(AlarmDescription)!;
    expect(headings).toContain(heading);
    expect(AlarmActions).toEqual([{ Ref: topic }]);
    expect(OKActions).toEqual([{ Ref: topic }]);
    expect(TreatMissingData).toBe('notBreaching');
  }
  template.hasResourceProperties('AWS::SNS::Subscription', { Protocol: 'email', Endpoint: 'on-call@example.com' });
});

test('alarms may write to their topic although its policy is its own', () => {
  template.hasResourceProperties('AWS::SNS::TopicPolicy', {
    PolicyDocument: {
      Statement: [
        { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
        { Effect: 'Allow', Action: 'sns:Publish', Principal: { Service: 'cloudwatch.amazonaws.com' } },
      ],
    },
  });
});

test('dev wakes nobody', () => {
  const dev = templateOf(CHOICES.dev);
  dev.resourceCountIs('AWS::CloudWatch::Alarm', 0);
  dev.resourceCountIs('AWS::CloudWatch::Dashboard', 0);
});
