import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, type DeleteCommandInput, DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { tableNames, tableShape } from '../../shared/platform/tables.ts';

const EXPIRED = '#ttl < :now';

/** Deletes expired items, because the stand-in has no TTL. Resolves to the number of deleted items. */
export async function deleteExpired(config: DynamoDBClientConfig, prefix: string, nowMs: number): Promise<number> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(config));
  let count = 0;
  for (const name of tableNames) {
    const { key, ttl } = tableShape(name);
    if (!ttl) continue;
    const expiry = {
      ExpressionAttributeNames: { '#ttl': ttl },
      ExpressionAttributeValues: { ':now': Math.floor(nowMs / 1000) },
    };
    const expired = paginateScan({ client }, { TableName: prefix + name, FilterExpression: EXPIRED, ...expiry });
    for await (const { Items = [] } of expired) {
      for (const item of Items) {
        const Key = Object.fromEntries(key.filter((part) => part !== undefined).map((part) => [part, item[part]]));
        if (await deleteIfExpired(client, { TableName: prefix + name, Key, ...expiry })) count++;
      }
    }
  }
  return count;
}

/** The condition settles the race with a write that extended the item's TTL after it was read. */
const deleteIfExpired = (client: DynamoDBDocumentClient, input: Omit<DeleteCommandInput, 'ConditionExpression'>) =>
  client.send(new DeleteCommand({ ...input, ConditionExpression: EXPIRED })).then(
    () => true,
    (error) => {
      if (error.name === 'ConditionalCheckFailedException') return false;
      throw error;
    },
  );
