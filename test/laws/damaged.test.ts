/**
 * Recordings with one value replaced, gone or under another name: whatever a step or `redact` makes of them, all that
 * it must keep is still there, and what is thrown says where. The judge is JSON.parse, and knows no format.
 */
import { expect, it } from 'vitest';
import { isTranscriptError } from '../../src/errors.js';
import { guardOf, type Policy, redact, run } from '../../src/index.js';
import type { StepObject } from '../../src/transforms/index.js';
import { ALL } from '../shared/effort.js';
import { lawful } from '../shared/lawful.js';

const SECRET = ['ghp', 'Zr4uKq8Wm2Xs6Vb0Nc9Tf3Hj7Ly1Gd5Pe2Ra'].join('_');
/** Long enough for a file of its own. */
const RESULT = `${SECRET}\n${Array.from({ length: 150 }, (_, line) => `RESULT line ${line}`).join('\n')}`;
const INPUT = { path: '/KEEP.ts' };
const lc = (name: string, kwargs: object) => ({
  ...{ lc: 1, type: 'constructor', id: ['langchain_core', 'messages', name], kwargs },
});
const chatCall = (id: string) => ({
  ...{ id, type: 'function', function: { name: 'read', arguments: JSON.stringify(INPUT) } },
});

/** What is kept has KEEP in it, and no result has. What a model or a user says has a space after it. */
const RECORDINGS: Readonly<Record<string, unknown>> = {
  chat: {
    model: 'gpt-4o',
    messages: [
      { role: 'system', content: 'KEEP rules' },
      { role: 'user', content: [{ type: 'text', text: 'KEEP ask' }] },
      { role: 'assistant', content: 'KEEP look', tool_calls: [chatCall('KEEP-a'), chatCall('KEEP-b')] },
      { role: 'tool', tool_call_id: 'KEEP-a', content: RESULT },
      { role: 'tool', tool_call_id: 'KEEP-b', content: RESULT },
      { role: 'assistant', content: 'KEEP end' },
    ],
  },
  anthropic: {
    model: 'claude-sonnet-4-5',
    max_tokens: 9,
    system: [{ type: 'text', text: 'KEEP rules' }],
    messages: [
      { role: 'user', content: 'KEEP ask' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'KEEP thought', signature: 'KEEP-s' },
          { type: 'tool_use', id: 'KEEP-a', name: 'Read', input: INPUT },
          { type: 'tool_use', id: 'KEEP-b', name: 'Read', input: INPUT },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'KEEP-a', content: RESULT },
          { type: 'tool_result', tool_use_id: 'KEEP-b', content: [{ type: 'text', text: RESULT }] },
          { type: 'text', text: 'KEEP beside' },
        ],
      },
    ],
  },
  responses: {
    model: 'gpt-5',
    instructions: 'KEEP rules',
    input: [
      { role: 'user', content: 'KEEP ask' },
      { type: 'reasoning', id: 'KEEP-r', summary: [{ type: 'summary_text', text: 'KEEP thought' }] },
      { type: 'function_call', id: 'KEEP-f', call_id: 'KEEP-a', name: 'read', arguments: JSON.stringify(INPUT) },
      { type: 'function_call_output', call_id: 'KEEP-a', output: RESULT },
      { role: 'user', content: [{ type: 'input_text', text: 'KEEP bye' }] },
    ],
  },
  gemini: {
    systemInstruction: { parts: [{ text: 'KEEP rules' }] },
    contents: [
      { role: 'user', parts: [{ text: 'KEEP ask' }] },
      { role: 'model', parts: [{ text: 'KEEP look' }, { functionCall: { name: 'read', args: INPUT } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: RESULT } } }] },
      { role: 'model', parts: [{ text: 'KEEP end' }] },
    ],
  },
  'messages of the AI SDK': [
    { id: 'KEEP-1', role: 'user', parts: [{ type: 'text', text: 'KEEP ask' }] },
    {
      id: 'KEEP-2',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'tool-read', toolCallId: 'KEEP-a', state: 'output-available', input: INPUT, output: RESULT },
        { type: 'tool-read', toolCallId: 'KEEP-b', state: 'output-available', input: INPUT, output: RESULT },
        { type: 'text', text: 'KEEP end', state: 'done' },
      ],
    },
    { id: 'KEEP-3', role: 'user', parts: [{ type: 'text', text: 'KEEP bye' }] },
  ],
  langchain: [
    lc('HumanMessage', { content: 'KEEP ask' }),
    lc('AIMessage', { content: 'KEEP look', tool_calls: [{ name: 'read', args: INPUT, id: 'KEEP-a' }] }),
    lc('ToolMessage', { content: RESULT, tool_call_id: 'KEEP-a', name: 'read', artifact: 'KEEP more' }),
    lc('AIMessage', { content: 'KEEP end' }),
  ],
};
const DENY: Policy = { version: 1, rules: [{ id: 'no-read', type: 'denied_tools', tools: ['*'] }] };

/** What is done to a recording, and what of it must be left. */
type Attempt = readonly [does: string, attempt: (text: string) => string, left: RegExp];

const step = (of: StepObject, left = /KEEP/): Attempt => {
  return [of.transform, (text) => run(text, [of], { countTokens: ({ length }) => length }), left];
};
/** Calls go, with what stands beside them. */
const SAID = /KEEP (?:rules|ask|look|end|beside|bye)/;
const ATTEMPTS: readonly Attempt[] = [
  step({ transform: 'truncate', maxLength: 40, noMinimum: true }),
  step({ transform: 'clear', trigger: 0, keep: 0 }),
  step({ transform: 'dedupe' }),
  step({ transform: 'stale' }),
  step({ transform: 'strip-noise' }),
  step({ transform: 'inject', system: 'Be brief.', user: 'Go on.' }),
  step({ transform: 'guard', policy: guardOf(DENY) }),
  step({ transform: 'offload', dir: 'results', over: 2000, store: () => {} }),
  step({ transform: 'retries' }),
  step({ transform: 'patch' }, SAID),
  step({ transform: 'filter', maxToolCalls: 0, everything: true }, SAID),
  step({ transform: 'strip', keepText: true }, SAID),
  step({ transform: 'prune', reasoning: true, images: true, empty: true, records: true }, /KEEP(?! thought|-[rs\d])/),
  step({ transform: 'fit', maxTokens: 400 }, /KEEP (?:rules|ask|bye)/),
  ['redact', (text) => redact(text), /KEEP/],
];
/** A text under an unknown name is none: it goes with the calls of its message. */
const ALONE = new Set(['filter', 'strip']);
const VALUES = [null, 0, '', [], {}, true];
/** By default one damage of so many. */
const EACH = ALL ? 1 : 17;

type Holder = Record<string, unknown>;

function* damaged(text: string): Generator<readonly [what: string, text: string]> {
  for (const path of pathsIn(JSON.parse(text)))
    for (const [what, damage] of DAMAGES) {
      const copy = JSON.parse(text) as Holder;
      const holder = path.slice(0, -1).reduce((at, key) => at[key] as Holder, copy);
      damage(holder, path.at(-1)!);
      yield [`${path.join('.')} ${what}`, JSON.stringify(copy)];
    }
}

const DAMAGES: readonly (readonly [what: string, damage: (holder: Holder, key: string) => void])[] = [
  ...VALUES.map(
    (value) => [JSON.stringify(value), (holder: Holder, key: string) => Reflect.set(holder, key, value)] as const,
  ),
  [
    'gone',
    (holder, key) => (Array.isArray(holder) ? holder.splice(Number(key), 1) : Reflect.deleteProperty(holder, key)),
  ],
  [
    'under another name',
    (holder, key) => {
      if (Array.isArray(holder)) return;
      holder[`${key}X`] = holder[key];
      delete holder[key];
    },
  ],
];

function pathsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [[...path, key], ...pathsIn(member, [...path, key])]);
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

/** What is lost of a recording, or how an attempt fails. */
function faultOf(text: string, ...attempts: readonly Attempt[]): string | undefined {
  let output = text;
  for (const [at, [, attempt]] of attempts.entries())
    try {
      output = attempt(output);
    } catch (error) {
      if (!isTranscriptError(error)) return String(error);
      const mayRefuse = at === 0 || /--from /.test(error.message) || !isTaken(text, attempt);
      return mayRefuse ? undefined : `then refuses: ${error.message}`; // the format may no longer be told
    }
  if (attempts.at(-1)![0] === 'redact' && output.includes(SECRET)) return 'leaves the secret';
  const after = stringsIn(JSON.parse(output)).join('\n');
  const isLeft = (said: string) => attempts.every(([, , left]) => left.test(said));
  const lost = stringsIn(JSON.parse(text)).filter((said) => isLeft(said) && !after.includes(said));
  return lost.length === 0 ? undefined : `loses ${lost.join(', ')}`;
}

function isTaken(text: string, attempt: Attempt[1]): boolean {
  try {
    attempt(text);
    return true;
  } catch {
    return false;
  }
}

it.each(Object.entries(RECORDINGS))('%s', (name, recording) => {
  const faults: string[] = [];
  let [at, tried] = [0, 0];
  for (const [what, text] of damaged(JSON.stringify(recording)))
    for (const attempt of ATTEMPTS) {
      if (at++ % EACH !== 0 || (ALONE.has(attempt[0]) && what.endsWith('content under another name'))) continue;
      tried++;
      const fault = faultOf(text, attempt);
      if (fault !== undefined) faults.push(`${name}, ${what}, ${attempt[0]}: ${fault}`);
    }
  expect(tried).toBeGreaterThan(50);
  lawful(faults);
});

/** By default one pair of so many. */
const EACH_PAIR = ALL ? 23 : 397;

it.each(Object.entries(RECORDINGS))('%s, by two steps in a row', (name, recording) => {
  const faults: string[] = [];
  let [at, tried] = [0, 0];
  for (const [what, text] of damaged(JSON.stringify(recording)))
    for (const first of ATTEMPTS)
      for (const second of ATTEMPTS) {
        const isAlone = ALONE.has(first[0]) || ALONE.has(second[0]);
        if (at++ % EACH_PAIR !== 0 || (isAlone && what.endsWith('content under another name'))) continue;
        tried++;
        const fault = faultOf(text, first, second);
        if (fault !== undefined) faults.push(`${name}, ${what}, ${first[0]}, ${second[0]}: ${fault}`);
      }
  expect(tried).toBeGreaterThan(20);
  lawful(faults);
});
