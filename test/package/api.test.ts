/** What programs import, as its types say: a change of it is a change for users. `UPDATE=1` writes it anew. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { buildTypes } from '../shared/build.js';

const KEPT = 'test/package/api';
const ADAPTERS = readdirSync('src/adapters').map((file) => file.slice(0, -3));
const ENTRIES = ['types', 'index', 'plugin', ...ADAPTERS.map((name) => `adapters/${name}`)];

beforeAll(buildTypes, 300_000);

it.each(ENTRIES)('%s is what it was', (name) => {
  const file = join(KEPT, `${name}.txt`);
  const current = declarations(name);
  if (process.env['UPDATE']) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, current);
  }
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const [gone, added] = [missing(kept, current), missing(current, kept)];
  const changes = [...gone.map((line) => `- ${line}`), ...added.map((line) => `+ ${line}`)].slice(0, 20);
  const hint = 'UPDATE=1 writes them anew; name the change in CHANGELOG.md';
  if (kept !== current) throw new Error(`the types of ${name} changed; ${hint}:\n${changes.join('\n')}`);
});

it('keeps nothing that is gone', () => {
  const kept = readdirSync(KEPT, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.txt'));
  expect(kept.map((path) => path.replaceAll('\\', '/').slice(0, -4)).sort()).toEqual([...ENTRIES].sort());
});

/** Declarations of an entry, or of what entries share. */
function declarations(name: string): string {
  return statements(name).join('');
}

/** The statements of a file of declarations, without comments. */
function statements(name: string): string[] {
  const text = readFileSync(`dist/lib/${name}.d.ts`, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`.split(/^(?=[^\s}])/m);
}

/** The lines of the first text that the second has not. */
function missing(text: string, other: string): string[] {
  const lines = new Set(other.split('\n'));
  return text.split('\n').filter((line) => !lines.has(line));
}
