/**
 * What strangers wrote costs no more than its size: CPU at four times the size is nearer to 4 times as much than to 16.
 */
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/cli/config/config-schema.js';
import { openArchive } from '../../src/cli/files/archive.js';
import { createAllowance } from '../../src/cli/files/unpacking.js';
import { picodollarsOf } from '../../src/decimals.js';
import { describeError, type TranscriptError } from '../../src/errors.js';
import { canonical } from '../../src/json/canonical.js';
import { type Read, rows } from '../../src/json/rows.js';
import { sessionTitle } from '../../src/measure/stats/title.js';
import { schemaComplaint } from '../../src/policy/arguments.js';
import { compile } from '../../src/policy/compiled.js';
import { parsePolicy } from '../../src/policy/file.js';
import { bytesOf } from '../../src/rules/shared/images.js';
import { streamRuns } from '../../src/secrets/streams.js';
import { unreadIn } from '../../src/source/unread/unread.js';
import { globOf } from '../../src/text/glob.js';
import { widthOf } from '../../src/text/width.js';
import { fitted, fittedEnd } from '../../src/text/words.js';
import { graphemeStarts } from '../../src/transcript/graphemes.js';
import { measureByUnit } from '../../src/transforms/measure.js';
import { growth } from '../shared/growth.js';
import { piecesOf } from '../shared/opened.js';

/** Other programs on the machine are in what is measured: `npm run growth` has the limit of 5. */
const MOST = 8;
const { chars } = measureByUnit(() => 0);

const UNITS = {
  'regional indicators': '🇦',
  'combining marks': '\u0301',
  'joined emoji': '👩\u200d',
  'emoji with marks': '👩\u0301',
  'letters with marks': 'é\u0301a',
  'halves of pairs': '\ud800',
  'a conjunct': 'क\u094d',
};

describe('characters as a reader sees them', () => {
  it.each(Object.entries(UNITS))('%s: linear', (_, unit) => {
    const work = (size: number) => {
      const text = unit.repeat(size);
      chars.length(text);
      chars.head(text, size >> 1);
      chars.tail(`${text}!`, size >> 1);
    };
    expect(growth(6000, work)).toBeLessThan(MOST);
  });

  it.each(Object.entries(UNITS))('%s: as the segmenter tells them', (_, unit) => {
    for (const text of [
      unit.repeat(700),
      `a${unit.repeat(301)}b\r\n${unit.repeat(7)}`,
      `${'x'.repeat(255)}${unit.repeat(9)}`,
    ]) {
      const whole = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].map(({ index }) => index);
      expect([...graphemeStarts(text)]).toEqual(whole);
      expect(chars.length(text)).toBe(whole.length);
      expect(chars.head(text, 5)).toBe(text.slice(0, whole[5] ?? text.length));
    }
  });

  it('and their width', () => {
    expect(growth(1500, (size) => widthOf('👩\u0301'.repeat(size)))).toBeLessThan(MOST);
    expect(growth(1500, (size) => fitted(`${'\u0301'.repeat(size)}${'👩'.repeat(size)}`, 80))).toBeLessThan(MOST);
    expect(growth(1500, (size) => fittedEnd(`${'👩'.repeat(size)}${'\u0301'.repeat(size)}`, 80))).toBeLessThan(MOST);
    expect(widthOf('👩'.repeat(1000))).toBe(2000);
  });
});

describe('globs', () => {
  it.each(['*a*a*a*a*b', '{a,aa}{a,aa}{a,aa}*{*a,a*}b', '{*a*,*a*}{*a*,*a*}{*a*,*a*}b', '*[a-z]*[!b]*[a]*b'])(
    '%s',
    (glob) => {
      const pattern = globOf(glob);
      expect(pattern.test('a'.repeat(4000))).toBe(false);
      expect(growth(3000, (size) => pattern.test('a'.repeat(size)))).toBeLessThan(MOST);
    },
  );

  it.each([
    ['get_*', 'get_weather', true],
    ['get_*', 'forget_', false],
    ['*', 'a\nb', true],
    ['*', '', true],
    ['?', '😀', true],
    ['?', '', false],
    ['a[bc]d', 'acd', true],
    ['a[!bc]d', 'acd', false],
    ['{read,write}_*', 'write_file', true],
    ['{read,write}_*', 'exec_file', false],
    ['{a*,b}c', 'axxc', true],
    ['{,x}y', 'y', true],
    ['a.b', 'axb', false],
    ['a.b?', 'a.bc', true],
    ['[', '[', true],
    ['{a', '{a', true],
    ['[\\]x', '\\x', true],
  ])('%s of %j: %j', (glob, name, fits) => {
    expect(globOf(glob).test(name)).toBe(fits);
  });

  it('refuse a set of characters that is none', () => {
    expect(() => globOf('[z-a]')).toThrow('`[z-a]` is not a set of characters');
  });
});

describe('other texts', () => {
  it.each<[string, (size: number) => unknown]>([
    ['arguments with quotes', (size) => canonical('\\"'.repeat(size))],
    ['base64 that ends in signs', (size) => bytesOf(`${'= '.repeat(size)}x`)],
    ['a sum of money', (size) => picodollarsOf(`1${'0'.repeat(size)}x`)],
  ])('%s', (_, work) => {
    expect(growth(20_000, work)).toBeLessThan(MOST);
  });

  it.each(['1e999999999', '1e-999999999', `0.${'1'.repeat(1e6)}`, '1x'])(
    'a sum of money that is none: %.20s',
    (usd) => {
      expect(picodollarsOf(usd)).toBeUndefined();
    },
  );
});

describe('policies', () => {
  const rule = 'rules: [{ id: r, type: args_valid, tool: "*" }]';
  const withArgs = (args: string) => `version: 1\ntools: { t: { args: ${args} } }\n${rule}`;
  it.each([
    [
      withArgs('{ pattern: "((" }'),
      'p.yaml:2:32: `tools.t.args.pattern`: not a regular expression: Unterminated group',
    ],
    [
      withArgs('{ patternProperties: { "(?=a)": {} } }'),
      /^p.yaml:2:53: `tools.t.args.patternProperties.\(\?=a\)`: a lookahead, `\(\?=` is not/,
    ],
    [
      withArgs('{ items: { $ref: "#/%E0%A4%A" } }'),
      /^p.yaml:2:38: `tools.t.args.items.\$ref`: invalid reference `#\/%E0%A4%A`: each `%` must be followed/,
    ],
    [
      withArgs('{ $ref: "#/$defs/a", $defs: { a: { allOf: [{ $ref: "#" }] } } }'),
      /^p.yaml:2:72: `tools.t.args.\$defs.a.allOf\[0\].\$ref`: this reference is circular/,
    ],
    [
      `version: 1\nwords: { w: { regex: ["a", "(.)\\\\1"] } }\n${rule}`,
      /^p.yaml:2:28: `words.w.regex\[1\]`: a backreference, `\\1` is not supported/,
    ],
    [
      'version: 1\nrules: [{ id: r, type: denied_tools, tools: ["[z-a]"] }]',
      /^p.yaml:2:46: `rules\[0\].tools\[0\]`: invalid character set/,
    ],
    [`${'['.repeat(20_000)}`, /^p.yaml:1:\d+: nested too deeply$/],
    [`a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`, /^p.yaml:1:\d+: nested too deeply$/],
    ['version: 1\na: &a [*a]', /^p.yaml: an alias .* contains itself/],
  ])('%.90s', async (text, expected) => {
    const error = await parsePolicy(text, 'p.yaml').catch((thrown: unknown) => thrown);
    expect(describeError(error as TranscriptError)).toMatch(expected);
  });

  const bomb = Array.from(
    { length: 10 },
    (_, at) => `a${at}: &a${at} [${Array(10).fill(at === 0 ? 'x' : `*a${at - 1}`)}]`,
  ).join('\n');
  it('and configs that unfold', async () => {
    const message = /aliases .* expand more than 100 times/;
    await expect(parsePolicy(bomb, 'p.yaml')).rejects.toThrow(message);
    await expect(parseConfig(bomb, 'c.yaml', true)).rejects.toThrow(message);
  });

  it('with aliases that name each other', () => {
    const aliases = (size: number) => {
      const names = Array.from({ length: size }, (_, at) => `a${at}`);
      return Object.fromEntries(names.map((name) => [name, [...names.filter((other) => other !== name), `${name}_*`]]));
    };
    const { isOneOf } = compile({ version: 1, aliases: aliases(200), rules: [] });
    expect(['a0', 'a7_x', 'b'].map((tool) => isOneOf(tool, 'a0'))).toEqual([true, true, false]);
  });

  it('whose schema goes over the same value again and again', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `s${at}`,
        { anyOf: [{ $ref: `#/$defs/s${at + 1}` }, { $ref: `#/$defs/s${at + 1}` }] },
      ]),
    );
    const schema = { $ref: '#/$defs/s0', $defs: { ...$defs, s60: { type: 'string' } } };
    expect(schemaComplaint(1, schema)).toBe('the value is number, not string');
    expect(schemaComplaint('x', schema)).toBeUndefined();
  });

  it('whose schema goes as deep as the arguments', () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 5000; depth++) deep = { a: deep };
    expect(schemaComplaint(deep, { properties: { a: { $ref: '#' } } })).toMatch(/is nested too deeply to check/);
  });

  it('tells names with dots from paths', () => {
    const schema = {
      properties: { 'a.b': { $ref: '#/$defs/n' }, a: { properties: { b: { $ref: '#/$defs/n' } } } },
      $defs: { n: { type: 'number' } },
    };
    expect(schemaComplaint({ a: { b: 1 }, 'a.b': 'x' }, schema)).toBe('`["a.b"]` is string, not number');
  });
});

describe('archives', () => {
  const zeros = (length: number) => new Uint8Array(length).fill(0x20);
  const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const unfolded = async (files: Record<string, Uint8Array>, most?: number): Promise<number> => {
    const bytes = Buffer.from(zipSync(files, { level: 1 }));
    let at = 0;
    const allowance = createAllowance();
    allowance.raise(most);
    const read = await openArchive((buffer, to, length) => {
      const got = bytes.copy(buffer, to, at, at + length);
      at += got;
      return got;
    }, allowance);
    const buffer = Buffer.alloc(1 << 16);
    let total = 0;
    for (let got = read(buffer, 0, buffer.length); got > 0; got = read(buffer, 0, buffer.length)) total += got;
    return total;
  };
  const sample = (refs: number, size: number, texts = 1) => ({
    'samples/a_epoch_1/sample.json': json({ message_refs: Array(refs).fill([0, 1]) }),
    'samples/a_epoch_1/messages/0.json': json([{ content: Array(texts).fill('attachment://0') }]),
    'samples/a_epoch_1/attachments/0.json': json(['x'.repeat(size)]),
  });

  it.each([
    ['of many files', { 'samples/a_epoch_1.json': zeros(9 << 20), 'samples/b_epoch_1.json': zeros(9 << 20) }],
    ['whose messages are named again and again', sample(20_000, 1000)],
    ['whose texts are named again and again', sample(1, 10_000, 2000)],
  ])('%s are refused', async (_, files) => {
    await expect(unfolded(files)).rejects.toThrow(/unfolds to more than 200 times its size.*--max-unpacked/);
  });

  it('are held to what the flag says', async () => {
    await expect(unfolded({ 'samples/a_epoch_1.json': zeros(2 << 20) }, 1 << 20)).rejects.toThrow('more than 1 MB');
    expect(await unfolded({ 'samples/a_epoch_1.json': zeros(2 << 20) })).toBeGreaterThan(2 << 20);
    expect(await unfolded(sample(20_000, 1000), 1 << 30)).toBeGreaterThan(16 << 20);
  });
});

describe('gigabytes of nothing', () => {
  /** A file without end, of which is counted how much was read. */
  const endless = (head: string, byte: number) => {
    const state = { taken: 0 };
    const read: Read = (buffer, at, length) => {
      const begun = state.taken < head.length ? buffer.write(head.slice(state.taken), at, length) : 0;
      buffer.fill(byte, at + begun, at + length);
      state.taken += length;
      if (state.taken > 2 ** 28) throw new Error('all of it is read');
      return length;
    };
    return { state, read };
  };
  const FIRST = '{"role":"user"}\n';
  it.each([
    ['zeros', '', 0, '1:1: not JSON: expected a value'],
    ['zeros behind a line', FIRST, 0, '2:1: not JSON: expected a value'],
    ['letters', '', 0x61, '1:1: not JSON: expected a value'],
    [
      'letters behind a value',
      `${FIRST}{"a":1,`,
      0x61,
      '2:8: not JSON: expected a key in double quotes after the comma',
    ],
    ['zeros in an array', '[', 0, '1:2: not JSON: expected a value'],
  ])('%s are refused at once', (_, head, byte, expected) => {
    const { state, read } = endless(head, byte);
    expect(describeError(thrownBy(() => [...rows(read)]) as TranscriptError)).toBe(expected);
    expect(state.taken).toBeLessThan(2 ** 20);
  });

  it('and where lines pass unchecked, after 64 MB', () => {
    const { read } = endless(FIRST, 0);
    const error = thrownBy(() => [...rows(read, { passing: { marks: [Buffer.from('tool_calls')] } })]);
    expect(describeError(error as TranscriptError)).toBe('2:1: not JSON: expected a value');
  });

  it('and a line of them is not passed through', () => {
    const { read } = endless(FIRST, 0);
    expect(describeError(thrownBy(() => [...rows(read, { skipBadLines: true })]) as TranscriptError)).toMatch(
      /^2:1: not JSON: expected a value; the line is longer than 64 MB and is not passed through$/,
    );
  });

  it.each(['{"a":tru', '{"a":"\\ud83d\\ud', '{"a":"b', '{"a":-', '{"a":1,', '{"a":"\u00e4'])(
    'a last line that is cut is still one: %s',
    (line) => {
      const bytes = Buffer.from(`${FIRST}${line}`).subarray(0, line.endsWith('\u00e4') ? -1 : undefined);
      for (const ending of ['', '\n', '\n\n']) {
        const whole = Buffer.concat([bytes, Buffer.from(ending)]);
        for (const chunk of [1, 7, 4096]) {
          let at = 0;
          const read: Read = (buffer, to, length) => {
            const got = whole.copy(buffer, to, at, at + Math.min(length, chunk));
            at += got;
            return got;
          };
          expect([...rows(read, { chunk })].map(({ type }) => type)).toEqual(['open', 'record', 'cut', 'close']);
        }
      }
    },
  );
});

it('the title of a prompt of tags that never end: linear', () => {
  const work = (size: number) =>
    sessionTitle({
      format: 'x',
      traits: {},
      messages: [{ role: 'user', parts: [{ type: 'text', text: `<a ${'<'.repeat(size)}` }] }],
    });
  expect(growth(40_000, work)).toBeLessThan(MOST);
});

it('lines that seem to be of a stream over and over again: linear', () => {
  const line = (items: number) => `{"message":{"a":[${'{"done":false},'.repeat(items)}1]}}\n`;
  expect(streamRuns(Buffer.from(line(3).repeat(2)))).toEqual([]);
  // longer lines are not looked at
  expect(growth(300, (items) => streamRuns(Buffer.from(line(items).repeat(60))))).toBeLessThan(MOST);
});

it('what nothing reads in a trace of many records: linear', () => {
  const call = (id: number) => {
    const content = [
      { type: 'strange_thing', x: `words ${id}` },
      { type: 'text', text: `Hi ${id}` },
    ];
    const inputs = { model: 'gpt-4o', messages: [{ role: 'user', content }] };
    const output = { choices: [{ message: { role: 'assistant', content: `Hello ${id}` } }], usage: {} };
    return JSON.stringify({ id, op_name: 'x', trace_id: `t${id}`, started_at: '2026-01-01T00:00:00Z', inputs, output });
  };
  const work = (size: number) => {
    const pieces = piecesOf(Array.from({ length: size }, (_, id) => call(id)).join('\n'));
    const { format } = pieces.find((piece) => piece.type === 'detected')!.detection;
    return pieces.map((piece) => unreadIn(piece, format)).find((unread) => unread !== undefined);
  };
  expect(work(10)).toMatchObject({ texts: 10 });
  expect(growth(150, work)).toBeLessThan(MOST);
});

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
