import { copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { type EndpointName, endpointNames, endpointRow } from '../shared/operations/endpoints.ts';
import { isWorker, type WorkerName, workerNames, workerRow } from '../shared/operations/workers.ts';
import { builtins } from './bundle-builtins.ts';
import { credentials, eventStreams } from './bundle-sdk.ts';
import freshLexicon from './lexicon/fresh.ts';

export type FunctionName = EndpointName | WorkerName;
export const functionNames: readonly FunctionName[] = [...endpointNames, ...workerNames];

/** Where the bundle of a function is written: a folder with index.mjs, which exports `handler`, and its map. */
export const bundleFolder = (name: FunctionName, outdir = BUILD): string => `${outdir}/${name}`;

const BUILD = '.build/functions';
const ROOT = `${import.meta.dirname}/..`;

/** Some dependencies are CommonJS and ask for `require`, which a module does not have. */
const REQUIRE = `const require = process.getBuiltinModule('node:module').createRequire(import.meta.url);`;

/** The begin of a file that is all one line: of every word in a line that the map names, esbuild notes where it is from. */
const FIRST_OF_ONE_LINE = /^([^\n{]{0,100}\{)(?=[^\n]{1000})/;

/**
 * Most of a bundle's map would be of code that is not ours, and who asks for the first stack waits until it is read. So a file of a package
 * gets a map of its own, which tells the file's name of all that is in it and which esbuild carries on.
 */
const packages: Plugin = {
  name: 'packages',
  setup(run) {
    run.onLoad({ filter: /node_modules.*\.[cm]?js$/ }, async ({ path }) => {
      const map = JSON.stringify({ version: 3, sources: [basename(path)], mappings: 'AAAA' });
      const url = `data:application/json;base64,${Buffer.from(map).toString('base64')}`;
      const code = (await readFile(path, 'utf8')).replace(FIRST_OF_ONE_LINE, '$1\n');
      return { contents: `${code}\n//# sourceMappingURL=${url}` };
    });
  },
};

/** How anything is made into a file for Lambda. */
export const bundling = {
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  // The SDK's `main` is CommonJS, which cannot be shaken; its `module` can.
  mainFields: ['module', 'main'],
  banner: { js: REQUIRE },
  sourcemap: 'linked',
  sourcesContent: false,
  plugins: [packages],
  logLevel: 'warning',
} satisfies BuildOptions;

/**
 * Bundles every function in one run of esbuild: what they share is parsed once. Gives esbuild's account of what went where.
 * All the work of a function's start is done while Lambda loads the file, where the processor is at full speed.
 */
export async function bundle(outdir = BUILD): Promise<Metafile> {
  await rm(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    ...bundling,
    absWorkingDir: ROOT,
    entryPoints: entryPoints(functionNames.filter((name) => name !== DESCRIBING)),
    outdir,
    outExtension: { '.js': '.mjs' },
    metafile: true,
    plugins: [...bundling.plugins, builtins, eventStreams, entries, credentials, chunks, wordlessAndGrantless],
  });
  const described = await build({
    ...bundling,
    absWorkingDir: ROOT,
    entryPoints: entryPoints([DESCRIBING]),
    outdir,
    outExtension: { '.js': '.mjs' },
    metafile: true,
    plugins: [...bundling.plugins, builtins, eventStreams, entries, credentials],
  });
  Object.assign(metafile.inputs, described.metafile.inputs);
  Object.assign(metafile.outputs, described.metafile.outputs);
  await bundleChunks(metafile);
  await freshLexicon();
  await copyData(metafile);
  return metafile;
}

const entryPoints = (names: readonly FunctionName[]) =>
  Object.fromEntries(names.map((name) => [`${name}/index`, `entry:${name}`]));

/** The one function that tells what fields mean. */
const DESCRIBING: FunctionName = 'openapi';

/** A description of a field in a schema: one literal, with nothing in it that is worked out. */
const DESCRIPTION = /\.describe\(\s*(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`$\\]|\\.)*`),?\s*\)/g;

/** What a row of the table of operations says of itself. */
const SUMMARY = /(?<=\n {4})summary: (?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"),/g;

/** And what its function may do to tables, which is its role's: nobody asks a function for it. */
const GRANTS = /(?<=\n {4})(?:tables|judge): \{[^{}]*\},/g;

/** Loads sources without parts that nothing which is bundled reads. Lines stay where they are: stacks tell them. */
const without = (name: string, parts: readonly RegExp[]): Plugin => ({
  name,
  setup(run) {
    run.onLoad({ filter: /\/shared\/([^/]+\/(schema|report)|operations\/endpoints\/[^/]+)\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const contents = parts.reduce(
        (text, part) => text.replace(part, (found) => found.replaceAll(/[^\n]/g, '')),
        source,
      );
      return { contents, loader: 'ts' };
    });
  },
});

/** Fields and operations are described where their rules are; the functions that go by the rules have no use for the words. */
const WORDS = [DESCRIPTION, SUMMARY];
export const wordless = without('wordless', WORDS);
const wordlessAndGrantless = without('wordless and grantless', [...WORDS, GRANTS]);

/** What few requests need stays out of the bundles: a file beside each that may ask for it, which is read when it does. */
const CHUNKS = [
  { file: 'judge.mjs', module: 'shared/judge/open.ts', askedBy: 'shared/runtimes/judge.ts' },
  { file: 'regs.mjs', module: 'shared/regs/strings.ts', askedBy: 'shared/regs/opt-out.ts' },
];

export const chunks: Plugin = {
  name: 'chunks',
  setup(run) {
    for (const { file, module, askedBy } of CHUNKS)
      run.onResolve({ filter: new RegExp(`/${basename(module)}$`) }, ({ importer }) =>
        importer.endsWith(askedBy) ? { path: `./${file}`, external: true } : undefined,
      );
  },
};

/** Writes what the bundles of an account may ask for beside them. */
export async function bundleChunks({ outputs }: Metafile, options: BuildOptions = {}): Promise<void> {
  for (const { file, module, askedBy } of CHUNKS) {
    const asking = Object.entries(outputs).filter(([, { inputs }]) => inputs[askedBy]);
    const [first, ...others] = asking.map(([output]) => join(ROOT, dirname(output), file));
    if (!first) continue;
    await build({
      ...bundling,
      absWorkingDir: ROOT,
      entryPoints: [module],
      outfile: first,
      sourcemap: false,
      plugins: [...bundling.plugins, credentials],
      ...options,
    });
    for (const other of others) await copyFile(first, other);
  }
}

/** Data that a module reads from beside itself, and that bundles with that module in them have beside themselves. */
const DATA: Readonly<Record<string, readonly string[]>> = {
  'shared/review/model.ts': ['review.bin'],
  'shared/catalog/lexicon.ts': ['lexicon.bin'],
  'events/fixture.ts': endpointNames.map((name) => `${name}.json`),
};

async function copyData({ outputs }: Metafile): Promise<void> {
  for (const [output, { inputs }] of Object.entries(outputs)) {
    for (const [module, files] of Object.entries(DATA)) {
      if (!inputs[module]) continue;
      for (const file of files) {
        const to = join(ROOT, dirname(output), file);
        await mkdir(dirname(to), { recursive: true });
        await copyFile(join(ROOT, dirname(module), file), to);
      }
    }
  }
}

/** Files of functions/ take their effects as an argument; this makes the file that hands them the real ones. */
const entries: Plugin = {
  name: 'entries',
  setup(run) {
    run.onResolve({ filter: /^entry:/ }, ({ path }) => ({ path: path.slice('entry:'.length), namespace: 'entry' }));
    run.onLoad({ filter: /.*/, namespace: 'entry' }, ({ path }) => ({
      contents: isWorker(path) ? workerEntry(path) : endpointEntry(path as EndpointName),
      resolveDir: ROOT,
    }));
  },
};

function endpointEntry(name: EndpointName): string {
  const { tables, judge } = endpointRow(name);
  const hasTables = Object.keys(tables).length > 0;
  return `
    import create from './functions/${name}.ts';
    import { cloudEffects } from './shared/runtimes/effects.ts';
    import { lambdaHandler } from './shared/runtimes/lambda.ts';
    import { mapStacks } from './shared/runtimes/stacks.ts';
    import { warmUp } from './shared/runtimes/warm-up.ts';
    ${hasTables ? `import { openDatabase } from './shared/platform/dynamodb.ts';` : ''}
    ${judge ? `import { judgeOf } from './shared/runtimes/judge.ts';` : ''}
    mapStacks(import.meta.url);
    const effects = cloudEffects(${hasTables ? 'openDatabase' : ''}${judge ? ', undefined, judgeOf' : ''});
    export const handler = lambdaHandler(create(effects));
    await warmUp('${name}', create, effects);`;
}

function workerEntry(name: WorkerName): string {
  const { judge } = workerRow(name);
  return `
    import create from './functions/${name}.ts';
    import { cloudWorkerEffects } from './shared/runtimes/lambda-worker.ts';
    import { mapStacks } from './shared/runtimes/stacks.ts';
    ${judge ? `import { judgeOf } from './shared/runtimes/judge.ts';` : ''}
    mapStacks(import.meta.url);
    export const handler = create(cloudWorkerEffects(${judge ? 'judgeOf' : ''}));`;
}
