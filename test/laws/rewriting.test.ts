/** The net below all printing: a lens that prints what is no JSON is caught before anything of it goes out. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { rewrite } from '../../src/cli/commands/rewrite/run.js';
import type { RewriteOptions } from '../../src/cli/options/options.js';
import { run } from '../../src/engine/rewrite/run.js';
import chat from '../../src/formats/openai/openai-chat.js';
import { assertJson } from '../../src/json/check.js';
import { type Json, ObjectEdit, patch, patchItems } from '../../src/json/edit.js';
import { JsonNode, parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import { printString } from '../../src/json/print-string.js';
import { defaultsOf } from '../../src/options/option.js';
import { printChecked } from '../../src/source/print-checked.js';
import { transformNamed } from '../../src/transforms/index.js';
import { lawful } from '../shared/lawful.js';
import { memoryTerminal } from '../shared/terminal.js';

const DEFECT = /a defect of ctx-trim: .*please report it/;

const call = {
  role: 'assistant',
  tool_calls: [{ id: 'a', type: 'function', function: { name: 't', arguments: '{}' } }],
};
const open = [{ role: 'user', content: 'hi' }, call, { role: 'user', content: 'go on' }];
const records = ['one', 'two', 'three'].map((id) => JSON.stringify({ id, messages: open }));
const lines = `${records.join('\n')}\n`;

/** What a faulty lens could print: a value that was cut, two values. */
const FAULTS: readonly (readonly [name: string, json: Json])[] = [
  ['a value cut short', cut('{"role": "user", "content": "x"}', 1)],
  ['a string cut short', cut('"text"', 1)],
  ['two values', cut('1 2', -2)],
  ['half a character', { role: 'user', content: cut('"é"', 2) }],
];

/** A node that ends elsewhere than its value does. */
function cut(text: string, by: number): JsonNode {
  const { source } = parse(by < 0 ? text.slice(0, by) : text);
  const bytes = Buffer.from(`${text}\0`);
  const tape = source.tape.slice();
  tape[2]! -= by;
  return new JsonNode({ bytes, tape }, 0);
}

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-trim-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  vi.restoreAllMocks();
});

/** From the second answer on, the lens prints this. */
function breakLens(json: Json): void {
  const write = chat.write;
  let written = 0;
  vi.spyOn(chat, 'write').mockImplementation((message, near) => {
    if (message.role !== 'tool' || message.raw !== undefined) return write(message, near);
    return ++written >= 2 ? json : write(message, near);
  });
}

/** `patch` as the program runs it. */
async function patched(files: readonly string[], options: Partial<RewriteOptions> = {}) {
  const { terminal, out, err } = memoryTerminal({ cwd: folder });
  const transform = transformNamed('patch');
  const steps = [{ transform, values: defaultsOf(transform.options) }];
  const code = await rewrite(files, steps, options as RewriteOptions, terminal);
  return { code, out: out(), err: err() };
}

describe.each(FAULTS)('%s', (_name, json) => {
  it('writes what stands before, and nothing from there on', async () => {
    writeFileSync(join(folder, 'a.jsonl'), lines);
    writeFileSync(join(folder, 'b.jsonl'), lines);
    const good = await patched(['a.jsonl']);
    breakLens(json);
    const { code, out, err } = await patched(['a.jsonl', 'b.jsonl']);
    expect(code).toBe(2);
    expect(err).toMatch(/^ctx-trim: a\.jsonl:2: /);
    expect(err).toMatch(DEFECT);
    expect(err.split('\n')).toHaveLength(2);
    expect(out).toBe(`${good.out.split('\n')[0]}\n`);
  });

  it('leaves the file alone', async () => {
    for (const name of ['a.jsonl', 'out.jsonl']) writeFileSync(join(folder, name), name === 'a.jsonl' ? lines : 'old');
    breakLens(json);
    const path = join(folder, 'a.jsonl');
    for (const options of [{ write: true, backup: '.bak' }, { output: join(folder, 'out.jsonl') }]) {
      const { code, err } = await patched([path], options);
      expect(code).toBe(2);
      expect(err).toMatch(DEFECT);
    }
    expect(readFileSync(path, 'utf8')).toBe(lines);
    expect(readFileSync(join(folder, 'out.jsonl'), 'utf8')).toBe('old');
    expect(readdirSync(folder).sort()).toEqual(['a.jsonl', 'out.jsonl']);
  });

  it('throws from the library, for a text, a list of messages and a row of them', () => {
    breakLens(json);
    const messages = [...open, ...open.map((message) => ({ ...message }))];
    expect(() => run(lines, ['patch'])).toThrow(DEFECT);
    expect(() => run(messages, ['patch'])).toThrow(DEFECT);
    expect(() => run(messages.map((message) => JSON.stringify(message)).join('\n'), ['patch'])).toThrow(DEFECT);
  });
});

it('takes exactly one value', () => {
  for (const text of ['{"a":[1,"b"]}', ' 1 ', '"x"\n', 'null'])
    expect(assertJson(Buffer.from(text)).toString()).toBe(text);
  for (const text of ['', ' ', '{', '{}{}', '1 2', '[1,]', '{"a":,"b":1}', '[""text":"orphan""]', '"\\ud8"', "{'a':1}"])
    expect(() => assertJson(Buffer.from(text))).toThrow(DEFECT);
  expect(() => assertJson(Buffer.from([0x22, 0xf0, 0x9f, 0x98, 0x22]))).toThrow(DEFECT); // half a character
  expect(() => printed({ a: cut('"x"', 1) })).toThrow(DEFECT);
});

it('hands on what it took, byte for byte, and nothing of what it refused', () => {
  const seen: string[] = [];
  const sink = {
    slice: (bytes: Buffer, start: number, end: number) => void seen.push(bytes.toString('utf8', start, end)),
    text: (text: string) => void seen.push(text),
  };
  const node = parse('{"a": [1, "é\\u00e9", {}], "b": -1.50}');
  const both = (value: Json) => printChecked(sink, (to) => to.text(printed([node, value])));
  expect(() => printChecked(sink, (to) => [to.text('['), to.value!(node), to.value!(node), to.text(']')])).toThrow(
    DEFECT,
  );
  lawful(seen);
  both('x'.repeat(100_000));
  expect(JSON.parse(seen.join(''))).toEqual([{ a: [1, 'éé', {}], b: -1.5 }, 'x'.repeat(100_000)]);
});

it('puts an object in the place of what is none, and a list in that of what is not a list', () => {
  for (const text of ['"x"', '1', 'null', '[1]'])
    for (const edit of [patch(parse(text), { a: 1, b: undefined }), new ObjectEdit(parse(text), new Map([['a', 1]]))])
      expect(printed(edit)).toBe('{"a":1}');
  for (const text of ['"x"', '1', 'null', '{"a":1}']) expect(printed(patchItems(parse(text), ['y']))).toBe('["y"]');
});

describe('text', () => {
  const unit = fc.constantFrom('a', 'b', '"', '\\', '\n', 'é', '日', '😀', '😁', '\ud83d', '\ude00', '\u2028', '\0');
  const text = fc.array(unit, { maxLength: 8 }).map((units) => units.join(''));
  /** The same text, some of it in escapes. */
  const spelled = fc.tuple(text, fc.infiniteStream(fc.boolean())).map(([value, coins]) => {
    const escaped = (part: string) =>
      [...part].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    const units = [...value].flatMap((char) =>
      coins.next().value ? [escaped(char.slice(0, 1)) + escaped(char.slice(1))] : [JSON.stringify(char).slice(1, -1)],
    );
    return { value, json: `"${units.join('')}"` };
  });

  it('is never cut within a character, wherever it changes', () => {
    fc.assert(
      fc.property(spelled, text, text, (old, changed, key) => {
        const node = parse(old.json);
        expect(node.text).toBe(old.value);
        expect(JSON.parse(assertJson(Buffer.from(printString(changed, node))).toString())).toBe(changed);
        const around = parse(`{"k": ${old.json}, "__proto__": 1}`);
        const json = JSON.parse(printed(patch(around, { k: changed, [`new ${key}`]: changed }))) as object;
        expect(Object.entries(json)).toEqual([
          ['k', changed],
          ['__proto__', 1],
          [`new ${key}`, changed],
        ]);
      }),
      { numRuns: 600, seed: 13 },
    );
  });
});
