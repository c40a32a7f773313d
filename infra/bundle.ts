import { copyFile, mkdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { type EndpointName, endpointNames, endpointRow } from '../shared/http/operations/endpoints.ts';
import { isWorker, type WorkerName, workerNames, workerRow } from '../shared/http/operations/workers.ts';
import ensureFreshLexicon from './lexicon/fresh.ts';

export type FunctionName = EndpointName | WorkerName;
export const functionNames: readonly FunctionName[] = [...endpointNames, ...workerNames];

const ROOT = join(import.meta.dirname, '..');
const BUILD = '.build/functions';
/** Maximum parallel builds. All 48 at once would need 3 GB of memory and save no time. */
const MAX_PARALLEL_BUILDS = 8;

/** The folder that a function is deployed from: index.mjs, which exports `handler`, with dynamic imports, source maps, and data. */
export const bundleFolder = (name: FunctionName, outdir = BUILD): string => `${outdir}/${name}`;

/** Build options of every bundle for Lambda. */
export const lambdaBuildOptions = {
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // The SDK's `main` is CommonJS, which esbuild cannot tree-shake.
  mainFields: ['module', 'main'],
  // CommonJS dependencies call `require`, which ES modules do not have.
  banner: { js: `const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);` },
  sourcemap: 'linked',
  sourcesContent: false,
  alias: { '@aws-sdk/credential-provider-node': join(ROOT, 'shared/platform/environment-credentials.ts') },
  logLevel: 'warning',
} satisfies BuildOptions;

/** Bundles the functions. Returns the metafile of each, which lists the modules in each file. */
export async function bundleFunctions(outdir = BUILD, names = functionNames): Promise<Map<FunctionName, Metafile>> {
  await rm(outdir, { recursive: true, force: true });
  await ensureFreshLexicon();
  const metafiles = new Map<FunctionName, Metafile>();
  const waiting = [...names];
  async function bundleNext(): Promise<void> {
    for (let name = waiting.shift(); name; name = waiting.shift())
      metafiles.set(name, await bundleFunction(name, bundleFolder(name, outdir)));
  }
  await Promise.all(Array.from({ length: MAX_PARALLEL_BUILDS }, bundleNext));
  return metafiles;
}

async function bundleFunction(name: FunctionName, folder: string): Promise<Metafile> {
  const { metafile } = await build({
    ...lambdaBuildOptions,
    absWorkingDir: ROOT,
    stdin: { contents: isWorker(name) ? workerEntry(name) : endpointEntry(name), resolveDir: ROOT },
    splitting: true,
    outdir: folder,
    entryNames: 'index',
    outExtension: { '.js': '.mjs' },
    metafile: true,
  });
  await copyData(metafile, resolve(ROOT, folder));
  return metafile;
}

function endpointEntry(name: EndpointName): string {
  const { tables, judge } = endpointRow(name);
  const hasTables = Object.keys(tables).length > 0;
  return `
    import create from './functions/${name}.ts';
    import { cloudEffects } from './shared/http/runtimes/effects.ts';
    import { lambdaHandler } from './shared/http/runtimes/lambda.ts';
    ${hasTables ? `import { openDatabase } from './shared/platform/dynamodb.ts';` : ''}
    ${judge ? `import { createJudgeFromConfig } from './shared/http/runtimes/judge.ts';` : ''}
    const effects = cloudEffects(${hasTables ? 'openDatabase' : 'undefined'}, undefined, ${judge ? 'createJudgeFromConfig' : 'undefined'});
    export const handler = lambdaHandler('${name}', create(effects));`;
}

function workerEntry(name: WorkerName): string {
  const { judge } = workerRow(name);
  return `
    import create from './functions/${name}.ts';
    import { cloudWorkerEffects } from './shared/http/runtimes/lambda-worker.ts';
    ${judge ? `import { createJudgeFromConfig } from './shared/http/runtimes/judge.ts';` : ''}
    export const handler = create(cloudWorkerEffects(${judge ? 'createJudgeFromConfig' : 'undefined'}));`;
}

/** Files to copy next to the bundle, because a module reads them from its own folder. */
const DATA: Readonly<Record<string, readonly string[]>> = {
  'shared/campaigns/review/model.ts': ['review.bin'],
  'shared/ads/catalog/lexicon.ts': ['lexicon.bin'],
  'events/fixture.ts': endpointNames.map((name) => `${name}.json`),
};

async function copyData({ outputs }: Metafile, folder: string): Promise<void> {
  const modules = new Set(Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs)));
  for (const [module, files] of Object.entries(DATA)) {
    if (!modules.has(module)) continue;
    for (const file of files) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await copyFile(join(ROOT, dirname(module), file), join(folder, file));
    }
  }
}
