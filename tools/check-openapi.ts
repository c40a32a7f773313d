import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createGateway, listen } from '../infra/local/gateway.ts';
import { machineEffects } from '../infra/local/machine.ts';
import { seed } from '../infra/local/seed.ts';
import { startStack } from '../infra/local/stack.ts';
import { systemClock } from '../shared/platform/clock.ts';
import { readConfig } from '../shared/platform/config.ts';
import { createLog } from '../shared/platform/log.ts';

/** What others make of the document, in a folder of their own: some want a TypeScript that is not ours. */
const PACKAGES = [
  '@redocly/cli@2.77.0',
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.95.0',
  'typescript@5',
  'esbuild@0.28.2',
];

const MESSAGES = `[{ role: 'user' as const, content: 'Which running shoes would you recommend for a beginner?' }]`;

/** The main job with what hey-api generates: a client of functions. */
const HEY_API = `
import { client } from './hey/client.gen';
import { getAd, submitBid } from './hey';
client.setConfig({ baseUrl: process.env.ADS_URL, headers: { 'X-API-Key': process.env.ADS_KEY } });
const { data: bid } = await submitBid({ body: { countryCode: 'US', messages: ${MESSAGES} } });
if (!bid) throw new Error('no bid');
const { data: ad } = await getAd({ path: { bidId: bid.bidId } });
if (ad?.nativeAd.ext.disclosure.label !== 'Sponsored') throw new Error('no ad');
`;

/** The same with the types of openapi-typescript. */
const OPENAPI_TYPESCRIPT = `
import createClient from 'openapi-fetch';
import type { paths } from './types';
const client = createClient<paths>({ baseUrl: process.env.ADS_URL!, headers: { 'X-API-Key': process.env.ADS_KEY! } });
const { data: bid } = await client.POST('/api/v1/ssp/bid', { body: { countryCode: 'US', messages: ${MESSAGES} } });
if (!bid) throw new Error('no bid');
const { data: ad } = await client.GET('/api/v1/ssp/ad/{bidId}', { params: { path: { bidId: bid.bidId } } });
if (ad?.nativeAd.ext.disclosure.label !== 'Sponsored') throw new Error('no ad');
`;

/** A folder with the packages in it; undefined where there is no registry. */
function install(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'check-openapi-'));
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  writeFileSync(join(folder, 'node.d.ts'), 'declare const process: { env: Record<string, string | undefined> };');
  try {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', ...PACKAGES], { cwd: folder, stdio: 'pipe' });
    return folder;
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}

const RULES = '--strict --noEmit --skipLibCheck --module esnext --moduleResolution bundler --target es2023'.split(' ');

/** Lints the document in a folder, and has clients made of it which then do the main job. */
async function checkIn(folder: string, env: Record<string, string>): Promise<void> {
  const run = (tool: string, ...args: string[]) =>
    execFileSync(join(folder, 'node_modules/.bin', tool), args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

  const { totals } = JSON.parse(run('redocly', 'lint', 'openapi.json', '--extends=recommended', '--format=json'));
  console.log(`Redocly lint: ${totals.errors} errors, ${totals.warnings} warnings`);
  if (totals.errors + totals.warnings > 0) process.exitCode = 1;

  run('openapi-typescript', 'openapi.json', '-o', 'types.ts');
  run('openapi-ts', '-i', 'openapi.json', '-o', 'hey');
  for (const [name, program] of Object.entries({ 'openapi-typescript': OPENAPI_TYPESCRIPT, 'hey-api': HEY_API })) {
    const file = `${name}.ts`;
    writeFileSync(join(folder, file), program);
    run('tsc', ...RULES, 'node.d.ts', file);
    run('esbuild', file, '--bundle', '--format=esm', '--platform=node', `--outfile=${name}.mjs`);
    // This process answers it meanwhile.
    await promisify(execFile)(process.execPath, [join(folder, `${name}.mjs`)], { env: { ...process.env, ...env } });
    console.log(`${name}: compiles, bids and gets the ad`);
  }
}

/** `npm run check:openapi`: what others make of the document that the service answers. Skipped where there is no registry. */
async function check(): Promise<void> {
  const folder = install();
  if (!folder) return console.log('Skipped: the npm registry cannot be reached.');
  const config = readConfig({ DATA_DIR: ':memory:', LOG_LEVEL: 'error' }, true);
  const stack = await startStack(machineEffects(config, createLog('error')));
  const server = createGateway(stack.handlers, systemClock.now);
  try {
    const { key } = await seed(stack.effects);
    const address = `http://127.0.0.1:${await listen(server, 0)}`;
    const document = await (await fetch(`${address}/api/v1/openapi.json`)).text();
    // A linter takes an address of this machine for a mistake.
    writeFileSync(join(folder, 'openapi.json'), document.replaceAll(config.baseUrl, 'https://ads.test'));
    await checkIn(folder, { ADS_URL: address, ADS_KEY: key });
  } finally {
    server.close();
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await check();
