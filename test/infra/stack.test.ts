import { describe } from 'vitest';

const parts = {
  Alarms: () => import('./stack/alarms.ts'),
  Counts: () => import('./stack/counts.ts'),
  Authorizers: () => import('./stack/authorizer.ts'),
  Domains: () => import('./stack/domain.ts'),
  'What is exposed': () => import('./stack/exposure.ts'),
  Functions: () => import('./stack/functions.ts'),
  Grants: () => import('./stack/grants.ts'),
  Names: () => import('./stack/names.ts'),
  'The protection of tables': () => import('./stack/protection.ts'),
  Rollouts: () => import('./stack/rollout.ts'),
  Routes: () => import('./stack/routes.ts'),
  'The rules of AWS Solutions': () => import('./stack/rules.ts'),
  Settings: () => import('./stack/settings.ts'),
  'The page': () => import('./stack/site.ts'),
  Sources: () => import('./stack/sources.ts'),
  'Tables, queues and logs': () => import('./stack/storage.ts'),
};

// One test file, so that the CDK loads once and all parts share their stacks.
for (const [name, load] of Object.entries(parts)) describe(name, async () => void (await load()));
