import { expect, test } from 'vitest';
import { readSettings } from '../../../infra/settings.ts';
import { endpointNames, endpointRow } from '../../../shared/operations/endpoints.ts';
import { CHOICES, type Choices, functionsOf, resourcesOf, STAGES, templateOf } from './template.ts';

const managed = endpointNames
  .map(endpointRow)
  .filter(({ credential }) => credential === 'owner')
  .flatMap(({ methods, path }) => methods.map((method) => `${method} ${path}`))
  .sort();

/** The routes that the gateway guards, in each way. */
function guarded(choices: Choices): Record<string, string[]> {
  const routes = resourcesOf(templateOf(choices), 'AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties);
  const by = Object.groupBy(routes, ({ AuthorizationType }) => AuthorizationType);
  return Object.fromEntries(
    Object.entries(by).map(([type, of]) => [type, of!.map(({ RouteKey }: { RouteKey: string }) => RouteKey).sort()]),
  );
}

test('the contract, which trusts its caller, guards nothing', () => {
  expect(Object.keys(guarded(CHOICES.dev))).toEqual(['NONE']);
});

test('tokens guard the management routes and no others', () => {
  expect(guarded(CHOICES.jwt).JWT).toEqual(managed);
  templateOf(CHOICES.jwt).hasResourceProperties('AWS::ApiGatewayV2::Authorizer', {
    AuthorizerType: 'JWT',
    IdentitySource: ['$request.header.Authorization'],
    JwtConfiguration: { Issuer: 'https://login.example.com/', Audience: ['ads', 'console'] },
  });
});

test('IAM guards the management routes and no others', () => {
  expect(guarded(CHOICES.prod).AWS_IAM).toEqual(managed);
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

test('tokens without an issuer are refused in words', () => {
  expect(() => readSettings({ stage: 'dev', managementAuth: 'jwt', jwtAudience: 'ads' }, STAGES)).toThrow(
    'managementAuth=jwt: needs jwtIssuer and jwtAudience',
  );
});
