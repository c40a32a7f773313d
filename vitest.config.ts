import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: './infra/lexicon/fresh.ts',
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // As many as there are cores: much of a test's time is waiting for the stand-ins.
    maxWorkers: '100%',
    // Modules run as Node runs them in production, types stripped: nothing is transformed, nothing differs.
    experimental: { viteModuleRunner: false },
  },
});
