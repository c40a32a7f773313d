import { describe, expect, test } from 'vitest';
import { endpointNames, endpointRow } from '../../../shared/http/operations/endpoints.ts';
import { workerNames, workerRow } from '../../../shared/http/operations/workers.ts';
import { CHOICES, find, functionOf, resourcesOf, templateOf } from './template.ts';

const routes = endpointNames.flatMap((name) => {
  const { path, methods } = endpointRow(name);
  return path === null ? [{ key: '$default', name }] : methods.map((method) => ({ key: `${method} ${path}`, name }));
});

describe.each(['dev', 'prod'] as const)('In %s', (stage) => {
  const template = templateOf(CHOICES[stage]);
  const { Resources } = template.toJSON();
  const api = { Ref: find(template, 'AWS::ApiGatewayV2::Api', 'Name', `ads-${stage}-api`).id };

  /** The target of a route: the function's alias if it has one, or the function. */
  function targetOf(name: string) {
    const { id } = functionOf(template, stage, name);
    const alias = resourcesOf(template, 'AWS::Lambda::Alias').find(
      ({ Properties }) => Properties.FunctionName.Ref === id,
    );
    return alias ? { Ref: alias.id } : { 'Fn::GetAtt': [id, 'Arn'] };
  }

  test.each(routes)('$key invokes $name', ({ key, name }) => {
    const { ApiId, Target } = find(template, 'AWS::ApiGatewayV2::Route', 'RouteKey', key).Properties;
    expect(ApiId).toEqual(api);
    const [, [kind, { Ref: integration }]] = Target['Fn::Join'];
    expect(kind).toBe('integrations/');
    expect(Resources[integration].Properties).toEqual({
      ApiId: api,
      IntegrationType: 'AWS_PROXY',
      IntegrationUri: targetOf(name),
      PayloadFormatVersion: '2.0',
    });
  });

  test('there are no other routes', () => {
    const keys = resourcesOf(template, 'AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties.RouteKey);
    expect(keys.sort()).toEqual(routes.map(({ key }) => key).sort());
  });

  test.each(routes)('only this API may invoke $name for $key', ({ key, name }) => {
    const path = endpointRow(name).path ?? '';
    const permissions = resourcesOf(template, 'AWS::Lambda::Permission').map(({ Properties }) => Properties);
    const own = permissions.filter(
      ({ FunctionName }) => JSON.stringify(FunctionName) === JSON.stringify(targetOf(name)),
    );
    expect(own).toHaveLength(routes.filter((route) => route.name === name).length);
    expect(key.endsWith(path)).toBe(true);
    for (const permission of own) {
      expect(permission).toEqual({
        Action: 'lambda:InvokeFunction',
        FunctionName: targetOf(name),
        Principal: 'apigateway.amazonaws.com',
        SourceArn: {
          'Fn::Join': [
            '',
            [
              'arn:',
              { Ref: 'AWS::Partition' },
              ':execute-api:',
              { Ref: 'AWS::Region' },
              ':',
              { Ref: 'AWS::AccountId' },
              ':',
              api,
              `/*/*${path}`,
            ],
          ],
        },
      });
    }
  });

  test('only the API and the schedules may invoke a function', () => {
    const clock = workerNames.flatMap((name) => workerRow(name).sources.filter((source) => 'schedule' in source));
    template.resourceCountIs('AWS::Lambda::Permission', routes.length + clock.length);
  });

  test('only clicks are exempt from throttling, and they have metrics like all routes', () => {
    const [{ DependsOn, Properties }] = resourcesOf(template, 'AWS::ApiGatewayV2::Stage') as [ReturnType<typeof find>];
    const keys = endpointRow('click/redirect').methods.map((method) => `${method} /api/v1/click/{trackingId}`);
    expect(keys).toHaveLength(2);
    expect(Object.keys(Properties.RouteSettings).sort()).toEqual(keys.sort());
    for (const key of keys) {
      expect(Properties.RouteSettings[key]).toEqual({
        ThrottlingRateLimit: 10_000,
        ThrottlingBurstLimit: 5_000,
        DetailedMetricsEnabled: true,
      });
      expect(Properties.DefaultRouteSettings.ThrottlingRateLimit).toBeLessThan(10_000);
      // The deployment fails if the settings of a route are created before the route.
      expect(DependsOn).toContain(find(template, 'AWS::ApiGatewayV2::Route', 'RouteKey', key).id);
    }
  });
});

test('a click accepts HEAD', () => {
  expect(routes).toContainEqual({ key: 'HEAD /api/v1/click/{trackingId}', name: 'click/redirect' });
});
