/** Nothing of a transcript, a file name, a config or an argument steers a terminal, a log, a spreadsheet or a page. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Stream, Terminal } from '../../src/cli/terminal/terminal.js';
import { csvCell, markdownCode, markdownProse, markdownText, xmlText } from '../../src/safe/formats.js';
import { safeJson } from '../../src/safe/json.js';
import { joined, type SafeText, safe, shown, shownLines } from '../../src/safe/text.js';
import { anyText } from '../shared/any-text.js';
import { cases } from '../shared/effort.js';

(globalThis as { __VERSION__?: string }).__VERSION__ = '0.0.0';

/** Written down apart from the code: what must not reach a terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const RAW = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/u;
const COMMAND = /^\s*::|##\[|##vso\[/m;
const RAW_OR_COMMAND = new RegExp(`${RAW.source}|${COMMAND.source}`, 'mu');
// biome-ignore lint/suspicious/noControlCharactersInRegex: our own colors and progress
const COLOR = /\x1b\[(?:\d{1,2}m|K)|\r/g;
const EVIL =
  '::set-output name=a::b\x1b[31m\x1b]0;t\x07\b\x7f\x85\x9b1m\u061c\u202e\u2066\u200b\u200d\u200f\u2028' +
  '\u2060\ufeff\u{e0041}\r\n::error file=x::INJECTED\n##[error]I\n##vso[task.x]`|<b>[a](http://b)\t';

const home = mkdtempSync(join(tmpdir(), 'ctx-trim-safe-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const write = (name: string, text: string) => {
  writeFileSync(join(home, name), text);
  return name;
};

const call = (id: string, name: string, args: string) => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const CHAT = {
  id: `${EVIL}id`,
  model: `${EVIL}model`,
  tools: [{ type: 'function', function: { name: `${EVIL}tool`, description: EVIL, parameters: {} } }],
  messages: [
    { role: 'system', content: EVIL },
    { role: 'user', name: EVIL, content: EVIL },
    {
      role: 'assistant',
      content: EVIL,
      tool_calls: [call(EVIL, `${EVIL}tool`, JSON.stringify({ [EVIL]: EVIL })), call(`${EVIL}2`, `${EVIL}tool`, '{')],
    },
    { role: 'tool', tool_call_id: EVIL, name: `${EVIL}tool`, content: EVIL.repeat(5) },
    { role: 'tool', tool_call_id: `${EVIL}orphan`, name: `${EVIL}other`, content: EVIL },
    { role: 'user', content: 'go on' },
    { role: 'assistant', content: '', tool_calls: [call(`${EVIL}last`, '=1+1', '{}')] },
  ],
};
const record = (type: string, more: object) =>
  JSON.stringify({ type, uuid: type, sessionId: EVIL, timestamp: '2026-01-01T00:00:00Z', ...more });

mkdirSync(join(home, `::notice::\x1b[1m\u202e\n##[x]`));
const CHAT_FILE = write(`::error::\x1b[31m\u202e\u200b\n::warning::.json`, JSON.stringify(CHAT));
const OTHER = write('other.json', JSON.stringify({ ...CHAT, messages: CHAT.messages.slice(0, 5) }));
const LOG = write(
  '##vso-log.jsonl',
  [
    record('user', { message: { role: 'user', content: EVIL } }),
    record('assistant', {
      requestId: EVIL,
      message: {
        id: EVIL,
        model: `claude-opus-4${EVIL}`,
        role: 'assistant',
        content: [{ type: 'tool_use', id: EVIL, name: EVIL, input: {} }],
        usage: { input_tokens: 5, output_tokens: 6 },
      },
    }),
  ].join('\n'),
);
const BROKEN = [
  write('key.json', JSON.stringify({ [EVIL]: EVIL })),
  write(
    'role.json',
    JSON.stringify({
      messages: [
        { role: EVIL, content: 'x' },
        { role: 'user', content: { [EVIL]: 1 } },
      ],
    }),
  ),
  write('cut\x1b.json', `{"messages":[{"role":"user","content":"x"}, ${EVIL}`),
  write('part.json', JSON.stringify({ messages: [{ role: 'user', content: [{ type: EVIL }] }, { role: 'tool' }] })),
];
const POLICY = write(
  'policy.json',
  JSON.stringify({
    version: 1,
    name: EVIL,
    tools: { [`${EVIL}tool`]: { cost: 0.02, instead: [EVIL] } },
    rules: [
      { id: 'none', type: 'denied_tools', tools: ['*'] },
      { id: 'share', type: 'violation_rate', of: 'none', max: 0.1, min_calls: 1 },
    ],
    examples: { allow: [EVIL], deny: [EVIL] },
  }),
);
const CONFIG = write('config.json', JSON.stringify({ defaults: { [EVIL]: 1 }, pipelines: { [EVIL]: [EVIL] } }));
const BASELINE = write('known.json', JSON.stringify({ findings: [{ rule: EVIL, transcript: EVIL, call_id: EVIL }] }));

interface Output {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(words: readonly string[], isTerminal = false, env = {}): Promise<Output> {
  const { runIn } = await import('../../src/cli/cli.js');
  const texts = { out: '', err: '' };
  const stream = (name: 'out' | 'err'): Stream => ({
    isTerminal,
    columns: 80,
    write: (text) => {
      texts[name] += text;
    },
    data: () => {},
  });
  const terminal: Terminal = {
    env,
    cwd: home,
    stdin: () => 0,
    stdinIsTerminal: false,
    stdout: stream('out'),
    stderr: stream('err'),
  };
  const code = await runIn(terminal, words);
  return { code, ...texts };
}

function expectSafe(text: string, isOurs = false): void {
  expect(RAW.exec(text)?.[0]).toBeUndefined();
  if (!isOurs) expect(COMMAND.exec(text)?.[0]).toBeUndefined();
}

const READ = [CHAT_FILE, OTHER, LOG];
const formats = (flag: string, names: string) => names.split(' ').map((name) => [flag, name]);

const LINES: readonly (readonly string[])[] = [
  ...formats('--format', 'text json markdown').map((format) => ['patch', '--diff', ...format, ...READ]),
  ['patch', '--diff', '--side-by-side', ...READ],
  ['patch', '--check', ...READ],
  ['filter', '--max-tool-calls', '0', '--diff', ...READ],
  ['truncate', '--max-length', '9', '--no-minimum', '--summary', '--verbose', ...READ],
  ...formats('--by', 'role model session file day request turn').map((by) => ['stats', ...by, ...READ]),
  ...['message', 'tool', 'request'].flatMap((by) =>
    formats('--format', 'csv markdown json').map((format) => ['stats', '--by', by, ...format, ...READ]),
  ),
  ...formats('--format', 'table csv markdown json').flatMap((format) => [
    ['stats', '--tools', '--max-tokens', '1', '--max-cost', '0', '--calibrate', ...format, ...READ].filter(
      (word) => format[1] === 'table' || format[1] === 'json' || word !== '--calibrate',
    ),
    ['simulate', 'filter:max-tool-calls=1', ...format, ...READ],
    ['simulate', 'filter:max-tool-calls=1', '--by', 'transcript', ...format, ...READ],
    ['simulate', '--sweep', 'max-tool-calls=0..1', ...format, ...READ],
    ['simulate', '--retries', '2', ...format, ...READ],
  ]),
  ...formats('--format', 'text json').map((format) => ['show', ...format, ...READ, ...BROKEN]),
  ['show', '--full', '--findings', ...READ],
  ['show', CHAT_FILE, '0..2', '--grep', 'a'],
  ['show', OTHER, '99', EVIL],
  ['show', '--grep', `${EVIL}(`, ...READ],
  ...formats('--format', 'text json markdown').map((format) => ['diff', ...format, CHAT_FILE, OTHER]),
  ...formats('--reporter', 'pretty json sarif junit github gitlab').map((reporter) => [
    'check',
    ...reporter,
    '--policy',
    POLICY,
    '--max-tokens',
    '1',
    '--max-result-length',
    '1',
    '--baseline',
    BASELINE,
    ...READ,
    ...BROKEN,
  ]),
  ['check', '--fix=synthetic', '--diff', ...READ],
  ...formats('--reporter', 'table json csv markdown sarif junit github gitlab').map((reporter) => [
    'audit',
    '--policy',
    POLICY,
    ...reporter,
    ...READ,
    ...BROKEN,
  ]),
  ...formats('--by', 'rule file').map((by) => ['audit', '--policy', POLICY, ...by, ...READ]),
  ...formats('--format', 'table json').map((format) => ['audit', '--explain', EVIL, ...format]),
  ['audit', '--explain', EVIL, '--tool', EVIL, '--policy', POLICY, EVIL],
  ...formats('--format', 'text json').flatMap((format) => [
    ['convert', '--to', 'anthropic-messages', ...format, ...READ],
    ['formats', ...(format[1] === 'json' ? format : []), ...READ, ...BROKEN],
    ['policy', 'test', POLICY, ...(format[1] === 'json' ? format : [])],
  ]),
  ['policy', 'init', ...READ],
  ['policy', EVIL],
  ['prices', EVIL, `gpt-4o${EVIL}`],
  ['prices', '--format', 'json', EVIL],
  ['rules', EVIL],
  ['formats', EVIL, `${EVIL}/*`, '::notice::\x1b[1m\u202e\n##[x]'],
  ['run', EVIL, CHAT_FILE],
  ['run', 'patch', '--config', CONFIG, CHAT_FILE],
  ['run', EVIL, '--config', CONFIG, CHAT_FILE],
  ['filter', `--${EVIL}`],
  ['filter', '--lang', EVIL, CHAT_FILE],
  [EVIL],
  ['check', '--reporter', EVIL, CHAT_FILE],
  ['check', '--rule', EVIL, CHAT_FILE],
  ['stats', '--currency', EVIL, CHAT_FILE],
  ['stats', '--timezone', EVIL, CHAT_FILE],
  ['stats', '--merge', CHAT_FILE],
  ['patch', '--from', EVIL, CHAT_FILE],
  ['patch', '--messages', EVIL, CHAT_FILE],
  ...BROKEN.map((file) => ['patch', '--diff', file]),
];

describe('no command lets through what steers a terminal or a log', () => {
  const title = (words: readonly string[]) => safeJson(words).slice(0, 90);

  it.each(LINES.map((words) => [title(words), words] as const))('%s', async (_, words) => {
    const { out, err } = await run(words);
    const isOurs = words.includes('github');
    expect(out + err).not.toBe('');
    expectSafe(out, isOurs);
    expectSafe(err);
    expect(out + err).not.toContain('internal error');
    if (isOurs)
      for (const line of out.trimEnd().split('\n')) expect(line).toMatch(/^::(?:error|warning|notice) file=[^:,]*[,:]/);
    if (words.includes('json') && out !== '') expect(() => JSON.parse(out)).not.toThrow();
  });

  it('nor on a terminal, with colour, in GitHub Actions', async () => {
    for (const words of [
      ['patch', '--diff', ...READ],
      ['stats', ...READ],
      ['show', ...READ],
      ['check', ...READ],
      ['audit', '--policy', POLICY, ...READ],
      ['simulate', 'patch', ...READ],
    ]) {
      const { out, err } = await run([...words, '--color'], true, { GITHUB_ACTIONS: 'true' });
      const plain = (text: string) => text.replace(COLOR, '').replace(/^::(?:error|warning|notice) file=.*\n/gm, '');
      expectSafe(plain(out));
      expectSafe(plain(err));
    }
  });

  it('nor into a file', async () => {
    const names = 'pretty json sarif junit gitlab'.split(' ');
    await run([
      'check',
      ...names.flatMap((name) => ['--reporter', `${name}=out.${name}`]),
      '--write-baseline',
      'out.known',
      ...READ,
    ]);
    const written = readdirSync(home).filter((name) => name.startsWith('out.'));
    expect(written).toHaveLength(names.length + 1);
    for (const name of written) expectSafe(readFileSync(join(home, name), 'utf8'));
  });

  it('and JSON holds the very values', async () => {
    const { out } = await run(['stats', '--format', 'json', OTHER]);
    const [{ id, model, messages }] = (
      JSON.parse(out) as { transcripts: [{ id: string; model: string; messages: { tools: string[] }[] }] }
    ).transcripts;
    expect({ id, model, tools: messages[2]!.tools }).toEqual({
      id: CHAT.id,
      model: CHAT.model,
      tools: [`${EVIL}tool`, `${EVIL}tool`],
    });
  });

  it('and no cell is a formula', async () => {
    for (const words of [
      ['stats', '--by', 'tool'],
      ['audit', '--policy', POLICY],
    ]) {
      const { out } = await run([...words, '--format', 'csv', ...READ]);
      expect(out).toContain("'=1+1");
      expect(out).not.toMatch(/(?:^|,)"?[=+@]/m);
    }
  });
});

describe('safe text', () => {
  it.each([
    ['plain text, get_weather({"city":"Köln"}) 上次 😀 é\u0301', undefined],
    ['👩‍👩‍👧 ❤️ 👍🏽 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 می‌خواهم क्‍ष 葛󠄀', undefined],
    ['a\u200db x\ufe0f\ufe0f', 'a\\u200db x\\ufe0f\\ufe0f'],
    ['👍\u200d\u200d', '👍\\u200d\\u200d'],
    ['a\nb\r\nc\td', 'a⏎b⏎c d'],
    ['\x1b[31m\x9b\r\x00', '\\x1b[31m\\x9b\\x0d\\x00'],
    [
      '\u202ea\u2066\u061c\u200e\ufeff\u00ad\u3164\ud800\uffff',
      '\\u202ea\\u2066\\u061c\\u200e\\ufeff\\xad\\u3164\\ud800\\uffff',
    ],
    ['\u{e0041}\u{1d173}', '\\u{e0041}\\u{1d173}'],
    ['##[group] ##vso[x] ## [1.0] #[x]', '#\\x23[group] #\\x23vso[x] ## [1.0] #[x]'],
  ])('%j', (text, seen = text) => {
    expect(shown(text)).toBe(seen);
    expect(shown(seen)).toBe(seen);
  });

  it('shows a character alone as it does beside one that is escaped, for which the long pattern is needed', () => {
    const others = Array.from({ length: 1 << 16 }, (_, code) => String.fromCharCode(code)).filter(
      (character) => shown(character) + shown('\u200b') !== shown(`${character}\u200b`),
    );
    expect(others).toEqual([]);
  });

  it('begins no line with a command, wherever its pieces come from', () => {
    expect(safe`${shown('::error::x')}\n${shown(' \t::x')} ${shown('a::b ::c')}`).toBe(
      '\\x3a:error::x\n  \\x3a:x a::b ::c',
    );
    expect(joined([shown('::x'), shown('y')], '\n')).toBe('\\x3a:x\ny');
    expect(safe`${shown('')}${shown(':')}${shown(':x')}`).toBe('\\x3a:x');
    expect(safe`\x1b[36m${shown('::x')}`).toBe('\x1b[36m\\x3a:x');
    expect(shownLines('a\n::b\u202e')).toBe('a\n\\x3a:b\\u202e');
  });

  it('lets through nothing of any string, in any format', () => {
    const hostile = fc
      .array(
        fc.oneof(
          anyText(),
          fc.constantFrom(
            ...'\x1b\x9b\u202e\u200b\u200d\u2028\n\r\t:#[`|<>&"=-\\\0',
            '::',
            '##[',
            '](',
            '👩',
            'क',
            '0',
            ']]>',
            '\ud800',
          ),
        ),
        { maxLength: 12 },
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(hostile, hostile, (a, b) => {
        for (const text of [
          safe`${shown(a)}: ${shown(b)}\n`,
          csvCell(a),
          markdownText(a),
          markdownProse(a),
          markdownCode(a),
          xmlText(a),
        ])
          expect(safe`${text}`.replace(/(?<=\S)\u200d(?=\S)/gu, '')).not.toMatch(RAW_OR_COMMAND);
        expect(JSON.parse(safeJson({ a: [a, 3n], [b]: b }, 2, (item) => shown(String(item))))).toEqual({
          a: [a, 3],
          [b]: b,
        });
        expect(xmlText(a)).not.toMatch(/[<>"']/);
        expect(markdownText(a)).not.toMatch(/(?<!\\)(?:\\\\)*[|`]|<[a-z/!?]/i);
        expect(csvCell(a).replace(/^"/, '')).not.toMatch(/^[=+@\t\r]/);
      }),
      { numRuns: cases(100, 500, 'CTX_TRIM_FUZZ'), seed: 13 },
    );
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['-2+3', "'-2+3"],
    ['@x', "'@x"],
    ['\t=x', "' =x"],
    ['-5', '-5'],
    ['-0.5', '-0.5'],
    [-5, '-5'],
    ['a;=b', '"a;=b"'],
    ['=a"b,c', '"\'=a""b,c"'],
  ])('CSV: %j', (value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  it('is no string to the compiler', () => {
    const raw: string = EVIL;
    const take = (text: SafeText) => text;
    const stream = { write: take } as Pick<Stream, 'write'>;
    // @ts-expect-error: a raw string
    stream.write(raw);
    // @ts-expect-error: a raw string in a hole
    safe`${raw}`;
    // @ts-expect-error: what is joined to a safe text is raw again
    take(`${shown(raw)}${raw}`);
    // @ts-expect-error: a raw separator
    joined([shown(raw)], raw);
    // @ts-expect-error: safe on a terminal is not yet safe in markdown
    markdownTyped(shown(raw));
    // @ts-expect-error: nor is a literal safe before it is a template
    take('x');
    expect(take(safe`x${1}${2n}`)).toBe('x12');
  });
});

function markdownTyped(text: ReturnType<typeof markdownText>): string {
  return text;
}
