import { expect, test } from 'vitest';
import { CHOICES, type Choices, find, functionOf, nameOf, resourcesOf, templateOf } from './template.ts';

const routesOf = (choices: Choices) =>
  resourcesOf(templateOf(choices), 'AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties.RouteKey);

test('the site is deployed only if enabled, and serves only paths of no operation', () => {
  const [without, withSite] = [routesOf(CHOICES.iam), routesOf(CHOICES.site)];
  expect(withSite.filter((route) => !without.includes(route)).sort()).toEqual([
    'GET /',
    'GET /api/{proxy+}',
    'GET /{proxy+}',
  ]);
  expect(without.filter((route) => !withSite.includes(route))).toEqual([]);
});

test('the site does not change the routes of the API', () => {
  const template = templateOf(CHOICES.site);
  const targetOf = (key: string) => find(template, 'AWS::ApiGatewayV2::Route', 'RouteKey', key).Properties.Target;
  const functionOf = (key: string) => {
    const integration = resourcesOf(template, 'AWS::ApiGatewayV2::Integration').find(({ id }) =>
      JSON.stringify(targetOf(key)).includes(`"${id}"`),
    )!;
    return JSON.stringify(integration.Properties.IntegrationUri);
  };
  expect(functionOf('GET /api/{proxy+}')).toBe(functionOf('$default'));
  expect(functionOf('GET /{proxy+}')).toBe(functionOf('GET /'));
  expect(functionOf('GET /{proxy+}')).not.toBe(functionOf('$default'));
});

test('the function of the site is configured like the others, and its role may only write its log', () => {
  const template = templateOf(CHOICES.site);
  const { Role, LoggingConfig, ...properties } = functionOf(template, 'prod', 'site').Properties;
  expect(properties).toEqual({
    FunctionName: 'ads-prod-site',
    Description: expect.any(String),
    Code: { ZipFile: '// site' },
    Handler: 'index.handler',
    Runtime: 'nodejs24.x',
    Architectures: ['arm64'],
    MemorySize: 512,
    Timeout: 15,
    Environment: { Variables: { NODE_OPTIONS: '--enable-source-maps' } },
  });
  expect(nameOf(template, LoggingConfig.LogGroup)).toBe('/ads/prod/site');
  const { Policies, ManagedPolicyArns } = template.toJSON().Resources[Role['Fn::GetAtt'][0]].Properties;
  expect(ManagedPolicyArns).toBeUndefined();
  expect(
    Policies.flatMap(({ PolicyDocument }: { PolicyDocument: { Statement: object[] } }) => PolicyDocument.Statement),
  ).toEqual([
    {
      Effect: 'Allow',
      Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      Resource: { 'Fn::GetAtt': [LoggingConfig.LogGroup.Ref, 'Arn'] },
    },
  ]);
});
