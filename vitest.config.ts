import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Every process that a test starts loads the same modules: stripped of their types and compiled once.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');

// A quarter of what esbuild and the compiler of TypeScript do is freeing memory, which they give back when they end: they do it from 2 GB on.
process.env.GOGC ??= 'off';
process.env.GOMEMLIMIT ??= '2GiB';

/**
 * What changes its process for good, fills its memory, or takes long: each of these files has a process to itself, and they are begun
 * first.
 */
const ALONE = [
  'test/infra/bundle.test.ts',
  'test/packages/tarballs.test.ts',
  'test/web/page*.test.ts',
  'test/web/page/**/*.test.ts',
];

/** Parts of pages, in a document without a browser, which takes longer to make than most of these tests. */
const DOM = ['test/web/dom/*.test.ts', 'test/packages/dom/*.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['./test/stand-in.ts', './infra/lexicon/fresh.ts'],
    // What hangs is ended; how fast the machine is decides nothing.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    tags: [{ name: 'whole', description: '`npm run test:whole` runs it longer, or on the stand-ins (test/runs.ts)' }],
    // One more than there are cores: much of a test's time is waiting for the stand-ins, or for a browser.
    maxWorkers: availableParallelism() + 1,
    // Modules run as Node runs them in production, types stripped: nothing is transformed, nothing differs.
    experimental: { viteModuleRunner: false },
    projects: [
      // Files one after the other in one process: modules, the lexicon and the SDK are loaded once.
      {
        extends: true,
        test: { name: 'together', include: ['test/**/*.test.ts'], exclude: [...ALONE, ...DOM], isolate: false },
      },
      { extends: true, test: { name: 'alone', include: ALONE } },
      {
        extends: true,
        test: {
          name: 'dom',
          include: DOM,
          isolate: false,
          environment: 'jsdom',
          setupFiles: ['./test/web/dom/jsx.ts'],
        },
      },
    ],
  },
});
