import { expect, test } from 'vitest';
import { CHOICES, resourcesOf, templateOf } from './template.ts';

const template = templateOf(CHOICES.prod);
const stage = resourcesOf(template, 'AWS::ApiGatewayV2::Stage')[0]!.Properties;

test('the access log names a request by id and route, and holds nothing that is secret or a person', () => {
  const fields = Object.values(JSON.parse(stage.AccessLogSettings.Format));
  expect(fields).toContain('$context.requestId');
  expect(fields).toContain('$context.routeKey');
  expect(fields.join()).not.toMatch(/header|query|path|sourceIp|userAgent|identity|authorizer\.claims/i);
});

test('the gateway holds back a flood', () => {
  expect(stage.DefaultRouteSettings).toMatchObject({ ThrottlingRateLimit: 5000, ThrottlingBurstLimit: 2500 });
});

test('queues encrypt what they hold and refuse plain connections', () => {
  const queues = resourcesOf(template, 'AWS::SQS::Queue');
  const policies = JSON.stringify(resourcesOf(template, 'AWS::SQS::QueuePolicy'));
  for (const { id, Properties } of queues) {
    expect(Properties.SqsManagedSseEnabled).toBe(true);
    expect(policies).toContain(`"Condition":{"Bool":{"aws:SecureTransport":"false"}},"Effect":"Deny"`);
    expect(policies).toContain(id);
  }
});

test('no page of another origin is let in', () => {
  expect(resourcesOf(template, 'AWS::ApiGatewayV2::Api')[0]!.Properties.CorsConfiguration).toBeUndefined();
});
