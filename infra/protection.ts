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
 * Makes tables refuse to be deleted, once the deployment that made them has succeeded: had they refused before, the rollback of a
 * first deployment that failed could not have deleted them, and they would block the second. It is no property of the tables,
 * then: CloudFormation leaves alone what no template has ever named. Runs after every deployment and once a day, so that it
 * also ends what an older template or a hand switched off.
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
  // A table that is being changed takes no other change.
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
    comment: 'Switches on the deletion protection of every table',
    definitionBody: DefinitionBody.fromChainable(protect),
    timeout: Duration.minutes(15),
  });
  Validations.of(machine).acknowledge(
    { id: 'AwsSolutions::AwsSolutions-SF1', reason: 'Step Functions keeps what each run did for 90 days by itself.' },
    { id: 'AwsSolutions::AwsSolutions-SF2', reason: 'Nobody waits for it, so there is no time to be traced.' },
  );
  new Rule(scope, 'table-protection-rule', {
    description: 'Protects the tables when a deployment has succeeded, and once a day',
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
