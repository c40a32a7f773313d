/**
 * Runs the Lambda bundles of some operations in a separate process, so that its processor time can be read from outside. Each request
 * names an operation, whose handler gets its fixture.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { bundleFolder, type FunctionName } from '../../infra/bundle.ts';
import { getPort } from '../../infra/local/port.ts';

const names = process.argv.slice(2) as FunctionName[];
const loaded = names.map(async (name) => {
  const { handler } = await import(resolve(`${bundleFolder(name)}/index.mjs`));
  const event = readFileSync(`events/${name}.json`, 'utf8');
  return [`/${name}`, () => handler(JSON.parse(event))] as const;
});
const handlers = new Map<string, () => Promise<{ statusCode: number; headers: object; body: string }>>(
  await Promise.all(loaded),
);

const server = createServer(async (request, response) => {
  request.resume();
  const { statusCode, headers, body } = await handlers.get(String(request.url))!();
  response.writeHead(statusCode, { ...headers }).end(body);
}).listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${getPort(server)}`);
});
