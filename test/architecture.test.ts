/** The floors of the house: imports run down, and only the top two know the world outside. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

/** By room: a folder of src, or a file that is a room of its own. Imports go to lower floors or stay in their room. */
const FLOORS: Readonly<Record<string, number>> = {
  'main.ts': 11,
  'cli.ts': 10,
  commands: 9,
  io: 8,
  reports: 8,
  adapters: 11,
  guards: 10,
  'index.ts': 10,
  library: 9,
  app: 7,
  simulation: 6,
  conversion: 6,
  source: 5,
  rules: 5,
  secrets: 5,
  policy: 5,
  stats: 4,
  transforms: 4,
  formats: 3,
  pricing: 3,
  'json-schema': 3,
  options: 2,
  json: 2,
  tokens: 2,
  text: 2,
  transcript: 1,
  'findings.ts': 1,
  'omissions.ts': 0,
  'errors.ts': 0,
  'decimals.ts': 0,
  'lists.ts': 0,
  safe: 0,
  documents: 0,
};

/** The rooms that may know the world: files, terminals, the process. */
const WORLDLY = ['main.ts', 'cli.ts', 'commands', 'io'];

/** What lies beside what is built of it, and is never imported. */
const SCRIPTS = ['tokens/bpe/generate.ts', 'json/assembly/scan.ts', 'json/assembly/bytes.ts'];

const WORLDLY_PACKAGES = /^(node:|chalk$|commander$|cli-progress$|tinyglobby$)/;

/** A source of data may name anything. */
const LINK = /https:\/\/[^\s']+/g;

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
      return other !== room && !(FLOORS[other]! < FLOORS[room]!);
    });
    expect(wrong).toEqual([]);
  });

  if (!WORLDLY.includes(room)) {
    it('knows nothing of the world', () => {
      expect(file.imports.filter((specifier) => WORLDLY_PACKAGES.test(specifier))).toEqual([]);
      expect(file.code.replace(LINK, '').match(/\b(process|console|globalThis|require)\b[.([]/g) ?? []).toEqual([]);
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
