/** Small files of an attacker, written by hand: fixtures/hostile/README.md says what has to come of each. */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runIn } from '../../src/cli/cli.js';
import { memoryTerminal } from '../shared/terminal.js';

const CASES = resolve('fixtures/hostile');
/** Commands that every input has to stand. */
const ANY = ['stats', 'formats', 'patch', 'check', 'simulate', 'patch --diff', 'convert --to openai-chat', 'strip'];

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-trim-hostile-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs words (split at spaces) in the folder, with the case named last. */
async function on(path: string, words: string): Promise<Ran> {
  const name = path.split('/').at(-1)!;
  if (!existsSync(join(folder, name))) copyFileSync(join(CASES, path), join(folder, name));
  return run([...words.split(' '), name]);
}

async function run(words: readonly string[], cwd = folder): Promise<Ran> {
  const { terminal, out, err } = memoryTerminal({ cwd });
  const code = await runIn(terminal, words);
  return { code, out: out(), err: err() };
}

function expectSane({ code, err }: Ran): void {
  expect(err).not.toMatch(/internal error|stack|native code|\[object /);
  expect([0, 1, 2]).toContain(code);
  if (code === 2) expectRefused({ code, err });
}

function expectRefused({ code, err }: Omit<Ran, 'out'>): void {
  expect(err).toMatch(/^ctx-trim: .*\n$/);
  expect(code).toBe(2);
}

/** The second run of the same command on what the first one wrote. */
async function again(first: string, path: string, words: string): Promise<string> {
  const name = path.split('/').at(-1)!;
  writeFileSync(join(folder, name), first);
  return (await run([...words.split(' '), name])).out;
}

it('an orphan of Gemini becomes a text in valid JSON, once', async () => {
  const [path, words] = ['gemini-orphan.json', 'patch --orphan text'];
  const { code, out } = await on(path, words);
  expect([code, JSON.stringify(JSON.parse(out))]).toEqual([0, expect.stringContaining('"text":"orphan"')]);
  expect(await again(out, path, words)).toBe(out);
});

it.each(['constructor', 'hasOwnProperty', 'toString', 'valueOf', '__proto__'])(
  'a record with a member %s is mended',
  async (key) => {
    const path = join(CASES, 'claude-code-constructor.jsonl');
    writeFileSync(join(folder, 'log.jsonl'), readFileSync(path, 'utf8').replaceAll('"constructor"', `"${key}"`));
    const { code, out } = await run(['patch', 'log.jsonl']);
    expect(code).toBe(0);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => typeof JSON.parse(line)),
    ).toHaveLength(4);
    writeFileSync(join(folder, 'log.jsonl'), readFileSync(path, 'utf8').replaceAll('"constructor"', '"unknown"'));
    const plain = await run(['patch', 'log.jsonl']);
    expect(out.replaceAll(`"${key}"`, '"unknown"')).toBe(plain.out);
  },
);

describe('a config that was found', () => {
  const GENERATOR = { generator: './evil.mjs' };
  const READS = { system: './secret.txt' };
  const WRITES = [{ write: true }, { output: 'gone.json' }];
  const inner = () => join(folder, 'project', 'logs');
  beforeEach(() => {
    mkdirSync(inner(), { recursive: true });
    cpSync(join(CASES, 'config'), folder, { recursive: true });
    copyFileSync(join(CASES, 'open-call.json'), join(inner(), 'input.json'));
  });
  const config = (defaults: object) =>
    writeFileSync(join(folder, 'ctx-trim.config.json'), JSON.stringify({ defaults }));

  it.each([GENERATOR, READS, ...WRITES])('runs, reads and writes nothing: %j', async (defaults) => {
    config(defaults);
    const before = readdirSync(inner());
    for (const words of [['patch'], ['inject', '--user', 'x']])
      expectRefused(await run([...words, 'input.json'], inner()));
    expect([existsSync(join(folder, 'RAN')), readdirSync(inner())]).toEqual([false, before]);
  });

  it('does so where --config names it', async () => {
    config({ generator: join(folder, 'evil.mjs') });
    const { code, out } = await run(['patch', '--config', join(folder, 'ctx-trim.config.json'), 'input.json'], inner());
    expect([code, out, existsSync(join(folder, 'RAN'))]).toEqual([0, expect.stringContaining('FROM-THE-MODULE'), true]);
  });
});

describe('what steers a terminal or a log', () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them
  const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/;
  const COMMAND = /^(?:##\[|::(?!(?:error|warning|notice) file=))/;
  const RAW = new RegExp(`${CONTROL.source}|${COMMAND.source}`, 'm');
  const REWRITES = /^(?:patch|strip|convert)/;
  it.each(readdirSync(join(CASES, 'terminal')))('%s never gets out raw', async (name) => {
    copyFileSync(join(CASES, 'policy/deny-all.yaml'), join(folder, 'deny-all.yaml'));
    const reports = ['text', 'json', 'csv', 'markdown'].map((format) => `stats --by tool --format ${format}`);
    const reporters = ['github', 'sarif', 'junit', 'gitlab', 'json', 'pretty'].map((id) => `check --reporter ${id}`);
    const audits = ['audit --policy deny-all.yaml', 'audit --policy deny-all.yaml --reporter github'];
    for (const words of [...ANY, ...reports, ...reporters, ...audits, 'stats', 'patch --diff --format markdown']) {
      const ran = await on(`terminal/${name}`, words);
      expectSane({ ...ran, err: ran.err.replace(/\n(?=ctx-trim: )/g, ' ') });
      expect([words, RAW.exec(ran.err)?.[0]]).toEqual([words, undefined]);
      const isData = REWRITES.test(words) && !words.includes('--diff');
      if (!isData) expect([words, RAW.exec(ran.out)?.[0]]).toEqual([words, undefined]);
    }
  });

  it('runs in no spreadsheet and no page', async () => {
    const { out: csv } = await on('terminal/cells.json', 'stats --by tool --format csv');
    expect(csv).toMatch(/^'[=+@-]|,'[=+@-]/m);
    expect(csv).not.toMatch(/(?:^|,)"?[=+@-]/m);
    const { out: markdown } = await on('terminal/cells.json', 'stats --by tool --format markdown');
    expect(markdown).not.toMatch(/<(?!br)/);
  });
});

describe('policies', () => {
  const data = (name: string) => `audit --policy ${name}`;
  it.each(readdirSync(join(CASES, 'policy')).filter((name) => name.endsWith('.yaml')))('%s is sane', async (name) => {
    copyFileSync(join(CASES, 'policy', name), join(folder, name));
    const ran = await on('policy/sixty-a.json', data(name));
    expectSane(ran);
    if (/bomb|bad|loop/.test(name)) expectRefused(ran);
    if (name === 'bomb.yaml') expectRefused(await on('answered.json', 'patch --config bomb.yaml'));
  });
});

describe('malformed', () => {
  it.each(readdirSync(join(CASES, 'malformed')))('%s is sane', async (name) => {
    const more = ['convert --to bedrock-converse', 'stats --format json', 'fit --max-tokens 10'];
    for (const words of [...ANY, ...more]) expectSane(await on(`malformed/${name}`, words));
  });

  it.each(['anthropic', 'chat', 'responses'])('part-without-text-%s.json is refused with its path', async (name) => {
    const { code, err } = await on(`malformed/part-without-text-${name}.json`, 'patch');
    expect(code).toBe(2);
    expect(err).toMatch(/^ctx-trim: \S+:\d+:\d+: .*`[^`]*(content|text)[^`]*`.*\n$/);
  });
});

describe('twice', () => {
  const COMMANDS: Readonly<Record<string, string>> = {
    'claude-code.jsonl': 'strip --keep-text --keep-tool-names --retry-prompt --lang ja',
    'langfuse.json': 'filter --max-tool-calls 0',
    'places.json': 'filter --max-tool-calls 0',
    'openinference.jsonl': 'filter --max-tool-calls 1',
  };
  it.each(Object.entries(COMMANDS))('%s, %s', async (name, words) => {
    const path = `twice/${name}`;
    const first = await on(path, words);
    if (first.code === 2) expectRefused(first);
    else expect(await again(first.out, path, words)).toBe(first.out);
  });
});
