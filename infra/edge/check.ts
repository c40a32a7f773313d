import { spawnSync } from 'node:child_process';
import './build.ts';

/** `npm run check -- edge`: builds the Worker, and lets wrangler check it without network or account. */
const args = ['deploy', '--dry-run', '--config', 'infra/edge/wrangler.jsonc'];
const { status } = spawnSync('node_modules/.bin/wrangler', args, { stdio: 'inherit' });
process.exitCode = status ?? 1;
