import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { SfnStateMachine } from 'aws-cdk-lib/aws-events-targets';
import {
  Choice,
  Condition,
  DefinitionBody,
  ProvideItems,
  StateMachine,
  Map as Steps,
  Succeed,
} from 'aws-cdk-lib/aws-stepfunctions';
import { CallAwsService } from 'aws-cdk-lib/aws-stepfunctions-tasks';
import type { Construct } from 'constructs';
import { tableNames } from '../shared/platform/tables.ts';
import type { Settings } from './settings.ts';
import type { Tables } from './tables.ts';

/**
 * Enables deletion protection of the tables after a successful deployment. If the template enabled it, a failed first deployment could not
 * delete its tables, and they would block the second. CloudFormation leaves properties alone that no template sets. Runs after every
 * deployment and once a day, which also reverts a manual change.
 */
export function protectTables(scope: Construct, tables: Tables, { prefix }: Settings): StateMachine {
  const call = (action: string, parameters: object) =>
    CallAwsService.jsonata(scope, `${action}-to-protect`, {
      service: 'dynamodb',
      action,
      parameters: { TableName: '{% $states.context.Map.Item.Value %}', ...parameters },
      iamResources: tableNames.map((name) => tables[name].tableArn),
    });
  const describe = call('describeTable', {});
  const update = call('updateTable', { DeletionProtectionEnabled: true });
  // UpdateTable fails while another change of the table is in progress.
  update.addRetry({ interval: Duration.seconds(30), maxAttempts: 5 });
  const isProtected = Condition.jsonata('{% $states.input.Table.DeletionProtectionEnabled = true %}');
  const protect = Steps.jsonata(scope, 'every-table', {
    items: ProvideItems.jsonArray(tableNames.map((name) => tables[name].tableName)),
  }).itemProcessor(
    describe.next(
      Choice.jsonata(scope, 'is-it-protected').when(isProtected, Succeed.jsonata(scope, 'protected')).otherwise(update),
    ),
  );
  const machine = new StateMachine(scope, 'table-protection', {
    stateMachineName: `${prefix}table-protection`,
    comment: 'Enables deletion protection of every table',
    definitionBody: DefinitionBody.fromChainable(protect),
    timeout: Duration.minutes(15),
  });
  Validations.of(machine).acknowledge(
    { id: 'AwsSolutions::AwsSolutions-SF1', reason: 'Step Functions keeps the history of each execution for 90 days.' },
    { id: 'AwsSolutions::AwsSolutions-SF2', reason: 'No caller waits for it, so there is no latency to trace.' },
  );
  new Rule(scope, 'table-protection-rule', {
    description: 'Enables deletion protection of the tables after each deployment, and once a day',
    eventPattern: {
      source: ['aws.cloudformation'],
      detailType: ['CloudFormation Stack Status Change'],
      detail: {
        'stack-id': [Stack.of(scope).stackId],
        'status-details': { status: ['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'IMPORT_COMPLETE'] },
      },
    },
    schedule: Schedule.rate(Duration.days(1)),
    targets: [new SfnStateMachine(machine)],
  });
  return machine;
}
