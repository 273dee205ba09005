/** What `npm pack` would ship: licences, no trace of the machine it was built on, and no dependency too many. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const [{ files, size }] = JSON.parse(
  execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }),
) as [{ files: { path: string }[]; size: number }];
const packed = files.map(({ path }) => path);
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string> | undefined>;
const namesIn = (field: string) => Object.keys(manifest[field] ?? {}).sort();
const packageOf = (specifier: string) => /^(@[^/]+\/)?[^/]+/.exec(specifier)![0];

it('holds the licences of all that is in it', () => {
  expect(packed).toContain('dist/LICENSES.txt');
  const sections = readFileSync('dist/LICENSES.txt', 'utf8').split(/^-{80}$/m);
  expect(sections.length).toBeGreaterThan(10);
  for (const section of sections) {
    const [heading, ...text] = section.trim().split('\n');
    expect(heading).toMatch(/, (MIT|ISC|BSD-3-Clause|BlueOak-1\.0\.0)$/);
    expect(text.join('\n')).toMatch(/copyright/i);
    expect(text.join('\n')).toMatch(/permission|redistribution/i);
  }
  const vocabularies = sections.find((section) => section.includes("tiktoken's vocabularies"))!;
  expect(vocabularies).toMatch(/Copyright \(c\) \d+ OpenAI/);
  for (const table of packed.filter((path) => path.startsWith('dist/tables/')))
    expect(vocabularies).toContain(/([^/]+)\.bin$/.exec(table)![1]);
});

it('names no folder of the machine that built it', () => {
  const traces = [process.cwd(), `${homedir()}/`].map((path) => Buffer.from(path));
  const wide = traces.map((trace) => Buffer.from(trace.toString(), 'utf16le')); // as V8 keeps some strings
  const holding = packed.filter((path) => {
    const bytes = readFileSync(path);
    return [...traces, ...wide].some((trace) => bytes.includes(trace));
  });
  expect(holding).toEqual([]);
});

it('stays small', () => {
  expect(size).toBeLessThan(3_600_000);
  expect(files.length).toBeLessThanOrEqual(200);
});

it('holds what runs, without maps and compiled code', () => {
  const folders = new Set(packed.map((path) => path.split('/')[0]));
  expect([...folders].sort()).toEqual(['LICENSE', 'README.md', 'bin', 'dist', 'package.json']);
  const programs = packed.filter((path) => path.endsWith('.cjs') && !path.includes('rolldown-runtime'));
  expect(programs.length).toBeGreaterThan(10);
  expect(packed.filter((path) => !/(\.(c?js|d\.ts|json|bin|txt|md|1)|^LICENSE)$/.test(path))).toEqual([]);
});

describe('dependencies', () => {
  /** The packages of which the adapters import only types. */
  const typed = new Set(
    readdirSync('src/adapters')
      .flatMap((file) => [...readFileSync(join('src/adapters', file), 'utf8').matchAll(/^import type .*'([^'.]+)';/gm)])
      .map(([, specifier]) => packageOf(specifier!)),
  );

  /** Those of `createRequire`, whose name is shortened in the packed programs. */
  const required = ['src/cli/files/database.ts', 'src/node/tokenizer.ts'].flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(/\b(?:require|createRequire\([^()]*\))\('([^':]+)'\)/g)].map(
      ([, specifier]) => specifier!,
    ),
  );

  it('are what the packed programs load and do not hold', () => {
    const loaded = packed
      .filter((path) => /\.c?js$/.test(path))
      .flatMap((path) => [
        ...readFileSync(path, 'utf8').matchAll(
          /\b(?:require|import|createRequire\)?\([^()]*\))\(\s*["'`]([^"'`./][^"'`]*)["'`]\s*\)/g,
        ),
        ...readFileSync(path, 'utf8').matchAll(/^\s*(?:import|export)\b[^'"\n]*\bfrom\s*["']([^"'./][^"']*)["']/gm),
      ])
      .map(([, specifier]) => specifier!)
      .filter((specifier) => !isBuiltin(specifier) && !specifier.startsWith('#')); // `#`: of our own
    const names = new Set([...loaded.map(packageOf), ...typed, ...required]);
    expect([...names].sort()).toEqual([...namesIn('dependencies'), ...namesIn('peerDependencies')].sort());
  });

  it('of the adapters are optional', () => {
    for (const name of namesIn('peerDependencies'))
      expect(manifest['peerDependenciesMeta']).toHaveProperty([name], { optional: true });
  });

  /** Those that no file imports: the word by which they are used. */
  const WORDS: Readonly<Record<string, string>> = {
    '@biomejs/biome': 'biome check',
    '@types/d3-hierarchy': 'd3-hierarchy',
    '@types/node': 'node:fs',
    '@typescript/typescript6': 'typescript6/bin/tsc6',
    '@vitest/coverage-v8': 'vitest run --coverage',
    typescript: 'typescript/bin/tsc',
  };

  it('of the developers are all used', () => {
    const texts = [
      JSON.stringify(manifest['scripts']),
      ...['build', 'vitest.config.ts', 'bench', 'fixtures', 'src', 'test'].flatMap(programsIn),
    ];
    const unused = namesIn('devDependencies').filter((name) => {
      const imported = new RegExp(`['"]${name}(/[^'"]*)?['"]`);
      return !texts.some((text) => (WORDS[name] === undefined ? imported.test(text) : text.includes(WORDS[name])));
    });
    expect(unused).toEqual([]);
  });

  it('are the same in the lock file, which names no registry', () => {
    const text = readFileSync('package-lock.json', 'utf8');
    const { packages } = JSON.parse(text) as { packages: Record<string, Record<string, unknown>> };
    for (const field of ['dependencies', 'devDependencies', 'peerDependencies', 'peerDependenciesMeta'])
      expect(packages['']![field]).toEqual(manifest[field]);
    const isLink = (entry: Record<string, unknown>) => entry['link'] === true; // to the tests of the adapters
    expect(Object.values(packages).filter((entry) => 'resolved' in entry && !isLink(entry))).toEqual([]);
  });
});

function programsIn(path: string): string[] {
  if (/\.m?[jt]s$/.test(path)) return path.endsWith('package.test.ts') ? [] : [readFileSync(path, 'utf8')];
  const entries = readdirSync(path, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory() || /\.m?[jt]s$/.test(entry.name))
    .flatMap((entry) => programsIn(join(path, entry.name)));
}
