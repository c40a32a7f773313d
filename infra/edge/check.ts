import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EDGE_CHECKED, EDGE_FILES } from './bundle.ts';

/** A part of `npm run check:edge`: says which of the Worker's files wrangler would not deploy. */
const missing = Object.values(EDGE_FILES).filter((file) => !existsSync(join(EDGE_CHECKED, file)));
if (missing.length > 0) {
  console.error(`wrangler.jsonc: \`rules\` leave out ${missing.join(', ')}, without which the Worker does not answer`);
  process.exitCode = 1;
}
