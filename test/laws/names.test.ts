/** Names from outside that every JavaScript object answers to: they are names like any other. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/engine/rewrite/run.js';
import { stepsOf } from '../../src/engine/steps.js';
import { formats } from '../../src/formats/index.js';
import { withMessages } from '../../src/transcript/edit.js';
import { textOf } from '../../src/transcript/text.js';
import { lawful } from '../shared/lawful.js';
import { openText } from '../shared/opened.js';
import { runProgram } from '../shared/program.js';
import { fixtures } from '../shared/recordings.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

const NAMES = ['constructor', 'hasOwnProperty', 'toString', 'valueOf', '__proto__'] as const;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-trim-'));
  writeFileSync(join(folder, 'chat.json'), chat('__proto__', 'constructor'));
  writeFileSync(
    join(folder, 'config.json'),
    '{"pipelines": {"constructor": ["filter:max-tool-calls=0"], "toString": ["strip"]}, "defaults": {"__proto__": ' +
      '"x"}}',
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Calls of tools, and ids, with these names; one of each is answered. */
function chat(one: string, other: string): string {
  const called = (id: string, name: string) =>
    `{"id":"${id}","type":"function","function":{"name":"${name}","arguments":"{\\"${id}\\":1}"}}`;
  return (
    `{"model":"${one}","${other}":{"${one}":1},"messages":[{"role":"user","content":"hi","${one}":[]},` +
    `{"role":"assistant","content":null,"tool_calls":[${called(one, other)},${called(other, one)}]},` +
    `{"role":"tool","tool_call_id":"${one}","content":"3"},{"role":"user","content":"go on"}]}`
  );
}

describe.each(NAMES)('%s', (name) => {
  it('is a member of a log like any other', () => {
    const member = `"${name}":{"toString":null}`;
    const lines = (shared: string) =>
      [
        '{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:00Z",' +
          '"message":{"role":"user","content":"hi"}}',
        `{"type":"assistant","uuid":"u2","parentUuid":"u1","sessionId":"s",${shared},` +
          '"timestamp":"2026-01-01T00:00:01Z","message":{"id":"m","model":"claude-opus-4","role":"assistant",' +
          '"content":[{"type":"tool_use","id":"a","name":"t","input":{}}]}}',
        '{"type":"user","uuid":"u3","parentUuid":"u2","sessionId":"s","timestamp":"2026-01-01T00:00:02Z",' +
          '"message":{"role":"user","content":"go on"}}',
        '',
      ].join('\n');
    const patched = run(lines(member), ['patch']);
    expect(patched.replace(member, '"other":1')).toBe(run(lines('"other":1'), ['patch']));
    expect(
      patched
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toHaveLength(4);
    expect(run(patched, ['patch'])).toBe(patched);
  });

  it('is a tool, an id and a key like any other', () => {
    for (const [one, other] of [
      [name, 'x'],
      ['x', name],
      [name, 'constructor'],
    ] as const) {
      const text = chat(one, other);
      const patched = run(text, ['patch']);
      expect(patched).toContain(`{"${one}":1},"messages":[{"role":"user","content":"hi","${one}":[]}`);
      expect((JSON.parse(patched) as { messages: object[] }).messages).toHaveLength(5);
      expect(run(patched, ['patch'])).toBe(patched);
      expect(JSON.parse(run(patched, ['filter:max-tool-calls=0']))).toHaveProperty('messages.length', 2);
    }
  });

  it('is no step, no option and no pipeline, unless it is one', () => {
    expect(() => stepsOf([name])).toThrow(`no step \`${name}\``);
    expect(() => stepsOf([`filter:${name}=1`])).toThrow(`no option \`${name}\``);
    expect(() => stepsOf([{ transform: 'filter', [name]: 1 }])).toThrow(`no option \`${name}\``);
    expect(stepsOf([name], { [name]: ['strip'] })).toHaveLength(1);
  });

  it('is no role and no type of any format', () => {
    for (const { id } of formats) {
      const texts = [
        `{"role":"${name}","type":"${name}","kind":"${name}","from":"${name}","source":"${name}","content":"x",` +
          '"parts":[],"value":"x"}',
        `{"type":"${name}","role":"user","content":[{"type":"${name}"}],"parts":[{"type":"${name}"}],` +
          `"message":{"role":"${name}","content":"x"}}`,
      ];
      for (const text of texts)
        expect(readAs(`{"messages":[${text}]}`, id)).not.toMatch(/native code|\[object|is not a/);
    }
  });
});

/** What comes of reading a text as a format: its roles, or the error. */
function readAs(text: string, from: string): string {
  try {
    return openText(text, { from })
      .transcripts.flatMap(({ messages }) => messages.map(({ role }) => String(role)))
      .join();
  } catch (error) {
    if ((error as Error).name !== 'TranscriptError') throw error;
    return (error as Error).message;
  }
}

/** Each as typed; `{}` is each name in turn. */
const REFUSED: readonly (readonly [words: string, sentence: RegExp])[] = [
  ['run {} chat.json', /^ctx-trim: unknown step or pipeline `/],
  ['simulate --sweep constructor=1..2 chat.json', /no step has an option `constructor`/],
  ['convert --to {} chat.json', /no format `/],
  ['stats --sort {} chat.json', /no column `/],
];

it.each(REFUSED)('%s is refused in one line', (words, sentence) => {
  const name = NAMES[words.length % NAMES.length]!;
  const { status, stderr } = program(words.replace('{}', name));
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(stderr).toMatch(sentence);
  expect(status).toBeGreaterThan(0);
});

it('are counted and run like any other', () => {
  const { stdout: tools } = program('stats --by tool --format json chat.json');
  expect((JSON.parse(tools) as { rows: { tool: string }[] }).rows.map(({ tool }) => tool).sort()).toEqual([
    '__proto__',
    'constructor',
  ]);
  expect(program('run --config config.json constructor chat.json').stdout).toBe(
    program('filter --max-tool-calls 0 chat.json').stdout,
  );
});

function program(words: string): { status: number | null; stdout: string; stderr: string } {
  return runProgram(words.split(' '), { cwd: folder });
}

// --- what a result held, said by a user

/** Of each format its smallest recordings: what holds calls is among them. */
const SMALL = 5_000;

it('`--orphan text` says what results held in every format, and a second run changes nothing', () => {
  for (const { name, bytes } of fixtures()) {
    const text = bytes.toString();
    // without calls, its records read as another format
    if (bytes.length > SMALL || name.startsWith('vercel-model/')) continue;
    const orphaned = mapText(text, (transcript) =>
      transcript.traits.resultsStandInCalls
        ? transcript
        : withMessages(
            transcript,
            transcript.messages.flatMap((message) => {
              const parts = message.parts.filter(({ type }) => type !== 'call');
              return parts.length === message.parts.length
                ? [message]
                : parts.length === 0
                  ? []
                  : [{ ...message, parts }];
            }),
          ),
    );
    const said = rewriteText(orphaned, 'patch', { orphan: 'text' });
    expect([name, rewriteText(said, 'patch', { orphan: 'text' }) === said]).toEqual([name, true]);
    const [held] = heldIn(orphaned);
    if (held !== undefined && heldIn(said).length === 0)
      expect([name, spokenIn(said)]).toEqual([name, expect.stringContaining(held)]);
  }
});

it('an orphan of Gemini becomes a text', () => {
  const around = (parts: string) =>
    `{"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"user","parts":[${parts}]}]}\n`;
  const joined = (part: string) => `{"contents":[{"role":"user","parts":[{"text":"hi"},${part}]}]}\n`;
  for (const [response, text] of [
    ['{"result":"orphan"}', '"orphan"'],
    ['{"temp":3}', '"{\\"temp\\":3}"'],
    ['{"output":"a","x":1}', '"{\\"output\\":\\"a\\",\\"x\\":1}"'],
  ])
    expect(
      rewriteText(around(`{"functionResponse":{"id":"zz","name":"t","response":${response}}}`), 'patch', {
        orphan: 'text',
      }),
    ).toBe(joined(`{"text":${text}}`));
});

function heldIn(text: string): string[] {
  return openText(text).transcripts.flatMap(({ messages }) =>
    messages.flatMap(({ parts }) =>
      parts.flatMap((part) =>
        part.type === 'result' ? part.content.flatMap((one) => (one.type === 'text' ? [textOf(one.text)] : [])) : [],
      ),
    ),
  );
}

function spokenIn(text: string): string {
  return openText(text)
    .transcripts.flatMap(({ messages }) =>
      messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [textOf(part.text)] : []))),
    )
    .join('\n');
}

// --- the code

/** Their tables are indexed by ids of our own, or only listed. */
const OWN_KEYS = [
  'cli/guesses.ts',
  'cli/commands/registry.ts',
  'cli/commands/rewrite/index.ts',
  'plugin/edits.ts',
  'plugin/laws.ts',
];

it('the code looks names up in maps, and asks objects for their own members', () => {
  const found: string[] = [];
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const files = paths.map((path) => ({ path, text: readFileSync(join('src', path), 'utf8') }));
  /** What `table()` makes knows no names but its own. */
  const tables = new Set(
    files.flatMap(({ text }) => [...text.matchAll(/const ([A-Z0-9_]+) = table</g)].map(([, n]) => n)),
  );
  for (const { path, text } of files) {
    const code = text
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/(^|\s)\/\/.*$/gm, '')
      .replace(/`(?:[^`\\]|\\.)*`/g, '');
    for (const line of code.split('\n')) {
      const bare = line.replace(/`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, (text) =>
        /^'\w+'$/.test(text) ? text : "''",
      );
      const asked = /(\S+) in (?!keyof)([\w.]+)/.exec(bare);
      const isAsked =
        asked !== null && !tables.has(asked[2]!) && !/\[\w+ in /.test(bare) && !/^\W*'\w+'$/.test(asked[1]!);
      const isTable = !OWN_KEYS.includes(path) && /^(?:export )?const [A-Z_]+: (?:Readonly<)?Record<string,/.test(bare);
      const isSet = /\b\w+\[(?:\w+\.(?:text|name|id|key|type|tool|role|model|string)|prefix \+ \w+)\] =[^=]/.test(bare);
      if (isAsked || isTable || isSet) found.push(`${path}: ${line.trim()}`);
    }
  }
  lawful(found);
});
