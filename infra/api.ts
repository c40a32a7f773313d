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
  /** Authorizer of the management routes; undefined if the functions authenticate callers. */
  authorizer: IHttpRouteAuthorizer | undefined;
  /** Base of the URLs that responses contain. */
  baseUrl: string;
}

/** The HTTP API without routes. Functions need its URL, and routes need functions, so it is created first. */
export function createApi(scope: Construct, settings: Settings): Api {
  const { prefix, stage, throttle, domain } = settings;
  const api = new HttpApi(scope, 'api', {
    apiName: `${prefix}api`,
    description: `The conversation ad service, stage ${stage}`,
    createDefaultStage: false,
    // With a custom domain, close the default endpoint: it would bypass a firewall in front of the domain.
    disableExecuteApiEndpoint: domain !== undefined,
  });
  const httpStage = new HttpStage(scope, 'api-stage', {
    httpApi: api,
    stageName: '$default',
    autoDeploy: true,
    throttle,
    accessLogSettings: createAccessLog(scope, settings),
    // The alarms need latency and errors by route.
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

/** Why a route has no authorizer, by credential: reasons for cdk-nag. */
const NO_AUTHORIZER_REASONS: Readonly<Record<Endpoint['credential'], string>> = {
  key: 'The function checks the API key, its state, and its rate limit in one write; an authorizer would add a second one.',
  'any-key': 'The key may be in any of three places, which an authorizer cannot express; the function checks it.',
  owner:
    'On this stage a header names the user, for trusted callers (docs/api.md, 1.3); managementAuth jwt or iam adds an authorizer.',
  none: 'Public: users follow click links, monitors check health, and unknown paths get 404.',
};

/** Operations exempt from the stage's throttle: other traffic must not cause a user's click to be rejected. */
const ROUTES_WITHOUT_STAGE_LIMIT: readonly EndpointName[] = ['click/redirect'];

/** Default quota of all APIs of an account in a region: requests per second, and burst. */
const ACCOUNT_LIMIT = { ThrottlingRateLimit: 10_000, ThrottlingBurstLimit: 5_000 };

/** Adds the routes of an operation, one per method. The operation without a path becomes the default route. */
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
 * Gives a route the account's limit instead of the stage's. Route settings replace all stage settings, so metrics must be enabled
 * again. The route must be created before the stage that names it.
 */
function liftThrottle(stage: HttpStage, route: HttpRoute, { key }: HttpRouteKey): void {
  const settings = { ...ACCOUNT_LIMIT, DetailedMetricsEnabled: true };
  const resource = stage.node.defaultChild;
  if (!CfnResource.isCfnResource(resource)) throw new Error('the stage is not a CloudFormation resource');
  resource.addPropertyOverride(`RouteSettings.${key}`, settings);
  stage.node.addDependency(route);
}

/**
 * One line per request, including those that the gateway rejects; join it with the function's log by request id. It must not
 * contain the query (legacy callers put their API key there), headers, the path with its ids, or the caller's address.
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

/** The gateway's log group. Groups under /aws/vendedlogs share one resource policy, which avoids the limit on its length. */
function createAccessLog(scope: Construct, settings: Settings): IAccessLogSettings {
  const group = createLogGroup(scope, 'access-log', `/aws/vendedlogs/ads/${settings.stage}/access`, settings);
  return {
    destination: new LogGroupLogDestination(group),
    format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG_FORMAT)),
  };
}

/** The authorizer of the management routes; undefined if the stage trusts the header x-user-id. */
function createManagementAuthorizer({ management }: Settings): IHttpRouteAuthorizer | undefined {
  if (management.auth === 'iam') return new HttpIamAuthorizer();
  if (management.auth === 'jwt') {
    return new HttpJwtAuthorizer('management', management.issuer, { jwtAudience: management.audience });
  }
  return undefined;
}
