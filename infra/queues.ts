import { Duration, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type QueueName, queueNames, queues as shapes } from '../shared/queues.ts';
import type { Settings } from './settings.ts';

export type Queues = Readonly<Record<QueueName, Queue>>;

/** Every queue of the table of queues; what it holds is encrypted, and so is the way to it. */
export const createQueues = (scope: Construct, settings: Settings): Queues =>
  Object.fromEntries(queueNames.map((name) => [name, createQueue(scope, name, settings)])) as Record<QueueName, Queue>;

function createQueue(scope: Construct, name: QueueName, { prefix }: Settings): Queue {
  const queue = new Queue(scope, `${name}-queue`, {
    queueName: `${prefix}${name}`,
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(shapes[name].retentionDays),
  });
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions::AwsSolutions-SQS3',
    reason: 'No function receives from it: it is itself where messages wait for a person.',
  });
  return queue;
}
