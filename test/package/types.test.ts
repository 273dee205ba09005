/** The package as a consumer's compiler, Node and the package linters see it. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTypes } from '../shared/build.js';

const COMPILERS = {
  'TypeScript 7': 'node_modules/typescript/bin/tsc',
  'TypeScript 6': 'node_modules/@typescript/typescript6/bin/tsc6',
};
/**
 * Every strict check, and nothing that the consumer does not declare: no types of Node, no DOM. Of libraries, all but
 * the compiler's own are checked.
 */
const STRICT = {
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  skipDefaultLibCheck: true,
  types: [],
  target: 'es2022',
  lib: ['es2022'],
};

const ADAPTERS = readdirSync('src/adapters').map((file) => file.replace(/\.ts$/, ''));
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: Record<string, unknown> };

const consumer = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-trim-consumer-')));
const installed = join(consumer, 'node_modules/ctx-trim');
let tarball: Buffer;

beforeAll(() => {
  buildTypes();
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', consumer];
  const [{ filename }] = JSON.parse(
    execFileSync('npm', pack, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  ) as [{ filename: string }];
  tarball = readFileSync(join(consumer, filename));
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', filename, '-C', 'node_modules/ctx-trim', '--strip-components=1'], { cwd: consumer });
  cpSync('test/package/consumer', consumer, { recursive: true });
  writeFileSync(join(consumer, 'package.json'), '{ "name": "consumer", "type": "module" }');
  writeFileSync(join(consumer, 'exports.ts'), everyExport());
});

afterAll(() => rmSync(consumer, { recursive: true, force: true }));

describe('the types', () => {
  it('name every value that the program exports', async () => {
    const program = (await import(pathToFileURL(join(installed, 'dist/lib/index.js')).href)) as object;
    expect(exported('').sort()).toEqual(Object.keys(program).sort());
    expect(exported('type ').length).toBeGreaterThan(0);
  });

  it('are one file for each entry, and one that they share', () => {
    const declarations = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((path) =>
      /\.d\.[cm]?ts$/.test(path),
    );
    const adapters = ADAPTERS.map((name) => `dist/lib/adapters/${name}.d.ts`);
    const entries = ['dist/lib/index.d.ts', 'dist/lib/plugin.d.ts', ...adapters, 'dist/lib/types.d.ts'];
    expect(declarations.map((path) => path.replaceAll('\\', '/')).sort()).toEqual(entries.sort());
    for (const name of ADAPTERS)
      expect(manifest.exports[`./${name}`]).toEqual({
        types: `./dist/lib/adapters/${name}.d.ts`,
        default: `./dist/lib/adapters/${name}.js`,
      });
  });

  it.each([
    ['TypeScript 7', 'node16', 'node16'],
    ['TypeScript 7', 'esnext', 'bundler'],
    ['TypeScript 6', 'node16', 'node16'],
  ] as const)(
    'compile with %s, module %s, resolution %s, and the program runs',
    (compiler, module, moduleResolution) => {
      const outDir = `out-${moduleResolution}`;
      const compilerOptions = { ...STRICT, module, moduleResolution, outDir };
      writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
      const { stdout, stderr } = spawnSync(process.execPath, [COMPILERS[compiler], '-p', consumer], {
        encoding: 'utf8',
      });
      expect(stdout + stderr).toBe('');
      execFileSync(process.execPath, [join(consumer, outDir, 'program.js')], { stdio: 'pipe' });
    },
  );
});

it('exports its schemas and its package.json', () => {
  const require = createRequire(join(consumer, 'package.json'));
  expect(require('ctx-trim/package.json')).toHaveProperty('name', 'ctx-trim');
  const schemas = readdirSync(join(installed, 'dist/schema'));
  expect(schemas.length).toBeGreaterThan(0);
  for (const schema of schemas) expect(require(`ctx-trim/schema/${schema}`)).toHaveProperty('$schema');
});

it('has nothing for publint to report', async () => {
  const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer }, strict: true });
  expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
});

it('has nothing for arethetypeswrong to report (profile esm-only)', async () => {
  const analysis = await checkPackage(createPackageFromTarballData(tarball));
  if (analysis.types === false) throw new Error('the package has no types');
  const problems = analysis.problems.filter(
    (problem) => !('resolutionKind' in problem && ['node10', 'node16-cjs'].includes(problem.resolutionKind)),
  );
  expect(problems).toEqual([]);
  expect(Object.keys(analysis.entrypoints)).toContain('.');
});

/** A module that imports each export by its name. */
function everyExport(): string {
  return [
    `import { ${exported('').join(', ')} } from 'ctx-trim';`,
    `export const values: readonly unknown[] = [${exported('').join(', ')}];`,
    `export type { ${exported('type ').join(', ')} } from 'ctx-trim';`,
  ].join('\n');
}

/** The names of all values (`kind` is empty) or types (`type `) that the declarations export. */
function exported(kind: '' | 'type '): string[] {
  const types = new Set(listed('types', 'export type { ').map(({ name }) => name));
  const names = [...listed('index', 'export { '), ...listed('index', 'export type { ')];
  return names.filter(({ from }) => types.has(from) === (kind === 'type ')).map(({ name }) => name);
}

/** What stands in the lists `export { from as name, … }` of a file. */
function listed(file: string, start: string): { readonly from: string; readonly name: string }[] {
  const lines = readFileSync(join(installed, `dist/lib/${file}.d.ts`), 'utf8').split('\n');
  return lines
    .filter((line) => line.startsWith(start))
    .flatMap((line) => line.slice(start.length, line.indexOf(' }')).split(', '))
    .map((one) => one.split(' as '))
    .map(([from, name]) => ({ from: from!, name: name ?? from! }));
}
