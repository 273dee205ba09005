/** Rows for training: what becomes of each conversation, and that the ledger says so. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../shared/program.js';

let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'ctx-trim-dataset-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const at = (name: string) => join(home, name);
const linesOf = (text: string) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
const tool = (name: string, properties: object) => ({
  type: 'function',
  function: { name, parameters: { type: 'object', properties, required: Object.keys(properties) } },
});
const TOOLS = [tool('read', { path: { type: 'string' } })];
const call = (args: unknown, name = 'read', id = 'c1') => ({
  role: 'assistant',
  content: null,
  tool_calls: [
    { id, type: 'function', function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) } },
  ],
});
const result = (content: string, id = 'c1') => ({ role: 'tool', tool_call_id: id, content });
const user = (content: unknown) => ({ role: 'user', content });
const reply = (content: string) => ({ role: 'assistant', content });
const DONE = [user('Read a.'), call({ path: 'a' }), result('A'), reply('It says A.')];

function dataset(records: readonly unknown[], ...words: string[]) {
  const lines = records.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
  writeFileSync(at('in.jsonl'), `${lines.join('\n')}\n`);
  const { stdout, stderr, status } = runProgram(['dataset', ...words, '--ledger=ledger.jsonl', 'in.jsonl'], {
    cwd: home,
  });
  expect({ stderr, status }).toMatchObject({ status: 0 });
  return { rows: linesOf(stdout), ledger: linesOf(readFileSync(at('ledger.jsonl'), 'utf8')), stderr };
}

const fateOf = (messages: readonly unknown[], ...words: string[]) => {
  const { rows, ledger } = dataset([{ messages, tools: TOOLS }], ...words);
  const [{ outcome, reasons, detail }] = ledger as [{ outcome: string; reasons: string[]; detail?: string }];
  return { outcome, reasons, detail, roles: rows[0]?.messages.map(({ role }: { role: string }) => role) };
};

describe('rows', () => {
  it('have the same keys and types, whatever the format', () => {
    const { rows } = dataset([
      { messages: DONE, tools: TOOLS, model: 'gpt-5' },
      { messages: [user('Hi'), reply('Yes?')] },
    ]);
    const [first, second] = rows;
    expect(Object.keys(first)).toEqual(['messages', 'tools', 'metadata']);
    expect(first.messages[1]).toEqual({
      ...{ role: 'assistant', content: '', reasoning_content: null, tool_call_id: null, name: null },
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
    });
    expect(first.messages[2]).toMatchObject({ role: 'tool', content: 'A', tool_call_id: 'c1', name: 'read' });
    expect(JSON.parse(first.tools)[0].function).toEqual({ ...TOOLS[0]!.function, description: '' });
    expect(second.tools).toBe('[]');
    for (const message of [...first.messages, ...second.messages])
      expect(Object.keys(message)).toEqual(Object.keys(first.messages[0]));
    expect(first.metadata).toEqual({ source: 'in.jsonl', row: 1, agent: null, format: 'openai-chat', model: 'gpt-5' });
  });

  it('are the same from Anthropic as from OpenAI', () => {
    const anthropic = [
      user('Read a.'),
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'A' }] },
      reply('It says A.'),
    ];
    const [own] = dataset([{ messages: DONE }]).rows;
    const [other] = dataset([{ messages: anthropic }]).rows;
    expect(other.messages).toEqual(own.messages);
  });

  it('have arguments and schemas as objects if asked, and drop a row of another type', () => {
    const numbered = [tool('read', { path: {} })];
    const other = [user('Read 1.'), call({ path: 1 }), result('A'), reply('It says A.')];
    const words = ['--arguments=object', '--schemas=object'];
    const { rows, ledger } = dataset(
      [
        { messages: DONE, tools: TOOLS },
        { messages: other, tools: numbered },
      ],
      ...words,
    );
    expect(rows[0].messages[1].tool_calls[0].function.arguments).toEqual({ path: 'a' });
    expect(rows[0].tools[0].function.name).toBe('read');
    expect(ledger[1]).toMatchObject({ outcome: 'dropped', reasons: ['types'] });
    expect(ledger[1].detail).toBe('messages[].tool_calls[].function.arguments.path');
  });

  it('have the names of who speaks, also of models', () => {
    const { rows } = dataset([
      { messages: [{ ...user('Go.'), name: 'ada' }, { ...reply('Gone.'), name: 'planner' }, reply('And back.')] },
    ]);
    expect(rows[0].messages.map(({ name }: { name: string | null }) => name)).toEqual(['ada', 'planner', null]);
  });

  it('have what is asked for as metadata', () => {
    const records = [{ messages: DONE, meta: { reward: 1, tags: ['x'] } }, { messages: DONE }];
    const { rows } = dataset(records, '--metadata=meta.reward', '--metadata=meta.tags');
    expect(rows[0].metadata).toMatchObject({ 'meta.reward': 1, 'meta.tags': '["x"]' });
    expect(rows[1].metadata).toMatchObject({ 'meta.reward': null, 'meta.tags': null });
  });

  it('keep the numbers of their arguments', () => {
    const long = '{"path": "a", "n": 12345678901234567890}';
    const { rows } = dataset([{ messages: [user('Read.'), call(long), result('A')] }], '--arguments=object');
    expect(JSON.stringify(rows[0])).toContain('"path":"a"');
    expect(runProgram(['dataset', '--arguments=object', 'in.jsonl'], { cwd: home }).stdout).toContain(long);
  });
});

describe('a row', () => {
  it.each([
    ['a user who got no reply', [...DONE, user('And b?')]],
    ['a call without a result', [...DONE, user('And b?'), call({ path: 'b' }, 'read', 'c2')]],
    [
      'two calls with one result',
      [
        ...DONE,
        {
          ...call({ path: 'b' }),
          tool_calls: [
            ...call({ path: 'b' }, 'read', 'c2').tool_calls,
            ...call({ path: 'c' }, 'read', 'c3').tool_calls,
          ],
        },
        result('B', 'c2'),
      ],
    ],
  ])('loses a tail: %s', (_, messages) => {
    expect(fateOf(messages)).toMatchObject({
      ...{ outcome: 'changed', reasons: ['tail'], roles: ['user', 'assistant', 'tool', 'assistant'] },
    });
  });

  it('ends with a pair, which is not parted', () => {
    expect(fateOf(DONE.slice(0, 3))).toMatchObject({ outcome: 'kept', roles: ['user', 'assistant', 'tool'] });
    expect(fateOf(DONE.slice(0, 2), '--tail=keep')).toMatchObject({ outcome: 'kept', roles: ['user', 'assistant'] });
    expect(fateOf(DONE.slice(0, 2))).toMatchObject({ outcome: 'dropped', reasons: ['no-reply'] });
  });

  it.each<[string, readonly unknown[], string, string | undefined]>([
    ['an unknown tool', [user('Hi'), call({}, 'raed'), result('?')], 'unknown-tool', 'raed'],
    ['a missing argument', [user('Hi'), call({}), result('?')], 'refused-arguments', undefined],
    ['an argument of another type', [user('Hi'), call({ path: 7 }), result('?')], 'refused-arguments', undefined],
    ['arguments that are not JSON', [user('Hi'), call('{"path": '), result('?')], 'bad-arguments', undefined],
    ['an open call', [user('Hi'), call({ path: 'a' }), user('Well?'), reply('Oh.')], 'open-call', undefined],
    [
      'an image',
      [user([{ type: 'image_url', image_url: { url: 'https://x.io/a.png' } }]), reply('A cat.')],
      'media',
      undefined,
    ],
    ['no reply', [user('Hi')], 'no-reply', undefined],
  ])('is dropped for %s', (_, messages, reason, detail) => {
    const fate = fateOf(messages);
    expect(fate).toMatchObject({ outcome: 'dropped', reasons: [reason], roles: undefined });
    if (detail !== undefined) expect(fate.detail).toBe(detail);
  });

  it('keeps bad calls and notes images if asked', () => {
    expect(fateOf([user('Hi'), call({}), result('?')], '--calls=keep').outcome).toBe('kept');
    const image = user([{ type: 'image_url', image_url: { url: 'https://x.io/a.png' } }]);
    expect(fateOf([image, reply('A cat.')], '--media=note')).toMatchObject({ outcome: 'changed', reasons: ['media'] });
  });

  it('loses prompts without a text', () => {
    const messages = [{ role: 'system', content: '' }, user(' '), ...DONE];
    expect(fateOf(messages)).toMatchObject({
      outcome: 'changed',
      reasons: ['empty'],
      roles: ['user', 'assistant', 'tool', 'assistant'],
    });
  });

  it('that is too long is dropped, or cut after a reply', () => {
    const long = [...DONE, user('Again.'), reply('word '.repeat(500))];
    expect(fateOf(long, '--max-tokens=200')).toMatchObject({ outcome: 'dropped', reasons: ['too-long'] });
    const cut = fateOf(long, '--max-tokens=200', '--over=cut');
    expect(cut).toMatchObject({
      outcome: 'changed',
      reasons: ['cut'],
      roles: ['user', 'assistant', 'tool', 'assistant'],
    });
    expect(fateOf(DONE, '--max-tokens=30', '--over=cut')).toMatchObject({ outcome: 'dropped', reasons: ['too-long'] });
  });

  it('has marks in place of secrets, or goes', () => {
    const secret = ['AKIA', 'QYLPMN5HHHFPZAM2'].join('');
    const messages = [user(`Use ${secret} please.`), reply('Done.')];
    const { rows, ledger } = dataset([{ messages }]);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(ledger[0].reasons).toEqual(['secrets']);
    expect(fateOf(messages, '--secrets=drop')).toMatchObject({ outcome: 'dropped', reasons: ['secrets'] });
    expect(fateOf(messages, '--secrets=keep').outcome).toBe('kept');
  });
});

describe('all rows', () => {
  const text = 'The quick brown fox jumps over the lazy dog while seven wizards quietly brew a strange potion at dawn';

  it('lose duplicates, near ones, and what a benchmark asks', () => {
    const asked = (more: string) => ({ messages: [user(`${text} ${more}`), reply(text.repeat(3))] });
    const records = [asked('one'), asked('one'), asked('two'), { messages: [user('Something else.'), reply('Yes.')] }];
    const reasons = (...words: string[]) =>
      dataset(records, ...words).ledger.map((entry) => entry.reasons[0] ?? 'kept');
    expect(reasons('--unique')).toEqual(['kept', 'duplicate', 'kept', 'kept']);
    expect(reasons('--near=0.6')).toEqual(['kept', 'near-duplicate', 'near-duplicate', 'kept']);
    writeFileSync(at('bench.json'), JSON.stringify([{ q: text.slice(0, 90).toUpperCase() }, { q: 'too short' }]));
    expect(reasons('--against=bench.json')).toEqual(['contaminated', 'contaminated', 'contaminated', 'kept']);
    expect(dataset(records, '--against=bench.json').stderr).toContain('1 of 2 texts have less than 13 words');
  });

  it('are compared with rows that stay alone', () => {
    const asked = (said: string) => ({ messages: [user(`${text} ${said}`), reply(text.repeat(3))] });
    const reasons = (records: readonly unknown[], ...words: string[]) =>
      dataset(records, ...words).ledger.map((entry) => entry.reasons[0] ?? 'kept');
    const secret = asked('password=kJ8sLq02mZa91');
    expect(reasons([secret, asked('one')], '--near=0.6', '--secrets=drop')).toEqual(['secrets', 'kept']);
    writeFileSync(at('bench.json'), JSON.stringify([{ q: text }]));
    const other = (reward: number) => ({ messages: DONE, meta: { reward } });
    const records = [{ ...asked('x'), meta: { reward: 'none' } }, other(0.5), other(1)];
    const found = reasons(records, '--metadata=meta.reward', '--against=bench.json');
    expect(found).toEqual(['contaminated', 'kept', 'kept']);
  });

  it('are dropped where a reply is marked as one not to train on', () => {
    const weighted = (weight: number) => ({
      messages: [user('Hi'), { ...reply('No.'), weight }, user('?'), reply('Yes.')],
    });
    const { ledger } = dataset([weighted(0), weighted(1)]);
    expect(ledger.map(({ outcome, reasons }) => [outcome, ...reasons])).toEqual([['dropped', 'weight'], ['kept']]);
  });

  it('have no two metadata of one name', () => {
    for (const words of [['--metadata=model'], ['--metadata=a', '--metadata=a']])
      expect(runProgram(['dataset', ...words, 'in.jsonl'], { cwd: home })).toMatchObject({ status: 2, stdout: '' });
  });

  it('leave no secrets in the ledger', () => {
    const token = `ghp_${'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'}`;
    const tools = [tool('login', { level: { type: 'string', enum: ['a'] } })];
    const messages = [user('Hi'), call({ level: token }, 'login'), result('A'), reply('x')];
    const [{ detail }] = dataset([{ messages, tools }]).ledger as [{ detail: string }];
    expect(detail).toContain('[secret:github-token:1]');
  });

  it.each([
    ['a number', '1', 'bench.json: --against: it holds no text'],
    ['nothing', '', 'bench.json: the input is empty'],
    ['a broken line', '"a"\n{"b": bad\n', 'bench.json:2:7: not JSON: expected a value'],
    ['a cut line', '"a"\n{"b": "ba', 'bench.json:2:10: not JSON: the input ends in the middle of a value'],
  ])('are not compared with %s: the file is named', (_, text, message) => {
    writeFileSync(at('bench.json'), text);
    writeFileSync(at('in.jsonl'), `${JSON.stringify({ messages: DONE })}\n`);
    const { stderr, status } = runProgram(['dataset', '--against=bench.json', 'in.jsonl'], { cwd: home });
    expect({ stderr, status }).toEqual({ stderr: `ctx-trim: ${message}\n`, status: 2 });
  });

  it('are not written where an input cannot be read, which is said', () => {
    writeFileSync(at('in.jsonl'), `${JSON.stringify({ messages: DONE })}\n`);
    writeFileSync(at('junk.jsonl'), 'x');
    const { stderr, status } = runProgram(['dataset', 'in.jsonl', 'junk.jsonl', '-o', 'out.jsonl'], { cwd: home });
    expect(status).toBe(2);
    expect(stderr).toContain('junk.jsonl:1:1: not JSON');
    expect(stderr).toContain('nothing was written, because an input could not be read');
    expect(readdirSync(home)).not.toContain('out.jsonl');
  });

  it('stand in the ledger, which adds up: also lines that are not JSON, and values without messages', () => {
    const records = [{ messages: DONE }, '{"messages": [', { n: 1 }, { messages: [user('Hi')] }, { messages: DONE }];
    const { rows, ledger } = dataset(records, '--unique');
    expect(ledger.map(({ row, outcome, reasons }) => [row, outcome, ...reasons])).toEqual([
      [1, 'kept'],
      [2, 'dropped', 'bad-line'],
      [3, 'dropped', 'no-messages'],
      [4, 'dropped', 'no-reply'],
      [5, 'dropped', 'duplicate'],
    ]);
    expect(rows).toHaveLength(1);
    const { stderr } = runProgram(['dataset', '--unique', '--format=json', 'in.jsonl'], { cwd: home });
    const report = JSON.parse(stderr.slice(stderr.indexOf('{\n')));
    expect(report).toMatchObject({ rows: 5, kept: 1, changed: 0, dropped: 4 });
  });

  it('of a repository come into the same file, as JSON Lines and as Parquet', () => {
    const records = Array.from({ length: 60 }, (_, n) => ({ messages: DONE, repo: `r${n % 7}`, n }));
    const words = ['--split=train=0.5,test=0.5', '--split-by=repo', '--metadata=repo'];
    dataset(records, ...words, '--output=lines');
    const reposIn = (name: string) =>
      new Set(linesOf(readFileSync(at(name), 'utf8')).map(({ metadata }) => metadata.repo as string));
    const [train, test] = [reposIn('lines/train.jsonl'), reposIn('lines/test.jsonl')];
    expect(train.size + test.size).toBe(7);
    expect([...train].filter((repo) => test.has(repo))).toEqual([]);
    const { ledger } = dataset(records, ...words, '--files=parquet', '--output=columns');
    expect(readdirSync(at('columns')).sort()).toEqual(['test.parquet', 'train.parquet']);
    const read = runProgram(['select', '--min-messages=0', 'columns/train.parquet'], { cwd: home }).stdout;
    expect(linesOf(read)).toHaveLength(ledger.filter(({ split }) => split === 'train').length);
  });

  it('have the same columns in Parquet, whether or not there are calls', async () => {
    const { parquetMetadata } = await import('hyparquet');
    const schemaOf = (records: readonly unknown[]) => {
      dataset(records, '--output=rows.parquet');
      return parquetMetadata(new Uint8Array(readFileSync(at('rows.parquet')))).schema;
    };
    const whole = schemaOf([{ messages: DONE, tools: TOOLS }]);
    expect(schemaOf([{ messages: [user('Hi'), reply('Yes?')] }])).toEqual(whole);
    expect(schemaOf([{ messages: [user('Hi')] }])).toEqual(whole); // without a row
  });
});

it('writes U+FFFD for half of a surrogate pair, and keeps whole ones as they are', () => {
  const reply = '{"role":"assistant","content":"a"}';
  const run = (content: string, beside: string, ...words: string[]) => {
    writeFileSync(at('half.jsonl'), `{"messages":[{"role":"user","content":"${content}"},${reply}]${beside}}\n`);
    const { stdout, stderr } = runProgram(['dataset', 'half.jsonl', ...words], { cwd: home });
    const { messages, metadata } = JSON.parse(stdout) as { messages: { content: string }[]; metadata: object };
    return { content: messages[0]!.content, metadata, stderr };
  };
  const half = run(String.raw`\ud83d\ude00 \\ud83d \ud83d \ude00\u00e9`, '');
  expect(half.content).toBe('😀 \\ud83d \ufffd \ufffdé');
  expect(half.stderr).toContain('1 changed (half-character 1)');
  const whole = run('b', String.raw`,"note":"\ud83d\ude00"`, '--metadata', 'note');
  expect(whole.metadata).toMatchObject({ note: '😀' });
  expect(whole.stderr).toContain('1 kept');
});

it('takes every recording of the fixtures, and loses none from the ledger', () => {
  const words = ['dataset', '--format=json', '--ledger', at('all.jsonl'), '--output', at('all.parquet')];
  const { stdout, status } = runProgram([...words, resolve('fixtures/formats')], { cwd: home });
  expect(status).toBe(0);
  const { rows, kept, changed, dropped } = JSON.parse(stdout);
  expect(rows).toBeGreaterThan(400);
  expect(kept + changed + dropped).toBe(rows);
  expect(linesOf(readFileSync(at('all.jsonl'), 'utf8'))).toHaveLength(rows);
});

it('rows and the ledger never go into one file', () => {
  writeFileSync(at('in.jsonl'), `${JSON.stringify({ messages: DONE })}\n`);
  for (const words of [
    ['-o', 'one.jsonl', '--ledger', './one.jsonl'],
    ['--split', 'train=0.9,test=0.1', '-o', 'parts', '--ledger', 'parts/train.jsonl'],
  ]) {
    const { status, stderr } = runProgram(['dataset', 'in.jsonl', ...words], { cwd: home });
    expect([status, stderr]).toEqual([2, expect.stringContaining('two outputs name this file')]);
    for (const name of ['one.jsonl', 'parts/train.jsonl']) expect(existsSync(at(name))).toBe(false);
  }
});
