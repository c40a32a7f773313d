import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LOOPBACK } from '../local/port.ts';
import { StartError } from '../local/start-error.ts';
import { EDGE_BUILD, EDGE_FILES } from './bundle.ts';
import { wranglerSettings } from './wrangler-settings.ts';

interface LocalEdge {
  /** Where it answers; no slash at the end. */
  url: string;
  stop(): Promise<void>;
}

/** Files of a Worker: code, or data; the first is the main one. */
type Modules = Readonly<Record<string, string | Uint8Array>>;

interface Options {
  bindings: Record<string, string>;
  /** Where the Worker was built; or other modules in its place. */
  build?: string;
  modules?: Modules;
  /** Code that runs before the Worker that was built. */
  before?: string;
  port?: number;
  host?: string;
  /** Where its inspector answers, which tells of its memory; there is none unless told. */
  inspectorPort?: number;
  /** A folder that the runtime keeps its cache in, which is otherwise gone with it. */
  storage?: string;
  /** A line of its log. */
  write?: (line: string) => void;
}

/** The part of miniflare that is used: named here, so that the rest of the project goes by without it. */
interface Runtime {
  ready: Promise<URL>;
  dispose(): Promise<void>;
}
type Miniflare = new (options: object) => Runtime;

/** A name that only the machine which runs it needs to know. */
const PACKAGE = 'miniflare';

async function loadMiniflare(): Promise<Miniflare> {
  try {
    const { Miniflare } = await import(PACKAGE);
    return Miniflare;
  } catch {
    throw new StartError(
      `The runtime of Workers is missing (${PACKAGE}, workerd): "npm ci" brings it along where workerd has a binary.`,
    );
  }
}

/** Runs the Worker that was built, or other modules, in workerd on this machine, with the compatibility that wrangler.jsonc names. */
export async function startEdge({
  bindings,
  build = EDGE_BUILD,
  modules,
  before,
  port = 0,
  host = LOOPBACK,
  inspectorPort,
  storage,
  write = console.log,
}: Options): Promise<LocalEdge> {
  const Miniflare = await loadMiniflare();
  const wrangler = await wranglerSettings();
  const named = Object.entries(modules ?? { ...(before && preceded(before)), ...(await built(build)) }).map(
    ([name, contents]) => {
      return [name, { type: typeof contents === 'string' ? 'esm' : 'data', contents }] as const;
    },
  );
  const env = Object.entries(bindings).map(([name, value]) => [name, { type: 'text', value }]);
  const runtime = new Miniflare({
    host,
    port,
    inspectorPort,
    cf: false,
    resourcePersistencePath: storage,
    telemetry: { enabled: false },
    logRequests: false,
    handleStructuredLogs: ({ message }: { message: string }) => write(message),
    workers: [
      {
        config: {
          name: wrangler.name,
          compatibilityDate: wrangler.compatibility_date,
          compatibilityFlags: wrangler.compatibility_flags,
          manifest: { mainModule: named[0]?.[0], modules: Object.fromEntries(named) },
          env: Object.fromEntries(env),
        },
      },
    ],
  });
  const url = await runtime.ready.catch(async (error: { code?: string }) => {
    await runtime.dispose().catch(() => {});
    if (error.code !== 'ERR_ADDRESS_IN_USE') throw error;
    throw new StartError(`PORT=${port} is in use: stop what listens there, or choose another, e.g. PORT=3001`);
  });
  return { url: url.origin, stop: () => runtime.dispose() };
}

const preceded = (code: string): Modules => ({
  'begin.mjs': `import './before.mjs'; export { default } from './${EDGE_FILES.code}';`,
  'before.mjs': code,
});

async function built(folder: string): Promise<Modules> {
  const [code, regs, lexicon] = await Promise.all([
    readFile(join(folder, EDGE_FILES.code), 'utf8'),
    readFile(join(folder, EDGE_FILES.regs), 'utf8'),
    readFile(join(folder, EDGE_FILES.lexicon)),
  ]);
  return { [EDGE_FILES.code]: code, [EDGE_FILES.regs]: regs, [EDGE_FILES.lexicon]: new Uint8Array(lexicon) };
}
