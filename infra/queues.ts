import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type QueueName, queueNames, queues as shapes } from '../shared/queues.ts';
import type { Settings } from './settings.ts';

export type Queues = Readonly<Record<QueueName, Queue>>;

/** Every queue of the table of queues; what it holds is encrypted, and so is the way to it. */
export const createQueues = (scope: Construct, { prefix }: Settings): Queues =>
  Object.fromEntries(
    queueNames.map((name) => [
      name,
      new Queue(scope, `${name}-queue`, {
        queueName: `${prefix}${name}`,
        encryption: QueueEncryption.SQS_MANAGED,
        enforceSSL: true,
        retentionPeriod: Duration.days(shapes[name].retentionDays),
      }),
    ]),
  ) as Record<QueueName, Queue>;
