import { expect, test } from 'vitest';
import { tableNames } from '../../../shared/platform/tables.ts';
import { CHOICES, find, type Resource, resourcesOf, templateOf } from './template.ts';

const template = templateOf(CHOICES.prod);
const tables = resourcesOf(template, 'AWS::DynamoDB::GlobalTable');
const [machine] = resourcesOf(template, 'AWS::StepFunctions::StateMachine') as [Resource];

/** The definition as Step Functions gets it, a table's name being its id in the template. */
const definition = JSON.parse(
  machine.Properties.DefinitionString['Fn::Join'][1]
    .map((part: string | { Ref: string }) => (typeof part === 'string' ? part : part.Ref))
    .join(''),
);

test('a first deployment that fails leaves no table behind, one that succeeded keeps them whatever comes', () => {
  expect(tables.length).toBe(tableNames.length);
  for (const { DeletionPolicy, UpdateReplacePolicy } of tables) {
    expect({ DeletionPolicy, UpdateReplacePolicy }).toEqual({
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
    });
  }
});

test('no template says whether tables are protected, so that no rollback meets one that is and no update switches it off', () => {
  expect(JSON.stringify(tables)).not.toContain('DeletionProtection');
});

test('every table is protected by whoever finds that it is not', () => {
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
  });
});

test('it runs after each deployment of this stack that succeeded, the first one included, and once a day', () => {
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

test('it may look at the tables and change them, and nothing else', () => {
  const role = machine.Properties.RoleArn['Fn::GetAtt'][0];
  const policies = resourcesOf(template, 'AWS::IAM::Policy').filter(
    ({ Properties }) => Properties.Roles[0].Ref === role,
  );
  const statements = policies.flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
  expect(statements.map(({ Action }) => Action).sort()).toEqual(['dynamodb:describeTable', 'dynamodb:updateTable']);
  for (const { Resource } of statements) {
    expect(Resource).toEqual(tables.map(({ id }) => ({ 'Fn::GetAtt': [id, 'Arn'] })));
  }
});

test('a protection that failed is told', () => {
  expect(find(template, 'AWS::CloudWatch::Alarm', 'AlarmName', 'ads-prod-unprotected').Properties).toMatchObject({
    Namespace: 'AWS/States',
    MetricName: 'ExecutionsFailed',
    Threshold: 0,
  });
});

test('dev can be thrown away', () => {
  const dev = templateOf(CHOICES.dev);
  dev.resourceCountIs('AWS::StepFunctions::StateMachine', 0);
  for (const { DeletionPolicy } of resourcesOf(dev, 'AWS::DynamoDB::GlobalTable'))
    expect(DeletionPolicy).toBe('Delete');
});
