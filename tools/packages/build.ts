import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { operationTypes } from './operation-types.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');

/** The packages and what each offers: its entries, by the names of their files. */
const packages = { client: ['index'] } as const;
export type PackageName = keyof typeof packages;

/** Builds `packages/<name>/dist`: ES modules and CommonJS, bundled, and declarations beside each. */
export async function buildPackage(name: PackageName): Promise<void> {
  const folder = join(ROOT, 'packages', name);
  const dist = join(folder, 'dist');
  await rm(dist, { recursive: true, force: true });
  await Promise.all([bundleEntries(name, folder, 'esm'), bundleEntries(name, folder, 'cjs'), declare(name, dist)]);
}

/** For Node 20, browsers of 2023 and runtimes at the edge: nothing of Node's is used. */
async function bundleEntries(name: PackageName, folder: string, format: 'esm' | 'cjs'): Promise<void> {
  await build({
    entryPoints: packages[name].map((entry) => `${folder}/src/${entry}.ts`),
    outdir: `${folder}/dist`,
    outExtension: { '.js': format === 'cjs' ? '.cjs' : '.js' },
    bundle: true,
    format,
    platform: 'neutral',
    target: 'es2022',
    external: ['react', 'ai'],
  });
}

/**
 * Declarations, made from a copy of the source in which the type of all operations is written out. Each is there twice: one
 * that belongs to an ES module is no declaration of a CommonJS one.
 */
async function declare(name: PackageName, dist: string): Promise<void> {
  const copy = join(ROOT, '.build/packages', name);
  await rm(copy, { recursive: true, force: true });
  await cp(join(ROOT, 'packages', name, 'src'), copy, { recursive: true });
  if (name === 'client') await writeFile(`${copy}/operations.ts`, operationTypes());
  await writeFile(`${copy}/tsconfig.json`, JSON.stringify(DECLARING));
  await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', copy]);
  await mkdir(dist, { recursive: true });
  for (const file of await readdir(`${copy}/types`)) {
    const text = await readFile(`${copy}/types/${file}`, 'utf8');
    await writeFile(`${dist}/${file}`, text.replaceAll(/(from '\.\/\w[\w-]*)\.ts'/g, "$1.js'"));
    await writeFile(
      `${dist}/${file.replace(/\.d\.ts$/, '.d.cts')}`,
      text.replaceAll(/(from '\.\/\w[\w-]*)\.ts'/g, "$1.cjs'"),
    );
  }
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
  include: ['*.ts'],
};

if (import.meta.main) for (const name of Object.keys(packages) as PackageName[]) await buildPackage(name);
