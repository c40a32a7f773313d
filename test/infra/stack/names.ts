import type { Template } from 'aws-cdk-lib/assertions';
import { expect, test } from 'vitest';
import { CHOICES, type Resource, regionsOf, templateOf } from './template.ts';

/** Resources with account-wide or global names, and the properties that make up the name. */
const WIDER_THAN_A_REGION: Readonly<Record<string, readonly string[]>> = {
  'AWS::CloudWatch::Dashboard': ['DashboardName'],
  'AWS::IAM::Role': ['RoleName'],
  'AWS::Route53::HealthCheck': ['Name'],
  'AWS::Route53::RecordSet': ['HostedZoneId', 'Name', 'Type', 'SetIdentifier'],
};

/** Resources with regional names or without names. */
const REGIONAL = [
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::ApiMapping',
  'AWS::ApiGatewayV2::Authorizer',
  'AWS::ApiGatewayV2::DomainName', // the same name may stand in several regions
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::Stage',
  'AWS::CloudWatch::Alarm',
  'AWS::CodeDeploy::Application',
  'AWS::CodeDeploy::DeploymentGroup',
  'AWS::DynamoDB::GlobalTable',
  'AWS::Events::Rule',
  'AWS::IAM::Policy', // a part of its role
  'AWS::Lambda::Alias',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::Lambda::Version',
  'AWS::Logs::LogGroup',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::Queue',
  'AWS::SQS::QueuePolicy',
  'AWS::StepFunctions::StateMachine',
  'Custom::Trigger',
];

const resources = (template: Template): Resource[] =>
  Object.entries<Resource>(template.toJSON().Resources).map(([id, resource]) => ({ ...resource, id }));

/** The account-wide names of a stack in this region, except those that CloudFormation generates. */
const wideNames = (template: Template, region: string): string[] =>
  resources(template).flatMap(({ Type, Properties }) => {
    const parts = (WIDER_THAN_A_REGION[Type] ?? []).map((property) => Properties[property]);
    if (parts.every((part) => part === undefined)) return [];
    return [JSON.stringify([Type, ...parts]).replaceAll('{"Ref":"AWS::Region"}', JSON.stringify(region))];
  });

test('no name that is account-wide repeats across regions', () => {
  const [first, second] = regionsOf(CHOICES.regions).map(({ template }) => template);
  const names = [...wideNames(first!, 'eu-west-1'), ...wideNames(second!, 'us-east-1')];
  expect(names.length).toBeGreaterThan(2);
  expect(new Set(names).size).toBe(names.length);
});

test('every type of resource is listed as regional or account-wide', () => {
  const templates = Object.values(CHOICES).flatMap((choices) => regionsOf(choices).map(({ template }) => template));
  const types = new Set(templates.flatMap((template) => resources(template).map(({ Type }) => Type)));
  expect([...types].filter((type) => !REGIONAL.includes(type) && !(type in WIDER_THAN_A_REGION))).toEqual([]);
});

test('the dashboard is named by its stage and region', () => {
  templateOf(CHOICES.prod).hasResourceProperties('AWS::CloudWatch::Dashboard', {
    DashboardName: { 'Fn::Join': ['', ['ads-prod-service-', { Ref: 'AWS::Region' }]] },
  });
});

/** Every property with a chosen name, by type. */
const chosenNames = (template: Template): string[] =>
  resources(template).flatMap(({ Type, Properties = {} }) =>
    Object.entries(Properties)
      .filter(([property, value]) => typeof value === 'string' && /^(\w+Name|Name)$/.test(property))
      .filter(([property]) => !SHARED.includes(`${Type} ${property}`))
      .map(([property, value]) => `${Type} ${property} ${value}`),
  );

/** Names within another named resource, and names that AWS defines. */
const SHARED = [
  'AWS::ApiGatewayV2::Stage StageName',
  'AWS::CloudWatch::Alarm MetricName',
  'AWS::CodeDeploy::DeploymentGroup DeploymentConfigName',
  'AWS::IAM::Policy PolicyName',
  'AWS::Lambda::Alias Name',
];

test('stages in one account and region have no name in common', () => {
  const [dev, prod] = [chosenNames(templateOf(CHOICES.dev)), chosenNames(templateOf(CHOICES.prod))];
  expect(dev.length).toBeGreaterThan(100);
  expect(dev.filter((name) => prod.includes(name))).toEqual([]);
});

test('all names fit for a stage name of maximum length', () => {
  const spare = 'a2345678901234567890'.length - 'prod'.length;
  const lengthOf = (type: string, property: string) =>
    resources(templateOf(CHOICES.site))
      .filter(({ Type }) => Type === type)
      .map(({ Properties }) => Properties[property]?.length ?? 0);
  expect(Math.max(...lengthOf('AWS::Lambda::Function', 'FunctionName')) + spare).toBeLessThanOrEqual(64);
  expect(Math.max(...lengthOf('AWS::StepFunctions::StateMachine', 'StateMachineName')) + spare).toBeLessThanOrEqual(80);
  expect(Math.max(...lengthOf('AWS::SQS::Queue', 'QueueName')) + spare).toBeLessThanOrEqual(80);
});
