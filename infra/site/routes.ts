import { Validations } from 'aws-cdk-lib';
import { HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Code, IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Sizing } from '../../shared/http/operations/rows.ts';
import type { Api } from '../api.ts';
import { createFunction } from '../functions.ts';
import type { Settings } from '../settings.ts';

/** Small, because only people at a browser call it. */
const SIZING: Sizing = { memoryMb: 512, timeoutSeconds: 15 };

/** Paths without an operation: files, pages, and mistyped URLs. */
const SITE_PATHS = ['/', '/{proxy+}'];
/** Unknown API paths get the same response as without a site. */
const API_PATH = '/api/{proxy+}';

/**
 * Adds the web app and the API reference, which a stage may leave out.
 * @param unmatched the function that responds to unknown API paths
 */
export function addSite(scope: Construct, { api }: Api, code: Code, unmatched: IFunction, settings: Settings): void {
  const parts = { code, summary: 'Show the service in a browser', statements: [], environment: {}, sizing: SIZING };
  const site = new HttpLambdaIntegration('site-integration', createFunction(scope, 'site', parts, settings));
  const nothing = new HttpLambdaIntegration('site-unmatched-integration', unmatched);
  for (const [at, path] of [...SITE_PATHS, API_PATH].entries()) {
    const integration = path === API_PATH ? nothing : site;
    const routeKey = HttpRouteKey.with(path, HttpMethod.GET);
    const route = new HttpRoute(scope, `site-${at}-route`, { httpApi: api, routeKey, integration });
    Validations.of(route).acknowledge({
      id: 'AwsSolutions::AwsSolutions-APIG4',
      reason: 'The files of the web app are public; its data comes from operations that authenticate callers.',
    });
  }
}
