import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';

// Far from UTC, so that a time in the wrong time zone is noticed.
process.env.TZ = 'Asia/Tokyo';

/** Stub: it draws on a canvas, which the test document lacks. */
const CHART = /\/figures\/plot\.tsx$/;

// Node strips types but does not support JSX, so compile the page's .tsx files as for the browser.
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
