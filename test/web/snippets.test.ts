import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGateway, listen } from '../../infra/local/gateway.ts';
import { DEMO_ADVERTISER, seed } from '../../infra/local/seed.ts';
import { createClient } from '../../packages/client/src/index.ts';
import { getConversionSnippets } from '../../web/campaigns/conversion-snippets.ts';
import { getRequestSnippets } from '../../web/publisher/snippets.ts';
import { useServiceInMemory } from '../memory/stack.ts';
import { startReceiver } from '../receiver.ts';

// @module-tag whole
const service = useServiceInMemory();
let server: Server;
let origin: string;
let key: string;
let campaignId: string;
let folder: string;

beforeAll(async () => {
  const demo = await seed(service.stack.effects);
  key = demo.key;
  campaignId = demo.campaigns[0]!.id;
  server = createGateway(service.stack.apps);
  origin = `http://localhost:${await listen(server, 0)}`;
  folder = await mkdtemp(join(tmpdir(), 'ads-snippets-'));
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

/** How a reader runs a language: the file, the command, and a call of the snippet's function for a sale. */
const LANGUAGES = [
  ['curl', 'snippet.sh', 'sh', (clickId: string) => `report_purchase ${clickId} order-curl 20.5`],
  [
    'TypeScript',
    'snippet.mts',
    process.execPath,
    (clickId: string) => `console.log(await reportPurchase('${clickId}', 'order-ts', 20.5));`,
  ],
  ['Python', 'snippet.py', 'python3', (clickId: string) => `print(report_purchase("${clickId}", "order-py", 20.5))`],
] as const;
const isInstalled = (command: string): boolean => spawnSync(command, ['-c', '']).error === undefined;

/** Saves a snippet as it is, and runs it. Resolves to its output. */
async function run(file: string, command: string, text: string, settings: Record<string, string> = {}) {
  const path = join(folder, file);
  await writeFile(path, text);
  const { stdout } = await promisify(execFile)(command, [path], { env: { ...process.env, ...settings } });
  return stdout;
}

/** The ID of a click on an ad of the campaign, from the URL of its landing page. */
async function click(): Promise<string> {
  const ads = createClient({ baseUrl: origin, apiKey: key });
  const messages = [{ role: 'user' as const, content: 'Which running shoes would you recommend for a beginner?' }];
  const bid = await ads('POST /api/v1/ssp/bid', { body: { countryCode: 'US', messages } });
  const { redirectUrl } = await ads('GET /api/v1/ssp/ad/{bidId}', { params: { bidId: bid!.bidId } });
  const { headers } = await fetch(origin + new URL(redirectUrl).pathname, { redirect: 'manual' });
  return new URL(headers.get('location')!).searchParams.get('click_id')!;
}

describe.each(LANGUAGES)('The %s snippet of a campaign', (language, file, command, reportSale) => {
  const getText = (user: string | null, to = origin) =>
    getConversionSnippets({ origin: to, campaignId, user })[language]!;
  const canRun = isInstalled(command);

  it.runIf(canRun)('sends a test as it is, and its function reports a sale that counts', async () => {
    const text = getText(DEMO_ADVERTISER);
    expect(await run(file, command, text)).toMatch(/counted\W+false/i);
    const output = await run(file, command, `${text}${reportSale(await click())}\n`);
    expect(output).toMatch(/20\.5\b[\s\S]*counted\W+true/i);
  });

  it.runIf(canRun)('fails if the service rejects the request', async () => {
    await expect(run(file, command, getText('someone-else'))).rejects.toThrow('404');
  });

  it.runIf(canRun)('sends the token from the environment where users sign in', async () => {
    const receiver = await startReceiver((response) => response.end('{}'));
    await run(file, command, getText(null, receiver.url), { ADS_TOKEN: 'secret' });
    expect(receiver.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer secret']);
    await receiver.close();
  });

  it('is in docs/conversions.md for the demo', () => {
    expect(readFileSync('docs/conversions.md', 'utf8')).toContain(getText(DEMO_ADVERTISER, 'http://localhost:3000'));
  });
});

it.each(LANGUAGES.slice(0, 2))('The %s snippet of a key shows an ad', async (language, file, command) => {
  const output = await run(file, command, getRequestSnippets(origin, key)[language]!);
  expect(output).toMatch(/Shoes that forgive long runs[\s\S]*\/api\/v1\/click\//);
});
