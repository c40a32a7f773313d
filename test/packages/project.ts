import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { transform } from 'esbuild';
import { afterAll } from 'vitest';
import type { PackageName } from '../../tools/packages/build.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../..');
const NAMES = ['client', 'ai'] as const satisfies PackageName[];
const PROJECT = '{"private":true,"type":"module"}';
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

/** The minimum Node version of the packages. Outside npm scripts, the machine's own Node often has it. */
const node20s = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .map((folder) => join(folder, 'node'))
  .filter((path) => existsSync(path))
  .map(async (path) => ((await run(path, ['--version'])).stdout.startsWith('v20.') ? path : undefined));
const node20 = (await Promise.all(node20s)).find((path) => path !== undefined);
if (!node20) console.warn('SKIPPED: the packages are not run on Node 20, there is none on the path');

/** The Node versions that run the packages: the project's own, and Node 20 if it is installed. */
export const nodes = [{ version: 24, path: process.execPath }, ...(node20 ? [{ version: 20, path: node20 }] : [])];

/** A folder that is deleted after the tests. */
async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ads-packages-'));
  folders.push(folder);
  return folder;
}
const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

/** Packs the packages as in a clean clone, without build output, and installs the archives offline. */
export async function packAndInstall() {
  for (const name of NAMES) await rm(join(ROOT, 'packages', name, 'dist'), { recursive: true, force: true });
  const folder = await temporaryFolder();
  const workspaces = NAMES.map((name) => `--workspace=packages/${name}`);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder, ...workspaces]);
  const archives = JSON.parse(stdout).map(({ filename }: { filename: string }) => join(folder, filename));
  await writeFile(join(folder, 'package.json'), PROJECT);
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--no-package-lock', ...archives], {
    cwd: folder,
  });
  return { archives, modules: join(folder, 'node_modules') };
}
export type Packed = Awaited<ReturnType<typeof packAndInstall>>;

/** Returns the complaints of publint and arethetypeswrong. */
export const complaintsAbout = (archives: string[]): Promise<string> =>
  run(process.execPath, ['tools/packages/check.mjs', ...archives]).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }) => stdout + stderr,
  );

/** Creates a project that contains only a package and its dependencies. */
export async function projectWith({ modules }: Packed, name: PackageName) {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'package.json'), PROJECT);
  for (const one of name === 'client' ? [name] : (['client', name] as const)) {
    const place = join('@conversation-ads', one);
    await cp(join(modules, place), join(folder, 'node_modules', place), { recursive: true });
  }
  return {
    folder,
    /** Links a package of this repository's node_modules under a name, as if it were installed. */
    async link(name: string, as = name): Promise<void> {
      const path = join(folder, 'node_modules', as);
      await rm(path, { force: true });
      await mkdir(dirname(path), { recursive: true });
      await symlink(join(ROOT, 'node_modules', name), path);
    },
    write: (file: string, text: string) => writeFile(join(folder, file), text),
    /** Runs a file and returns its output. */
    async run(node: { path: string }, file: string, env: Record<string, string> = {}): Promise<string> {
      const { stdout } = await run(node.path, [file], { cwd: folder, env: { ...process.env, ...env } });
      return stdout;
    },
    /** Compiles the project's TypeScript with the strictest options and returns the errors. */
    async typeErrors(): Promise<string> {
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(STRICT));
      return run(process.execPath, [TSC, '-p', folder, '--singleThreaded']).then(
        () => '',
        ({ stdout, stderr }) => `the compiler fails: ${stdout}${stderr}`,
      );
    },
  };
}

/** Returns the compiler's errors if the built client's operation types differ from the service's tables. */
export async function findTypeDrift(): Promise<string> {
  const folder = join(ROOT, '.build/packages/client');
  await writeFile(join(folder, 'drift.ts'), DRIFT);
  await writeFile(join(folder, 'drift.json'), '{ "extends": "../../../tsconfig.json", "include": ["drift.ts"] }');
  // skipLibCheck saves time, and parallel checkers would each load all files again.
  return run(process.execPath, [TSC, '-p', join(folder, 'drift.json'), '--skipLibCheck', '--singleThreaded']).then(
    () => '',
    ({ stdout }) =>
      stdout
        .split('\n')
        .filter((line: string) => line.includes('drift.ts'))
        .join('\n'),
  );
}

const DRIFT = `import type { Operations as Tables } from '../../../packages/client/src/operations.ts';
import type { Operations as Built } from './client/src/operations.ts';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
type Known<T> = unknown extends T ? false : true;
type Compared = {
  [R in keyof Tables]: R extends keyof Built
    ? [Same<Tables[R]['input'], Built[R]['input']>, Same<Tables[R]['result'], Built[R]['result']>, Known<Built[R]['result']>]
    : 'missing';
};
export const same = (compared: Compared): { [R in keyof Tables | keyof Built]: [true, true, true] } => compared;
`;

const STRICT = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    jsx: 'react-jsx',
    target: 'es2022',
    skipLibCheck: true,
    lib: ['es2022', 'dom', 'dom.iterable'],
    noEmit: true,
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
  },
  include: ['*.ts', '*.tsx'],
};

/** The code blocks of a README by the heading above them. The key of the first block is empty. */
export async function getSnippets(name: PackageName): Promise<Map<string, string>> {
  const readme = await readFile(`packages/${name}/README.md`, 'utf8');
  const found = readme.split(/^## /m).flatMap((part, index) => {
    const code = /```tsx?\n(.*?)```/s.exec(part)?.[1];
    return code ? [[index === 0 ? '' : part.split('\n')[0]!, code] as const] : [];
  });
  return new Map(found);
}

/** Compiles TypeScript to JavaScript that any Node version runs. */
export const withoutTypes = async (code: string): Promise<string> =>
  (await transform(code, { loader: 'tsx', jsx: 'automatic' })).code;
