import { Duration } from 'aws-cdk-lib';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type QueueName, queueNames, queues as shapes } from '../shared/queues.ts';
import type { Settings } from './settings.ts';

export type Queues = Readonly<Record<QueueName, Queue>>;

/** Every queue of the table of queues. */
export const createQueues = (scope: Construct, { prefix }: Settings): Queues =>
  Object.fromEntries(
    queueNames.map((name) => [
      name,
      new Queue(scope, `${name}-queue`, {
        queueName: `${prefix}${name}`,
        retentionPeriod: Duration.days(shapes[name].retentionDays),
      }),
    ]),
  ) as Record<QueueName, Queue>;
