import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { join } from 'node:path';
import type { SQSClientConfig } from '@aws-sdk/client-sqs';
import { startFauxqs } from 'fauxqs';
import { type QueueShape, queueNames, queueShape } from '../../shared/platform/queues.ts';
import { StartError } from './command.ts';
import { createLocalClient, REGION } from './dynamodb.ts';
import { LOOPBACK } from './port.ts';

export interface LocalSqs {
  client: SQSClientConfig;
  stop(): Promise<void>;
}

/** Starts the SQS stand-in in this process, with the queues of the table of queues and its data in `dataDir` (`:memory:` stores none). */
export async function startSqs(dataDir: string, prefix: string): Promise<LocalSqs> {
  const folder = join(dataDir, 'sqs');
  const server = await listenOnLoopback(() =>
    startFauxqs({ port: 0, logger: false, ...(dataDir === ':memory:' ? {} : { dataDir: folder }) }),
  ).catch((error: Error) => {
    throw new StartError(`The SQS stand-in cannot use ${folder}: ${error.message}`);
  });
  for (const name of queueNames) {
    if (server.inspectQueue(prefix + name)) continue; // survived a restart: creating it again would empty it
    server.createQueue(prefix + name, {
      region: REGION,
      attributes: toAttributes(queueShape(name), prefix),
    });
  }
  return { client: createLocalClient(server.address), stop: () => server.stop() };
}

interface Listening {
  listen(options: { port: number; host: string }): Promise<string>;
}

/**
 * The stand-in listens on every address of the machine, and has no option to change this. Its web framework publishes each new server
 * on a diagnostics channel before `start` returns, so the server can be patched there.
 */
function listenOnLoopback<Server>(start: () => Promise<Server>): Promise<Server> {
  const narrow = (message: unknown) => {
    const { fastify } = message as { fastify: Listening };
    const { listen } = fastify;
    fastify.listen = (options) => listen.call(fastify, { ...options, host: LOOPBACK });
  };
  subscribe('fastify.initialization', narrow);
  try {
    return start();
  } finally {
    unsubscribe('fastify.initialization', narrow);
  }
}

const toAttributes = ({ retentionDays, visibilitySeconds, deadLetters }: QueueShape, prefix: string) => ({
  MessageRetentionPeriod: String(retentionDays * 24 * 60 * 60),
  ...(visibilitySeconds && { VisibilityTimeout: String(visibilitySeconds) }),
  ...(deadLetters && {
    RedrivePolicy: JSON.stringify({
      deadLetterTargetArn: `arn:aws:sqs:${REGION}:000000000000:${prefix}${deadLetters.queue}`,
      maxReceiveCount: deadLetters.receives,
    }),
  }),
});
