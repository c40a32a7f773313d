import { spawnSync } from 'node:child_process';
import './build.ts';

/** `npm run check -- edge`: builds the Worker and checks it with wrangler, without network or account. */
const args = ['deploy', '--dry-run', '--config', 'infra/edge/wrangler.jsonc'];
const { status } = spawnSync('node_modules/.bin/wrangler', args, { stdio: 'inherit' });
process.exitCode = status ?? 1;
