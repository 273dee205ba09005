import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Watching and coverage need src/ in Vitest's own module loader; where Node loads it, tests take less time. */
const isNative = process.argv.includes('run') && !process.argv.some((word) => word.startsWith('--coverage'));

/** src/ as JavaScript, for Node: see test/shared/native/sources.ts. Mutants stand in another folder. */
const SOURCES = resolve(process.env['CTX_TRIM_SOURCES'] ?? 'sources.tmp').replaceAll('\\', '/');

/** What the build puts in the place of these names. */
const defined = JSON.parse(readFileSync('test/shared/native/defined.json', 'utf8')) as Record<string, unknown>;

/**
 * Much code runs a little: V8's optimizer, which waits longer (a flag of Node 20) and inlines less, spares a third of
 * the CPU time of two long files (41 to 26 s, 2026-11-30), and some percent of the whole suite's, where code gets warm.
 * Collecting garbage less often spares 3 %.
 */
const V8 = [
  '--max-semi-space-size=64',
  '--max-inlined-bytecode-size-cumulative=200',
  ...(process.version.startsWith('v20.') ? ['--interrupt-budget=400000'] : []),
];

/** Short files that take long: none of them is to begin when all others have ended. */
const LONG = new RegExp(
  `/test/(?:${[
    'adapters/types|cli/commands/(?:sessions|completion)|contributing|docs/docs|documents',
    'library/(?:engine|plain-messages)|laws/(?:growth|reading|shuffled|transforms)|package/types',
    'measure/simulation/(?:negative|recordings)',
    'reports/report-chromium|rules/together|schemas/schemas|transforms/by-table',
  ].join('|')})\\.test\\.ts$`,
);

/** By default, what took long the last time begins, and where nothing is known of that, what is large. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  define: Object.fromEntries(Object.entries(defined).map(([name, value]) => [name, JSON.stringify(value)])),
  test: {
    ...(isNative && {
      execArgv: [...V8, '--enable-source-maps', '--import', './test/shared/native/defined.mjs'],
      alias: [{ find: /^(?:\.\.?\/)+src\/(.*)\.[jt]s$/, replacement: `${SOURCES}/$1.js` }],
      server: { deps: { external: [/\/(?:sources|mutants-code)\.tmp\/.*\.js$/] } },
    }),
    include: ['test/**/*.test.ts'],
    env: {
      SOURCE_DATE_EPOCH: '1795305600', // 2026-11-22: the day on which nothing warns of old prices
      NODE_EXTRA_CA_CERTS: '', // Node 20 reads them at each start, which takes as long as a run
      TZ: 'UTC', // times without a zone are read as local ones
    },
    globalSetup: ['test/shared/temporary.ts', 'test/shared/build.ts', 'test/shared/native/sources.ts'],
    reporters: ['default', './test/shared/skip-reporter.ts'],
    // more than processors: tests that wait for a program that they run leave one idle
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    isolate: false, // no test changes what another sees: loading the modules for each file would take 15 seconds more
    sequence: { sequencer: LongFirst },
    testTimeout: 600_000, // for what hangs: the longest take a minute where eight others want the processor
    hookTimeout: 600_000,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/tokens/bpe/generate.ts'],
      reporter: ['text-summary', 'html'],
    },
  },
});
