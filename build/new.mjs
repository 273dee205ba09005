// `npm run new format|rule|transform|reporter <id>`: what CONTRIBUTING.md adds as an example, under another name.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { KINDS } from './new-kinds.mjs';

const [kind, id = ''] = process.argv.slice(2);
try {
  const written = create(kind, id);
  execFileSync(process.execPath, ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', ...written], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  console.log(`${written.join('\n')}\n\nNow: npx vitest run ${KINDS[kind].test(id)}\nThen: ${KINDS[kind].next}.`);
} catch (error) {
  console.error(`npm run new: ${error.message}`);
  process.exitCode = 2;
}

/** Returns the paths of what was written. */
function create(kind, id) {
  if (!Object.hasOwn(KINDS, kind)) throw new Error(`a kind is needed, and an id: ${Object.keys(KINDS).join(', ')}`);
  const { pattern, renamed, registry, lines } = KINDS[kind];
  if (!pattern.test(id)) throw new Error(`\`${id}\` is no id of a ${kind}; see "Add a ${kind}" in CONTRIBUTING.md`);
  const names = renamed(id);
  const files = examples(kind).map(({ path, code }) => ({ path: replaced(path, names), code: replaced(code, names) }));
  const taken = files.find(({ path }) => existsSync(path));
  if (taken !== undefined) throw new Error(`${taken.path} exists already`);
  const listed = new Map();
  for (const { file = registry, ...line } of lines(id))
    listed.set(file, withLine(listed.get(file) ?? readFileSync(file, 'utf8'), line));
  for (const [path, code] of [...files.map(({ path, code }) => [path, code]), ...listed]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, code);
  }
  return [...files.map(({ path }) => path), ...listed.keys()];
}

/** The files that a section of CONTRIBUTING.md shows: each block of code follows its path. */
function examples(kind) {
  const guide = readFileSync('CONTRIBUTING.md', 'utf8');
  const [section] = guide.split(`\n## Add a ${kind}\n`)[1].split('\n## ');
  return [...section.matchAll(/`([\w./-]+\.\w+)`:\n\n```(?:ts|json)\n([\s\S]*?)```/g)].map(([, path, code]) => ({
    path,
    code,
  }));
}

function replaced(text, names) {
  return names.reduce((now, [name, other]) => now.replaceAll(name, other), text);
}

function withLine(text, { before, after, line }) {
  const [head, tail, ...more] = text.split(before ?? after);
  if (tail === undefined || more.length > 0)
    throw new Error(`\`${before ?? after}\` does not stand once in the registry`);
  return before === undefined ? `${head}${after}${line}${tail}` : `${head}${line}${before}${tail}`;
}
