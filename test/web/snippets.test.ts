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
import { getConversionSnippets } from '../../web/campaigns/conversion-snippets.ts';
import { getRequestSnippets } from '../../web/publisher/snippets.ts';
import { click, PLACEHOLDERS } from '../click.ts';
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

/** How a reader runs a language: the file, the command, and the snippet with a sale. */
const LANGUAGES = [
  [
    'curl',
    'snippet.sh',
    'sh',
    (text: string, clickId: string) => text.replace(PLACEHOLDERS, `CLICK_ID=${clickId} ORDER_ID=order-curl`),
  ],
  [
    'TypeScript',
    'snippet.mts',
    process.execPath,
    (text: string, clickId: string) => `${text}console.log(await reportSale('${clickId}', 'order-ts', 89.9));\n`,
  ],
  [
    'Python',
    'snippet.py',
    'python3',
    (text: string, clickId: string) => `${text}print(report_sale("${clickId}", "order-py", 89.9))\n`,
  ],
] as const;
const isInstalled = (command: string): boolean => spawnSync(command, ['-c', '']).error === undefined;

/** The part of a snippet that runs before a reader has set the placeholders. */
const getTest = (text: string): string => text.split(PLACEHOLDERS)[0]!;

/** Saves a snippet as it is, and runs it. Resolves to its output. */
async function run(file: string, command: string, text: string, settings: Record<string, string> = {}) {
  const path = join(folder, file);
  await writeFile(path, text);
  const { stdout } = await promisify(execFile)(command, [path], { env: { ...process.env, ...settings } });
  return stdout;
}

describe.each(LANGUAGES)('The %s snippet of a campaign', (language, file, command, withSale) => {
  const getText = (user: string | null, to = origin) =>
    getConversionSnippets({ origin: to, campaignId, user })[language]!;
  const canRun = isInstalled(command);

  it.runIf(canRun)('sends a test as it is, and a sale that counts', async () => {
    const text = getText(DEMO_ADVERTISER);
    expect(await run(file, command, getTest(text))).toMatch(/counted\W+false/i);
    const output = await run(file, command, withSale(text, await click(origin, key)));
    expect(output).toMatch(/counted\W+false[\s\S]*counted\W+true/i);
  });

  it.runIf(canRun)('fails if the service rejects the request, and says why', async () => {
    const failed = await run(file, command, getTest(getText('someone-else'))).catch((error) => error);
    expect(failed.stdout + failed.stderr).toMatch(/404/);
    expect(failed.stdout + failed.stderr).toContain('Campaign not found');
  });

  it.runIf(canRun)('sends the token from the environment where users sign in', async () => {
    const receiver = await startReceiver((response) => response.end('{}'));
    await run(file, command, getTest(getText(null, receiver.url)), { ADS_TOKEN: 'secret' });
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
