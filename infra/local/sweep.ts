import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { tableNames, tableShape } from '../../shared/tables.ts';

/** Deletes what has expired, as DynamoDB's TTL does in the cloud and the stand-in does not. Resolves to how many items went. */
export async function sweep(config: DynamoDBClientConfig, prefix: string, nowMs: number): Promise<number> {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(config));
  let count = 0;
  for (const name of tableNames) {
    const { key, ttl } = tableShape(name);
    if (!ttl) continue;
    const expired = paginateScan(
      { client },
      {
        TableName: prefix + name,
        FilterExpression: '#ttl < :now',
        ExpressionAttributeNames: { '#ttl': ttl },
        ExpressionAttributeValues: { ':now': Math.floor(nowMs / 1000) },
      },
    );
    for await (const { Items = [] } of expired) {
      for (const item of Items) {
        const Key = Object.fromEntries(key.filter((part) => part !== undefined).map((part) => [part, item[part]]));
        await client.send(new DeleteCommand({ TableName: prefix + name, Key }));
        count++;
      }
    }
  }
  return count;
}
