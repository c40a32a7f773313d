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

/** What callers are told of what there is not, as the API does. */
function notFound(requestId: string) {
  const refusal = routeNotFound();
  return {
    statusCode: refusal.status,
    headers: { 'content-type': 'application/json', 'x-request-id': requestId, ...NEVER_KEPT },
    body: JSON.stringify(refusal.body('open')),
  };
}

/** The site as a function of its own: the files that lie beside it. */
export const handler = async ({ rawPath, headers, requestContext }: APIGatewayProxyEventV2) =>
  site({ path: rawPath, header: (name) => headers[name] }) ?? notFound(requestContext.requestId);
