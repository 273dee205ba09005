/** Whatever is in a registry is in the fixtures, laws, help and tables, too: nothing is added and left untested. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadCommands } from '../src/cli/commands/registry.js';
import { AGENT_TOOLS } from '../src/formats/agent-tools.js';
import { AGENTS } from '../src/formats/agents.js';
import { formats } from '../src/formats/index.js';
import { FINDINGS_REPORTERS, loadFindingsReporter } from '../src/reports/findings/index.js';
import { allRules, ruleIds, rulesOf } from '../src/rules/index.js';
import { providers } from '../src/rules/providers.js';
import { RESUME_RULES } from '../src/rules/resume-rules.js';
import { rulesFor } from '../src/rules/run-rules.js';
import { transforms } from '../src/transforms/index.js';
import { PLACES, WITH_FILES } from './shared/home.js';
import { CASES, forEveryTransform, trialsOf } from './shared/trials.js';

const rules = allRules();

const commands = await loadCommands();
const documents = ['README.md', ...(existsSync('docs') ? readdirSync('docs').map((name) => join('docs', name)) : [])]
  .filter((path) => path.endsWith('.md'))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');
/** Outside of the laws of all transforms: laws that one transform has for itself. */
const OWN_LAWS = /^(growth|malformed|properties|transforms|twice)\.test\.ts$/;

/** The files of a folder of src that are none of the given, without folders. */
function filesIn(folder: string, ...others: readonly string[]): string[] {
  return readdirSync(join('src', folder), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name.replace(/\.ts$/, ''))
    .filter((name) => !others.includes(name));
}

describe.each(transforms)('transform $id', ({ id, summary, description, options }) => {
  const command = commands.find((candidate) => candidate.id === id);

  it('is a command with its words, its options and an example', () => {
    expect(command).toMatchObject({ id, summary, description });
    expect(command!.options).toMatchObject(options);
    expect(command!.examples.filter(([line]) => line.startsWith(`ctx-trim ${id} `))).not.toEqual([]);
    expect(Object.keys(options).length).toBeGreaterThan(0);
  });

  it('has cases, with options that laws try', () => {
    expect(readdirSync(join(CASES, id)).length).toBeGreaterThanOrEqual(4);
    expect(trialsOf(id)).not.toEqual([]);
    expect(forEveryTransform([]).map(([tried]) => tried)).toContain(id);
  });

  it('is in a table of the documentation', () => {
    expect(documents).toMatch(new RegExp(`^\\| [^|]*\\b${id}\\b[^|]* \\|`, 'm'));
  });
});

it('has laws over transforms that take in all of them', () => {
  const laws = readdirSync('test/laws').filter((name) => OWN_LAWS.test(name));
  expect(laws.length).toBe(5);
  for (const name of [...laws.map((law) => `laws/${law}`), 'schemas/schemas.test.ts', 'attack/attack.test.ts'])
    expect(readFileSync(join('test', name), 'utf8'), name).toMatch(
      /\bforEveryTransform\(|\btransforms\s*\.(map|filter)\(/i,
    );
});

describe.each(formats)('format $id', ({ id, signatures, load }) => {
  const recordings = existsSync(join('fixtures/formats', id)) ? readdirSync(join('fixtures/formats', id)) : [];

  it('has recordings, under which the laws find it', () => {
    expect(recordings.length).toBeGreaterThan(0);
    expect(load().id).toBe(id);
  });

  it('has the sources of its recordings', () => {
    const sources = readFileSync('fixtures/SOURCES.md', 'utf8');
    for (const name of recordings.filter((file) => !file.startsWith('hand-')))
      expect(sources, `${id}/${name}`).toContain(`${id}/${name}`);
  });

  it('has signatures, unless it is the last resort', () => {
    expect(signatures.length > 0).toBe(id !== formats.at(-1)!.id);
  });

  it('is in a table of the documentation', () => {
    expect(documents).toMatch(new RegExp(`^\\| [^|]*\\b${id}\\b[^|]* \\|`, 'm'));
  });
});

it('has each rule under its id', () => {
  expect(rules.map(({ id }) => id)).toEqual(ruleIds());
});

it.each(providers)('loads all rules of $id', (provider) => {
  const all = rulesFor(rules, provider, true).map(({ id }) => id);
  expect(rulesFor(rulesOf(provider), provider, true).map(({ id }) => id)).toEqual(all);
});

describe('agents', () => {
  const agents = import.meta.glob<object>('../src/formats/*/agent.ts', { eager: true });
  const tools = import.meta.glob<object>('../src/formats/*/agent-tools.ts', { eager: true });
  const exportsOf = (modules: Readonly<Record<string, object>>) =>
    new Set(Object.values(modules).flatMap((module) => Object.values(module) as unknown[]));

  it('are in the registry, each with what its folder says', () => {
    expect(new Set(AGENTS)).toEqual(exportsOf(agents));
    expect(new Set(AGENT_TOOLS)).toEqual(exportsOf(tools));
    expect(new Set(AGENTS.map(({ id }) => id)).size).toBe(AGENTS.length);
    const known = formats.map(({ id }) => id);
    for (const format of AGENTS.flatMap((agent) => agent.formats ?? [])) expect(known).toContain(format);
  });

  it('have sessions in the home folder of the tests', () => {
    expect(new Set(PLACES.map(([agent]) => agent))).toEqual(new Set(WITH_FILES.map(({ id }) => id)));
  });

  it('have tools that are told apart by their arguments, so that their order does not matter', () => {
    const files = AGENT_TOOLS.flatMap((tools) => tools.files);
    const keys = files.flatMap(({ tools, path }) => tools.flatMap((tool) => path.map((name) => `${tool} ${name}`)));
    expect(keys).toEqual([...new Set(keys)]);
    const args = new Map<string, readonly string[]>();
    for (const [names, own] of AGENT_TOOLS.flatMap(({ runs = [] }) => runs))
      for (const name of names) expect(args.set(name, args.get(name) ?? own).get(name), name).toEqual(own);
  });
});

it('converts to every format that a provider takes', () => {
  for (const { format } of providers)
    expect(formats.find(({ id }) => id === format)!.load().encode, format).toBeDefined();
});

it('lists every file of a folder in its registry', () => {
  expect(filesIn('reports/findings', 'index', 'reporter', 'markdown', 'pretty').sort()).toEqual(
    [...FINDINGS_REPORTERS].sort(),
  );
  const folders = readdirSync('src/rules').filter(
    (name) => !name.includes('.') && !['shared', 'shapes'].includes(name),
  );
  const files = folders.flatMap((folder) => filesIn(`rules/${folder}`).map((name) => `${folder}/${name}`));
  const expected = [
    ...rules.flatMap(({ id }) => [id, `${id}.json`]), // a rule, and its example beside it
    ...RESUME_RULES.map(({ id }) => `${id}.json`),
  ];
  expect(expected.sort()).toEqual(files.sort());
  const ids = new Set(commands.map(({ id }) => id));
  const own = readdirSync('src/cli/commands').filter(
    (name) => !name.includes('.') && !['shared', 'rewrite'].includes(name),
  );
  expect([...ids].filter((id) => !transforms.some((transform) => transform.id === id)).sort()).toEqual(own.sort());
});

it.each(FINDINGS_REPORTERS)('reporter %s has the id of its entry, and is offered', async (id) => {
  expect((await loadFindingsReporter(id)).id).toBe(id);
  for (const name of ['check', 'audit']) {
    const { format } = commands.find((command) => command.id === name)!.options;
    expect(format).toMatchObject({ choices: expect.arrayContaining([id]) });
  }
});
