import { readFile } from 'node:fs/promises';
import type { Config } from '../../shared/platform/config.ts';
import { StartError } from '../local/command.ts';
import { LOOPBACK } from '../local/port.ts';
import type { Stack } from '../local/stack.ts';
import { EDGE_BUNDLE } from './bundle.ts';

interface LocalEdge {
  /** Base URL, without a trailing slash. */
  url: string;
  stop(): Promise<void>;
}

interface Options {
  bindings: Record<string, string>;
  /** Code to run instead of the built bundle. */
  code?: string;
  port?: number;
  host?: string;
  /** Receives each line of its log. */
  write?: (line: string) => void;
}

/** Reads wrangler.jsonc: JSON with comments on lines of their own. */
export const readWranglerSettings = async () =>
  JSON.parse((await readFile(`${import.meta.dirname}/wrangler.jsonc`, 'utf8')).replaceAll(/^\s*\/\/.*$/gm, ''));

/** Loads the simulator of Cloudflare's runtime. @throws StartError if workerd has no binary for this machine */
async function loadMiniflare() {
  try {
    return (await import('miniflare')).Miniflare;
  } catch {
    throw new StartError(
      'The Workers runtime is missing (miniflare, workerd): run "npm ci". workerd does not support every platform.',
    );
  }
}

/** Runs the built Worker in workerd on this machine, with the compatibility settings of wrangler.jsonc. */
export async function startEdge({
  bindings,
  code,
  port = 0,
  host = LOOPBACK,
  write = console.log,
}: Options): Promise<LocalEdge> {
  const Miniflare = await loadMiniflare();
  const { name, compatibility_date, compatibility_flags } = await readWranglerSettings();
  const contents = code ?? (await readFile(EDGE_BUNDLE, 'utf8'));
  const texts = Object.entries(bindings).map(([name, value]) => [name, { type: 'text', value }] as const);
  const runtime = new Miniflare({
    host,
    port,
    cf: false,
    telemetry: { enabled: false },
    logRequests: false,
    handleStructuredLogs: ({ message }) => write(message),
    workers: [
      {
        config: {
          name,
          compatibilityDate: compatibility_date,
          compatibilityFlags: compatibility_flags,
          manifest: { mainModule: 'index.mjs', modules: { 'index.mjs': { type: 'esm', contents } } },
          env: Object.fromEntries(texts),
        },
      },
    ],
  });
  const url = await runtime.ready.catch(async (error: { code?: string }) => {
    await runtime.dispose().catch(() => {});
    if (error.code !== 'ERR_ADDRESS_IN_USE') throw error;
    throw new StartError(
      `PORT=${port} is in use: stop the program that listens there, or choose another port, e.g. PORT=3001`,
    );
  });
  return { url: url.origin, stop: () => runtime.dispose() };
}

/** Bindings of a Worker in front of a local service, with the same settings and tables. */
export const createLocalBindings = (config: Config, { endpoint, region }: Stack['client'], originPort: number) => ({
  ORIGIN_URL: `http://${LOOPBACK}:${originPort}`,
  BASE_URL: config.baseUrl,
  AWS_REGION: String(region),
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local-secret',
  AWS_ENDPOINT_URL_DYNAMODB: String(endpoint),
  TABLE_PREFIX: config.tablePrefix,
  LOG_LEVEL: config.logLevel,
  BUDGET_SHARDS: String(config.budgetShards),
});
