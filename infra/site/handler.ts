import { readdirSync, readFileSync } from 'node:fs';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
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

/** The site as a function of its own: the files that lie beside it. */
export const handler = async ({ rawPath, headers }: APIGatewayProxyEventV2) =>
  site({ path: rawPath, header: (name) => headers[name] }) ?? { statusCode: 404, body: '' };
