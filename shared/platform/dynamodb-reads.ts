import { BatchGetCommand, type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { Database } from './database.ts';
import { Unprocessed } from './database-faults.ts';
import { attributeNames, attributeValues } from './expressions.ts';
import { itemIf, itemOf, type RawItem } from './items.ts';
import type { Retrying } from './retries.ts';

export function createReads(
  documents: DynamoDBDocumentClient,
  retrying: Retrying,
  prefix: string,
): Pick<Database, 'get' | 'getAll' | 'query'> {
  return {
    async get(table, key) {
      const request = new GetCommand({ TableName: prefix + table, Key: key, ConsistentRead: true });
      return itemIf(table, (await retrying((abortSignal) => documents.send(request, { abortSignal }))).Item);
    },

    async getAll(table, keys) {
      const names = Object.keys(keys[0] ?? {});
      const found = new Map<string, RawItem>(); // two attempts may answer with the same one
      for (let at = 0; at < keys.length; at += 100) {
        let asked: RawItem[] = keys.slice(at, at + 100);
        await retrying(async (abortSignal) => {
          const request = new BatchGetCommand({
            RequestItems: { [prefix + table]: { Keys: asked, ConsistentRead: true } },
          });
          const page = await documents.send(request, { abortSignal });
          for (const item of page.Responses?.[prefix + table] ?? [])
            found.set(JSON.stringify(names.map((attribute) => item[attribute])), item);
          asked = page.UnprocessedKeys?.[prefix + table]?.Keys ?? [];
          if (asked.length > 0) throw new Unprocessed(`${asked.length} keys were left out`);
        });
      }
      return [...found.values()].map((raw) => itemOf(table, raw));
    },

    async *query({ table, index, where, values, consistent, newestFirst, limit, pageSize }) {
      let start: RawItem | undefined;
      let left = limit;
      do {
        const request = new QueryCommand({
          TableName: prefix + table,
          IndexName: index,
          KeyConditionExpression: where,
          ...attributeNames(where),
          ...attributeValues(values),
          ConsistentRead: consistent,
          ScanIndexForward: !newestFirst,
          ExclusiveStartKey: start,
          Limit: left ?? pageSize,
        });
        const { Items = [], LastEvaluatedKey } = await retrying((abortSignal) =>
          documents.send(request, { abortSignal }),
        );
        for (const raw of Items) yield itemOf(table, raw);
        if (left !== undefined) left -= Items.length; // a page may end at its megabyte before that
        start = left === 0 ? undefined : LastEvaluatedKey;
      } while (start);
    },
  };
}
