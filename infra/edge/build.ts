import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { bundleEdge, EDGE_BUILD, EDGE_FILES } from './bundle.ts';

const kilobytes = (bytes: number): string => `${Math.round(bytes / 1024)} KB`;

/** `npm run build:edge`: makes the Worker that wrangler.jsonc deploys, and says what its files weigh. */
await bundleEdge();
for (const file of Object.values(EDGE_FILES)) {
  const path = join(EDGE_BUILD, file);
  console.log(
    file.padEnd(12),
    kilobytes(statSync(path).size).padStart(8),
    `gzipped ${kilobytes(gzipSync(readFileSync(path)).length)}`,
  );
}
