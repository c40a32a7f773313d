import { HttpApi, HttpMethod, HttpRoute, HttpRouteKey, HttpStage, type IHttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { type EndpointName, endpointRow } from '../shared/endpoints.ts';
import { accessLog } from './access-log.ts';
import { addDomain } from './domain.ts';
import type { Settings } from './settings.ts';

export interface Api {
  api: HttpApi;
  /** What handed-out addresses start with. */
  baseUrl: string;
}

/** The HTTP API, without routes: functions need its address and routes need functions, so it comes first. */
export function createApi(scope: Construct, settings: Settings): Api {
  const { prefix, stage, throttle, domain } = settings;
  const api = new HttpApi(scope, 'api', {
    apiName: `${prefix}api`,
    description: `The conversation ad service, ${stage}`,
    createDefaultStage: false,
    // One way in: whoever filters traffic in front of the domain is not gone around.
    disableExecuteApiEndpoint: domain !== undefined,
  });
  const httpStage = new HttpStage(scope, 'api-stage', {
    httpApi: api,
    stageName: '$default',
    autoDeploy: true,
    throttle,
    accessLogSettings: accessLog(scope, settings),
    // Latency and errors for each route: what the alarms watch.
    detailedMetricsEnabled: true,
  });
  if (domain) addDomain(scope, api, httpStage, domain);
  return { api, baseUrl: settings.baseUrl ?? (domain ? `https://${domain.name}` : api.apiEndpoint) };
}

/** The routes of a row, one for each method; the row without a path answers whatever no other route does. */
export function addRoutes(scope: Construct, httpApi: IHttpApi, name: EndpointName, target: IFunction): void {
  const { path, methods } = endpointRow(name);
  const id = name.replaceAll('/', '-');
  const integration = new HttpLambdaIntegration(`${id}-integration`, target);
  const keys =
    path === null ? [HttpRouteKey.DEFAULT] : methods.map((method) => HttpRouteKey.with(path, HttpMethod[method]));
  for (const routeKey of keys) {
    new HttpRoute(scope, `${id}-${routeKey.method}-route`, { httpApi, routeKey, integration });
  }
}
