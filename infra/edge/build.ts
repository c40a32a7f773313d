import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { bundleEdge, EDGE_BUNDLE } from './bundle.ts';
import { createEdgePolicy, EDGE_POLICY_FILE } from './policy.ts';
import { readWranglerSettings } from './runtime.ts';

const kilobytes = (data: Buffer): string => `${Math.round(data.length / 1024)} KB`;

/** `npm run build:edge`: builds the Worker that wrangler.jsonc deploys, and the policy of its IAM user. */
await bundleEdge();
const code = readFileSync(EDGE_BUNDLE);
console.log(`.build/edge/index.mjs: ${kilobytes(code)}, gzipped ${kilobytes(gzipSync(code))}`);
const { vars } = await readWranglerSettings();
writeFileSync(EDGE_POLICY_FILE, JSON.stringify(createEdgePolicy(vars.AWS_REGION, vars.TABLE_PREFIX), null, 2));
console.log(".build/edge-policy.json: the policy of the Worker's IAM user");
