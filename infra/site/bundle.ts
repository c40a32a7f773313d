import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { build } from 'esbuild';
import type { SignInSettings } from '../../shared/platform/values/site-settings.ts';
import { bundling } from '../bundle.ts';
import { siteFiles } from './files.ts';

const BUILD = '.build/site';

/** Writes the site and the function that serves it into a folder for Lambda; gives the folder. */
export async function bundleSite(signIn: SignInSettings | null, outdir = BUILD): Promise<string> {
  await rm(outdir, { recursive: true, force: true });
  await build({ ...bundling, entryPoints: [`${import.meta.dirname}/handler.ts`], outfile: `${outdir}/index.mjs` });
  for (const [path, content] of await siteFiles({ demo: null, signIn })) {
    await mkdir(dirname(`${outdir}/site/${path}`), { recursive: true });
    await writeFile(`${outdir}/site/${path}`, content);
  }
  return outdir;
}
