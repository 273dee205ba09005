/** What figures are without: lines that are no JSON, and content that no message holds. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { memoryTerminal } from '../../shared/terminal.js';

const CALL = { id: 'c1', type: 'function', function: { name: 'list', arguments: '{}' } };

let folder = '';
const fixture = (name: string) => readFileSync(`fixtures/cases/read/${name}`, 'utf8');
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-trim-omissions-'));
  for (const name of ['bad-line.jsonl', 'unknown-events.jsonl']) writeFileSync(join(folder, name), fixture(name));
  const chat = [
    { role: 'user', content: 'List the files.' },
    { kind: 'agent.tool_use', raw: { type: 'tool_use', id: 't1', name: 'bash', input: { command: 'ls' } } },
    { kind: 'tick', at: 1 },
    { role: 'assistant', content: null, tool_calls: [CALL] },
    { role: 'tool', tool_call_id: 'c1', content: 'a.txt' },
    { role: 'assistant', content: 'There is one file.' },
  ];
  writeFileSync(join(folder, 'chat.jsonl'), chat.map((line) => `${JSON.stringify(line)}\n`).join(''));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function runs(...words: readonly string[]) {
  const { terminal, out, err } = memoryTerminal({ cwd: folder });
  const code = await runIn(terminal, words);
  return { code, out: out(), err: err() };
}

const BAD = '1 of 5 lines is not JSON (line 3): figures are without it';

describe('a bad line among good ones', () => {
  it.each([
    ['stats'],
    ['stats', '--by', 'model'],
    ['stats', '--cache'],
    ['stats', '--by', 'day', '--recorded'],
    ['simulate', 'filter:max-tool-calls=1'],
  ])('is said in the table and on stderr: %s %s %s', async (...command) => {
    const { code, out, err } = await runs(...command, 'bad-line.jsonl');
    expect(code).toBe(0);
    expect(err).toContain(BAD);
    expect(out.trimEnd().split('\n').at(-1)).toContain(BAD);
    expect((await runs(...command, '--strict', 'bad-line.jsonl')).code).toBe(1);
  });

  it.each([['stats'], ['simulate'], ['show'], ['report'], ['formats']])('is in the JSON of %s', async (command) => {
    const { out } = await runs(command, '--format', 'json', 'bad-line.jsonl');
    const document = JSON.parse(out);
    expect((document.files?.[0] ?? document).bad_lines).toEqual([
      { file: 'bad-line.jsonl', line: 3, bad: 1, lines: 5, reason: 'not JSON: expected a value' },
    ]);
  });

  it('leaves the figures of the good lines whole', async () => {
    const good = fixture('bad-line.jsonl')
      .split('\n')
      .filter((line) => line.startsWith('{'));
    writeFileSync(join(folder, 'good.jsonl'), `${good.join('\n')}\n`);
    const [bad, all] = [
      await runs('stats', '--format', 'json', 'bad-line.jsonl'),
      await runs('stats', '--format', 'json', 'good.jsonl'),
    ];
    expect(JSON.parse(bad.out).totals).toEqual(JSON.parse(all.out).totals);
  });

  it.each([
    ['a colon', '{"role":', '\n'],
    ['a bracket', '{"role":"user","content":[', '\n'],
    ['a colon, and the file ends without a line break', '{"role":', ''],
  ])('is only the torn line, whatever it was torn behind: %s', async (_, torn, end) => {
    const lines = ['user', 'assistant', 'user'].map((role) => JSON.stringify({ role, content: `I am ${role}.` }));
    writeFileSync(join(folder, 'torn.jsonl'), [...lines.slice(0, 2), torn, lines[2]].join('\n') + end);
    writeFileSync(join(folder, 'whole.jsonl'), lines.join('\n') + end);
    const { code, out, err } = await runs('stats', '--format', 'json', 'torn.jsonl');
    expect([code, err]).toEqual([0, expect.stringContaining('1 of 4 lines is not JSON (line 3)')]);
    const whole = await runs('stats', '--format', 'json', 'whole.jsonl');
    expect(JSON.parse(out).totals).toEqual(JSON.parse(whole.out).totals);
  });

  it.each([['patch'], ['convert', '--to', 'openai-chat'], ['check']])(
    'ends a rewrite and a check: %s',
    async (...command) => {
      const { code, err } = await runs(...command, 'bad-line.jsonl');
      expect([code, err]).toEqual([2, expect.stringContaining('bad-line.jsonl:3:1: not JSON')]);
    },
  );

  it('is no reason to read half of a broken document', async () => {
    writeFileSync(
      join(folder, 'torn.json'),
      '{\n "messages": [\n  {"role":"user","content":"a"},\n  {"role":"user",]}\n',
    );
    const { code, out, err } = await runs('stats', 'torn.json');
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain('torn.json:4:');
  });
});

describe('content that no message holds', () => {
  const UNREAD = '1 row holds tool calls that openai-chat does not read, first in line 2';

  it.each([['stats'], ['patch'], ['show'], ['filter', '--max-tool-calls', '1']])(
    'is said by %s',
    async (...command) => {
      const { err } = await runs(...command, 'chat.jsonl');
      expect(err.split('\n').filter((line) => line.includes(UNREAD))).toEqual([`ctx-trim: chat.jsonl: ${UNREAD}`]);
    },
  );

  it('is a finding, in the JSON, and a loss', async () => {
    const checked = JSON.parse((await runs('check', '--format', 'json', 'chat.jsonl')).out);
    expect(checked.findings).toMatchObject([{ rule: 'core/unread', severity: 'warning', line: 2, message: UNREAD }]);
    const rows = { file: 'chat.jsonl', line: 2, format: 'openai-chat', rows: 1, calls: 1, results: 0, texts: 0 };
    expect(checked.unread).toEqual([rows]);
    expect(JSON.parse((await runs('stats', '--format', 'json', 'chat.jsonl')).out).unread).toEqual([rows]);
    const written = ['--format=json', `--output=${join(folder, 'rows.out')}`, 'chat.jsonl'];
    expect(JSON.parse((await runs('dataset', ...written)).out).unread).toEqual([rows]);
    expect(JSON.parse((await runs('select', '--min-messages=0', ...written)).out).unread).toEqual([rows]);
    expect((await runs('convert', '--to', 'anthropic', 'chat.jsonl')).code).toBe(1);
  });

  it('marks the table', async () => {
    const { out } = await runs('stats', 'chat.jsonl');
    expect(out.trimEnd().split('\n').at(-1)).toBe(`chat.jsonl: ${UNREAD}: figures are without it`);
  });

  it('is an error where there is no message at all', async () => {
    const event = {
      type: 'system',
      subtype: 'x',
      sessionId: 's',
      uuid: 'u',
      content: [{ type: 'tool_use', name: 'a' }],
    };
    writeFileSync(
      join(folder, 'silent.jsonl'),
      `${JSON.stringify(event)}\n${JSON.stringify({ ...event, uuid: 'v' })}\n`,
    );
    const { code, err } = await runs('stats', 'silent.jsonl');
    expect([code, err]).toEqual([2, expect.stringContaining('no message can be read: 2 rows hold tool calls')]);
  });
});

describe("a part of opencode's messages, whose speaker another file names", () => {
  const PARTS = ['agent-sessions-part-tool.json', 'hand-parts.jsonl'] as const;

  it.each(
    PARTS.flatMap((name) => [
      [name, 'filter', '--max-tool-calls=0', '--everything'] as const,
      [name, 'strip', '--keep-text', '--keep-tool-names'] as const,
    ]),
  )('%s is read after %s %s', async (name, ...command) => {
    const rewrite = async (input: string) => {
      writeFileSync(join(folder, 'part.jsonl'), input);
      return runs(...command, 'part.jsonl');
    };
    const first = await rewrite(readFileSync(`fixtures/formats/opencode/${name}`, 'utf8'));
    const second = await rewrite(first.out);
    expect([second.code, second.out]).toEqual([0, first.out]);
    const { code, out } = await runs('stats', '--format=json', 'part.jsonl');
    expect(code).toBe(0);
    expect(JSON.parse(out).unread.map(({ texts }: { texts: number }) => texts > 0)).toEqual(
      /"text": ?"[^"]/.test(first.out) ? [true] : [],
    );
  });
});

describe('a format that nothing fits well', () => {
  it('is refused with the best guesses', async () => {
    const { code, out, err } = await runs('stats', 'unknown-events.jsonl');
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/the best guesses are openai-chat \(50 %: .*\) and cohere-chat \(48 %: .*\); .* --from/);
  });

  it('is taken where --from names it', async () => {
    const { code, err } = await runs('stats', '--from', 'openai-chat', 'unknown-events.jsonl');
    const unread = '3 rows hold tool calls, results or texts that openai-chat does not read, first in line 2';
    expect([code, err]).toEqual([0, expect.stringContaining(unread)]);
    expect((await runs('stats', '--strict', '--from', 'openai-chat', 'unknown-events.jsonl')).code).toBe(1);
  });
});

describe('an input that cannot be read', () => {
  const GONE = { file: 'gone.json', message: 'cannot read it: no such file' };

  it.each([
    ...['stats', 'stats --cache', 'simulate', 'simulate filter:max-tool-calls=1 --sweep=every=1,2', 'show'],
    ...['report', 'formats', 'audit --policy=query-history', 'filter --max-tool-calls=0 --diff'],
  ])('is in the JSON of %s', async (command) => {
    const { code, out } = await runs(...command.split(' '), '--format', 'json', 'chat.jsonl', 'gone.json');
    expect(code).toBe(2);
    expect(JSON.parse(out).unreadable).toEqual([GONE]);
  });

  it.each(['stats', 'stats --cache', 'simulate'])('ends the table of %s', async (command) => {
    const { out } = await runs(...command.split(' '), 'chat.jsonl', 'gone.json');
    expect(out).toContain(`${GONE.file}: ${GONE.message}: figures are without it`);
  });

  it('is still known when parts are merged', async () => {
    writeFileSync(join(folder, 'part.json'), (await runs('stats', '--format=json', 'chat.jsonl', 'gone.json')).out);
    expect(JSON.parse((await runs('stats', '--format=json', '--merge', 'part.json')).out).unreadable).toEqual([GONE]);
  });
});

it('the JSON of a diff says what its steps did not read', async () => {
  const diff = async (...words: readonly string[]) =>
    JSON.parse((await runs('filter', '--max-tool-calls=0', '--diff', '--format=json', ...words)).out);
  const [rows] = JSON.parse((await runs('stats', '--format=json', 'chat.jsonl')).out).unread;
  expect((await diff('chat.jsonl')).unread).toEqual([rows]);
  expect((await diff('--skip-bad-lines', 'bad-line.jsonl')).bad_lines).toHaveLength(1);
});

describe('a row that is only a text', () => {
  const LOG = [
    { role: 'user', content: 'Hi.' },
    { role: 'assistant', content: 'Hello.' },
  ];
  const rowsWith = (row: unknown, rows: readonly unknown[]) =>
    [rows[0], row, rows[1]].map((one) => `${JSON.stringify(one)}\n`).join('');
  const TEXTS = [
    'Just some words',
    ['Just some words', 'and more'],
    { content: 'Just some words' },
    { id: 7, text: 'Just some words' },
    { prompt: 'Just some words' },
  ];

  it.each(TEXTS)('%j is said not to be read, among messages and among lists of them', async (row) => {
    for (const rows of [LOG, [{ messages: LOG }, { messages: LOG }]]) {
      writeFileSync(join(folder, 'lone.jsonl'), rowsWith(row, rows));
      for (const command of ['stats', 'check', 'show', 'filter --max-tool-calls=1']) {
        const { err } = await runs(...command.split(' '), 'lone.jsonl');
        expect([command, err]).toEqual([command, expect.stringContaining('1 row holds texts that openai-chat')]);
      }
    }
  });

  it.each(['label', 7, { content: 'label' }, { type: 'note', content: 'Just some words' }])(
    '%j is none',
    async (row) => {
      writeFileSync(join(folder, 'lone.jsonl'), rowsWith(row, LOG));
      expect((await runs('check', 'lone.jsonl')).err).toBe('');
    },
  );
});
