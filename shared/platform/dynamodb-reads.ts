import { BatchGetItemCommand, type DynamoDBClient, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { type Attributes, attributesOf, rawOf } from './attributes.ts';
import type { Database } from './database.ts';
import { Unprocessed } from './database-faults.ts';
import { attributeNames, attributeValues } from './expressions.ts';
import { itemIf, itemOf } from './items.ts';
import type { Calling } from './retries.ts';

export function createReads(
  dynamoDb: Pick<DynamoDBClient, 'send'>,
  calling: Calling,
  prefix: string,
): Pick<Database, 'get' | 'getAll' | 'query'> {
  return {
    async get(table, key) {
      const request = new GetItemCommand({ TableName: prefix + table, Key: attributesOf(key), ConsistentRead: true });
      const { Item } = await calling(() => dynamoDb.send(request));
      return itemIf(table, Item && rawOf(Item));
    },

    async getAll(table, keys) {
      const names = Object.keys(keys[0] ?? {});
      const found = new Map<string, Attributes>(); // two attempts may answer with the same one
      for (let at = 0; at < keys.length; at += 100) {
        let asked = keys.slice(at, at + 100).map(attributesOf);
        await calling(async () => {
          const request = new BatchGetItemCommand({
            RequestItems: { [prefix + table]: { Keys: asked, ConsistentRead: true } },
          });
          const page = await dynamoDb.send(request);
          for (const item of page.Responses?.[prefix + table] ?? [])
            found.set(JSON.stringify(names.map((attribute) => item[attribute])), item);
          asked = page.UnprocessedKeys?.[prefix + table]?.Keys ?? [];
          if (asked.length > 0) throw new Unprocessed(`${asked.length} keys were left out`);
        });
      }
      return [...found.values()].map((item) => itemOf(table, rawOf(item)));
    },

    async *query({ table, index, where, values, consistent, newestFirst, limit, pageSize }) {
      let start: Attributes | undefined;
      let left = limit;
      do {
        const request = new QueryCommand({
          TableName: prefix + table,
          IndexName: index,
          KeyConditionExpression: where,
          ...attributeNames([where]),
          ...attributeValues(values),
          ConsistentRead: consistent,
          ScanIndexForward: !newestFirst,
          ExclusiveStartKey: start,
          Limit: left ?? pageSize,
        });
        const { Items = [], LastEvaluatedKey } = await calling(() => dynamoDb.send(request));
        for (const item of Items) yield itemOf(table, rawOf(item));
        if (left !== undefined) left -= Items.length; // a page may end at its megabyte before that
        start = left === 0 ? undefined : LastEvaluatedKey;
      } while (start);
    },
  };
}
