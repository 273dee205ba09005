// What `npm run new` can make, and where each kind is listed.

const camel = (id) => id.replace(/[-/](\w)/g, (_, letter) => letter.toUpperCase());
const pascal = (id) => camel(`-${id}`);

/**
 * `renamed`: what the names of the example become, longest first. `lines`: where the registry, or another file, gets a
 * line, as a text that stands there once, and the line before or after it. `next`: what is left to do.
 */
export const KINDS = {
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
        before: "  'openai-chat': {\n",
        line: `  '${id}': { title: '${pascal(id.split('-')[0])} chat logs', signatures: ['role sent_at'],
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
      { before: '],\n] as const;', line: `, ${id}` },
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
