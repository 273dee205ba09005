/** `diff` of two recordings whose texts are the same. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { runProgram } from '../../shared/program.js';

const home = mkdtempSync(join(tmpdir(), 'ctx-trim-diff-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Given {
  readonly signature?: string;
  readonly data?: string;
  readonly error?: object;
}

function recording(name: string, { signature = 'abc', data = 'AAAA', error = {} }: Given = {}): string {
  const messages = [
    { role: 'user', content: 'hi' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 't', signature },
        { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: 1 } },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: [
            { type: 'text', text: 'boom' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
          ],
          ...error,
        },
      ],
    },
  ];
  writeFileSync(join(home, name), JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 10, messages }));
  return name;
}

const base = recording('base.json');
const diff = (...words: string[]) => runProgram(['diff', base, ...words], { cwd: home });

it.each([
  ['error mark', 2, { error: { is_error: true } }],
  ['signature', 1, { signature: 'zzz' }],
  ['image', 2, { data: 'BBBBBBBB' }],
] as const)('names what changed and stands in no text: %s', (name, index, given) => {
  const other = recording(`${name}.json`, given);
  const { status, stdout } = diff(other);
  expect([status, stdout]).toEqual([0, expect.stringMatching(new RegExp(`~ #${index} .*\\n +changed: ${name}\\n`))]);
  expect(diff('--side-by-side', other).stdout).toContain(`changed: ${name}`);
  expect(diff('--format', 'markdown', other).stdout).toContain(`changed: ${name}; `);
  const { transcripts } = JSON.parse(diff('--format', 'json', other).stdout) as {
    transcripts: { kept: number; changes: object[] }[];
  };
  expect(transcripts).toMatchObject([{ kept: 2, changes: [{ kind: 'changed', unshown: [name] }] }]);
});

it('finds nothing where nothing is else', () => {
  const { stdout, stderr } = diff(recording('same.json', { error: { is_error: false } }));
  expect(stdout + stderr).toContain('1 transcript unchanged');
});

const chat = (name: string, given: object) => {
  const messages = [{ role: 'user', content: 'hi' }];
  writeFileSync(join(home, name), `${JSON.stringify({ model: 'gpt-4o', messages, ...given })}\n`);
  return name;
};

it('names what is not the same beside the messages', () => {
  const run = (description: string) => [
    { type: 'function', function: { name: 'run', description, parameters: { type: 'object', properties: {} } } },
  ];
  const one = chat('one.json', { tools: run('runs') });
  const told = (name: string, given: object) => runProgram(['diff', one, chat(name, given)], { cwd: home });
  const tools = told('tools.json', { tools: run('walks') });
  expect([tools.status, tools.stderr]).toEqual([
    0,
    'ctx-trim: one.json:1: the messages are the same, but not the tool definitions\n',
  ]);
  const both = told('both.json', { model: 'gpt-5', messages: [{ role: 'user', content: 'ho' }] });
  expect(both.stderr).toBe('ctx-trim: one.json:1: not the same: model and tool definitions\n');
  const named = told('named.json', { tools: run('runs'), messages: [{ role: 'user', name: 'bob', content: 'hi' }] });
  expect(named.stdout).toContain('changed: name');
});

it('compares a transcript with its copy of another id', () => {
  const say = (...texts: string[]) =>
    texts.map((content, at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content }));
  const record = (id: string, ...texts: string[]) => `${JSON.stringify({ id, messages: say(...texts) })}\n`;
  const kinds = (before: string, after: string) => {
    writeFileSync(join(home, 'before.jsonl'), before);
    writeFileSync(join(home, 'after.jsonl'), after);
    const { stdout } = runProgram(['diff', 'before.jsonl', 'after.jsonl', '--format', 'json'], { cwd: home });
    const { transcripts } = JSON.parse(stdout) as { transcripts: { kept: number; changes: { kind: string }[] }[] };
    return transcripts.map(({ kept, changes }) => [kept, ...changes.map(({ kind }) => kind)]);
  };
  expect(kinds(record('a', 'go', 'gone', 'on'), record('b', 'go', 'gone'))).toEqual([[2, 'dropped']]);
  expect(kinds(record('a', 'go'), record('b', 'stay'))).toEqual([[0, 'changed']]);
  expect(
    kinds(
      record('a', 'go', 'gone') + record('b', 'stay') + record('c', 'run'),
      record('d', 'walk') + record('e', 'go', 'left') + record('c', 'run'),
    ),
  ).toEqual([[1, 'changed'], [0, 'dropped'], [1], [0, 'added']]);
});
