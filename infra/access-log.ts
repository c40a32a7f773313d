import { RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { type IAccessLogSettings, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
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
export function accessLog(scope: Construct, { stage, logDays }: Settings): IAccessLogSettings {
  const group = new LogGroup(scope, 'access-log', {
    logGroupName: `/aws/vendedlogs/ads/${stage}/access`,
    retention: logDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  return { destination: new LogGroupLogDestination(group), format: AccessLogFormat.custom(JSON.stringify(FORMAT)) };
}
