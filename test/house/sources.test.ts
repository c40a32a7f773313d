import { describe } from 'vitest';

const parts = {
  Claims: () => import('./claims.ts'),
  Exports: () => import('./exports.ts'),
  Imports: () => import('./imports.ts'),
};

// In one file, and so in one process: all of the project is parsed once.
for (const [name, load] of Object.entries(parts)) describe(name, async () => void (await load()));
