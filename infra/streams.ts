import { type CfnElement, Stack, Validations } from 'aws-cdk-lib';
import { EventSourceMapping, FilterCriteria, type IFunction, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { type WorkerName, workerRow } from '../shared/endpoints.ts';
import type { Tables } from './tables.ts';

/**
 * Feeds a worker from its table's stream. Neither a number of attempts nor an age is set, so nothing that the store could
 * not do for a while is given up; what can never be processed the function parks itself.
 */
export function feedFromStream(scope: Construct, name: WorkerName, target: IFunction, tables: Tables): void {
  const { stream, filters = [] } = workerRow(name);
  new EventSourceMapping(scope, `${name.replaceAll('/', '-')}-source`, {
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
