/** The floors of the house: imports run down, and only the top two know the world outside. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Rooms, the lowest floor first: imports go to lower floors or stay in their room. */
const FLOORS: readonly (readonly string[])[] = [
  ['safe', 'errors.ts', 'decimals.ts', 'lists.ts', 'omissions.ts', 'once.ts'],
  ['transcript', 'findings.ts', 'registries.ts'],
  ['json', 'options', 'text', 'tokens'],
  ['formats', 'json-schema', 'measure/pricing'],
  ['transforms'],
  ['source', 'rules', 'policy', 'secrets', 'measure/stats'],
  ['conversion', 'measure/simulation', 'node', 'plugin'],
  ['engine'],
  ['documents'],
  ['reports'],
  ['hooks', 'cli/terminal'],
  ['index.ts', 'plugin.ts', 'guards', 'cli/files'],
  ['adapters', 'cli/config', 'cli/sessions'],
  ['cli/options'],
  ['cli/inputs'],
  ['cli/context'],
  ['cli/outputs'],
  ['cli/commands'],
  ['cli'],
];

/** The rooms that may know the world: files, terminals, the process. */
const isWorldly = (room: string) => room === 'node' || room.startsWith('cli');

/** What lies beside what is built of it, and is never imported. */
const SCRIPTS = ['node/web.ts', 'tokens/bpe/generate.ts', 'json/assembly/scan.ts', 'json/assembly/bytes.ts'];

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
    expect(floorOf(room)).toBeGreaterThanOrEqual(0);
  });

  it('imports from below or from its own room', () => {
    const wrong = inner(file).filter((target) => {
      const other = roomOf(target);
      return other !== room && floorOf(other) >= floorOf(room);
    });
    expect(wrong).toEqual([]);
  });

  if (!isWorldly(room)) {
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

it('stands in CONTRIBUTING.md, floor by floor', () => {
  const rows = [...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^\| (\d+) \| (.+?) \|/gm)];
  const listed = rows.map(([, floor, rooms]) => [
    Number(floor),
    [...rooms!.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  ]);
  const above = FLOORS.map((rooms, floor) => [floor, [...rooms].sort()]).slice(1); // the ground floor shows a few files
  expect(listed.filter(([floor]) => floor !== 0).map(([floor, rooms]) => [floor, [rooms].flat().sort()])).toEqual(
    above.toReversed(),
  );
});

it('has types that import nothing', () => {
  expect(files.find(({ path }) => path === 'transcript/types.ts')!.imports).toEqual([]);
});

/** A folder of src, or a file in it; of these two, a folder within, as they are whole floors. */
function roomOf(path: string): string {
  const [folder, room, ...file] = path.split('/');
  return file.length > 0 && /^(?:cli|measure)$/.test(folder!) ? `${folder}/${room}` : folder!;
}

function floorOf(room: string): number {
  return FLOORS.findIndex((rooms) => rooms.includes(room));
}

/** Strings stay; a comment that mentions an import is none. */
function withoutComments(code: string): string {
  return code.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
}
