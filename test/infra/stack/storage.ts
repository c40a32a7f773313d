import { describe, expect, test } from 'vitest';
import { functionNames } from '../../../infra/bundle.ts';
import { queueNames, queueShape } from '../../../shared/platform/queues.ts';
import { tableNames, tableShape } from '../../../shared/platform/tables.ts';
import { CHOICES, find, nameOf, regionsOf, resourcesOf, templateOf } from './template.ts';

// In production, a failed first deployment leaves no tables behind, but tables of a successful one are always retained.
describe.each([
  { stage: 'dev', logDays: 7, pointInTimeRecovery: false, deletion: 'Delete', replacement: 'Delete' },
  { stage: 'prod', logDays: 90, pointInTimeRecovery: true, deletion: 'RetainExceptOnCreate', replacement: 'Retain' },
] as const)('In $stage', ({ stage, logDays, pointInTimeRecovery, deletion, replacement }) => {
  const template = templateOf(CHOICES[stage]);
  const kept = { DeletionPolicy: deletion, UpdateReplacePolicy: replacement };
  const queueId = (name: string) => find(template, 'AWS::SQS::Queue', 'QueueName', `ads-${stage}-${name}`).id;

  // Compare all properties: an unexpected one, such as a customer-managed key, costs money or changes behavior.
  test.each(tableNames)(
    'the table %s has the keys, indexes, TTL, and stream of its row, and the deletion policy of the stage',
    (name) => {
      const { key, indexes = {}, keysOnly = [], numbers = [], ttl, stream } = tableShape(name);
      const schema = ([partition, sort]: readonly [string, string?]) => [
        { AttributeName: partition, KeyType: 'HASH' },
        ...(sort ? [{ AttributeName: sort, KeyType: 'RANGE' }] : []),
      ];
      const IndexNames = Object.keys(indexes);
      const attributes = new Set([key, ...Object.values(indexes)].flat().filter((part) => part !== undefined));
      expect(find(template, 'AWS::DynamoDB::GlobalTable', 'TableName', `ads-${stage}-${name}`)).toEqual({
        id: expect.any(String),
        Type: 'AWS::DynamoDB::GlobalTable',
        ...kept,
        Properties: {
          TableName: `ads-${stage}-${name}`,
          BillingMode: 'PAY_PER_REQUEST',
          KeySchema: schema(key),
          AttributeDefinitions: [...attributes].map((AttributeName) => ({
            AttributeName,
            AttributeType: numbers.includes(AttributeName) ? 'N' : 'S',
          })),
          GlobalSecondaryIndexes:
            IndexNames.length > 0
              ? Object.entries(indexes).map(([IndexName, parts]) => ({
                  IndexName,
                  KeySchema: schema(parts),
                  Projection: { ProjectionType: keysOnly.includes(IndexName) ? 'KEYS_ONLY' : 'ALL' },
                }))
              : undefined,
          TimeToLiveSpecification: ttl && { AttributeName: ttl, Enabled: true },
          StreamSpecification: stream && { StreamViewType: stream },
          Replicas: [
            {
              Region: { Ref: 'AWS::Region' },
              PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: pointInTimeRecovery },
              GlobalSecondaryIndexes:
                IndexNames.length > 0 ? IndexNames.map((IndexName) => ({ IndexName })) : undefined,
            },
          ],
        },
      });
    },
  );

  test.each(queueNames)(
    'the queue %s is encrypted and has the retention, visibility timeout, and dead-letter queue of its row',
    (name) => {
      const { retentionDays, visibilitySeconds, deadLetters } = queueShape(name);
      expect(find(template, 'AWS::SQS::Queue', 'QueueName', `ads-${stage}-${name}`)).toEqual({
        id: expect.any(String),
        Type: 'AWS::SQS::Queue',
        DeletionPolicy: 'Delete',
        UpdateReplacePolicy: 'Delete',
        Properties: {
          QueueName: `ads-${stage}-${name}`,
          SqsManagedSseEnabled: true,
          MessageRetentionPeriod: retentionDays * 24 * 3_600,
          VisibilityTimeout: visibilitySeconds,
          RedrivePolicy: deadLetters && {
            deadLetterTargetArn: { 'Fn::GetAtt': [queueId(deadLetters.queue), 'Arn'] },
            maxReceiveCount: deadLetters.receives,
          },
        },
      });
    },
  );

  test.each(queueNames)('the queue %s denies unencrypted connections, and its policy grants nothing', (name) => {
    const id = queueId(name);
    const policies = resourcesOf(template, 'AWS::SQS::QueuePolicy').map(({ Properties }) => Properties);
    expect(policies.filter(({ Queues }) => Queues.some(({ Ref }: { Ref: string }) => Ref === id))).toEqual([
      {
        Queues: [{ Ref: id }],
        PolicyDocument: {
          Version: '2012-10-17',
          Statement: [
            {
              Effect: 'Deny',
              Principal: { AWS: '*' },
              Action: 'sqs:*',
              Resource: { 'Fn::GetAtt': [id, 'Arn'] },
              Condition: { Bool: { 'aws:SecureTransport': 'false' } },
            },
          ],
        },
      },
    ]);
  });

  test(`every log group keeps its lines for ${logDays} days`, () => {
    const groups = resourcesOf(template, 'AWS::Logs::LogGroup');
    expect(groups.map(({ Properties }) => Properties.LogGroupName).sort()).toEqual(
      [
        `/aws/vendedlogs/ads/${stage}/access`,
        ...functionNames.map((name) => `/ads/${stage}/${name}`),
        // Retained while the site is disabled: a log group left behind would block enabling it again.
        ...(stage === 'prod' ? ['/ads/prod/site'] : []),
      ].sort(),
    );
    for (const { id, ...group } of groups) {
      const { LogGroupName } = group.Properties;
      expect(group).toEqual({
        Type: 'AWS::Logs::LogGroup',
        ...kept,
        Properties: { LogGroupName, RetentionInDays: logDays },
      });
    }
  });

  test('no other resource stores data', () => {
    template.resourceCountIs('AWS::DynamoDB::GlobalTable', tableNames.length);
    template.resourceCountIs('AWS::SQS::Queue', queueNames.length);
    template.resourceCountIs('AWS::SQS::QueuePolicy', queueNames.length);
  });
});

/**
 * CloudFormation replaces a resource whose logical id changes: a table would start empty, a queue would lose its messages, the API would
 * get another URL, and the topic would lose its subscribers.
 */
const LOGICAL_IDS = {
  'AWS::DynamoDB::GlobalTable': {
    'ads-prod-account-days': 'accountdaystableAEFC0055',
    'ads-prod-activity': 'activitytableDE1A4975',
    'ads-prod-api-keys': 'apikeystable25DE92DB',
    'ads-prod-key-settings': 'keysettingstableCB4F2D0B',
    'ads-prod-key-days': 'keydaystable3A06BC5F',
    'ads-prod-key-tallies': 'keytalliestable8D3377AC',
    'ads-prod-campaigns': 'campaignstable7E1896CE',
    'ads-prod-ledgers': 'ledgerstableF770010D',
    'ads-prod-bids': 'bidstable4D9706CC',
    'ads-prod-conversions': 'conversionstable803B849A',
    'ads-prod-statements': 'statementstableE5BAD45C',
    'ads-prod-webhooks': 'webhookstable721A45B2',
    'ads-prod-deliveries': 'deliveriestable064A74B2',
    'ads-prod-snapshots': 'snapshotstable117BDEEA',
    'ads-prod-idempotency': 'idempotencytable59B035A0',
    'ads-prod-conversations': 'conversationstable5AD58AFA',
    'ads-prod-limits': 'limitstable1F003760',
  },
  'AWS::SQS::Queue': {
    'ads-prod-parked': 'parkedqueue9C92863D',
    'ads-prod-dead': 'deadqueue3AC01655',
    'ads-prod-deliveries': 'deliveriesqueue589F8094',
  },
  'AWS::ApiGatewayV2::Api': { 'ads-prod-api': 'apiC8550315' },
  'AWS::ApiGatewayV2::DomainName': {
    'ads.example.com': 'domainFBFFA2F6',
    'eu-west-1.ads.example.com': 'regiondomain5484A158',
  },
  'AWS::SNS::Topic': { 'ads-prod-alarms': 'alarms39815538' },
  'AWS::StepFunctions::StateMachine': { 'ads-prod-table-protection': 'tableprotection13CD5C45' },
};
test.each(Object.entries(LOGICAL_IDS))('every %s keeps its logical id', (type, ids) => {
  const { template } = regionsOf(CHOICES.regions)[0]!;
  expect(Object.fromEntries(resourcesOf(template, type).map(({ id }) => [nameOf(template, { Ref: id }), id]))).toEqual(
    ids,
  );
});

// CloudFormation creates the replacement first, which fails because the old resource still has the name.
test.each([
  { type: 'AWS::Lambda::Function', start: 'ads-prod-', end: '' },
  { type: 'AWS::Logs::LogGroup', start: '/ads/prod/', end: 'log' },
  { type: 'AWS::CloudWatch::Alarm', start: 'ads-prod-', end: 'alarm' },
])('every $type that has a name has a logical id made of it', ({ type, start, end }) => {
  const { template } = regionsOf(CHOICES.regions)[0]!;
  const named = resourcesOf(template, type)
    .filter(({ Properties }) => Properties.FunctionName ?? Properties.LogGroupName ?? Properties.AlarmName)
    .map(({ id }) => ({ id, name: nameOf(template, { Ref: id }) }))
    .filter(({ name }) => name !== '/aws/vendedlogs/ads/prod/access');
  expect(named.length).toBeGreaterThan(0);
  for (const { id, name } of named) {
    expect(id.replace(/[0-9A-F]{8}$/, '')).toBe(name.slice(start.length).replaceAll(/\W/g, '') + end);
  }
});
