import { expect, test } from 'vitest';
import { endpointNames, endpointRow } from '../../shared/endpoints.ts';
import { find, resourcesOf, templateOf } from './template.ts';

const template = templateOf({ stage: 'dev' });

const { Resources } = template.toJSON();

/** The description of the function that a route leads to, through its alias where it has one. */
function summaryBehind(routeKey: string): string {
  const route = find(template, 'AWS::ApiGatewayV2::Route', 'RouteKey', routeKey);
  const { IntegrationUri } = Resources[route.Properties.Target['Fn::Join'][1][1].Ref].Properties;
  const id = IntegrationUri['Fn::GetAtt']?.[0] ?? Resources[IntegrationUri.Ref].Properties.FunctionName.Ref;
  return Resources[id].Properties.Description;
}

const routes = endpointNames.flatMap((name) => {
  const { path, methods } = endpointRow(name);
  return path === null ? [{ key: '$default', name }] : methods.map((method) => ({ key: `${method} ${path}`, name }));
});

test.each(routes)('$key leads to $name', ({ key, name }) => {
  expect(summaryBehind(key)).toBe(endpointRow(name).summary);
});

test('there are no other routes', () => {
  const keys = resourcesOf(template, 'AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties.RouteKey);
  expect(keys.sort()).toEqual(routes.map(({ key }) => key).sort());
});

test('a click can be asked for by HEAD', () => {
  expect(summaryBehind('HEAD /api/v1/click/{trackingId}')).toBe(summaryBehind('GET /api/v1/click/{trackingId}'));
});
