import { build } from 'esbuild';
import { lambdaBuildOptions } from '../../../infra/bundle.ts';
import { getKeys } from '../../../shared/platform/values/typed.ts';

const FOLDER = '.build/plain';

/** The plain functions, by the operation they are compared with. */
const FILES = { 'ssp/bid': 'bid', 'ssp/ad': 'ad', 'click/redirect': 'click' } as const;

/** Bundles the plain functions with the same options as ours. @returns their files */
export async function bundlePlain() {
  await build({
    ...lambdaBuildOptions,
    entryPoints: Object.values(FILES).map((name) => `tools/bench/plain/${name}.ts`),
    outdir: FOLDER,
    outExtension: { '.js': '.mjs' },
  });
  return getKeys(FILES).map((name) => ({ name, file: `${FOLDER}/${FILES[name]}.mjs` }));
}
