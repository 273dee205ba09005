/** Worked cases: fixtures/transforms/<transform>/<case>/{input,options,output}. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { get_encoding } from 'tiktoken';
import { describe, expect, it } from 'vitest';
import { createCounting } from '../../src/measure/stats/counting.js';
import { transforms } from '../../src/transforms/index.js';
import { requestTokens } from '../../src/transforms/request.js';
import { chatOf, complaints, judged, judgedAs } from '../shared/judge.js';
import { openText } from '../shared/opened.js';
import { CHARACTERS, rewriteText } from '../shared/rewrite-text.js';
import { optionsOfCase, CASES as ROOT, unmeant } from '../shared/trials.js';
import { type ChatMessage, faultsOf } from '../shared/valid-chat.js';

interface Case {
  readonly id: string;
  readonly name: string;
  readonly input: string;
  readonly output: string;
  readonly steps: readonly (readonly [id: string, options: Readonly<Record<string, unknown>>])[];
}

/** Runs whose own output is something else to them: each of their steps is idempotent, they as a whole are not. */
const ONCE: Readonly<Record<string, string>> = {
  'filter-leaves-the-open-call-to-patch': 'what patch answers is one more result for filter',
};

const cases = readdirSync(ROOT).flatMap((id) => readdirSync(join(ROOT, id)).map((name) => readCase(id, name)));

describe.each(cases)('$id: $name', ({ id, name, input, output, steps }) => {
  const run = (text: string) => steps.reduce((now, [step, options]) => rewriteText(now, step, options), text);

  it('gives the output', () => {
    expect(run(input)).toBe(output);
  });

  it.skipIf(name in ONCE)('gives it again', () => {
    expect(run(output)).toBe(output);
  });

  it('mends, or breaks nothing and respells nothing', () => {
    const before = judged(input);
    const after = judgedAs(before.opened.detection.format.id, output);
    expect(unmeant(id, complaints(before, after))).toEqual([]);
    for (const transcript of after.opened.transcripts)
      if (id === 'patch' && !STAYS_OPEN.test(output) && !transcript.traits.endsOnReply)
        expect(faultsOf(chatOf(transcript))).toEqual([]);
  });
});

/** The case in which a fine-tuning example ends on its call, as the options say. */
const STAYS_OPEN = /"Price of A\?"(?!.*cancelled)/;

it('has its cases', () => {
  const few = [...transforms.map(({ id }) => id), 'run'].filter(
    (id) => cases.filter((one) => one.id === id).length < 4,
  );
  expect(few).toEqual([]);
});

describe('the worked examples', () => {
  it('eight cities: before run n the context holds the last three calls, and the current one comes on top', () => {
    const { messages } = readMessages('filter', 'eight-cities-3');
    const starts = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
    const kept = starts.map((start) =>
      callsIn(JSON.parse(rewriteText(JSON.stringify(messages.slice(0, start + 1)), 'filter', { maxToolCalls: 3 }))),
    );
    expect(starts.map((start) => callsIn(messages.slice(0, start)).length)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(kept.map((calls) => calls.length)).toEqual([0, 1, 2, 3, 3, 3, 3, 3]);
    expect(kept.map((calls) => calls.length + 1)).toEqual([1, 2, 3, 4, 4, 4, 4, 4]);
    expect(kept[3]!.join()).toContain('Tokyo');
    expect(messages[starts[4]!]!.content).toContain('Mumbai');
    expect(kept[4]!.join()).not.toContain('Tokyo');
  });

  it('eight cities in groups of three: the beginning changes once in three runs', () => {
    const { messages } = readMessages('filter', 'eight-cities-in-groups-of-three');
    const starts = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
    const sent = (every: number) =>
      starts.map(
        (start) =>
          JSON.parse(
            rewriteText(JSON.stringify(messages.slice(0, start + 1)), 'filter', { maxToolCalls: 1, every }),
          ) as ChatMessage[],
      );
    const changes = (all: readonly ChatMessage[][]) =>
      all.map((now, run) => run > 0 && all[run - 1]!.some((message, at) => !isDeepStrictEqual(message, now[at])));
    expect(sent(3).map((now) => callsIn(now).length)).toEqual([0, 1, 2, 3, 1, 2, 3, 1]);
    expect(changes(sent(3))).toEqual([false, false, false, false, true, false, false, true]);
    expect(sent(1).map((now) => callsIn(now).length)).toEqual([0, 1, 1, 1, 1, 1, 1, 1]);
    expect(changes(sent(1))).toEqual([false, false, true, true, true, true, true, true]);
  });

  it('clear does nothing up to the trigger, and everything above it', () => {
    const { input, steps } = readCase('clear', 'keep-0-clears-all');
    const cleared = (trigger: number) => rewriteText(input, 'clear', { ...steps[0]![1], trigger });
    const [transcript] = openText(input).transcripts;
    const tokens = requestTokens(transcript!, CHARACTERS);
    expect(cleared(tokens)).toBe(input);
    expect(cleared(tokens - 1)).toBe(readCase('clear', 'keep-0-clears-all').output);
  });

  it('clear makes no result longer, in tokens or in characters', () => {
    const clear = (result: string, tokenLength: (text: string) => number) => {
      const messages = [
        { role: 'user', content: 'Go.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: '1', type: 'function', function: { name: 'read', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: '1', content: result },
      ];
      const output = JSON.parse(
        rewriteText(
          JSON.stringify(messages),
          'clear',
          { trigger: 0, keep: 0, minSize: 0, text: '[Old tool result content cleared]' },
          createCounting(undefined, () => tokenLength),
        ),
      ) as ChatMessage[];
      return output[2]!.content;
    };
    const short = '東京の天気は晴れ。'.repeat(2); // its 54 bytes become 33, but its 18 characters become more
    expect(clear(short, Buffer.byteLength)).toContain('東京');
    expect(clear('x'.repeat(100), (text) => new Set(text).size)).toContain('xxx'); // one token
    expect(clear('x'.repeat(100), (text) => text.length)).not.toContain('xxx');
  });

  it('the ERR-404 retry: about 4,300 tokens become about 250', () => {
    const { messages, output } = readMessages('strip', 'err-404');
    const [before, after] = [tokensOf(messages), tokensOf(output)];
    expect((messages[3]!.content as string).length).toBe(3000);
    expect(Math.round(before / 100)).toBe(43);
    expect(Math.round(after / 10)).toBe(25);
    expect(Math.round((100 * (after - before)) / before)).toBe(-94);
  });
});

function readCase(id: string, name: string): Case {
  const folder = join(ROOT, id, name);
  const textOf = (stem: string) =>
    readFileSync(join(folder, readdirSync(folder).find((file) => file.startsWith(`${stem}.json`))!)).toString();
  const options = optionsOfCase(id, name);
  const steps =
    id === 'run' ? (options['steps'] as (string | { transform: string })[]).map(stepOf) : [[id, options] as const];
  return { id, name, input: textOf('input'), output: textOf('output'), steps };
}

function stepOf(step: string | { readonly transform: string }): readonly [string, Readonly<Record<string, unknown>>] {
  if (typeof step === 'string') return [step, {}];
  const { transform, ...options } = step;
  return [transform, options];
}

function readMessages(id: string, name: string): { messages: ChatMessage[]; output: ChatMessage[] } {
  const { input, output } = readCase(id, name);
  const list = (text: string) => {
    const value = JSON.parse(text) as ChatMessage[] | { messages: ChatMessage[] };
    return Array.isArray(value) ? value : value.messages;
  };
  return { messages: list(input), output: list(output) };
}

function callsIn(messages: readonly ChatMessage[]): string[] {
  return messages.flatMap(({ tool_calls: calls }) => (calls ?? []).map((call) => JSON.stringify(call)));
}

/** OpenAI's published rule for GPT-4: three tokens a message and three once, and every field encoded. */
function tokensOf(messages: readonly ChatMessage[]): number {
  const encoding = get_encoding('cl100k_base');
  const count = (text: unknown) => (typeof text === 'string' ? encoding.encode(text).length : 0);
  let tokens = 3;
  for (const { role, content, tool_calls: calls } of messages) {
    tokens += 3 + count(role) + count(content);
    for (const call of (calls ?? []) as readonly { function?: { name: string; arguments: string } }[])
      tokens += count(call.function!.name) + count(call.function!.arguments);
  }
  encoding.free();
  return tokens;
}
