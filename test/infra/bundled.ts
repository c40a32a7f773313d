import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, matchesGlob } from 'node:path';
import type { Metafile } from 'esbuild';
import { bundleFunctions, type FunctionName } from '../../infra/bundle.ts';

const ROOT = join(import.meta.dirname, '../..');
const KEPT = join(ROOT, '.build/tested');
const METAFILES = 'metafiles.json';
/** The inputs of the bundles. The lock file represents the packages. */
const SOURCES = ['{events,functions,shared}/**', 'infra/{*,lexicon/*}.ts', 'package-lock.json'];
const HOUR_MS = 60 * 60 * 1000;

/** The folder with the bundles of all functions and their metafiles. They are reused between runs until a source changes. */
export async function bundled(): Promise<{ outdir: string; metafiles: Map<FunctionName, Metafile> }> {
  const outdir = join(KEPT, hashSources());
  if (!existsSync(outdir)) await make(outdir);
  return { outdir, metafiles: new Map(JSON.parse(await readFile(join(outdir, METAFILES), 'utf8'))) };
}

/** Whether a change of this file rebuilds the bundles. */
export const isSource = (file: string): boolean =>
  SOURCES.concat('node_modules/**').some((glob) => matchesGlob(file, glob));

function hashSources(): string {
  const hash = createHash('sha256').update(process.version);
  const files = globSync(SOURCES, { cwd: ROOT }).filter((file) => statSync(join(ROOT, file)).isFile());
  for (const file of files.sort()) hash.update(`\0${file}\0`).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
}

/** Builds into a temporary folder and renames it, so that no reader sees a partial build. */
async function make(outdir: string): Promise<void> {
  await mkdir(KEPT, { recursive: true });
  for (const name of await readdir(KEPT)) {
    const folder = join(KEPT, name);
    const { mtimeMs } = await stat(folder);
    if (mtimeMs < Date.now() - HOUR_MS) await rm(folder, { recursive: true });
  }
  const temporary = await mkdtemp(join(KEPT, 'made-'));
  await writeFile(join(temporary, METAFILES), JSON.stringify([...(await bundleFunctions(temporary))]));
  // Another run may have created it first.
  await rename(temporary, outdir).catch(() => rm(temporary, { recursive: true }));
}
