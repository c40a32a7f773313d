import { copyFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { bundleChunks, bundling, chunks, wordless } from '../bundle.ts';
import freshLexicon from '../lexicon/fresh.ts';
import { COMPILED } from '../lexicon/paths.ts';
import { edgeNames } from './operations.ts';

const ROOT = `${import.meta.dirname}/../..`;
/** Where wrangler.jsonc looks for it. */
export const EDGE_BUILD = `${ROOT}/.build/edge`;
/** Where `npm run check:edge` lets wrangler write what it would deploy. */
export const EDGE_CHECKED = `${ROOT}/.build/edge-checked`;
/** The Worker's code, and the data beside it. */
export const EDGE_FILES = { code: 'index.mjs', regs: 'regs.mjs', lexicon: 'lexicon.bin' } as const;

/** A Worker's files lie here, as its `node:fs` sees them; its modules have no address of their own. */
const BUNDLE_URL = `file:///bundle/${EDGE_FILES.code}`;

/** What is deployed: the function that makes a Worker of operations, and its file. */
const DEPLOYED = { maker: 'createEdge', file: './shared/runtimes/edge.ts' };
type How = typeof DEPLOYED;

/** The file that hands the operations to the runtime. */
const entry = ({ maker, file }: How) => `
  import { ${maker} } from '${file}';
  ${edgeNames.map((name, at) => `import operation${at} from './functions/${name}.ts';`).join('\n')}
  export default ${maker}({ ${edgeNames.map((name, at) => `'${name}': operation${at}`).join(', ')} });`;

/** All operations of a Worker have one catalog. */
const oneCatalog: Plugin = {
  name: 'one catalog',
  setup(run) {
    let isReplaced = false;
    run.onResolve({ filter: /\/catalog\/catalog\.ts$/ }, ({ importer }) => {
      if (!/\/functions\//.test(importer)) return undefined;
      isReplaced = true;
      return { path: 'catalog', namespace: 'edge' };
    });
    // Else each operation would keep all campaigns for itself, and nothing would say so.
    run.onEnd(() =>
      isReplaced ? undefined : { errors: [{ text: 'no operation has its catalog replaced by the shared one' }] },
    );
    run.onLoad({ filter: /.*/, namespace: 'edge' }, () => ({
      contents: `export { sharedCatalog as createCatalog } from './shared/runtimes/edge-effects.ts';`,
      resolveDir: ROOT,
    }));
  },
};

/** Makes the Worker: one module of all hot operations, and the lexicon as data beside it. Gives esbuild's account of what went where. */
export async function bundleEdge(outdir = EDGE_BUILD, other: Partial<How> = {}): Promise<Metafile> {
  const how = { ...DEPLOYED, ...other };
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  const options: BuildOptions = { target: 'es2024', banner: {} };
  const { metafile } = await build({
    ...bundling,
    ...options,
    stdin: { contents: entry(how), resolveDir: ROOT, sourcefile: 'edge.js' },
    absWorkingDir: ROOT,
    define: { 'import.meta.url': JSON.stringify(BUNDLE_URL) },
    outfile: join(outdir, EDGE_FILES.code),
    metafile: true,
    plugins: [...bundling.plugins, chunks, wordless, oneCatalog],
  });
  await bundleChunks(metafile, options);
  await freshLexicon();
  await copyFile(COMPILED, join(outdir, EDGE_FILES.lexicon));
  return metafile;
}
