import { readdirSync, readFileSync } from 'node:fs';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { routeNotFound } from '../../shared/http/errors.ts';
import { NEVER_KEPT } from '../../shared/http/response.ts';
import { createSite } from './serve.ts';

const folder = `${import.meta.dirname}/site`;
const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const site = createSite(
  new Map(
    files.map(({ parentPath, name }) => {
      const path = `${parentPath}/${name}`;
      return [path.slice(folder.length + 1), readFileSync(path)];
    }),
  ),
);

/** The API's 404 response. */
function notFound(requestId: string) {
  const refusal = routeNotFound();
  return {
    statusCode: refusal.status,
    headers: { 'content-type': 'application/json', 'x-request-id': requestId, ...NEVER_KEPT },
    body: JSON.stringify(refusal.body('open')),
  };
}

/** Serves the site from the files next to the bundle. */
export const handler = async ({ rawPath, headers, requestContext }: APIGatewayProxyEventV2) =>
  site({ path: rawPath, header: (name) => headers[name] }) ?? notFound(requestContext.requestId);
