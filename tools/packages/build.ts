import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build, type Plugin } from 'esbuild';
import { getKeys } from '../../shared/platform/values/typed.ts';
import { operationTypes } from './operation-types.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

/** The packages and their entry files. A package may depend only on those listed before it. */
const packages = { client: ['index'], ai: ['index', 'card', 'react'] } as const;
export type PackageName = keyof typeof packages;

/** Builds `packages/<name>/dist`: bundled ES modules and CommonJS, with declarations for each. */
async function buildPackage(name: PackageName): Promise<void> {
  const dist = join(ROOT, 'packages', name, 'dist');
  await rm(dist, { recursive: true, force: true });
  await Promise.all([
    ...packages[name].flatMap((entry) => [bundleEntry(name, entry, 'esm'), bundleEntry(name, entry, 'cjs')]),
    declare(name, dist),
    cp(join(ROOT, 'LICENSE'), join(ROOT, 'packages', name, 'LICENSE')),
  ]);
}

/** Targets Node 20, browsers of 2023, and edge runtimes, so it may not use Node APIs. */
async function bundleEntry(name: PackageName, entry: string, format: 'esm' | 'cjs'): Promise<void> {
  const folder = join(ROOT, 'packages', name);
  await build({
    entryPoints: [`${folder}/src/${entry}.ts`],
    outfile: `${folder}/dist/${entry}${format === 'cjs' ? '.cjs' : '.js'}`,
    bundle: true,
    format,
    platform: 'neutral',
    target: 'es2022',
    external: ['react', 'react-dom'],
    define: { PACKAGE_VERSION: JSON.stringify(await readVersion(name)) },
    // With the sources inside, since the package does not contain them.
    sourcemap: true,
    plugins: [otherPackages],
    // Frameworks with server rendering require this directive for code that runs in the browser.
    banner: { js: entry === 'react' ? "'use client';" : '' },
  });
}

async function readVersion(name: PackageName): Promise<string> {
  const manifest: { version: string } = JSON.parse(
    await readFile(join(ROOT, 'packages', name, 'package.json'), 'utf8'),
  );
  return manifest.version;
}

/** The import path of another package in the sources. */
const OTHER_PACKAGE = /^\.\.\/\.\.\/(\w+)\/src\/index\.ts$/;

/** Other packages are dependencies, not copies: `instanceof AdsError` works only if there is one class. */
const otherPackages: Plugin = {
  name: 'other-packages',
  setup({ onResolve }) {
    onResolve({ filter: OTHER_PACKAGE }, ({ path }) => ({ path: toPackageName(path), external: true }));
  },
};

const toPackageName = (path: string): string => path.replace(OTHER_PACKAGE, '@conversation-ads/$1');

/**
 * Builds declarations from a copy of the sources in which the type of all operations is expanded. Writes each file twice: ES modules and
 * CommonJS need separate declarations.
 */
async function declare(name: PackageName, dist: string): Promise<void> {
  const copy = join(ROOT, '.build/packages', name);
  await rm(copy, { recursive: true, force: true });
  for (const one of new Set(['client', name]))
    await cp(join(ROOT, 'packages', one, 'src'), `${copy}/${one}/src`, { recursive: true });
  await writeFile(`${copy}/client/src/operations.ts`, operationTypes());
  await writeFile(`${copy}/tsconfig.json`, JSON.stringify({ ...DECLARING, include: [`${name}/src`] }));
  await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', copy]);
  await mkdir(dist, { recursive: true });
  const texts = await findDeclarations(`${copy}/types/${name}/src`, packages[name]);
  for (const [file, text] of texts) {
    const importing = (extension: string) =>
      text.replaceAll(IMPORTED, `from './$1.${extension}'`).replaceAll(/(?<=from ')\.\.\/[^']+/g, toPackageName);
    await writeFile(`${dist}/${file}.d.ts`, importing('js'));
    await writeFile(`${dist}/${file}.d.cts`, importing('cjs'));
  }
}

const IMPORTED = /from '\.\/([\w-]+)\.ts'/g;

/** The declarations that are reachable from the entries. */
async function findDeclarations(folder: string, entries: readonly string[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const visit = async (file: string) => {
    if (texts.has(file)) return;
    const text = await readFile(`${folder}/${file}.d.ts`, 'utf8');
    texts.set(file, text);
    for (const [, next] of text.matchAll(IMPORTED)) await visit(next!);
  };
  for (const entry of entries) await visit(entry);
  return texts;
}

const DECLARING = {
  extends: '../../../tsconfig.json',
  compilerOptions: {
    noEmit: false,
    emitDeclarationOnly: true,
    declaration: true,
    outDir: 'types',
    rootDir: '.',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
  },
};

/** `build.ts [name…]`: builds the named packages, or all of them. */
if (import.meta.main) {
  const asked = process.argv.slice(2);
  for (const name of getKeys(packages).filter((one) => asked.length === 0 || asked.includes(one))) {
    console.error(`Building packages/${name} …`);
    await buildPackage(name);
  }
}
