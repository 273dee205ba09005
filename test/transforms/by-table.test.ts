/** What steps make of the table of a record is, byte for byte and error for error, what they make of its messages. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tabledAt } from '../../src/engine/rewrite/tables/by-table.js';
import { defaultsOf, type Options, type Values } from '../../src/options/option.js';
import { open } from '../../src/source/open.js';
import { readerOver } from '../../src/source/read-back.js';
import { loadAuto } from '../../src/transforms/auto.js';
import { transformNamed } from '../../src/transforms/index.js';
import type { Step } from '../../src/transforms/pipeline.js';
import { expectSame, kept, type Saved, saved } from '../shared/both-ways.js';
import { ALL, cases } from '../shared/effort.js';
import { malformed, randomFrom } from '../shared/malform.js';
import { brokenMessages, type Loose, spell, spelling, validMessages } from '../shared/random-chat.js';
import { fixtures, type Recording, sampled, sharedRecordings } from '../shared/recordings.js';

loadAuto();

const STEPS: readonly Step[] = (
  [
    ['filter', { maxToolCalls: 0 }],
    ['filter', { maxToolCalls: 1 }],
    ['filter', { maxToolCalls: 1, every: 2 }],
    ['filter', { maxToolCalls: 3, tool: ['search*'] }],
    ['filter', { maxToolCalls: 0, everything: true }],
    ['filter', { maxToolCalls: 1, every: 'auto' }],
    ['patch', {}],
    ['truncate', { maxLength: 40, noMinimum: true }],
    ['truncate', { maxLength: 50, noMinimum: true, keep: 'head' }],
    ['truncate', { maxLength: 60, noMinimum: true, keep: 'both', unit: 'bytes' }],
    ['clear', { trigger: 0, keep: 1, text: '-', minSize: 0 }],
    ['clear', { trigger: 0, keep: 1 }],
    ['clear', { trigger: 0, keep: 1, text: '-', minSize: 0, every: 2 }],
    ['clear', { trigger: 0, keep: 0, text: '-', minSize: 20 }],
    ['clear', { trigger: 2600, keep: 0, text: '-' }],
    ['dedupe', {}],
    ['dedupe', { every: 2, ignoreArg: ['q'], everything: true }],
  ] as const
).map(([id, options]) => {
  const transform = transformNamed(id);
  return { transform, values: { ...defaultsOf(transform.options), ...options } as Values<Options> };
});

function byTable(text: Buffer, step: Step): Saved {
  return saved(open(readerOver(text), { tables: tabledAt, onReuse: () => {} }), step);
}

/** Returns how many records were rewritten by their tables. */
function compare(text: Buffer, steps = STEPS): number {
  const messages = kept(open(readerOver(text)));
  return expectSame(steps, (step) => ({ byTable: byTable(text, step), byMessages: saved(messages, step) }));
}

/** More than one record: the result of a single one is read back, so it has no table. */
const twice = ({ bytes }: Recording) => Buffer.concat([bytes, Buffer.from('\n'), bytes]);

/** All steps where there is a table; else, by turns, one of four. */
function stepsFor(text: Buffer, at: number): readonly Step[] {
  return ALL || byTable(text, STEPS[0]!).tabled > 0 ? STEPS : STEPS.filter((_, index) => index % 4 === at % 4);
}

const recordings = sampled([...fixtures(), ...sharedRecordings()], 'tables', 1).filter(
  ({ bytes }) => bytes.length < 20_000,
);

it('is the same for recordings', () => {
  const texts = recordings.map(twice);
  expect(texts.reduce((sum, text, at) => sum + compare(text, stepsFor(text, at)), 0)).toBeGreaterThan(100);
});

/** What tools are called, and how their results begin or end, where not only their age decides what goes. */
const NAMES = ['TodoWrite', 'AskUserQuestion', 'read'];
const LONG = 'A line of output, "quoted".\n'.repeat(80);
const SAYING: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `Error: ${text}`,
  (text) => `${text}\nexit code: 1`,
  (text) => `${LONG}${text}\nexit code: 1`,
  (text) => `\n404 Not Found ${text}`,
  () => "\nThe user doesn't want to proceed with this tool use. ",
  (text) => `${LONG}Error: ${text}${LONG}`,
];

/** Chats in which something may stay, by a seed. */
function telling(messages: readonly Loose[], seed: number): Loose[] {
  const chosen = <T>(list: readonly T[], at: number) => list[((seed >> (at % 20)) + at) % list.length]!;
  return messages.map((message, at) => {
    const { role, content, tool_calls: calls } = message;
    if (role === 'tool' && typeof content === 'string') return { ...message, content: chosen(SAYING, at)(content) };
    if (!Array.isArray(calls) || seed % 3 > 0) return message;
    const named = calls.map((call) => ({ ...call, function: { ...call.function, name: chosen(NAMES, at) } }));
    return { ...message, tool_calls: named } as Loose;
  });
}

const record = (messages: readonly Loose[]) => ({
  id: 'r',
  messages,
  model: messages.length % 3 ? 'gpt-5' : 'gemma-2',
});
const lines = fc
  .tuple(fc.array(fc.oneof(brokenMessages, validMessages), { minLength: 2, maxLength: 12 }), spelling)
  .map(([all, how]) =>
    all
      .map((messages, at) => spell(record(at % 2 ? messages : telling(messages, how.seed)), { ...how, indent: '' }))
      .join('\n'),
  );

it('is the same for random chats', () => {
  let tabled = 0;
  fc.assert(
    fc.property(lines, (text) => {
      tabled += compare(Buffer.from(text));
    }),
    { numRuns: cases(6, 1000, 'TABLES'), seed: 34 },
  );
  expect(tabled).toBeGreaterThan(100);
});

/** The same in the shape of Anthropic: calls and results are blocks, and results share a message. */
function blocksOf(messages: readonly Loose[]): unknown[] {
  const all: { role: string; content: unknown }[] = [];
  for (const { role, content, tool_calls: calls, tool_call_id: id } of messages) {
    const texts = typeof content === 'string' && content !== '' ? [{ type: 'text', text: content }] : [];
    const uses = (Array.isArray(calls) ? calls : []).map((call) => ({
      type: 'tool_use',
      id: call.id,
      name: call.function?.name ?? 'f',
      input: {},
    }));
    const last = all.at(-1);
    const result = {
      type: 'tool_result',
      tool_use_id: id ?? '',
      content: texts.length > 0 ? content : [...texts, 'x'],
    };
    if (role !== 'tool')
      all.push({ role: uses.length > 0 || role === 'assistant' ? 'assistant' : 'user', content: [...texts, ...uses] });
    else if (last?.role === 'user' && Array.isArray(last.content)) last.content.push(result);
    else all.push({ role: 'user', content: [result] });
  }
  return all;
}
const blockLines = fc
  .tuple(fc.array(fc.oneof(brokenMessages, validMessages), { minLength: 2, maxLength: 12 }), spelling)
  .map(([all, how]) =>
    all.map((messages) =>
      spell(
        { system: 'x', model: 'claude-3-5-haiku', max_tokens: 5, messages: blocksOf(messages) },
        { ...how, indent: '' },
      ),
    ),
  );

it('is the same for random messages with blocks', () => {
  let tabled = 0;
  const messages = [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a' }] }];
  const first = JSON.stringify({ model: 'claude-3-5-haiku', max_tokens: 5, messages });
  fc.assert(
    fc.property(blockLines, (texts) => {
      tabled += compare(Buffer.from([first, ...texts].join('\n')));
    }),
    { numRuns: cases(6, 1000, 'TABLES'), seed: 35 },
  );
  expect(tabled).toBeGreaterThan(100);
});

/** The same as contents of Gemini: results share a message; without ids, they pair by name. `odd`: what may not fit. */
function contentsOf(messages: readonly Loose[], odd: number): unknown[] {
  const all: { role: string; parts: unknown[] }[] = [];
  const names = new Map<unknown, string>();
  const [call, response] =
    odd % 5 === 1 ? ['function_call', 'function_response'] : ['functionCall', 'functionResponse'];
  const idOf = (id: unknown) => (odd % 3 === 0 ? {} : { id: odd % 7 === 1 ? '' : id });
  for (const { role, content, tool_calls: calls, tool_call_id: id } of messages) {
    const texts = typeof content === 'string' ? [{ text: content }] : content == null ? [] : [{ inlineData: {} }];
    for (const made of Array.isArray(calls) ? calls : []) names.set(made.id, made.function?.name ?? 'f');
    const name = names.get(id) ?? 'search';
    const key = ['output', 'result', 'error', 'other'][(odd + all.length) % 4]!;
    const answer = [{ [key]: content }, { [key]: content, n: 1 }, content ?? {}, {}, null][(odd >> 3) % 5];
    const result = { [response!]: { ...idOf(id), name, response: answer } };
    const uses = (Array.isArray(calls) ? calls : []).map((made) => ({
      [call!]: { ...idOf(made.id), name: made.function?.name ?? 'f', args: odd % 4 === 0 ? null : { q: made.id } },
    }));
    const thoughts = odd % 2 === 0 && uses.length > 0 ? [{ text: 'I think.', thought: true }] : [];
    const last = all.at(-1);
    if (role !== 'tool')
      all.push({
        role: role === 'assistant' ? 'model' : role === 'system' ? 'system' : 'user',
        parts: [...thoughts, ...texts, ...uses],
      });
    else if (last?.parts.some((part) => Object.hasOwn(part as object, response!)) && odd % 6 > 0)
      last.parts.push(result);
    else all.push({ role: odd % 8 === 0 ? 'function' : 'user', parts: [result] });
  }
  return all;
}

/** The same as items of OpenAI Responses, some with reasoning. */
function itemsOf(messages: readonly Loose[], odd: number): unknown[] {
  return messages.flatMap(({ role, content, tool_calls: calls, tool_call_id: id }, at): unknown[] => {
    const isReply = role === 'assistant';
    const block = { type: isReply ? 'output_text' : 'input_text', text: content };
    const said = typeof content === 'string' && (odd + at) % 2 === 0 ? [block] : (content ?? null);
    if (role === 'tool')
      return [{ type: odd % 5 === 0 ? 'custom_tool_call_output' : 'function_call_output', call_id: id, output: said }];
    const uses = (Array.isArray(calls) ? calls : []).map((made) => ({
      type: 'function_call',
      call_id: made.id,
      name: made.function?.name ?? 'f',
      arguments: made.function?.arguments ?? '{}',
    }));
    const summary = odd % 4 === 0 ? [] : [{ type: 'summary_text', text: 'I think.' }];
    const thought = isReply && (odd + at) % 3 > 0 ? [{ type: 'reasoning', id: `rs_${at}`, summary }] : [];
    const message = { ...(odd % 2 === 0 ? { type: 'message' } : {}), role, content: said };
    return [...thought, ...(content == null && uses.length > 0 ? [] : [message]), ...uses];
  });
}

const REQUESTS: Readonly<Record<string, (messages: readonly Loose[], odd: number) => object>> = {
  'gemini-contents': (messages, odd) => ({
    ...(odd % 2 === 0 ? {} : { systemInstruction: { parts: [{ text: 'x' }] } }),
    contents: contentsOf(messages, odd),
  }),
  'openai-responses': (messages, odd) => ({
    model: 'gpt-5',
    ...(odd % 2 === 0 ? {} : { instructions: 'x' }),
    input: itemsOf(messages, odd),
  }),
};
/** What tells the format, and is a request that has a table. */
const SURE = [
  { role: 'user', content: 'hi' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'a', content: 'x' },
] as readonly object[] as readonly Loose[];

it.each(Object.entries(REQUESTS))('is the same for random requests of %s', (_, requestOf) => {
  let tabled = 0;
  const several = fc.array(fc.oneof(brokenMessages, validMessages, validMessages), { minLength: 2, maxLength: 12 });
  const texts = fc
    .tuple(several, spelling, fc.nat())
    .map(([all, how, seed]) =>
      all.map((messages, at) => spell(requestOf(telling(messages, how.seed), seed + at), { ...how, indent: '' })),
    );
  fc.assert(
    fc.property(texts, (lines) => {
      tabled += compare(Buffer.from([JSON.stringify(requestOf(SURE, 0)), ...lines].join('\n')));
    }),
    { numRuns: cases(8, 1000, 'TABLES'), seed: 36 },
  );
  expect(tabled).toBeGreaterThan(50);
});

/** Calls as `name: result`: of each list, at least one stays or goes later than others. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  'an answer of a person': ['AskUserQuestion: The blue one, please.', 'run: It is done by now, all of it.'],
  'a refusal': ["run: The user doesn't want to proceed with this tool use.", 'run: It is done by now, all of it.'],
  'the last plan': ['TodoWrite: The list of tasks is as you wrote it.', 'run: It is done by now, all of it.'],
  'the last failure': ['run: Error: no such file, so nothing was read', 'run: It is done by now, all of it.'],
  'the last of several': ['run', 'TodoWrite', 'run', 'TodoWrite', 'run', 'run'].map(
    (name, index) =>
      `${name}: ${index % 3 === 0 ? 'Error: of the parser, which is at a loss' : 'What was found there'}`,
  ),
};

it.each(Object.entries(KEPT))('is the same where something stays: %s', (_, calls) => {
  const messages = calls.flatMap((call, index) => {
    const [name, text] = call.split(/: (.*)/) as [string, string];
    const id = `call_${index}`;
    const made = { id, type: 'function', function: { name, arguments: '{}' } };
    return [
      { role: 'assistant', content: null, tool_calls: [made] },
      { role: 'tool', tool_call_id: id, content: text },
    ];
  }) as Loose[];
  const all = [{ role: 'user', content: 'Go.' } as Loose, ...messages];
  const blocks = JSON.stringify({ model: 'claude-3-5-haiku', max_tokens: 5, messages: blocksOf(all) });
  const flagged = blocks.replaceAll('"content":"Error', '"is_error":true,"content":"Error');
  const chat = JSON.stringify({ id: 'r', model: 'gpt-5', messages: all });
  for (const line of [chat, blocks, flagged]) {
    const twice = Buffer.from(`${line}\n${line}`);
    compare(twice);
    expect(STEPS.slice(1, 3).map((step) => byTable(twice, step).tabled)).not.toContain(0);
  }
});

it('is the same where the last plan is answered before the plan that it repeats', () => {
  const made = ['a', 'b'].map((id) => ({ id, type: 'function', function: { name: 'TodoWrite', arguments: '{}' } }));
  const answers = ['b', 'a'].map((id) => ({ role: 'tool', tool_call_id: id, content: `${id}: ${LONG}` }));
  const line = JSON.stringify({ messages: [{ role: 'assistant', content: null, tool_calls: made }, ...answers] });
  expect(compare(Buffer.from(`${line}\n${line}`))).toBeGreaterThan(0);
});

const FIRST = '{"messages":[{"role":"user","content":"hi"}]}';
const FIRST_OF = (id: string) => (REQUESTS[id] === undefined ? FIRST : JSON.stringify(REQUESTS[id](SURE, 0)));

/** Keys that are escaped or repeated, and values that nobody expects. */
const HOSTILE: readonly (readonly [RegExp, string])[] = [
  [/"role"/, '"r\\u006fle"'],
  [/"content"/, '"cont\\u0065nt"'],
  [/"tool_calls"/, '"tool_calls":null,"tool_calls"'],
  [/"tool_calls"/, '"tool_calls":[],"tool_call\\u0073"'],
  [/"content"/, '"content":"first","content"'],
  [/"tool_call_id"/, '"tool_call_id":"other","tool_call_id"'],
  [/"id":"(\w)/, '"id":"\\u0061$1'],
  [/"content":"/, '"content":[{"type":"text","text":"x"}, "y"],"refusal":"'],
  [/"content":/, '"content":[{"type":"image_url"},{"type":5}],"reasoning":'],
  [/"role":"assistant"/, '"role":"assistant","function_call":{"name":"f","arguments":"{}"}'],
  [/"role":"tool"/, '"role":"function","name":"f"'],
  [/"role":"user"/, '"role":"user","tool_calls":[{"id":"a","function":{"name":"f"}}]'],
  [/"messages":\[/, '"messages":[ ,'],
  [/"messages":\[/, '"messages":[5,'],
  [/"parts"/, '"p\\u0061rts"'],
  [/"parts"/, '"parts":[],"parts"'],
  [/"functionCall":/, '"functionCall":null,"functionCall":'],
  [/"functionResponse":\{/, '"functionResponse":{"id":"a",'],
  [/"functionResponse":/, '"text":"x","function_response":'],
  [/"response":\{/, '"response":{"error":"x","'.concat('b":5,')],
  [/"response":/, '"response":"x","respons\\u0065":'],
  [/"name":"(\w)/, '"name":"\\u0061$1'],
  [/"args":/, '"args":5,"arg":'],
  [/"type":"function_call"/, '"type":"functi\\u006fn_call"'],
  [/"type":"function_call_output"/, '"type":"function_call_output","type":"custom_tool_call_output"'],
  [/"call_id"/, '"call_id":"other","call_id"'],
  [/"arguments"/, '"input":{},"arguments"'],
  [/"output":/, '"output":[{"type":"input_text","text":"x"},{"type":"input_image"},{"text":"y"}],"was":'],
  [/"summary":\[/, '"content":[{"type":"reasoning_text","text":"x"}],"summary":[{"stdout":"x"},'],
  [/"type":"message"/, '"type":null'],
  [/"type":"reasoning"/, '"type":"reasoning","encrypted_content":"x"'],
];

it.each(['openai-chat', 'anthropic-messages', ...Object.keys(REQUESTS)])(
  'is the same for malformed recordings of %s',
  (id) => {
    const random = randomFrom(34);
    const chats = fixtures().filter(({ format, bytes }) => format === id && bytes.length < 20_000);
    for (let left = cases(12, 1000, 'TABLES'); left > 0; left--) {
      const text = malformed(chats[random(chats.length)]!, random);
      const [pattern, replacement] = HOSTILE[random(HOSTILE.length)]!;
      const hostile = text.replace(new RegExp(pattern, random(2) === 0 ? '' : 'g'), replacement);
      compare(Buffer.from(`${FIRST_OF(id)}\n${hostile}\n${text}`));
    }
  },
);
