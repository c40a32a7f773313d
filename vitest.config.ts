import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

// Share compiled modules between all processes that tests start.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'node-compile-cache');

// esbuild and tsc are short-lived but spend a quarter of their time on garbage collection: collect only above 2 GB.
process.env.GOGC ??= 'off';
process.env.GOMEMLIMIT ??= '2GiB';

/** Files that change global state, need much memory, or take long: each runs in its own process, and they start first. */
const ALONE = [
  'test/infra/bundle.test.ts',
  'test/packages/tarballs.test.ts',
  'test/web/page*.test.ts',
  'test/web/page/**/*.test.ts',
];

/** Component tests in jsdom. They share one document because creating it takes longer than most of them. */
const DOM = ['test/web/dom/*.test.ts', 'test/packages/dom/*.test.ts'];

export default defineConfig({
  test: {
    globalSetup: ['./test/check-dynamodb.ts', './infra/lexicon/fresh.ts'],
    // Long enough that a slow machine never fails a test; only hanging tests reach it.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    tags: [
      { name: 'whole', description: '`npm run test:whole` runs these longer, or on the stand-ins (test/run-size.ts)' },
    ],
    // One more than the number of cores, because tests often wait for a stand-in or a browser.
    maxWorkers: availableParallelism() + 1,
    // Run modules as Node does in production: types stripped, otherwise untransformed.
    experimental: { viteModuleRunner: false },
    projects: [
      // One process runs many files in sequence and loads modules, the lexicon, and the SDK once.
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
