import { expect, test } from 'vitest';
import { workerNames, workerRow } from '../../shared/endpoints.ts';
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

const streams = workerNames.flatMap((name) =>
  workerRow(name)
    .sources.filter((source) => 'stream' in source)
    .map((source) => ({ name, source })),
);

test.each(streams)('$name is fed from the stream of $source.stream and gives up no record', ({ name, source: fed }) => {
  const { id } = find(template, 'AWS::Lambda::Function', 'FunctionName', `ads-dev-${name.replaceAll('/', '-')}`);
  const sources = resourcesOf(template, 'AWS::Lambda::EventSourceMapping');
  const { stream, filters = [] } = fed;
  const arn = { 'Fn::GetAtt': [tableOf(stream).id, 'StreamArn'] };
  const source = sources.find(
    ({ Properties }) =>
      Properties.FunctionName.Ref === id && JSON.stringify(Properties.EventSourceArn) === JSON.stringify(arn),
  )!.Properties;
  expect(source).toMatchObject({
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
