import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { createLocalEffects } from '../infra/local/effects.ts';
import { createGateway, listen } from '../infra/local/gateway.ts';
import { seed } from '../infra/local/seed.ts';
import { startStack } from '../infra/local/stack.ts';
import { readConfig } from '../shared/platform/config.ts';
import { createLog } from '../shared/platform/log.ts';

/** Client generators, installed in a separate folder because some need another version of TypeScript. */
const PACKAGES = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  '@hey-api/openapi-ts@0.95.0',
  'typescript@5',
  'esbuild@0.28.2',
];

const MESSAGES = `[{ role: 'user' as const, content: 'Which running shoes would you recommend for a beginner?' }]`;

/** Requests a bid and fetches its ad with the client that hey-api generates. */
const HEY_API = `
import { client } from './hey/client.gen';
import { getAd, submitBid } from './hey';
client.setConfig({ baseUrl: process.env.ADS_URL, headers: { 'X-API-Key': process.env.ADS_KEY } });
const { data: bid } = await submitBid({ body: { countryCode: 'US', messages: ${MESSAGES} } });
if (!bid) throw new Error('no bid');
const { data: ad } = await getAd({ path: { bidId: bid.bidId } });
if (ad?.nativeAd.ext.disclosure.label !== 'Sponsored') throw new Error('no ad');
`;

/** The same with the types that openapi-typescript generates. */
const OPENAPI_TYPESCRIPT = `
import createClient from 'openapi-fetch';
import type { paths } from './types';
const client = createClient<paths>({ baseUrl: process.env.ADS_URL!, headers: { 'X-API-Key': process.env.ADS_KEY! } });
const { data: bid } = await client.POST('/api/v1/ssp/bid', { body: { countryCode: 'US', messages: ${MESSAGES} } });
if (!bid) throw new Error('no bid');
const { data: ad } = await client.GET('/api/v1/ssp/ad/{bidId}', { params: { path: { bidId: bid.bidId } } });
if (ad?.nativeAd.ext.disclosure.label !== 'Sponsored') throw new Error('no ad');
`;

/** Installs packages into a folder. @returns false if the registry cannot be reached */
function install(folder: string): boolean {
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  writeFileSync(join(folder, 'node.d.ts'), 'declare const process: { env: Record<string, string | undefined> };');
  try {
    execFileSync('npm', ['install', '--no-audit', '--no-fund', ...PACKAGES], { cwd: folder, stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
}

const RULES = '--strict --noEmit --skipLibCheck --module esnext --moduleResolution bundler --target es2023'.split(' ');

/** A problem in the output format of either linter. */
interface Problem {
  ruleId?: string;
  code?: string;
  message: string;
}

/** Lints the document in a folder. Every problem fails the check, including warnings and hints. */
async function lint(folder: string): Promise<void> {
  writeFileSync(join(folder, 'spectral.json'), '{"extends": ["spectral:oas"]}');
  // Disable the telemetry of Redocly.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const run = (tool: string, ...args: string[]): Promise<string> =>
    promisify(execFile)(resolve('node_modules/.bin', tool), ['lint', 'openapi.json', ...args], {
      cwd: folder,
      env,
    }).then(
      ({ stdout }) => stdout,
      (error) => error.stdout || Promise.reject(error), // the linter exits with 1 if it lists errors
    );
  const redocly = JSON.parse(await run('redocly', '--extends=recommended', '--format=json', '--max-problems=10000'));
  const spectral = JSON.parse(await run('spectral', '--ruleset=spectral.json', '--format=json', '--quiet'));
  const found: Record<string, Problem[]> = { Redocly: redocly.problems, Spectral: spectral };
  for (const [linter, problems] of Object.entries(found)) {
    console.log(`${linter}: ${problems.length} errors and warnings`);
    for (const { ruleId, code, message } of problems) console.log(`  ${ruleId ?? code}: ${message}`);
    if (problems.length > 0) process.exitCode = 1;
  }
}

/** Generates clients from the document, and uses them to bid and get the ad. */
async function bidWithClients(folder: string, env: Record<string, string>): Promise<void> {
  const run = (tool: string, ...args: string[]) =>
    execFileSync(join(folder, 'node_modules/.bin', tool), args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

  run('openapi-typescript', 'openapi.json', '-o', 'types.ts');
  run('openapi-ts', '-i', 'openapi.json', '-o', 'hey');
  for (const [name, program] of Object.entries({ 'openapi-typescript': OPENAPI_TYPESCRIPT, 'hey-api': HEY_API })) {
    const file = `${name}.ts`;
    writeFileSync(join(folder, file), program);
    run('tsc', ...RULES, 'node.d.ts', file);
    run('esbuild', file, '--bundle', '--format=esm', '--platform=node', `--outfile=${name}.mjs`);
    // Asynchronous, because the server runs in this process.
    await promisify(execFile)(process.execPath, [join(folder, `${name}.mjs`)], { env: { ...process.env, ...env } });
    console.log(`${name}: compiles, bids, and gets the ad`);
  }
}

/**
 * `npm run check -- openapi`: checks the OpenAPI document of the service with linters and client generators. Linters are installed with
 * the project; client generators are skipped if the npm registry cannot be reached.
 */
async function check(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'check-openapi-'));
  const config = readConfig({ DATA_DIR: ':memory:', LOG_LEVEL: 'error' }, true);
  const stack = await startStack(createLocalEffects(config, createLog('error')));
  const server = createGateway(stack.apps);
  try {
    const { key } = await seed(stack.effects);
    const address = `http://127.0.0.1:${await listen(server, 0)}`;
    const document = await (await fetch(`${address}/api/v1/openapi.json`)).text();
    // A linter reports localhost URLs as errors.
    writeFileSync(join(folder, 'openapi.json'), document.replaceAll(config.baseUrl, 'https://ads.test'));
    await lint(folder);
    if (install(folder)) await bidWithClients(folder, { ADS_URL: address, ADS_KEY: key });
    else console.log('Clients: skipped, because the npm registry cannot be reached');
  } finally {
    server.close();
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await check();
