import { describe, expect, test } from 'vitest';
import { CHOICES, nameOf, resourcesOf, templateOf } from './template.ts';

describe.each([
  { stage: 'dev', rate: 200, burst: 100 },
  { stage: 'prod', rate: 5_000, burst: 2_500 },
] as const)('In $stage', ({ stage, rate, burst }) => {
  const template = templateOf(CHOICES[stage]);
  const [api, ...otherApis] = resourcesOf(template, 'AWS::ApiGatewayV2::Api');
  const [gateway, ...otherStages] = resourcesOf(template, 'AWS::ApiGatewayV2::Stage');

  test('there is one API with one stage, without CORS, so no page of another origin is let in', () => {
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

  test('the gateway holds back a flood, and measures every route for the alarms', () => {
    expect(gateway!.Properties.DefaultRouteSettings).toEqual({
      ThrottlingRateLimit: rate,
      ThrottlingBurstLimit: burst,
      DetailedMetricsEnabled: true,
    });
  });

  test('the access log names a request by id and route, and holds nothing that is secret or a person', () => {
    const { DestinationArn, Format } = gateway!.Properties.AccessLogSettings;
    expect(nameOf(template, DestinationArn)).toBe(`/aws/vendedlogs/ads/${stage}/access`);
    // Callers of the legacy API put their key in the query, and a path holds ids: neither is here, nor a header or an address.
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
