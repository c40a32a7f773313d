import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createGateway, listen } from '../../../infra/local/gateway.ts';
import { seed } from '../../../infra/local/seed.ts';
import { click, PLACEHOLDERS } from '../../click.ts';
import { useServiceInMemory } from '../../memory/stack.ts';

// @module-tag whole
const service = useServiceInMemory({ WEBHOOK_ALLOW_LOCAL: 'true' });
let server: Server;
let address: string;
let key: string;

beforeAll(async () => {
  ({ key } = await seed(service.stack.effects));
  server = createGateway(service.stack.apps);
  address = `localhost:${await listen(server, 0)}`;
});
afterAll(() => server.close());

/** Runs a document's curl commands in one shell, in order, as if a reader pasted them with IDs in place of the placeholders. */
async function runAll(document: string): Promise<string> {
  const shell = [...readFileSync(document, 'utf8').matchAll(/^```sh\n([\s\S]*?)^```$/gm)];
  const blocks = shell.map(([, block = '']) => block).filter((block) => block.includes('curl '));
  expect(blocks.length).toBeGreaterThan(0);
  const commands = blocks.join('\n').replaceAll('localhost:3000', address);
  const ids = PLACEHOLDERS.test(commands) ? `CLICK_ID=${await click(`http://${address}`, key)} ORDER_ID=1042` : '';
  const script = `set -euo pipefail\nKEY=${key}\n${commands.replace(PLACEHOLDERS, ids)}`;
  return (await promisify(execFile)('bash', ['-c', script])).stdout;
}

it.each([
  ['README.md', /^\{"bid":4\.\d+,"bidId":"[0-9a-f-]+"\}$/],
  ['docs/publisher.md', /"bidId":"[\s\S]*"redirectUrl":"/],
  ['docs/advertiser.md', /"eligible":true[\s\S]*date,impressions[\s\S]*"status":"paused"/],
  ['docs/conversions.md', /"value":89\.9,"currency":"USD","counted":false[\s\S]*"counted":true/],
  ['docs/events.md', /"secret":"whsec_/],
  ['docs/trusted-match.md', /"status":"completed".*"offers":\[\{"package_id":"cmp_.*"cache_ttl":0/],
  ['docs/openrtb.md', /"seatbid":\[\{"bid":\[\{"id":".*"burl":"/],
])('the commands of %s return what it shows', async (document, output) => {
  expect(await runAll(document)).toMatch(output);
});
