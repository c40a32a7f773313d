import { RemovalPolicy } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { type TableName, type TableShape, tableNames, tableShape } from '../shared/platform/tables.ts';
import { toRecord } from '../shared/platform/values/typed.ts';
import type { Settings } from './settings.ts';

export type Tables = Readonly<Record<TableName, TableV2>>;

/** Creates every DynamoDB table that `tables` lists. */
export const createTables = (scope: Construct, settings: Settings): Tables =>
  toRecord(tableNames, (name) => createTable(scope, name, settings));

function createTable(scope: Construct, name: TableName, { prefix, keepsData }: Settings): TableV2 {
  const shape = tableShape(name);
  const [partition, sort] = shape.key;
  return new TableV2(scope, `${name}-table`, {
    tableName: `${prefix}${name}`,
    partitionKey: attribute(shape, partition),
    sortKey: sort === undefined ? undefined : attribute(shape, sort),
    globalSecondaryIndexes: Object.entries(shape.indexes ?? {}).map(([indexName, [partition, sort]]) => ({
      indexName,
      partitionKey: attribute(shape, partition),
      sortKey: attribute(shape, sort),
      projectionType: shape.keysOnly?.includes(indexName) ? ProjectionType.KEYS_ONLY : ProjectionType.ALL,
    })),
    billing: Billing.onDemand(),
    timeToLiveAttribute: shape.ttl,
    dynamoStream: shape.stream && StreamViewType[shape.stream],
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: keepsData },
    // Deleted only if the deployment that creates it fails: an empty table left behind would block the next deployment.
    removalPolicy: keepsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  });
}

const attribute = ({ numbers = [] }: TableShape, name: string): Attribute => ({
  name,
  type: numbers.includes(name) ? AttributeType.NUMBER : AttributeType.STRING,
});
