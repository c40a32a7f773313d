import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    // Modules run as Node runs them in production, types stripped: nothing is transformed, nothing differs.
    experimental: { viteModuleRunner: false },
  },
});
