import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { createLocalEffects } from '../infra/local/effects.ts';
import { createGateway, listen } from '../infra/local/gateway.ts';
import { seed } from '../infra/local/seed.ts';
import { startStack } from '../infra/local/stack.ts';
import { readConfig } from '../shared/platform/config.ts';
import { createLog } from '../shared/platform/log.ts';
import { getKeys } from '../shared/platform/values/typed.ts';

/** Asynchronous, because the service runs in this process. A failure shows what the tool printed. */
const run = (
  file: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; timeout?: number },
) =>
  promisify(execFile)(file, args, { ...options, maxBuffer: 100_000_000 }).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}`);
  });

/** Client generators and what they need, installed in a separate folder because some need another version of TypeScript. */
const PACKAGES = [
  'openapi-typescript@7.13.0',
  'openapi-fetch@0.17.0',
  'typescript@5.9.3',
  '@hey-api/openapi-ts@0.99.0',
  'orval@8.38.0',
  '@kubb/cli@4.39.3',
  '@kubb/core@4.39.3',
  '@kubb/plugin-oas@4.39.3',
  '@kubb/plugin-ts@4.39.3',
  '@kubb/plugin-client@4.39.3',
];
/** What these depend on is installed as of this day, so that a release of somebody else fails no check. */
const PACKAGES_BEFORE = '2026-11-28';

interface Generator {
  /** The command that generates the client from `openapi.json`. */
  command: readonly [tool: string, ...args: string[]];
  /** Its configuration. */
  files?: Readonly<Record<string, string>>;
  /** Sets up the generated client, and declares the types that the program below uses. */
  setup: string;
  /** Expressions for the bid of `request`, and for the ad of `bidId`. */
  bid: string;
  ad: string;
}

const HEADERS = `{ 'X-API-Key': process.env.ADS_KEY! }`;

const GENERATORS: Readonly<Record<string, Generator>> = {
  'openapi-fetch': {
    command: ['openapi-typescript', 'openapi.json', '-o', 'types.ts'],
    setup: `
import createClient from 'openapi-fetch';
import type { components, paths } from './types';
type Schemas = components['schemas'];
type Ad = Schemas['Ad'];
type ConversationMessage = Schemas['ConversationMessage'];
type NativeAsset = Schemas['NativeAsset'];
type SubmitBidRequest = Schemas['SubmitBidRequest'];
const client = createClient<paths>({ baseUrl: process.env.ADS_URL!, headers: ${HEADERS} });`,
    bid: `(await client.POST('/api/v1/ssp/bid', { body: request })).data`,
    ad: `(await client.GET('/api/v1/ssp/ad/{bidId}', { params: { path: { bidId } } })).data`,
  },
  'hey-api': {
    command: ['openapi-ts', '-i', 'openapi.json', '-o', 'hey-api'],
    setup: `
import { client } from './hey-api/client.gen';
import { type Ad, type ConversationMessage, getAd, type NativeAsset, submitBid, type SubmitBidRequest } from './hey-api';
client.setConfig({ baseUrl: process.env.ADS_URL!, headers: ${HEADERS} });`,
    bid: '(await submitBid({ body: request })).data',
    ad: '(await getAd({ path: { bidId } })).data',
  },
  orval: {
    command: ['orval', '--config', 'orval.config.mjs'],
    files: {
      'orval.config.mjs': `export default {
  ads: {
    input: 'openapi.json',
    output: { target: 'orval/api.ts', schemas: 'orval/models', client: 'fetch', baseUrl: { runtime: 'process.env.ADS_URL' } },
  },
};`,
    },
    setup: `
import { getAd, submitBid } from './orval/api';
import type { Ad, ConversationMessage, NativeAsset, SubmitBidRequest } from './orval/models';
const headers = ${HEADERS};
const ok = <A extends { status: number; data: unknown }>(answer: A) => {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer));
  return answer.data as Extract<A, { status: 200 }>['data'];
};`,
    bid: 'ok(await submitBid(request, { headers }))',
    ad: 'ok(await getAd(bidId, { headers }))',
  },
  kubb: {
    command: ['kubb', 'generate', '--config', 'kubb.config.mjs', '--logLevel', 'silent'],
    files: {
      'kubb.config.mjs': `import { defineConfig } from '@kubb/core';
import { pluginClient } from '@kubb/plugin-client';
import { pluginOas } from '@kubb/plugin-oas';
import { pluginTs } from '@kubb/plugin-ts';

export default defineConfig({
  root: '.',
  input: { path: 'openapi.json' },
  output: { path: 'kubb', format: false, lint: false },
  plugins: [pluginOas({ generators: [] }), pluginTs(), pluginClient({ client: 'fetch', bundle: true })],
});`,
    },
    setup: `
import { type Ad, type ConversationMessage, getAd, type NativeAsset, submitBid, type SubmitBidRequest } from './kubb';
import { setConfig } from './kubb/.kubb/fetch';
// Kubb's client sends no content type by itself.
setConfig({ baseURL: process.env.ADS_URL!, headers: { ...${HEADERS}, 'Content-Type': 'application/json' } });`,
    bid: 'await submitBid(request)',
    ad: 'await getAd(bidId)',
  },
};

/** Requests a bid and fetches its ad with the generated client, by the names that the document gives to its parts. */
const writeProgram = ({ setup, bid, ad }: Generator): string => `${setup.trim()}

const messages: ConversationMessage[] = [
  { role: 'user', content: 'Which running shoes would you recommend for a beginner?' },
];
const request: SubmitBidRequest = { countryCode: 'US', messages };
const bid = ${bid};
if (!bid?.bidId) throw new Error(JSON.stringify(bid));
const { bidId } = bid;
const ad: Ad | undefined = ${ad};
const headline = ad?.nativeAd?.assets.find((asset: NativeAsset) => asset.title)?.title?.text;
if (!headline || ad?.nativeAd.ext.disclosure.label !== 'Sponsored') throw new Error(JSON.stringify(ad));
`;

/** npm's codes of a wrong version in `PACKAGES`. Any other failure skips the clients: the registry or the machine has a problem. */
const WRONG_PACKAGES = /\b(E404|ETARGET|ERESOLVE)\b/;
/** A registry that accepts connections but does not answer would otherwise hold the check for a quarter of an hour. */
const INSTALL_TIMEOUT_MS = 5 * 60_000;

/** Installs packages into a folder. @returns why npm could not, or undefined */
async function install(folder: string): Promise<string | undefined> {
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const options = ['--ignore-scripts', '--loglevel=error', '--no-audit', '--no-fund', `--before=${PACKAGES_BEFORE}`];
  const npm = (cache: string) =>
    run('npm', ['install', cache, ...options, ...PACKAGES], { cwd: folder, timeout: INSTALL_TIMEOUT_MS });
  try {
    // npm's cache may hold a list of versions that is older than those in `PACKAGES`.
    await npm('--prefer-offline').catch((error) =>
      /\bETARGET\b/.test(String(error)) ? npm('--prefer-online') : Promise.reject(error),
    );
    return undefined;
  } catch (error) {
    if (WRONG_PACKAGES.test(String(error))) throw error;
    return /npm (error|ERR!) .+/.exec(String(error))?.[0] ?? 'npm took too long';
  }
}

const RULES =
  '--strict --noEmit --skipLibCheck --allowImportingTsExtensions --module esnext --moduleResolution bundler --target es2023'.split(
    ' ',
  );

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
  const runLinter = (tool: string, ...args: string[]): Promise<string> =>
    promisify(execFile)(resolve('node_modules/.bin', tool), ['lint', 'openapi.json', ...args], {
      cwd: folder,
      env,
    }).then(
      ({ stdout }) => stdout,
      (error) => error.stdout || Promise.reject(error), // the linter exits with 1 if it lists errors
    );
  const redocly = JSON.parse(
    await runLinter('redocly', '--extends=recommended', '--format=json', '--max-problems=10000'),
  );
  const spectral = JSON.parse(await runLinter('spectral', '--ruleset=spectral.json', '--format=json', '--quiet'));
  const found: Record<string, Problem[]> = { Redocly: redocly.problems, Spectral: spectral };
  for (const [linter, problems] of Object.entries(found)) {
    console.log(`${linter}: ${problems.length} errors and warnings`);
    for (const { ruleId, code, message } of problems) console.log(`  ${ruleId ?? code}: ${message}`);
    if (problems.length > 0) process.exitCode = 1;
  }
}

/** Generates clients from the document, compiles them, and uses each to bid and get the ad. */
async function bidWithClients(folder: string, env: Record<string, string>): Promise<void> {
  const names = getKeys(GENERATORS);
  await Promise.all(
    names.map(async (name) => {
      const generator = GENERATORS[name]!;
      const [tool, ...args] = generator.command;
      for (const [file, text] of Object.entries(generator.files ?? {})) writeFileSync(join(folder, file), text);
      // With this Node.js, because generators need a newer one than the project.
      await run(process.execPath, [join(folder, 'node_modules/.bin', tool), ...args], {
        cwd: folder,
        env: { ...process.env, DO_NOT_TRACK: '1' },
      });
      writeFileSync(join(folder, `bid-with-${name}.ts`), writeProgram(generator));
    }),
  );
  writeFileSync(join(folder, 'node.d.ts'), 'declare const process: { env: Record<string, string | undefined> };');
  const programs = names.map((name) => `bid-with-${name}.ts`);
  await run(resolve('node_modules/.bin/tsc'), ['--ignoreConfig', ...RULES, 'node.d.ts', ...programs], { cwd: folder });
  await build({
    absWorkingDir: folder,
    entryPoints: programs,
    bundle: true,
    format: 'esm',
    platform: 'node',
    outdir: '.',
    outExtension: { '.js': '.mjs' },
  });
  for (const name of names) {
    await run(process.execPath, [join(folder, `bid-with-${name}.mjs`)], { env: { ...process.env, ...env } });
    console.log(`${name}: compiles, bids, and gets the ad`);
  }
}

/**
 * `npm run check -- openapi`: checks the OpenAPI document of the service with linters and client generators. Linters are installed with
 * the project; client generators are skipped if npm cannot install them.
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
    const [problem] = await Promise.all([install(folder), lint(folder)]);
    if (problem) console.log(`Clients: skipped, because npm cannot install the generators: ${problem}`);
    else await bidWithClients(folder, { ADS_URL: address, ADS_KEY: key });
  } finally {
    server.close();
    await stack.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await check();
