import { expect, test } from 'vitest';
import { type Source, workerNames, workerRow } from '../../shared/endpoints.ts';
import { tableNames, tableShape } from '../../shared/tables.ts';
import { find, resourcesOf, templateOf } from './template.ts';

const template = templateOf({ stage: 'dev' });
const tableOf = (name: string) => find(template, 'AWS::DynamoDB::GlobalTable', 'TableName', `ads-dev-${name}`);

test.each(tableNames)('%s has the keys, indexes, expiry and stream of its row, and is paid by use', (name) => {
  const shape = tableShape(name);
  const { Properties } = tableOf(name);
  const schema = ([partition, sort]: readonly [string, string?]) => [
    { AttributeName: partition, KeyType: 'HASH' },
    ...(sort ? [{ AttributeName: sort, KeyType: 'RANGE' }] : []),
  ];
  expect(Properties.BillingMode).toBe('PAY_PER_REQUEST');
  expect(Properties.KeySchema).toEqual(schema(shape.key));
  expect(Properties.GlobalSecondaryIndexes ?? []).toEqual(
    Object.entries(shape.indexes ?? {}).map(([IndexName, key]) => ({
      IndexName,
      KeySchema: schema(key),
      Projection: { ProjectionType: 'ALL' },
    })),
  );
  for (const { AttributeName, AttributeType } of Properties.AttributeDefinitions) {
    expect(AttributeType).toBe(shape.numbers?.includes(AttributeName) ? 'N' : 'S');
  }
  expect(Properties.TimeToLiveSpecification).toEqual(shape.ttl && { AttributeName: shape.ttl, Enabled: true });
  expect(Properties.StreamSpecification).toEqual(shape.stream && { StreamViewType: 'NEW_AND_OLD_IMAGES' });
});

const fedNames = workerNames.filter((name) => 'stream' in workerRow(name).source);

test.each(fedNames)('%s is fed from its stream and gives up no record', (name) => {
  const { id } = find(template, 'AWS::Lambda::Function', 'FunctionName', `ads-dev-${name.replaceAll('/', '-')}`);
  const sources = resourcesOf(template, 'AWS::Lambda::EventSourceMapping');
  const source = sources.find(({ Properties }) => Properties.FunctionName.Ref === id)!.Properties;
  const { stream, filters = [] } = workerRow(name).source as Extract<Source, { stream: unknown }>;
  expect(source).toMatchObject({
    EventSourceArn: { 'Fn::GetAtt': [tableOf(stream).id, 'StreamArn'] },
    StartingPosition: 'TRIM_HORIZON',
    BisectBatchOnFunctionError: true,
    FunctionResponseTypes: ['ReportBatchItemFailures'],
  });
  // Absent, these are "for ever".
  expect(source.MaximumRetryAttempts ?? -1).toBe(-1);
  expect(source.MaximumRecordAgeInSeconds ?? -1).toBe(-1);
  const patterns = (source.FilterCriteria?.Filters ?? []).map(({ Pattern }: { Pattern: string }) =>
    JSON.parse(Pattern),
  );
  expect(patterns).toEqual(filters);
});
