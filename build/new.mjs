// `npm run new format|rule|transform|reporter <id>`: what CONTRIBUTING.md adds as an example, under another name.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

const camel = (id) => id.replace(/[-/](\w)/g, (_, letter) => letter.toUpperCase());
const pascal = (id) => camel(`-${id}`);

/**
 * `renamed`: what the names of the example become, longest first. `lines`: where the registry, or another file, gets a
 * line, as a text that stands there once, and the line before or after it. `next`: what is left to do.
 */
const KINDS = {
  format: {
    pattern: /^[a-z\d]+(-[a-z\d]+)*$/,
    renamed: (id) => [
      ['acme/acme-log', `${id.split('-')[0]}/${id}`],
      ['acme-log', id],
      ['acmeLog', camel(id)],
      ['Acme', pascal(id.split('-')[0])],
    ],
    registry: 'src/formats/index.ts',
    lines: (id) => [
      { before: 'import type { Format }', line: `import ${camel(id)} from './${id.split('-')[0]}/${id}.js';\n` },
      {
        before: "  {\n    id: 'openai-chat',",
        line: `  { id: '${id}', title: '${pascal(id.split('-')[0])} chat logs', signatures: ['role sent_at'],
          load: () => ${camel(id)} },\n`,
      },
      {
        file: 'test/shared/limits.ts',
        after: "  'openai-chat': [noFlags('a tool message has no flag')],\n",
        line: `  '${id}': [noFlags('a tool message has no flag')],\n`,
      },
    ],
    test: (id) => `test/formats/${id}.test.ts test/laws/messages.test.ts`,
    next: 'put real recordings into its fixtures, name their sources in fixtures/SOURCES.md, and run npm run docs',
  },
  rule: {
    pattern: /^[a-z\d-]+\/[a-z\d-]+$/,
    renamed: (id) => [
      ['chat/name-with-space', id],
      ['chatNameWithSpace', camel(id)],
    ],
    registry: 'src/rules/index.ts',
    lines: (id) => [
      { before: 'import type { Rule }', line: `import ${camel(id)} from './${id}.js';\n` },
      {
        after: '  // Fields and roles of messages, and characters of texts.\n',
        line: `  '${id}': () => ${camel(id)},\n`,
      },
    ],
    test: (id) => `test/rules/examples.test.ts -t ${id}`,
    next: 'move its line in the registry to the group that fits, and run npm run docs',
  },
  transform: {
    pattern: /^[a-z]+$/,
    renamed: (id) => [
      ['transforms/mask', `transforms/${id}`],
      ["'mask'", `'${id}'`],
      ["'mask ", `'${id} `],
      ['ctx-trim mask', `ctx-trim ${id}`],
    ],
    registry: 'src/transforms/index.ts',
    lines: (id) => [
      { before: 'import patch from', line: `import ${id} from './${id}.js';\n` },
      { before: '] as const;', line: `, ${id}` },
    ],
    test: (id) => `test/transforms/cases.test.ts -t ${id}`,
    next: 'add three more cases to its fixtures, and run npm run docs',
  },
  reporter: {
    pattern: /^[a-z]+$/,
    renamed: (id) => [
      ['findings/counts', `findings/${id}`],
      ['reports/counts', `reports/${id}`],
      ["'counts'", `'${id}'`],
      ['findingsCounts', `findings${pascal(id)}`],
    ],
    registry: 'src/reports/findings/index.ts',
    lines: (id) => [
      {
        after: "import('./gitlab.js')).reporter,\n",
        line: `  ${id}: async () => (await import('./${id}.js')).reporter,\n`,
      },
    ],
    test: (id) => `test/reports/${id}.test.ts`,
    next: 'show it in test/sessions/check.md, and run npm run docs',
  },
};

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
