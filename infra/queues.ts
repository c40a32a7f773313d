import { Duration, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { type QueueName, queueNames, queueShape } from '../shared/platform/queues.ts';
import { toRecord } from '../shared/platform/values/typed.ts';
import type { Settings } from './settings.ts';

export type Queues = Readonly<Record<QueueName, Queue>>;

/** Creates every queue of the table of queues, encrypted at rest and in transit. */
export function createQueues(scope: Construct, settings: Settings): Queues {
  const created = new Map<string, Queue>();
  return toRecord(queueNames, (name) => {
    const queue = createQueue(scope, name, settings, created);
    created.set(name, queue);
    return queue;
  });
}

function createQueue(scope: Construct, name: QueueName, { prefix }: Settings, made: ReadonlyMap<string, Queue>): Queue {
  const { retentionDays, visibilitySeconds, deadLetters } = queueShape(name);
  const queue = new Queue(scope, `${name}-queue`, {
    queueName: `${prefix}${name}`,
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(retentionDays),
    visibilityTimeout: visibilitySeconds ? Duration.seconds(visibilitySeconds) : undefined,
    deadLetterQueue: deadLetters && {
      queue: made.get(deadLetters.queue)!,
      maxReceiveCount: deadLetters.receives,
    },
  });
  if (deadLetters) return queue;
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions::AwsSolutions-SQS3',
    reason: 'It is itself a dead-letter queue: messages wait there for a person.',
  });
  return queue;
}
