import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { startDynamoDb } from '../../../infra/local/dynamodb.ts';
import { listen } from '../../../infra/local/gateway.ts';
import { startSqs } from '../../../infra/local/sqs.ts';
import { NOT_LOOPBACK, takesConnections } from './reach.ts';

const IN_MEMORY = { dataDir: ':memory:', dynamoDbEndpoint: undefined, dynoxideBin: undefined };
const portOf = (endpoint: unknown) => Number(new URL(String(endpoint)).port);

it.each([
  [
    'The DynamoDB stand-in',
    async () => {
      const { client, stop } = await startDynamoDb(IN_MEMORY);
      return { port: portOf(client.endpoint), stop };
    },
  ],
  [
    'The SQS stand-in',
    async () => {
      const { client, stop } = await startSqs(':memory:', 'ads-');
      return { port: portOf(client.endpoint), stop };
    },
  ],
  [
    'The server',
    async () => {
      const server = createServer();
      return { port: await listen(server, 0), stop: async () => void server.close() };
    },
  ],
])('%s accepts connections only from this machine', async (_, start) => {
  const { port, stop } = await start();
  expect(await takesConnections('127.0.0.1', port)).toBe(true);
  for (const host of NOT_LOOPBACK) expect(await takesConnections(host, port), host).toBe(false);
  await stop();
});
