import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, matchesGlob } from 'node:path';
import type { Metafile } from 'esbuild';
import { bundleFunctions, type FunctionName } from '../../infra/bundle.ts';

const ROOT = join(import.meta.dirname, '../..');
const KEPT = join(ROOT, '.build/tested');
const METAFILES = 'metafiles.json';
/** What bundles are made of and with; of packages the lock file tells. */
const SOURCES = ['{events,functions,shared}/**', 'infra/{*,lexicon/*}.ts', 'package-lock.json'];
const HOUR_MS = 60 * 60 * 1000;

/** The folder with the bundles of all functions, and esbuild's metafile of each. They are kept between runs for as long as their sources stay the same. */
export async function bundled(): Promise<{ outdir: string; metafiles: Map<FunctionName, Metafile> }> {
  const outdir = join(KEPT, hashOfSources());
  if (!existsSync(outdir)) await make(outdir);
  return { outdir, metafiles: new Map(JSON.parse(await readFile(join(outdir, METAFILES), 'utf8'))) };
}

/** Whether bundles are made anew where a file is another, of the project or of a package of the lock file. */
export const isSource = (file: string): boolean =>
  SOURCES.concat('node_modules/**').some((glob) => matchesGlob(file, glob));

function hashOfSources(): string {
  const hash = createHash('sha256').update(process.version);
  const files = globSync(SOURCES, { cwd: ROOT }).filter((file) => statSync(join(ROOT, file)).isFile());
  for (const file of files.sort()) hash.update(`\0${file}\0`).update(readFileSync(join(ROOT, file)));
  return hash.digest('hex');
}

/** Makes them in another folder, which then takes its place as a whole: nobody reads what is half made. */
async function make(outdir: string): Promise<void> {
  await mkdir(KEPT, { recursive: true });
  for (const name of await readdir(KEPT)) {
    const folder = join(KEPT, name);
    const { mtimeMs } = await stat(folder);
    if (mtimeMs < Date.now() - HOUR_MS) await rm(folder, { recursive: true });
  }
  const made = await mkdtemp(join(KEPT, 'made-'));
  await writeFile(join(made, METAFILES), JSON.stringify([...(await bundleFunctions(made))]));
  // Another run may have been faster.
  await rename(made, outdir).catch(() => rm(made, { recursive: true }));
}
