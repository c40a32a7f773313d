import { expect, test } from 'vitest';
import { CHOICES, type Resource, resourcesOf, templateOf } from './template.ts';

const template = templateOf(CHOICES.prod);
const tables = resourcesOf(template, 'AWS::DynamoDB::GlobalTable');
const [machine] = resourcesOf(template, 'AWS::StepFunctions::StateMachine') as [Resource];

/** The definition of the state machine, with logical ids in place of table names. */
const definition = JSON.parse(
  machine.Properties.DefinitionString['Fn::Join'][1]
    .map((part: string | { Ref: string }) => (typeof part === 'string' ? part : part.Ref))
    .join(''),
);

test('the template does not mention deletion protection: a rollback could not delete a protected table, and an update could switch it off', () => {
  expect(JSON.stringify(tables)).not.toContain('DeletionProtection');
});

test('the state machine protects every table that is not protected', () => {
  const { Items, ItemProcessor } = definition.States[definition.StartAt];
  expect(Items.sort()).toEqual(tables.map(({ id }) => id).sort());
  const { States, StartAt } = ItemProcessor;
  const { Resource: look, Next } = States[StartAt];
  expect(look).toMatch(/:dynamodb:describeTable$/);
  const { Choices, Default } = States[Next];
  expect(Choices).toEqual([
    { Condition: '{% $states.input.Table.DeletionProtectionEnabled = true %}', Next: 'protected' },
  ]);
  expect(States[Default]).toMatchObject({
    Resource: expect.stringMatching(/:dynamodb:updateTable$/),
    Arguments: { TableName: '{% $states.context.Map.Item.Value %}', DeletionProtectionEnabled: true },
    // UpdateTable fails while another change of the table is in progress.
    Retry: [{ ErrorEquals: ['States.ALL'], IntervalSeconds: 30, MaxAttempts: 5 }],
  });
});

test('the state machine runs after each successful deployment of this stack, and once a day', () => {
  const { id } = machine;
  const rules = resourcesOf(template, 'AWS::Events::Rule').filter(({ Properties }) => Properties.EventPattern);
  expect(rules.map(({ Properties }) => Properties)).toEqual([
    expect.objectContaining({
      ScheduleExpression: 'rate(1 day)',
      State: 'ENABLED',
      Targets: [expect.objectContaining({ Arn: { Ref: id } })],
      EventPattern: {
        source: ['aws.cloudformation'],
        'detail-type': ['CloudFormation Stack Status Change'],
        detail: {
          'stack-id': [{ Ref: 'AWS::StackId' }],
          'status-details': { status: ['CREATE_COMPLETE', 'UPDATE_COMPLETE', 'IMPORT_COMPLETE'] },
        },
      },
    }),
  ]);
});

/** The policy statements of a role. */
const statementsOf = (role: string) =>
  resourcesOf(template, 'AWS::IAM::Policy')
    .filter(({ Properties }) => Properties.Roles[0].Ref === role)
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement);

test('the state machine may only describe and update the tables', () => {
  const Resource = tables.map(({ id }) => ({ 'Fn::GetAtt': [id, 'Arn'] }));
  expect(statementsOf(machine.Properties.RoleArn['Fn::GetAtt'][0])).toEqual([
    { Effect: 'Allow', Action: 'dynamodb:describeTable', Resource },
    { Effect: 'Allow', Action: 'dynamodb:updateTable', Resource },
  ]);
});

test('only the schedule and deployments may start the state machine', () => {
  const [rule] = resourcesOf(template, 'AWS::Events::Rule').filter(({ Properties }) => Properties.EventPattern);
  expect(statementsOf(rule!.Properties.Targets[0].RoleArn['Fn::GetAtt'][0])).toEqual([
    { Effect: 'Allow', Action: 'states:StartExecution', Resource: { Ref: machine.id } },
  ]);
});

test('dev can be deleted with all its data', () => {
  templateOf(CHOICES.dev).resourceCountIs('AWS::StepFunctions::StateMachine', 0);
});
