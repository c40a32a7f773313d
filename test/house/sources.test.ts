import { describe } from 'vitest';

const parts = {
  Claims: () => import('./claims.ts'),
  Exports: () => import('./exports.ts'),
  Imports: () => import('./imports.ts'),
};

// One test file, so that the project is parsed only once.
for (const [name, load] of Object.entries(parts)) describe(name, async () => void (await load()));
