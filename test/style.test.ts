/** House style: short lines, short files, American spelling. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const LONGEST_LINE = 120;
const LONGEST_FILE = 300;

const FOLDERS = ['src', 'test', 'bench', 'build', 'bin', 'docs'].filter(existsSync);

/** Data and generated files: their lines are as long as the data. */
const LONG_LINES: readonly string[] = [
  'src/json/code.ts', // WebAssembly in base64
  'src/policy/query-history/prompts.ts', // prompts, whose lines are theirs
  'src/rules/responses/call-id-length.json', // an id that is too long, in one piece
  'src/schema/config.schema.json', // generated
  'src/schema/policy.schema.json', // generated
];

/** Console sessions and documents: their code blocks are recorded output, as wide as the program prints it. */
const SESSIONS = /^(?:test\/sessions\/|docs\/|README\.md$)/;

/** Data: the files are as long as the lists in them. */
const LONG_FILES: readonly string[] = [
  'src/documents/types.ts', // printed from the schemas
  'src/formats/index.ts',
  'src/rules/index.ts',
  'src/schema/config.schema.json',
  'src/schema/policy.schema.json',
];

const BRITISH =
  /\b(?:un)?(?:colour|behaviour|neighbour|favour|honour|labell|catalogue|centre|licence|artefact|grey)\w*/gi;
const BRITISH_VERBS =
  /\b\w*(?:recogni|normali|seriali|summari|optimi|organi|tokeni|minimi|initiali)s(?:e|es|ed|ing)\b/gi;

const files = [
  ...FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path).replaceAll('\\', '/')),
  ),
  ...readdirSync('.').filter((path) => /\.(?:md|mjs|ts)$/.test(path)),
]
  .filter((path) => /\.(?:[cm]?[jt]s|json|md)$/.test(path) && statSync(path).isFile())
  .sort()
  .map((path) => ({
    path,
    lines: readFileSync(path, 'utf8')
      .replace(/\r?\n$/, '')
      .split(/\r?\n/),
  }));

describe('house style', () => {
  it('reads the files of the project', () => {
    expect(files.length).toBeGreaterThan(500);
  });

  it(`has lines of at most ${LONGEST_LINE} characters`, () => {
    const long = files
      .filter(({ path }) => !LONG_LINES.includes(path))
      .map(({ path, lines }) => ({ path, lines: SESSIONS.test(path) ? withoutBlocks(lines) : lines }))
      .flatMap(({ path, lines }) => lines.flatMap((line, at) => (isTooLong(line) ? [`${path}:${at + 1}`] : [])));
    expect(long).toEqual([]);
  });

  it(`has files of at most ${LONGEST_FILE} lines in src`, () => {
    const long = files.filter(
      ({ path, lines }) => path.startsWith('src/') && lines.length > LONGEST_FILE && !LONG_FILES.includes(path),
    );
    expect(long.map(({ path, lines }) => `${path}: ${lines.length}`)).toEqual([]);
  });

  it('has American spelling in src and docs', () => {
    const british = files
      .filter(({ path }) => /^(?:src|docs)\/|^[^/]+\.md$/.test(path))
      .flatMap(({ path, lines }) =>
        lines.flatMap((line, index) =>
          [...line.matchAll(BRITISH), ...line.matchAll(BRITISH_VERBS)].map(([word]) => `${path}:${index + 1} ${word}`),
        ),
      );
    expect(british).toEqual([]);
  });

  it('lists only exceptions that are needed', () => {
    const byPath = new Map(files.map(({ path, lines }) => [path, lines]));
    expect(LONG_LINES.filter((path) => !byPath.get(path)?.some(isTooLong))).toEqual([]);
    expect(LONG_FILES.filter((path) => (byPath.get(path)?.length ?? 0) <= LONGEST_FILE)).toEqual([]);
  });
});

/** URLs and rows of Markdown tables cannot be broken. */
function isTooLong(line: string): boolean {
  return (
    !/^\|.*\|$/.test(line) && line.length > LONGEST_LINE && line.replace(/https?:\/\/\S+/g, '').length > LONGEST_LINE
  );
}

/** Lines of Markdown with those of fenced code blocks emptied. */
function withoutBlocks(lines: readonly string[]): string[] {
  let isBlock = false;
  return lines.map((line) => {
    const isFence = line.startsWith('```');
    if (isFence) isBlock = !isBlock;
    return isFence || isBlock ? '' : line;
  });
}
