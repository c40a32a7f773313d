import { expect, test } from 'vitest';
import { endpointNames, endpointRow } from '../../../shared/operations/endpoints.ts';
import { CHOICES, find, resourcesOf, templateOf } from './template.ts';

const template = templateOf(CHOICES.dev);

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

test.each(['dev', 'prod'] as const)(
  'of %s, clicks alone are exempt from the throttle, and measured like the rest',
  (stage) => {
    const made = templateOf(CHOICES[stage]);
    const { DependsOn, Properties } = resourcesOf(made, 'AWS::ApiGatewayV2::Stage')[0]!;
    const keys = endpointRow('click/redirect').methods.map((method) => `${method} /api/v1/click/{trackingId}`);
    expect(keys).toHaveLength(2);
    expect(Object.keys(Properties.RouteSettings).sort()).toEqual(keys.sort());
    for (const key of keys) {
      expect(Properties.RouteSettings[key]).toEqual({
        ThrottlingRateLimit: 10_000,
        ThrottlingBurstLimit: 5_000,
        DetailedMetricsEnabled: Properties.DefaultRouteSettings.DetailedMetricsEnabled,
      });
      expect(Properties.DefaultRouteSettings.ThrottlingRateLimit).toBeLessThan(10_000);
      // A setting of a route that is not there yet fails the deployment.
      expect(DependsOn).toContain(find(made, 'AWS::ApiGatewayV2::Route', 'RouteKey', key).id);
    }
  },
);
