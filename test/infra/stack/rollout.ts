import { expect, test } from 'vitest';
import { CHOICES, find, functionOf, type Resource, resourcesOf, templateOf } from './template.ts';

const HOT = ['click-redirect', 'ssp-ad', 'ssp-bid'];

test.each(['dev', 'prod'] as const)('in %s, callers invoke hot functions through an alias', (stage) => {
  const template = templateOf(CHOICES[stage]);
  const { Resources } = template.toJSON();
  const aliases = resourcesOf(template, 'AWS::Lambda::Alias');
  expect(
    aliases.map(({ Properties }) => Resources[Properties.FunctionName.Ref].Properties.FunctionName).sort(),
  ).toEqual(HOT.map((name) => `ads-${stage}-${name}`));
  const targets = resourcesOf(template, 'AWS::ApiGatewayV2::Integration').map(
    ({ Properties }) => Properties.IntegrationUri.Ref,
  );
  for (const { id, Properties } of aliases) {
    expect(targets).toContain(id);
    expect(Properties.Name).toBe('live');
    const [version, attribute] = Properties.FunctionVersion['Fn::GetAtt'];
    expect(attribute).toBe('Version');
    expect(Resources[version].Properties.FunctionName).toEqual(Properties.FunctionName);
  }
});

test.each(['dev', 'prod'] as const)(
  'in %s, the snapshot of the new version is written before it gets traffic',
  (stage) => {
    const template = templateOf(CHOICES[stage]);
    const { Resources } = template.toJSON();
    const [written] = resourcesOf(template, 'Custom::Trigger');
    expect(written!.Properties).toMatchObject({
      InvocationType: 'RequestResponse', // the deployment waits for it and fails with it
      Timeout: '300000',
      ExecuteOnHandlerChange: true,
    });
    const version = Resources[written!.Properties.HandlerArn.Ref];
    expect(Resources[version.Properties.FunctionName.Ref].Properties.FunctionName).toBe(
      `ads-${stage}-schedules-write-snapshot`,
    );
    const waiting = resourcesOf(template, 'AWS::Lambda::Alias').filter(({ DependsOn }) =>
      DependsOn?.includes(written!.id),
    );
    expect(waiting.map(({ Properties }) => Resources[Properties.FunctionName.Ref].Properties.FunctionName)).toEqual([
      `ads-${stage}-ssp-bid`,
    ]);
  },
);

test.each([
  ['feedback', 'notRelevant'],
  ['viewable', 'viewable'],
])('in an upgrade, readers can report an ad once their reports are counted (%s)', (path, attribute) => {
  const template = templateOf(CHOICES.prod);
  const { DependsOn } = find(template, 'AWS::ApiGatewayV2::Route', 'RouteKey', `POST /api/v1/${path}/{token}`);
  const { id } = functionOf(template, 'prod', 'events/count');
  const counted = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').filter(
    ({ Properties }) => Properties.FunctionName.Ref === id && JSON.stringify(Properties).includes(attribute),
  );
  expect(DependsOn).toEqual(counted.map((mapping) => mapping.id));
});

test('in prod, a new version gets a tenth of the traffic first, and alarms of its operation roll it back', () => {
  const template = templateOf(CHOICES.prod);
  const { Resources } = template.toJSON();
  const groups = resourcesOf(template, 'AWS::CodeDeploy::DeploymentGroup').map(({ Properties }) => Properties);
  const stoppedBy = groups.map(({ AlarmConfiguration }) =>
    AlarmConfiguration.Alarms.map(({ Name }: { Name: { Ref: string } }) => Resources[Name.Ref].Properties.AlarmName),
  );
  expect(stoppedBy.sort()).toEqual(HOT.map((name) => [`ads-prod-${name}-errors`, `ads-prod-${name}-slow`]));
  const [{ id, Properties }, ...others] = resourcesOf(template, 'AWS::CodeDeploy::Application') as [Resource];
  expect(others).toEqual([]);
  expect(Properties).toEqual({ ComputePlatform: 'Lambda' });
  const application = { Ref: id };
  for (const { AlarmConfiguration, ServiceRoleArn, ...group } of groups) {
    expect(AlarmConfiguration.Enabled).toBe(true);
    expect(group).toEqual({
      ApplicationName: application,
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent15Minutes',
      DeploymentStyle: { DeploymentOption: 'WITH_TRAFFIC_CONTROL', DeploymentType: 'BLUE_GREEN' },
      AutoRollbackConfiguration: { Enabled: true, Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'] },
    });
    expect(Resources[ServiceRoleArn['Fn::GetAtt'][0]].Properties.ManagedPolicyArns).toEqual([
      {
        'Fn::Join': [
          '',
          ['arn:', { Ref: 'AWS::Partition' }, ':iam::aws:policy/service-role/AWSCodeDeployRoleForLambdaLimited'],
        ],
      },
    ]);
  }
  expect(
    resourcesOf(template, 'AWS::Lambda::Alias').map(({ UpdatePolicy }) => UpdatePolicy.CodeDeployLambdaAliasUpdate),
  ).toEqual(
    resourcesOf(template, 'AWS::CodeDeploy::DeploymentGroup').map(({ id }) => ({
      ApplicationName: application,
      DeploymentGroupName: { Ref: id },
    })),
  );
});

test('in dev, a new version gets all traffic at once', () => {
  templateOf(CHOICES.dev).resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0);
});

test('a forced rollout shifts all traffic at once, and no alarm can stop it', () => {
  const template = templateOf(CHOICES.now);
  template.resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0);
  template.resourceCountIs('AWS::CodeDeploy::Application', 0);
  const aliases = resourcesOf(template, 'AWS::Lambda::Alias');
  expect(aliases.length).toBe(HOT.length);
  for (const { UpdatePolicy } of aliases) expect(UpdatePolicy).toBeUndefined();
  // The alarms still exist and still notify the topic.
  const alarms = (one: typeof template) => Object.keys(one.findResources('AWS::CloudWatch::Alarm'));
  expect(alarms(template)).toEqual(expect.arrayContaining(alarms(templateOf(CHOICES.prod))));
});
