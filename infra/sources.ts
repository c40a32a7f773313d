import { type CfnElement, Stack, Validations } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, FilterCriteria, type IFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { type Source, type WorkerName, workerRow } from '../shared/endpoints.ts';
import { streamStatements } from './grants.ts';
import type { Tables } from './tables.ts';

/** What a worker's role needs for its source; a schedule needs nothing, it calls from outside. */
export const sourceStatements = (source: Source, tables: Tables): PolicyStatement[] =>
  'stream' in source ? streamStatements(source.stream, tables) : [];

/** Wakes a worker as its row says. */
export function wake(scope: Construct, name: WorkerName, target: IFunction, tables: Tables): void {
  const id = `${name.replaceAll('/', '-')}-source`;
  const { source } = workerRow(name);
  if ('stream' in source) feedFromStream(scope, id, source, target, tables);
  else new Rule(scope, id, { schedule: Schedule.expression(source.schedule), targets: [new LambdaTarget(target)] });
}

/**
 * Neither a number of attempts nor an age is set, so nothing that the store could not do for a while is given up; what can
 * never be processed the function parks itself.
 */
function feedFromStream(
  scope: Construct,
  id: string,
  { stream, filters = [] }: Extract<Source, { stream: unknown }>,
  target: IFunction,
  tables: Tables,
): void {
  new EventSourceMapping(scope, id, {
    target,
    eventSourceArn: tables[stream].tableStreamArn!,
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: 100,
    reportBatchItemFailures: true,
    bisectBatchOnError: true,
    filters: filters.map((filter) => FilterCriteria.filter(filter)),
  });
  const table = Stack.of(scope).resolve((tables[stream].node.defaultChild as CfnElement).logicalId);
  Validations.of(target.role!).acknowledge({
    id: `AwsSolutions::AwsSolutions-IAM5[Resource::<${table}.Arn>/stream/*]`,
    reason: 'Lambda asks for ListStreams on all streams of the one table that feeds the function.',
  });
}
