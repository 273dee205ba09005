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

interface Compared {
  readonly beside: { name: string; before: string | null; after: string | null }[];
  readonly not_compared: string[];
  readonly kept: number;
  readonly changes: { unshown: string[] }[];
}

/** Writes both, and compares them in all formats. */
function compared(before: object, after: object) {
  for (const [name, value] of [
    ['left', before],
    ['right', after],
  ] as const)
    writeFileSync(join(home, `${name}.json`), JSON.stringify(value));
  const run = (format: string) => runProgram(['diff', 'left.json', 'right.json', '--format', format], { cwd: home });
  const { transcripts } = JSON.parse(run('json').stdout) as { transcripts: Compared[] };
  return { ...run('text'), markdown: run('markdown').stdout, json: transcripts[0]! };
}

const hi = [{ role: 'user', content: 'hi' }];
const request = { model: 'gpt-4o', messages: hi, temperature: 0.2, max_tokens: 100, metadata: { a: { b: '1' } } };

it('says how fields of a request differ', () => {
  const after = { ...request, temperature: 0.7, max_tokens: undefined, metadata: { a: { b: '2' } }, seed: 7, id: 'x' };
  const { status, stdout, stderr, markdown, json } = compared(request, { ...after, model: 'gpt-5' });
  const lines = [
    '~ model "gpt-4o" → "gpt-5"',
    '~ temperature 0.2 → 0.7',
    '- max_tokens 100',
    '~ metadata.a.b "1" → "2"',
    '+ seed 7',
  ];
  expect(status).toBe(0);
  expect(stdout.split('\n').slice(1, 6)).toEqual(lines);
  expect(stderr).toContain('but not the model, temperature, max_tokens, metadata.a.b and seed\n');
  for (const line of lines) expect(markdown).toContain(`- \`${line}\`\n`);
  expect(json).toMatchObject({ kept: 1, changes: [], not_compared: [] });
  expect(json.beside).toEqual([
    { name: 'model', before: '"gpt-4o"', after: '"gpt-5"' },
    { name: 'temperature', before: '0.2', after: '0.7' },
    { name: 'max_tokens', before: '100', after: null },
    { name: 'metadata.a.b', before: '"1"', after: '"2"' },
    { name: 'seed', before: null, after: '7' },
  ]);
});

it('compares the fields of a request by value, in a call log and beside tools, too', () => {
  const same = compared(
    { request: { ...request, stop: ['a'] } },
    { request: { ...request, stop: ['a'] }, id: 'other' },
  );
  expect(same.stderr).toContain('1 transcript unchanged');
  expect(compared({ request }, { request: { ...request, temperature: 1 } }).json.beside).toHaveLength(1);
  const converse = (tool: object) => ({
    messages: [{ role: 'user', content: [{ text: 'hi' }] }],
    toolConfig: { tools: [{ toolSpec: { name: 'f', inputSchema: { json: { type: 'object' } } } }], toolChoice: tool },
  });
  const { beside } = compared(converse({ auto: {} }), converse({ any: {} })).json;
  expect(beside.map(({ name }) => name)).toEqual(['toolConfig.toolChoice.auto', 'toolConfig.toolChoice.any']);
  const long = (end: string) => ({ ...request, metadata: { a: { b: `${'word '.repeat(40)}${end}` } } });
  expect(compared(long('one'), long('two')).stdout).toMatch(/~ metadata\.a\.b\n.*\[-one-\]\{\+two\+\}/);
});

it('tells formats that are not the same apart from requests that are not', () => {
  const text = [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }];
  const other = { model: 'gpt-4o', max_tokens: 10, system: 'x', messages: [{ role: 'user', content: text }] };
  const { stderr, json } = compared({ ...request, messages: [{ role: 'system', content: 'x' }, ...hi] }, other);
  const names = ['other fields of requests', 'citations and cache marks'];
  expect(json).toMatchObject({ beside: [], not_compared: names, kept: 2, changes: [] });
  expect(stderr).toContain(`left.json:1: not compared, as the formats differ: ${names.join(' and ')}\n`);
});

const cached = { cache_control: { type: 'ephemeral' } };
it.each([
  ['cache_control', { text: 'a', ...cached }, { text: 'a' }],
  ['cache_control', { text: 'a', ...cached }, { text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } }],
  ['citations', { text: 'a', citations: [{ type: 'char_location', cited_text: 'x' }] }, { text: 'a', citations: [] }],
])('names %s of a part', (name, before, after) => {
  const given = (part: object) => ({
    model: 'claude-sonnet-4-5',
    max_tokens: 10,
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: [{ type: 'text', ...part }] },
    ],
  });
  const { json, stdout } = compared(given(before), given(after));
  expect(json).toMatchObject({ kept: 1, changes: [{ unshown: [name] }] });
  expect(stdout).toContain(`changed: ${name}\n`);
  expect(compared(given({ ...before, text: 'b' }), given(before)).stdout).not.toContain('changed: ');
});

it('names annotations of a message, and a mark for the cache that moved', () => {
  const said = (given: object) => ({
    model: 'gpt-4o',
    messages: [...hi, { role: 'assistant', content: 'a', ...given }],
  });
  const link = { type: 'url_citation', url_citation: { url: 'u' } };
  expect(compared(said({ annotations: [link] }), said({ annotations: null })).stdout).toContain('changed: annotations');
  const parts = (at: number) => ({
    max_tokens: 10,
    messages: [
      { role: 'user', content: [0, 1].map((n) => ({ type: 'text', text: 'a', ...(n === at ? cached : {}) })) },
    ],
  });
  expect(compared(parts(0), parts(1)).json.changes).toMatchObject([{ unshown: ['place of cache_control'] }]);
});

it('compares arguments by value across formats, and says so of white space in one', () => {
  const call = (text: string) => ({
    model: 'm',
    messages: [
      ...hi,
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: text } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'ok' },
    ],
  });
  const [tight, wide] = ['{"a":1,"b":[2]}', '{"a": 1, "b": [2]}'];
  const items = [
    { role: 'user', content: 'hi' },
    { type: 'function_call', call_id: 'c', name: 'f', arguments: tight },
    { type: 'function_call_output', call_id: 'c', output: 'ok' },
  ];
  expect(compared(call(wide), { model: 'm', input: items }).json).toMatchObject({ kept: 3, changes: [] });
  const one = compared(call(wide), call(tight));
  expect(one.json).toMatchObject({ kept: 2, changes: [{ unshown: ['white space of arguments'] }] });
  expect(one.stdout).toContain('changed: white space of arguments\n');
  expect(compared(call(wide), call('{"a":1,"b":[3]}')).json.changes).toMatchObject([{ unshown: [] }]);
  expect(compared(call('{"a":"x y"}'), call('{"a":"xy"}')).json.changes).toMatchObject([{ unshown: [] }]);
});
