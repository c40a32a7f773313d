import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { CLIENT_SETTINGS } from './client-settings.ts';
import type { Clock } from './clock.ts';
import { createConnections } from './connections.ts';
import type { Database } from './database.ts';
import { createReads } from './dynamodb-reads.ts';
import { createWrites } from './dynamodb-writes.ts';
import type { Ids } from './ids.ts';
import { type Calling, createRetrying } from './retries.ts';
import { handOnSignals } from './signals.ts';
import { createStoreSigner } from './signer.ts';

/** What the SDK does around every call that nobody here reads: its log, its name in a header, the mark of calls in circles. */
const UNREAD = ['loggerMiddleware', 'getUserAgentMiddleware', 'recursionDetectionMiddleware'];

/** The place of the SDK's own retries, which others are told to come after: it makes a single attempt, and keeps accounts of it. */
const NO_RETRIES = { name: 'retryMiddleware', step: 'finalizeRequest', priority: 'high', override: true } as const;

/** As the SDK's own decoder, which looks at each character by a regular expression first: most of the time that a slice of a snapshot takes. */
const decodeBase64 = (text: string): Uint8Array => Buffer.from(text, 'base64');

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
  const own = {
    ...CLIENT_SETTINGS,
    requestHandler: connections.agents,
    cacheMiddleware: true,
    base64Decoder: decodeBase64,
    signer: createStoreSigner(() => dynamoDb.config),
    // An answer that waited in a frozen instance would set its clock back by as much.
    disableClockSkewCorrection: async () => true,
  };
  const dynamoDb: DynamoDBClient = new DynamoDBClient({ ...own, ...client, maxAttempts: 1 });
  for (const name of UNREAD) dynamoDb.middlewareStack.remove(name);
  dynamoDb.middlewareStack.add((next) => next, NO_RETRIES);
  const retrying = createRetrying({ clock, ids, dropIdle: connections.dropIdle });
  const until = handOnSignals(dynamoDb);
  const calling: Calling = (call) => retrying((signal) => until(signal, call));
  return { ...createReads(dynamoDb, calling, prefix), ...createWrites(dynamoDb, calling, prefix, ids) };
}
