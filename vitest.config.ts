import { defineConfig } from 'vitest/config';

export default defineConfig({
  // what the build puts in their place
  define: {
    __VERSION__: JSON.stringify('0.0.0'),
    __BUILD__: JSON.stringify('tests'),
    __BUGS__: JSON.stringify('https://example.com/issues'),
    __TABLES__: JSON.stringify('../../dist/tables'),
  },
  test: {
    include: ['test/**/*.test.ts'],
    env: { SOURCE_DATE_EPOCH: '1795305600' }, // 2026-11-22: the day on which nothing warns of old prices
    globalSetup: ['test/shared/build.ts'],
    reporters: ['default', './test/shared/skip-reporter.ts'],
    maxWorkers: '100%', // by default one processor is left idle
    isolate: false, // no test changes what another sees: loading the modules for each file would take 15 seconds more
    testTimeout: 60_000,
    hookTimeout: 60_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/tokens/bpe/generate.ts'],
      reporter: ['text-summary', 'html'],
    },
  },
});
