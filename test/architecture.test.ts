/** The floors of the house: imports run down, and only the top two know the world outside. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

/** By room: a folder of src, or a file that is a room of its own. */
const FLOORS: Readonly<Record<string, number>> = {
  'cli.ts': 8,
  'main.ts': 8,
  'start.ts': 8,
  commands: 7,
  io: 7,
  'index.ts': 6,
  'library.ts': 5,
  reports: 5,
  simulation: 4,
  source: 4,
  conversion: 4,
  stats: 4,
  formats: 3,
  transforms: 3,
  rules: 4,
  policy: 4,
  json: 2,
  tokens: 2,
  pricing: 2,
  transcript: 1,
  'errors.ts': 0,
  'lists.ts': 0,
  safe: 0,
};

/** Rooms that may import another of their own floor. */
const NEIGHBOURS: Readonly<Record<string, readonly string[]>> = {
  commands: ['io'], // commands read and write files and terminals
  source: ['stats'], // the library counts as stats does
  conversion: ['rules'], // what it writes keeps the target's rules
  'main.ts': ['cli.ts'], // main.ts only starts it
  simulation: ['source', 'stats'], // it counts as stats does, and opens plain messages for programs
};

/** What lies beside what is built of it, and is never imported. */
const SCRIPTS = ['tokens/bpe/generate.ts', 'json/assembly/scan.ts'];

/** What only the floors from here on may know. */
const WORLD = 7;
const WORLDLY_PACKAGES = /^(node:|chalk$|commander$|cli-progress$|tinyglobby$)/;

interface File {
  readonly path: string;
  readonly code: string;
  readonly imports: readonly string[];
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !SCRIPTS.includes(path))
  .map((path): File => {
    const code = withoutComments(readFileSync(join('src', path), 'utf8'));
    return {
      path,
      code,
      imports: [...code.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+)'([^']+)'/g)].map(
        ([, specifier]) => specifier!,
      ),
    };
  });
const inner = (file: File) =>
  file.imports
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => normalize(join(dirname(file.path), specifier)).replace(/\.js$/, '.ts'));

it('sees the files', () => {
  expect(files.length).toBeGreaterThan(40);
  expect(files.flatMap(inner).length).toBeGreaterThan(100);
  for (const target of files.flatMap(inner)) expect(files.map(({ path }) => path)).toContain(target);
});

describe.each(files)('$path', (file) => {
  const room = roomOf(file.path);

  it('stands on a floor', () => {
    expect(FLOORS[room]).toBeDefined();
  });

  it('imports from below or from its own room', () => {
    const wrong = inner(file).filter((target) => {
      const other = roomOf(target);
      return other !== room && !(FLOORS[other]! < FLOORS[room]!) && !NEIGHBOURS[room]?.includes(other);
    });
    expect(wrong).toEqual([]);
  });

  if (FLOORS[room]! < WORLD) {
    it('knows nothing of the world', () => {
      expect(file.imports.filter((specifier) => WORLDLY_PACKAGES.test(specifier))).toEqual([]);
      expect(file.code.match(/\b(process|console|globalThis|require)\b[.([]/g) ?? []).toEqual([]);
    });
  }
});

it('makes safe text in one room only', () => {
  const makers = files.filter(({ code }) =>
    /\b(?:as|<)\s*(?:SafeText|SafeIn|MarkdownText|XmlText)\b(?!\s*[,}>])/.test(code),
  );
  expect(makers.map(({ path }) => roomOf(path)).filter((room) => room !== 'safe')).toEqual([]);
  expect(makers).not.toEqual([]);
});

it('has no circles', () => {
  const importsOf = new Map(files.map((file) => [file.path, inner(file)]));
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (path: string, trail: readonly string[]) => {
    if (trail.includes(path)) circles.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
    else if (!done.has(path)) for (const target of importsOf.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  expect(circles).toEqual([]);
});

it('has types that import nothing', () => {
  expect(files.find(({ path }) => path === 'transcript/types.ts')!.imports).toEqual([]);
});

function roomOf(path: string): string {
  return path.split('/')[0]!;
}

/** Strings stay; a comment that mentions an import is none. */
function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
}
