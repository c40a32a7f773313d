import { expect, test } from 'vitest';
import { tableNames, tableShape } from '../../../shared/platform/tables.ts';
import { CHOICES, find, templateOf } from './template.ts';

const template = templateOf(CHOICES.dev);
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
      Projection: { ProjectionType: shape.keysOnly?.includes(IndexName) ? 'KEYS_ONLY' : 'ALL' },
    })),
  );
  for (const { AttributeName, AttributeType } of Properties.AttributeDefinitions) {
    expect(AttributeType).toBe(shape.numbers?.includes(AttributeName) ? 'N' : 'S');
  }
  expect(Properties.TimeToLiveSpecification).toEqual(shape.ttl && { AttributeName: shape.ttl, Enabled: true });
  expect(Properties.StreamSpecification).toEqual(shape.stream && { StreamViewType: shape.stream });
});
