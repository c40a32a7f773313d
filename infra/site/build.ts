import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { build } from 'esbuild';

const ROOT = `${import.meta.dirname}/../..`;
const VIEWER = `${ROOT}/node_modules/swagger-ui-dist`;

/** Whose key and campaigns the page begins with; null where its visitor has to say. */
export interface Demo {
  apiKey: string;
  advertiser: string;
}

/** Makes the site: the page from web/, and the viewer of the OpenAPI document as its makers publish it. */
export async function buildSite(outdir: string, demo: Demo | null): Promise<void> {
  await rm(outdir, { recursive: true, force: true });
  await mkdir(`${outdir}/assets`, { recursive: true });
  await Promise.all([
    build({
      absWorkingDir: ROOT,
      entryPoints: { app: 'web/app.tsx', docs: 'web/docs.ts' },
      outdir: `${outdir}/assets`,
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2023',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      logLevel: 'warning',
    }),
    copyFile(`${ROOT}/web/index.html`, `${outdir}/index.html`),
    copyFile(`${ROOT}/web/docs.html`, `${outdir}/docs.html`),
    copyFile(`${ROOT}/web/icon.svg`, `${outdir}/assets/icon.svg`),
    copyFile(`${VIEWER}/swagger-ui-bundle.js`, `${outdir}/assets/swagger-ui-bundle.js`),
    copyFile(`${VIEWER}/swagger-ui.css`, `${outdir}/assets/swagger-ui.css`),
    writeFile(`${outdir}/assets/demo.json`, JSON.stringify(demo)),
  ]);
}
