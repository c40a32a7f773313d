import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import { type Item, itemOf } from './items.ts';
import type { TableName } from './tables.ts';

type Image = NonNullable<DynamoDBRecord['dynamodb']>['NewImage'];

/** An item as a record of its table's stream holds it, before or after the change. */
export const imageOf = <T extends TableName>(table: T, attributes: Image): Item<T> | undefined =>
  attributes && itemOf(table, unmarshall(attributes as Record<string, AttributeValue>));
