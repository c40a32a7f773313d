import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import type { SignInSettings, SiteSettings } from '../../shared/platform/values/site-settings.ts';
import { lambdaBuildOptions } from '../bundle.ts';
import { renderDocuments } from './documents.ts';

const ROOT = `${import.meta.dirname}/../..`;
/** Images of the demo ads. */
const PICTURES = `${ROOT}/web/pictures`;
const VIEWER = `${ROOT}/node_modules/swagger-ui-dist`;

const WEB = join(ROOT, 'web');
const LATER = 'later';
/**
 * Keeps shared code in one script: every lazily loaded module comes with the app. Otherwise esbuild would create a chunk per set of pages
 * that share code, and the first page would load seventeen of them. A namespace of its own keeps the module as it is where it is imported
 * statically too.
 */
const singleEntryPlugin: Plugin = {
  name: 'single-entry',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import' && resolveDir.startsWith(WEB)
        ? { path: join(resolveDir, path), namespace: LATER }
        : undefined,
    );
    onLoad({ filter: /./, namespace: LATER }, async ({ path }) => {
      const parts = ['*', ...(/^export default /m.test(await readFile(path, 'utf8')) ? ['{ default }'] : [])];
      const contents = [`import '${WEB}/app.tsx';`, ...parts.map((part) => `export ${part} from '${path}';`)].join(
        '\n',
      );
      return { contents, resolveDir: WEB };
    });
  },
};

/** Files by their path in the site, such as `assets/app.js`. */
export type Files = ReadonlyMap<string, Buffer>;

const bundle = async (entryPoints: Record<string, string>, plugins: Plugin[] = []) => {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints,
    outdir: 'assets',
    chunkNames: '[name]-[hash]',
    write: false,
    bundle: true,
    // Pages load their code when they are opened.
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
    plugins,
  });
  return outputFiles.map(({ path, contents }) => [`assets/${basename(path)}`, Buffer.from(contents)] as const);
};

/** Builds the site: the web app from web/, the documents from docs/, and Swagger UI for the OpenAPI document. */
export async function siteFiles(settings: SiteSettings): Promise<Files> {
  const pictures = await readdir(PICTURES);
  const [app, docs, documents, ...copies] = await Promise.all([
    bundle({ app: 'web/start.tsx' }, [singleEntryPlugin]),
    // Apart from the app, whose first page would otherwise load the shared code in chunks of its own.
    bundle({ docs: 'web/docs/start.tsx', documents: 'web/docs/documents.css', reference: 'web/docs/reference.ts' }),
    renderDocuments(),
    copy('index.html', `${ROOT}/web/index.html`),
    ...pictures.map((name) => copy(`assets/${name}`, `${PICTURES}/${name}`)),
    copy('assets/spend.svg', `${ROOT}/docs/spend.svg`),
    copy('assets/icon.svg', `${ROOT}/web/icon.svg`),
    copy('assets/conversation_ads.py', `${ROOT}/packages/python/conversation_ads.py`),
    copy('assets/swagger-ui-bundle.js', `${VIEWER}/swagger-ui-bundle.js`),
    copy('assets/swagger-ui.css', `${VIEWER}/swagger-ui.css`),
  ]);
  return new Map([
    ...app,
    ...docs,
    ...documents,
    ...copies,
    ['assets/settings.json', Buffer.from(JSON.stringify(settings))],
  ]);
}

const copy = async (to: string, from: string) => [to, await readFile(from)] as const;

const BUILD = '.build/site';

/** Bundles the site and the function that serves it into a folder for Lambda. Returns the folder. */
export async function bundleSite(signIn: SignInSettings | null, outdir = BUILD): Promise<string> {
  await rm(outdir, { recursive: true, force: true });
  await build({
    ...lambdaBuildOptions,
    entryPoints: [`${import.meta.dirname}/handler.ts`],
    outfile: `${outdir}/index.mjs`,
  });
  for (const [path, content] of await siteFiles({ demo: null, signIn })) {
    await mkdir(dirname(`${outdir}/site/${path}`), { recursive: true });
    await writeFile(`${outdir}/site/${path}`, content);
  }
  return outdir;
}
