import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';

// Far from UTC, so that a time which is not the visitor's own shows.
process.env.TZ = 'Asia/Tokyo';

/** Draws on a canvas, of which a document without a browser has none. */
const CHART = /\/figures\/plot\.tsx$/;

// Node strips types, and knows no JSX: files of the page that have it are turned into JavaScript as they are for the browser.
registerHooks({
  load(url, context, next) {
    if (!url.endsWith('.tsx')) return next(url, context);
    const path = fileURLToPath(url);
    const { code } = transformSync(path, readFileSync(path, 'utf8'), {
      jsx: { runtime: 'automatic', importSource: 'preact' },
    });
    const source = CHART.test(url) ? 'export default () => null;' : code;
    return { format: 'module', shortCircuit: true, source };
  },
});
