import { CfnResource, Validations } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  type IAccessLogSettings,
  type IHttpRouteAuthorizer,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpIamAuthorizer, HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { type EndpointName, endpointRow } from '../shared/http/operations/endpoints.ts';
import type { Endpoint } from '../shared/http/operations/rows.ts';
import { addDomain } from './domain.ts';
import { createLogGroup } from './log-group.ts';
import type { Settings } from './settings.ts';

export interface Api {
  api: HttpApi;
  stage: HttpStage;
  /** What authenticates callers to the management routes, if the functions do not. */
  authorizer: IHttpRouteAuthorizer | undefined;
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
    accessLogSettings: createAccessLog(scope, settings),
    // Latency and errors for each route: what the alarms watch.
    detailedMetricsEnabled: true,
  });
  if (domain) addDomain(scope, api, httpStage, domain);
  return {
    api,
    stage: httpStage,
    authorizer: createManagementAuthorizer(settings),
    baseUrl: settings.baseUrl ?? (domain ? `https://${domain.name}` : api.apiEndpoint),
  };
}

/** Who checks the caller where the gateway does not. */
const NO_AUTHORIZER_REASONS: Readonly<Record<Endpoint['credential'], string>> = {
  key: 'The function checks the API key, its state and its rate in one write; an authorizer would be a second one.',
  'any-key': 'The key may stand in any of three places, which an authorizer cannot express; the function checks it.',
  owner:
    'This stage lets a header name the user, for callers that are trusted (docs/api.md, 1.3); managementAuth jwt or iam puts an authorizer here.',
  none: 'Open to everybody: readers follow clicks, monitors ask for health, and strangers are told that there is nothing.',
};

/** Operations without a limit of their own or of the stage: a reader's click is never refused for what others do. */
const ROUTES_WITHOUT_STAGE_LIMIT: readonly EndpointName[] = ['click/redirect'];

/** What an account's APIs may be asked for in a region in all, a second and at once, unless AWS was asked for more. */
const ACCOUNT_LIMIT = { ThrottlingRateLimit: 10_000, ThrottlingBurstLimit: 5_000 };

/** The routes of a row, one for each method; the row without a path answers whatever no other route does. */
export function addRoutes(
  scope: Construct,
  { api: httpApi, stage, authorizer: management }: Api,
  name: EndpointName,
  target: IFunction,
): void {
  const { path, methods, credential } = endpointRow(name);
  const id = name.replaceAll('/', '-');
  const authorizer = credential === 'owner' ? management : undefined;
  const integration = new HttpLambdaIntegration(`${id}-integration`, target);
  const keys =
    path === null ? [HttpRouteKey.DEFAULT] : methods.map((method) => HttpRouteKey.with(path, HttpMethod[method]));
  for (const routeKey of keys) {
    const route = new HttpRoute(scope, `${id}-${routeKey.method}-route`, {
      httpApi,
      routeKey,
      integration,
      authorizer,
    });
    if (ROUTES_WITHOUT_STAGE_LIMIT.includes(name)) liftThrottle(stage, route, routeKey);
    if (authorizer) continue;
    Validations.of(route).acknowledge({
      id: 'AwsSolutions::AwsSolutions-APIG4',
      reason: NO_AUTHORIZER_REASONS[credential],
    });
  }
}

/**
 * Gives a route the account's limit instead of the stage's. Settings of a route replace the stage's as a whole, its metrics
 * included, and name a route that must be there before the stage.
 */
function liftThrottle(stage: HttpStage, route: HttpRoute, { key }: HttpRouteKey): void {
  const settings = { ...ACCOUNT_LIMIT, DetailedMetricsEnabled: true };
  const resource = stage.node.defaultChild;
  if (!CfnResource.isCfnResource(resource)) throw new Error('a stage is no resource');
  resource.addPropertyOverride(`RouteSettings.${key}`, settings);
  stage.node.addDependency(route);
}

/**
 * One line a request, to be joined with the function's own by the request id. Neither the query (older callers put their
 * key there) nor a header, the path with its ids, or the caller's address is in it; what the gateway itself refused is.
 */
const ACCESS_LOG_FORMAT = {
  requestId: '$context.requestId',
  route: '$context.routeKey',
  status: '$context.status',
  ms: '$context.responseLatency',
  functionMs: '$context.integrationLatency',
  error: '$context.error.message',
  functionError: '$context.integrationErrorMessage',
};

/** Where the gateway writes its log. Groups under /aws/vendedlogs share one short resource policy, whose length is limited. */
function createAccessLog(scope: Construct, settings: Settings): IAccessLogSettings {
  const group = createLogGroup(scope, 'access-log', `/aws/vendedlogs/ads/${settings.stage}/access`, settings);
  return {
    destination: new LogGroupLogDestination(group),
    format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG_FORMAT)),
  };
}

/** What stands in front of the management routes: nothing for the header x-user-id, which trusts its caller. */
function createManagementAuthorizer({ management }: Settings): IHttpRouteAuthorizer | undefined {
  if (management.auth === 'iam') return new HttpIamAuthorizer();
  if (management.auth === 'jwt') {
    return new HttpJwtAuthorizer('management', management.issuer, { jwtAudience: management.audience });
  }
  return undefined;
}
