import { Validations } from 'aws-cdk-lib';
import { HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Code, IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Sizing } from '../../shared/http/operations/rows.ts';
import type { Api } from '../api.ts';
import { createFunction } from '../functions.ts';
import type { Settings } from '../settings.ts';

/** As much as any function that nobody waits for long. */
const SIZING: Sizing = { memoryMb: 512, timeoutSeconds: 15 };

/** Whatever no operation answers: files, pages, and addresses that a person mistyped. */
const SITE_PATHS = ['/', '/{proxy+}'];
/** What was meant for the API is answered as it is without a site. */
const API_PATH = '/api/{proxy+}';

/**
 * The page and the readable API, beside the API itself: an option, since they are for people who look, not for callers.
 * @param unmatched what answers callers who ask for what there is not
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
      reason: 'The files of the page are for everybody; what it shows comes from operations that check their callers.',
    });
  }
}
