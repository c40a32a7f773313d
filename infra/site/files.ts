import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { build } from 'esbuild';

const ROOT = `${import.meta.dirname}/../..`;
const VIEWER = `${ROOT}/node_modules/swagger-ui-dist`;

/** Files by their path in the site, such as `assets/app.js`. */
export type Files = ReadonlyMap<string, Buffer>;

/** Whose key and campaigns the page begins with; null where its visitor has to say. */
interface Demo {
  apiKey: string;
  advertiser: string;
}

/** Makes the site: the page from web/, and the viewer of the OpenAPI document as its makers publish it. */
export async function siteFiles(demo: Demo | null): Promise<Files> {
  const [{ outputFiles }, ...copies] = await Promise.all([
    build({
      absWorkingDir: ROOT,
      entryPoints: { app: 'web/app.tsx', docs: 'web/docs.ts' },
      outdir: 'assets',
      write: false,
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2023',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      logLevel: 'warning',
    }),
    copy('index.html', `${ROOT}/web/index.html`),
    copy('docs.html', `${ROOT}/web/docs.html`),
    copy('assets/icon.svg', `${ROOT}/web/icon.svg`),
    copy('assets/swagger-ui-bundle.js', `${VIEWER}/swagger-ui-bundle.js`),
    copy('assets/swagger-ui.css', `${VIEWER}/swagger-ui.css`),
  ]);
  return new Map([
    ...outputFiles.map(({ path, contents }) => [`assets/${basename(path)}`, Buffer.from(contents)] as const),
    ...copies,
    ['assets/demo.json', Buffer.from(JSON.stringify(demo))],
  ]);
}

const copy = async (to: string, from: string) => [to, await readFile(from)] as const;
