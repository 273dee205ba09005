/** Words that nobody should have to look up, in what people read: the documents, the help, and texts of the program. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Each with what to say instead. */
const WORDS: Readonly<Record<string, string>> = {
  aforementioned: 'this',
  'by marks': 'with marks',
  clues: 'signatures',
  coheres: 'fits together',
  dearer: 'more expensive',
  dearest: 'most expensive',
  'e\\.g\\.': 'such as',
  fates: 'what becomes of it',
  forthwith: 'now',
  'for want of': 'without',
  hence: 'so',
  henceforth: 'from now on',
  hitherto: 'until now',
  'i\\.e\\.': 'that is',
  'in order to': 'to',
  '(?<!there )(?:is|are) no (?:JSON|text|texts|dates?|numbers?|messages|transcripts?)': 'is not',
  'in vain': 'for nothing',
  lest: 'so that … not',
  leverage: 'use',
  'mend(?:s|ed|ing)?': 'repair',
  'no fewer': 'at least',
  'prior to': 'before',
  remedy: 'fix',
  seldom: 'rarely',
  'slip of the pen': 'mistake',
  thereof: 'of it',
  thus: 'so',
  upon: 'on',
  utilize: 'use',
  wherein: 'in which',
  whereof: 'of which',
  whilst: 'while',
};
const PATTERN = new RegExp(`\\b(?:${Object.keys(WORDS).join('|')})(?![\\w-])`, 'gi');

const filesBelow = (folder: string, ending: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith(ending))
    .map((path) => join(folder, path));

/** Texts of a program: what stands between quotes and has a space in it. Regular expressions and comments do not. */
function textsIn(source: string): string[] {
  const lines = source.split('\n').filter((line) => !/^\s*(?:\/?\*|\/\/)/.test(line));
  return lines.flatMap((line) => (line.match(/'(?:[^'\\]|\\.)*'|`[^`]*`/g) ?? []).filter((text) => text.includes(' ')));
}

/** Outputs in documents may quote transcripts, which say what they like. */
const withoutBlocks = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '');

it('are in no document', () => {
  const documents = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', ...filesBelow('docs', '.md')];
  expect(documents.length).toBeGreaterThan(40);
  const found = documents.flatMap((path) =>
    (withoutBlocks(readFileSync(path, 'utf8')).match(PATTERN) ?? []).map((word) => `${path}: ${word}`),
  );
  expect(found).toEqual([]);
});

it('are in no text of the program', () => {
  const folders = ['src/cli', 'src/reports', 'src/engine', 'src/transforms', 'src/rules', 'src/formats', 'src/policy'];
  const found = folders
    .flatMap((folder) => filesBelow(folder, '.ts'))
    .filter((path) => !/query-history|guesses/.test(path)) // the words of others
    .flatMap((path) => textsIn(readFileSync(path, 'utf8')).map((text) => [path, text] as const))
    .flatMap(([path, text]) => (text.match(PATTERN) ?? []).map((word) => `${path}: ${word} in ${text.slice(0, 80)}`));
  expect(found).toEqual([]);
});
