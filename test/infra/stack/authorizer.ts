import { expect, test } from 'vitest';
import { readSettings } from '../../../infra/settings.ts';
import { endpointNames, endpointRow } from '../../../shared/http/operations/endpoints.ts';
import {
  CHOICES,
  type Choices,
  find,
  functionsOf,
  type Resource,
  resourcesOf,
  STAGES,
  templateOf,
} from './template.ts';

const managed = endpointNames
  .map(endpointRow)
  .filter(({ credential }) => credential === 'owner')
  .flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`))
  .sort();

/** The routes by authorization type. */
function guarded(choices: Choices): Record<string, string[]> {
  const routes = resourcesOf(templateOf(choices), 'AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties);
  const by = Object.groupBy(routes, ({ AuthorizationType }) => AuthorizationType);
  return Object.fromEntries(
    Object.entries(by).map(([type, of]) => [type, of!.map(({ RouteKey }: { RouteKey: string }) => RouteKey).sort()]),
  );
}

test('a stage that trusts the header has no authorizer', () => {
  expect(Object.keys(guarded(CHOICES.dev))).toEqual(['NONE']);
  templateOf(CHOICES.dev).resourceCountIs('AWS::ApiGatewayV2::Authorizer', 0);
});

test('only the management routes require a token', () => {
  const { JWT, NONE, ...others } = guarded(CHOICES.jwt);
  expect(JWT).toEqual(managed);
  expect(others).toEqual({});
  const template = templateOf(CHOICES.jwt);
  const [{ id, Properties }, ...more] = resourcesOf(template, 'AWS::ApiGatewayV2::Authorizer') as [Resource];
  expect(more).toEqual([]);
  expect(Properties).toEqual({
    Name: expect.any(String),
    ApiId: { Ref: find(template, 'AWS::ApiGatewayV2::Api', 'Name', 'ads-prod-api').id },
    AuthorizerType: 'JWT',
    IdentitySource: ['$request.header.Authorization'],
    JwtConfiguration: { Issuer: 'https://login.example.com/', Audience: ['ads', 'console'] },
  });
  for (const route of resourcesOf(template, 'AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties)) {
    expect(route.AuthorizerId).toEqual(route.AuthorizationType === 'JWT' ? { Ref: id } : undefined);
    expect(route.AuthorizationScopes).toBeUndefined();
  }
});

test('only the management routes require IAM', () => {
  const { AWS_IAM, NONE, ...others } = guarded(CHOICES.prod);
  expect(AWS_IAM).toEqual(managed);
  expect(others).toEqual({});
});

test.each([
  ['header', CHOICES.dev],
  ['jwt', CHOICES.jwt],
  ['iam', CHOICES.prod],
] as const)('functions ask for the same as the gateway: %s', (managementAuth, choices) => {
  for (const { Properties } of functionsOf(templateOf(choices))) {
    expect(Properties.Environment.Variables.MANAGEMENT_AUTH).toBe(managementAuth);
  }
});

test('rejects tokens without an issuer, and names the settings to add', () => {
  expect(() => readSettings({ stage: 'dev', managementAuth: 'jwt', jwtAudience: 'ads' }, STAGES)).toThrow(
    'managementAuth=jwt: needs jwtIssuer and jwtAudience',
  );
});
