import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { type IAccessLogSettings, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';
import { createLogGroup } from './log-group.ts';
import type { Settings } from './settings.ts';

/**
 * One line a request, to be joined with the function's own by the request id. Neither the query (older callers put their
 * key there) nor a header, the path with its ids, or the caller's address is in it; what the gateway itself refused is.
 */
const FORMAT = {
  requestId: '$context.requestId',
  route: '$context.routeKey',
  status: '$context.status',
  ms: '$context.responseLatency',
  functionMs: '$context.integrationLatency',
  error: '$context.error.message',
  functionError: '$context.integrationErrorMessage',
};

/** Where the gateway writes its log. Groups under /aws/vendedlogs share one short resource policy, whose length is limited. */
export function accessLog(scope: Construct, settings: Settings): IAccessLogSettings {
  const group = createLogGroup(scope, 'access-log', `/aws/vendedlogs/ads/${settings.stage}/access`, settings);
  return { destination: new LogGroupLogDestination(group), format: AccessLogFormat.custom(JSON.stringify(FORMAT)) };
}
