import { HttpApi, HttpMethod, HttpRoute, HttpRouteKey, HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { type EndpointName, endpointRow } from '../shared/endpoints.ts';
import type { Settings } from './settings.ts';

/** The HTTP API, without routes: functions need its address and routes need functions, so it comes first. */
export function createApi(scope: Construct, { prefix, stage }: Settings): HttpApi {
  const httpApi = new HttpApi(scope, 'api', {
    apiName: `${prefix}api`,
    description: `The conversation ad service, ${stage}`,
    createDefaultStage: false,
  });
  new HttpStage(scope, 'api-stage', { httpApi, stageName: '$default', autoDeploy: true });
  return httpApi;
}

/** The routes of a row, one for each method; the row without a path answers whatever no other route does. */
export function addRoutes(scope: Construct, httpApi: HttpApi, name: EndpointName, target: IFunction): void {
  const { path, methods } = endpointRow(name);
  const integration = new HttpLambdaIntegration(`${name.replaceAll('/', '-')}-integration`, target);
  const keys =
    path === null ? [HttpRouteKey.DEFAULT] : methods.map((method) => HttpRouteKey.with(path, HttpMethod[method]));
  for (const routeKey of keys) {
    new HttpRoute(scope, `${name.replaceAll('/', '-')}-${routeKey.method}-route`, { httpApi, routeKey, integration });
  }
}
