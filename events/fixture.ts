import { readFileSync } from 'node:fs';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Example } from '../shared/http/openapi/requests.ts';
import type { EndpointName } from '../shared/http/operations/endpoints.ts';

/** The valid request of an operation: the file of its name in this folder, which bundles have beside them. */
export const fixture = (name: EndpointName): APIGatewayProxyEventV2 =>
  JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), 'utf8'));

/** The same without what the gateway adds. */
export function example(name: EndpointName): Example {
  const { pathParameters, queryStringParameters, body } = fixture(name);
  return { params: pathParameters, query: queryStringParameters, body };
}
