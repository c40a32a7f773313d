import { Validations } from 'aws-cdk-lib';
import { HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Sizing } from '../../shared/operations/rows.ts';
import type { Api } from '../api.ts';
import { createFunction } from '../functions.ts';
import type { Settings } from '../settings.ts';

/** As much as any function that nobody waits for long. */
const SIZING: Sizing = { memoryMb: 512, timeoutSeconds: 15 };
const PATHS = [
  '/',
  '/docs',
  '/docs/{document}',
  '/assets/{file}',
  '/signed-in',
  '/chat',
  ...['/campaigns', '/webhooks', '/publisher'].flatMap((path) => [path, `${path}/{id}`]),
  '/campaigns/{id}/edit',
];

/** The page and the readable API, beside the API itself: an option, since they are for people who look, not for callers. */
export function addSite(scope: Construct, { api }: Api, code: Code, settings: Settings): void {
  const parts = { code, summary: 'Show the service in a browser', statements: [], environment: {}, sizing: SIZING };
  const integration = new HttpLambdaIntegration('site-integration', createFunction(scope, 'site', parts, settings));
  for (const path of PATHS) {
    const routeKey = HttpRouteKey.with(path, HttpMethod.GET);
    const route = new HttpRoute(scope, `site-${PATHS.indexOf(path)}-route`, { httpApi: api, routeKey, integration });
    Validations.of(route).acknowledge({
      id: 'AwsSolutions::AwsSolutions-APIG4',
      reason: 'The files of the page are for everybody; what it shows comes from operations that check their callers.',
    });
  }
}
