import { build, type Metafile } from 'esbuild';

const ROOT = `${import.meta.dirname}/../..`;

/** The file that wrangler.jsonc deploys. */
export const EDGE_BUNDLE = `${ROOT}/.build/edge/index.mjs`;

/** Bundles the Worker into one module. Returns the metafile. */
export async function bundleEdge(): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['infra/edge/worker.ts'],
    outfile: EDGE_BUNDLE,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2024',
    // As for Lambda: workerd has Node's modules (`nodejs_compat`).
    platform: 'node',
    conditions: ['workerd', 'module'],
    // The SDK's `main` is CommonJS, which esbuild cannot tree-shake.
    mainFields: ['module', 'main'],
    metafile: true,
    logLevel: 'warning',
  });
  return metafile;
}
