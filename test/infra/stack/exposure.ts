import { describe, expect, test } from 'vitest';
import { CHOICES, nameOf, resourcesOf, templateOf } from './template.ts';

describe.each([
  { stage: 'dev', rate: 200, burst: 100 },
  { stage: 'prod', rate: 5_000, burst: 2_500 },
] as const)('In $stage', ({ stage, rate, burst }) => {
  const template = templateOf(CHOICES[stage]);
  const [api, ...otherApis] = resourcesOf(template, 'AWS::ApiGatewayV2::Api');
  const [gateway, ...otherStages] = resourcesOf(template, 'AWS::ApiGatewayV2::Stage');

  test('there is one API with one stage, without CORS, so pages of other origins have no access', () => {
    expect([...otherApis, ...otherStages]).toEqual([]);
    expect(api!.Properties).toEqual({
      Name: `ads-${stage}-api`,
      Description: expect.stringContaining(stage),
      ProtocolType: 'HTTP',
      DisableExecuteApiEndpoint: false,
    });
    const { AccessLogSettings, DefaultRouteSettings, RouteSettings, ...properties } = gateway!.Properties;
    expect(properties).toEqual({ ApiId: { Ref: api!.id }, StageName: '$default', AutoDeploy: true });
  });

  test('the gateway throttles floods, and measures every route for the alarms', () => {
    expect(gateway!.Properties.DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: rate,
      ThrottlingBurstLimit: burst,
      DetailedMetricsEnabled: true,
    });
  });

  test('the access log identifies requests by id and route, without secrets or personal data', () => {
    const { DestinationArn, Format } = gateway!.Properties.AccessLogSettings;
    expect(nameOf(template, DestinationArn)).toBe(`/aws/vendedlogs/ads/${stage}/access`);
    // No path, query, header, or IP address: legacy callers put their key in the query, and paths contain ids.
    expect(JSON.parse(Format)).toEqual({
      requestId: '$context.requestId',
      route: '$context.routeKey',
      status: '$context.status',
      ms: '$context.responseLatency',
      functionMs: '$context.integrationLatency',
      error: '$context.error.message',
      functionError: '$context.integrationErrorMessage',
    });
  });
});
