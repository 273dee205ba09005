import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TranscriptError } from '../../src/errors.js';
import { type Json, patch, patchItems } from '../../src/json/edit.js';
import { type JsonNode, parse } from '../../src/json/node.js';
import { print, type Sink } from '../../src/json/print.js';
import { type RowEvent, rows } from '../../src/json/rows.js';
import { createScan, INCOMPLETE, INVALID, Tape } from '../../src/json/scan.js';
import { styleOf } from '../../src/json/style.js';
import { anyText } from '../shared/any-text.js';
import { runs } from '../shared/random-runs.js';

describe('the scan accepts and rejects what JSON.parse does', () => {
  it('on mutated JSON', () => {
    const alphabet = [
      ...'{}[]:,"\\/ \t\r\n0123456789.eE+-truefalsn\u0000\u001f\u007fé日😀bx',
      '\\u00e9',
      '\\ud83d',
      '"a":',
      '1e5',
      '-0',
      'null',
      '\ud800',
    ];
    const mutated = fc
      .tuple(
        fc.json({ maxDepth: 4 }),
        fc.array(fc.tuple(fc.nat(), fc.constantFrom(...alphabet), fc.boolean()), { maxLength: 4 }),
      )
      .map(([text, edits]) =>
        edits.reduce((now, [at, piece, replaces]) => splice(now, at % (now.length + 1), piece, replaces), text),
      );
    fc.assert(
      fc.property(mutated, (text) => {
        const utf8 = Buffer.from(text).toString(); // what bytes can say: lone surrogates are gone
        expect(accepts(() => parse(utf8))).toBe(accepts(() => JSON.parse(utf8)));
      }),
      runs(),
    );
  });

  it('and reads the values that JSON.parse reads', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.boolean(), (text, pretty) => {
        const written = pretty ? JSON.stringify(JSON.parse(text), null, 2) : text;
        expect(build(parse(written))).toEqual(JSON.parse(written));
      }),
      runs(1 / 10),
    );
  });

  it('and knows bytes that are no UTF-8', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        const text = Buffer.concat([Buffer.from('"'), Buffer.from(bytes), Buffer.from('"')]);
        expect(accepts(() => parse(text))).toBe(
          accepts(() => JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text))),
        );
      }),
      runs(),
    );
  });

  it('compiled from its source', () => {
    expect(readFileSync(compiled(), 'utf8')).toBe(readFileSync('src/json/code.ts', 'utf8'));
  });

  it('wherever the bytes end, and whatever the scan saw before', () => {
    const scan = createScan();
    const tape = new Tape();
    const text = Buffer.from(
      '{"a": "\\u00e9 é日😀 \\n", "b": [1.5e-3, true, null], "long": "0123456789abcdef0123456789abcdef"} ',
    );
    for (let limit = 0; limit <= text.length; limit++) {
      const bytes = Buffer.concat([text.subarray(0, limit), Buffer.from('"}]garbage')]);
      expect(scan(bytes, 0, limit, false, tape)).toBe(limit < text.length - 1 ? INCOMPLETE : text.length - 1);
    }
    const again = Buffer.from('[1,2]');
    expect(scan(again, 0, 5, true, tape)).toBe(5);
    again[3] = 0x78;
    scan.forget();
    expect(scan(again, 0, 5, true, tape)).toBe(INVALID);
    expect([tape.errorAt, tape.error]).toEqual([3, 'expected a value']);
  });

  it('at any depth', () => {
    const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
    expect(parse(deep).isArray).toBe(true);
  });

  it('takes the last of repeated keys', () => {
    const node = parse('{"a":1,"b":2,"\\u0061":3}');
    expect(node.get('a')?.number).toBe(3);
    expect(printed(patch(node, { a: 'x' }))).toBe('{"a":1,"b":2,"\\u0061":"x"}');
    expect(printed(patch(node, { a: undefined }))).toBe('{"b":2}');
  });
});

describe('rows', () => {
  it('give back every byte, whatever the chunks', () => {
    const gap = fc.stringMatching(/^[ \t\r\n]{0,4}$/);
    const value = fc.oneof(
      fc.json({ maxDepth: 2 }),
      fc.json({ maxDepth: 2 }).map((text) => JSON.stringify(JSON.parse(text), null, 3)),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(gap, value), { minLength: 1, maxLength: 6 }),
        gap,
        fc.boolean(),
        fc.integer({ min: 1, max: 40 }),
        (values, tail, mark, chunk) => {
          const text = (mark ? '\ufeff' : '') + values.map(([before, json]) => `${before} ${json}`).join('') + tail;
          const events = [...rows(reader(text), { chunk })];
          expect(joined(events)).toBe(text);
          const records = events.flatMap((event) => (event.type === 'record' ? [build(event.root)] : []));
          expect(records).toEqual(
            values.flatMap(([, json], index) => {
              const isRow = json.startsWith('[') && values.slice(0, index).every(([, other]) => other.startsWith('['));
              return isRow ? JSON.parse(json) : [JSON.parse(json)];
            }),
          );
          const reused: string[] = [];
          for (const event of rows(reader(text), { chunk, reuse: { isOn: () => true, settle: () => {} } }))
            reused.push(joined([event]));
          expect(reused.join('')).toBe(text);
        },
      ),
      runs(1 / 10),
    );
  });

  it('are the same, lines and errors too, however little comes at a time', () => {
    const text = fc
      .array(fc.oneof(fc.json({ maxDepth: 2 }), fc.constantFrom('\n', '\r\n', ' ', '{"a":\n', '"é😀', ']', '[')), {
        maxLength: 12,
      })
      .map((pieces) => pieces.join('\n'));
    const seen = (read: (buffer: Buffer, at: number, length: number) => number, chunk: number) => {
      const found: unknown[] = [];
      try {
        for (const event of rows(read, { chunk, skipBadLines: true }))
          found.push([event.type, 'line' in event ? event.line : 0, joined([event])]);
      } catch (error) {
        found.push((error as TranscriptError).message, (error as TranscriptError).place);
      }
      return found;
    };
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
        (content, chunk, steps) => {
          const whole = reader(content);
          let turn = 0;
          const slow = reader(content);
          const little = (buffer: Buffer, at: number, length: number) =>
            slow(buffer, at, Math.min(length, steps[turn++ % steps.length]!));
          expect(seen(little, chunk)).toEqual(seen(whole, 1000));
        },
      ),
      runs(1 / 10),
    );
  });

  it('go behind one another in memory where a pipe gives little at a time', () => {
    const message = (index: number) => `{"role": "user",\n "content": "${`${index} `.repeat(300)}"}`;
    const messages = Array.from({ length: 4000 }, (_, index) => message(index));
    const text = Buffer.from(`{"messages": [${messages.join(', ')}]}`);
    let read = 0;
    const buffers = new Set<Buffer>();
    const pipe = (buffer: Buffer, at: number, length: number) => {
      buffers.add(buffer);
      const got = text.copy(buffer, at, read, Math.min(read + 30_000, read + length));
      read += got;
      return got;
    };
    expect(joined([...rows(pipe)])).toBe(text.toString());
    expect(text.length / 30_000).toBeGreaterThan(150);
    expect(buffers.size).toBeLessThan(12); // each is twice as long as the one before
  });

  it('know their lines', () => {
    const linesOf = (text: string) =>
      [...rows(reader(text), { chunk: 3 })].flatMap((event) => (event.type === 'record' ? [event.line] : []));
    expect(linesOf('\n{"a":\n1}\r\n\n{"b":2} {"c":3}\n[{"d":4},\n\n{"e":5}]\n{}')).toEqual([2, 5, 5, 6, 9]);
    expect(linesOf('\n[{"d":4},\n\n{"e":5}]\n{"a":\n1}')).toEqual([2, 4, 5]);
  });

  it.each([
    ['', 'the input is empty'],
    [' \n', 'the input holds nothing but white space'],
    ['{"a":1', '1:7 not JSON: the input ends in the middle of a value'],
    ['{"a":1}\n{"b":"é" x}\n', '2:10 not JSON: expected a comma or a closing brace'],
    ['{"a":1}\n{b}\n{}', '2:2 not JSON: expected a key in double quotes or a closing brace'],
    ['[1,]', '1:4 not JSON: expected a value'],
    ['[1 2]', '1:4 not JSON: expected a comma or a closing bracket'],
    ['[1,2', '1:5 not JSON: expected a comma or a closing bracket'],
    ['{"a":1}}', '1:8 not JSON: expected a value'],
    ['PK\x03\x04', '1:1 the input is a ZIP archive, not JSON; unpack it first'],
  ])('say where %j is no JSON', (text, message) => {
    for (const chunk of [1, 3, 100]) expect(failure(() => [...rows(reader(text), { chunk })])).toBe(message);
  });

  it('pass bad lines through when asked, and keep a last line that is cut off', () => {
    const text = '{"a":1}\n{bad\n{"b":[1}\r\n{"c":3}\n{"d":"xy';
    for (const chunk of [1, 5, 100]) {
      const events = [...rows(reader(text), { chunk, skipBadLines: true })];
      expect(joined(events)).toBe(text);
      expect(events.map(({ type }) => type)).toEqual(['open', 'record', 'bad', 'bad', 'record', 'cut', 'close']);
    }
  });
});

describe('print', () => {
  it('changes one field and nothing else', () => {
    const text = '{ "a" : 12345678901234567890, "b":"\\u00e9\\/x", "c":-0.0 }';
    expect(printed(patch(parse(text), { b: 'é/y' }))).toBe(
      '{ "a" : 12345678901234567890, "b":"\\u00e9\\/y", "c":-0.0 }',
    );
    expect(printed(patch(parse(text), { b: 'z/x' }))).toBe('{ "a" : 12345678901234567890, "b":"z\\/x", "c":-0.0 }');
    expect(printed(patch(parse(text), { a: undefined }))).toBe('{ "b":"\\u00e9\\/x", "c":-0.0 }');
    expect(printed(patch(parse(text), { c: undefined }))).toBe('{ "a" : 12345678901234567890, "b":"\\u00e9\\/x" }');
    expect(printed(patch(parse(text), { d: [1, { e: null }] }))).toBe(
      '{ "a" : 12345678901234567890, "b":"\\u00e9\\/x", "c":-0.0, "d" : [1, {"e" : null}] }',
    );
  });

  it('returns the node itself where nothing differs', () => {
    const node = parse('{"a":"x","b":[1,2]}');
    expect(patch(node, { a: 'x', z: undefined, b: node.get('b') })).toBe(node);
    expect(patchItems(node.get('b')!, node.get('b')!.items())).toStrictEqual(node.get('b'));
  });

  it.each([0, 1, 2, 4, '\t'])('lays out what is new as its neighbours are (indent %j)', (indent) => {
    const value = {
      messages: [
        { role: 'user', content: 'é' },
        { role: 'tool', content: [{ type: 'text' }] },
      ],
      last: 1,
    };
    const fresh = { role: 'x', list: [{ a: 1 }, []], empty: {} };
    const root = parse(JSON.stringify(value, null, indent));
    const list = root.get('messages')!;
    const edited = patch(root, { messages: patchItems(list, [list.items()[1]!, fresh, list.items()[0]!]) });
    expect(printed(edited)).toBe(
      JSON.stringify({ messages: [value.messages[1], fresh, value.messages[0]], last: 1 }, null, indent),
    );
    const emptied = patch(root, { messages: patchItems(list, []) });
    expect(printed(emptied)).toBe(JSON.stringify({ messages: [], last: 1 }, null, indent));
  });

  it('writes escapes where the file writes escapes', () => {
    expect(printed(patch(parse('{"a": "\\u65e5", "b": "x"}'), { b: '本' }))).toBe('{"a": "\\u65e5", "b": "\\u672c"}');
    expect(printed(patch(parse('{"a": "日", "b": "x"}'), { b: '本' }))).toBe('{"a": "日", "b": "本"}');
  });

  it('means what it prints, whatever the edit', () => {
    fc.assert(
      fc.property(anyText(), anyText(), anyText(), anyText(), fc.boolean(), (head, tail, before, after, ascii) => {
        const old = JSON.stringify({ a: head + before + tail });
        const node = parse(
          ascii
            ? old.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
            : old,
        );
        expect(JSON.parse(printed(patch(node, { a: head + after + tail })))).toEqual({ a: head + after + tail });
      }),
      runs(1 / 10),
    );
  });
});

function splice(text: string, at: number, piece: string, replaces: boolean): string {
  return text.slice(0, at) + piece + text.slice(at + (replaces ? piece.length : 0));
}

function accepts(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

function build(node: JsonNode): unknown {
  if (node.isArray) return node.items().map(build);
  if (node.isObject) return Object.fromEntries(node.members().map(({ key, value }) => [key.text, build(value)]));
  return node.isNull ? null : (node.string ?? node.number ?? node.boolean);
}

function reader(text: string) {
  const bytes = Buffer.from(text, text.startsWith('PK') ? 'latin1' : 'utf8');
  let read = 0;
  return (buffer: Buffer, at: number, length: number) => {
    const got = bytes.copy(buffer, at, read, read + length);
    read += got;
    return got;
  };
}

function joined(events: readonly RowEvent[]): string {
  const pieces: Buffer[] = [];
  for (const event of events) {
    if ('gap' in event) pieces.push(event.gap.bytes.subarray(event.gap.start, event.gap.end));
    if ('root' in event) pieces.push(event.root.source.bytes.subarray(event.root.start, event.root.end));
    if ('span' in event) pieces.push(event.span.bytes.subarray(event.span.start, event.span.end));
  }
  return Buffer.concat(pieces).toString();
}

function failure(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof TranscriptError)
      return `${error.place.line === undefined ? '' : `${error.place.line}:${error.place.column} `}${error.message}`;
    throw error;
  }
  return 'no error';
}

function printed(value: Json): string {
  const pieces: string[] = [];
  const sink: Sink = {
    slice: (bytes, start, end) => pieces.push(bytes.toString('utf8', start, end)),
    text: (text) => pieces.push(text),
  };
  print(sink, value, () => styleOf(undefined));
  return pieces.join('');
}

/** The path of what the sources compile to. It is kept, by what they are: to compile them takes seconds. */
function compiled(): string {
  const hash = createHash('sha1');
  const folder = 'src/json/assembly';
  for (const name of readdirSync(folder).sort()) hash.update(readFileSync(join(folder, name)));
  hash.update(readFileSync('node_modules/assemblyscript/package.json'));
  const path = `node_modules/.cache/ctx-trim/assembly-${hash.digest('hex')}.ts`;
  if (existsSync(path)) return path;
  mkdirSync(dirname(path), { recursive: true });
  execFileSync(process.execPath, [join(folder, 'generate.mjs'), `${path}.tmp`]);
  renameSync(`${path}.tmp`, path);
  return path;
}
