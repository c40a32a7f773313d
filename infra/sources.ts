import { type CfnElement, Duration, Stack, Validations } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, type IFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import type { Source, StreamSource } from '../shared/http/operations/rows.ts';
import { type WorkerName, workerRow } from '../shared/http/operations/workers.ts';
import { receiveStatement, streamStatements } from './grants.ts';
import type { Queues } from './queues.ts';
import type { Settings } from './settings.ts';
import type { Tables } from './tables.ts';

/** Statements that a worker's role needs for a source. A schedule needs none: EventBridge invokes the function. */
export const sourceStatements = (source: Source, tables: Tables, queues: Queues): PolicyStatement[] => {
  if ('stream' in source) return streamStatements(source.stream, tables);
  return 'queue' in source ? [receiveStatement(queues[source.queue])] : [];
};

/** Environment that depends on the source. Queue workers need the concurrency limit per owner. */
export const sourceEnvironment = (source: Source, { deliveryConcurrency }: Settings): Record<string, string> =>
  'queue' in source
    ? { WEBHOOK_CONCURRENCY_PER_OWNER: String(Math.max(1, Math.floor(deliveryConcurrency / OWNER_SHARES))) }
    : {};

/** SQS limit on messages per receive and per delete. */
const MAX_BATCH_MESSAGES = 10;
/** One owner gets at most an eighth of the concurrency. */
const OWNER_SHARES = 8;

/** Connects a worker to the sources of its row. */
export function connectSources(
  scope: Construct,
  name: WorkerName,
  target: IFunction,
  tables: Tables,
  queues: Queues,
  settings: Settings,
): void {
  const { sources, judge } = workerRow(name);
  const isOn = !judge || settings.judge !== undefined;
  for (const source of sources) {
    const id = `${name.replaceAll('/', '-')}-${Object.values(source)[0].replace(/\W+/g, '')}-source`;
    if ('stream' in source) connectStream(scope, id, source, target, tables, isOn);
    else if ('queue' in source) connectQueue(scope, id, queues[source.queue], target, settings);
    else new Rule(scope, id, { schedule: Schedule.expression(source.schedule), targets: [new LambdaTarget(target)] });
  }
}

/** Messages of one receive share an invocation, which processes them in parallel. The number of concurrent invocations is limited. */
function connectQueue(
  scope: Construct,
  id: string,
  queue: Queue,
  target: IFunction,
  { deliveryConcurrency }: Settings,
): void {
  new EventSourceMapping(scope, id, {
    target,
    eventSourceArn: queue.queueArn,
    batchSize: MAX_BATCH_MESSAGES,
    reportBatchItemFailures: true,
    maxConcurrency: deliveryConcurrency,
  });
}

/**
 * There is no limit on retries or record age, so an outage of a table loses no records. The function itself parks records that can
 * never be processed.
 */
function connectStream(
  scope: Construct,
  id: string,
  { stream, filters = [], batch = 100, gatherSeconds = 0, windowSeconds, parallel = 1 }: StreamSource,
  target: IFunction,
  tables: Tables,
  isOn: boolean,
): void {
  new EventSourceMapping(scope, id, {
    target,
    ...(!isOn && { enabled: false }),
    eventSourceArn: tables[stream].tableStreamArn!,
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: batch,
    ...(gatherSeconds > 0 ? { maxBatchingWindow: Duration.seconds(gatherSeconds) } : {}),
    ...(windowSeconds && { tumblingWindow: Duration.seconds(windowSeconds) }),
    parallelizationFactor: parallel,
    reportBatchItemFailures: true,
    bisectBatchOnError: true,
    filters: filters.map((filter) => FilterCriteria.filter(filter)),
  });
  const table = Stack.of(scope).resolve((tables[stream].node.defaultChild as CfnElement).logicalId);
  Validations.of(target.role!).acknowledge({
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::<${table}.Arn>/stream/*]`,
    reason: 'Lambda needs ListStreams on all streams of the one table that feeds the function.',
  });
}
