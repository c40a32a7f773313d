import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from './clock.ts';
import { createConnections } from './connections.ts';
import type { Database } from './database.ts';
import { createReads } from './dynamodb-reads.ts';
import { createWrites } from './dynamodb-writes.ts';
import type { Ids } from './ids.ts';
import { createRetrying } from './retries.ts';

interface DatabaseOptions {
  prefix: string;
  clock: Pick<Clock, 'now' | 'sleep' | 'timer' | 'deadline'>;
  ids: Pick<Ids, 'random' | 'uuid'>;
  client?: DynamoDBClientConfig;
}

/** A database over DynamoDB, or anything that speaks its protocol (`AWS_ENDPOINT_URL_DYNAMODB`). */
export function openDatabase({ prefix, clock, ids, client }: DatabaseOptions): Database {
  const connections = createConnections();
  // The SDK's own retries know no deadline: there are ours alone.
  const dynamoDb = new DynamoDBClient({ requestHandler: connections.agents, ...client, maxAttempts: 1 });
  const documents = DynamoDBDocumentClient.from(dynamoDb, { marshallOptions: { removeUndefinedValues: true } });
  const retrying = createRetrying({ clock, ids, dropIdle: connections.dropIdle });
  return { ...createReads(documents, retrying, prefix), ...createWrites(documents, retrying, prefix, ids) };
}
