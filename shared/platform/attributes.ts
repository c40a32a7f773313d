import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { RawItem } from './items.ts';

/** An item, a key or values as DynamoDB's protocol writes them. */
export type Attributes = Record<string, AttributeValue>;

/** What is undefined is left out. */
export const attributesOf = (value: object): Attributes => marshall(value, { removeUndefinedValues: true });

export const rawOf = (attributes: Attributes): RawItem => unmarshall(attributes);
