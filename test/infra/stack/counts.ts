import { expect, test } from 'vitest';
import { CHOICES, type Resource, templateOf } from './template.ts';

/** The number of resources of each type in a template. */
const countTypes = (stage: 'dev' | 'prod') => {
  const resources = Object.values<Resource>(templateOf(CHOICES[stage]).toJSON().Resources);
  const byType = Object.groupBy(resources, ({ Type }) => Type);
  return Object.fromEntries(Object.entries(byType).map(([type, of]) => [type, of!.length]));
};

// Review every change of these counts. `npx vitest run test/infra/stack -u` writes them.
test('dev has these counts of resources', () => {
  expect(countTypes('dev')).toMatchInlineSnapshot(`
    {
      "AWS::ApiGatewayV2::Api": 1,
      "AWS::ApiGatewayV2::Integration": 49,
      "AWS::ApiGatewayV2::Route": 55,
      "AWS::ApiGatewayV2::Stage": 1,
      "AWS::DynamoDB::GlobalTable": 17,
      "AWS::Events::Rule": 3,
      "AWS::IAM::Role": 58,
      "AWS::Lambda::Alias": 3,
      "AWS::Lambda::EventSourceMapping": 10,
      "AWS::Lambda::Function": 58,
      "AWS::Lambda::Permission": 58,
      "AWS::Lambda::Version": 4,
      "AWS::Logs::LogGroup": 58,
      "AWS::SQS::Queue": 3,
      "AWS::SQS::QueuePolicy": 3,
      "Custom::Trigger": 1,
    }
  `);
});

test('prod has these counts of resources', () => {
  expect(countTypes('prod')).toMatchInlineSnapshot(`
    {
      "AWS::ApiGatewayV2::Api": 1,
      "AWS::ApiGatewayV2::Integration": 49,
      "AWS::ApiGatewayV2::Route": 55,
      "AWS::ApiGatewayV2::Stage": 1,
      "AWS::CloudWatch::Alarm": 44,
      "AWS::CloudWatch::Dashboard": 1,
      "AWS::CodeDeploy::Application": 1,
      "AWS::CodeDeploy::DeploymentGroup": 3,
      "AWS::DynamoDB::GlobalTable": 17,
      "AWS::Events::Rule": 4,
      "AWS::IAM::Policy": 2,
      "AWS::IAM::Role": 61,
      "AWS::Lambda::Alias": 3,
      "AWS::Lambda::EventSourceMapping": 10,
      "AWS::Lambda::Function": 58,
      "AWS::Lambda::Permission": 58,
      "AWS::Lambda::Version": 4,
      "AWS::Logs::LogGroup": 59,
      "AWS::SNS::Topic": 1,
      "AWS::SNS::TopicPolicy": 1,
      "AWS::SQS::Queue": 3,
      "AWS::SQS::QueuePolicy": 3,
      "AWS::StepFunctions::StateMachine": 1,
      "Custom::Trigger": 1,
    }
  `);
});
