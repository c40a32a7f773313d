import { join } from 'node:path';
import type { SQSClientConfig } from '@aws-sdk/client-sqs';
import { startFauxqs } from 'fauxqs';
import { type QueueShape, queueNames, queueShape } from '../../shared/queues.ts';
import { localClient, REGION } from './dynamodb.ts';
import { StartError } from './start-error.ts';

export interface LocalSqs {
  client: SQSClientConfig;
  stop(): Promise<void>;
}

/** The SQS stand-in, in this process, with the queues of the table of queues; its data in `dataDir` (`:memory:` keeps none). */
export async function startSqs(dataDir: string, prefix: string): Promise<LocalSqs> {
  const folder = join(dataDir, 'sqs');
  const server = await startFauxqs({
    port: 0,
    logger: false,
    ...(dataDir === ':memory:' ? {} : { dataDir: folder }),
  }).catch((error: Error) => {
    throw new StartError(`The SQS stand-in cannot use ${folder}: ${error.message}`);
  });
  for (const name of queueNames) {
    if (server.inspectQueue(prefix + name)) continue; // from before a restart: making it again would empty it
    server.createQueue(prefix + name, {
      region: REGION,
      attributes: attributesOf(queueShape(name), prefix),
    });
  }
  return { client: localClient(server.address), stop: () => server.stop() };
}

const attributesOf = ({ retentionDays, visibilitySeconds, deadLetters }: QueueShape, prefix: string) => ({
  MessageRetentionPeriod: String(retentionDays * 24 * 60 * 60),
  ...(visibilitySeconds && { VisibilityTimeout: String(visibilitySeconds) }),
  ...(deadLetters && {
    RedrivePolicy: JSON.stringify({
      deadLetterTargetArn: `arn:aws:sqs:${REGION}:000000000000:${prefix}${deadLetters.queue}`,
      maxReceiveCount: deadLetters.receives,
    }),
  }),
});
