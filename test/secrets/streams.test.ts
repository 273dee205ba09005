/** A secret that a stream tells in pieces, among others of its answers and calls, and again in the probabilities. */
import { describe, expect, it } from 'vitest';
import type { Sink } from '../../src/json/print.js';
import { createFinder } from '../../src/secrets/find.js';
import { createRedactor } from '../../src/secrets/redact.js';
import { secretRules } from '../../src/secrets/rules/index.js';
import { randomOf } from './random.js';
import { redactedBy } from './redacted.js';

const find = createFinder(secretRules, () => false);
const values = randomOf('streams');
const SECRETS = [values.text('alnum', 24), values.text('alnum', 24)];
const TEXTS = SECRETS.map((secret, at) => `Answer ${at}.\nDB_PASSWORD=${secret}\nDone, \u2603.`);
const AFTER = 'DB_PASSWORD=[secret:named-secret:';

const piecesOf = (text: string) => text.match(/.{1,5}/gs)!;
const PIECES = TEXTS.map(piecesOf);
/** One text after its pieces, or two by turns. */
const alone = PIECES[0]!.map((piece) => [0, piece] as const);
const turns = PIECES[0]!.flatMap((piece, at) => [[0, piece] as const, [1, PIECES[1]![at] ?? ''] as const]);

/** Checks that nothing of a secret is left, in whatever pieces; returns the strings of the output under a name. */
function cleaned(text: string, name: RegExp): string {
  const output = redactedBy(text, [find]);
  expect(redactedBy(output, [find])).toBe(output);
  const strings = [...output.matchAll(name)].map(([, string]) => JSON.parse(`"${string}"`) as string);
  for (const line of output.startsWith('[') ? [output] : output.split('\n'))
    if (/[{[]/.test(line)) JSON.parse(line.replace(/^data: /, ''));
  return strings.join('');
}

function expectGone(left: string, secrets: readonly string[] = SECRETS): void {
  for (const secret of secrets)
    for (let at = 0; at + 4 <= secret.length; at += 4) expect(left).not.toContain(secret.slice(at, at + 4));
}

it('counts once, in however many pieces', () => {
  const text = PIECES[0]!.map((piece) => JSON.stringify({ type: 'text_delta', delta: piece })).join('\n');
  const bytes = Buffer.from(text);
  const output: string[] = [];
  const sink: Sink = {
    slice: (source, start, end) => void output.push(source.toString('utf8', start, end)),
    text: (mark) => void output.push(mark),
  };
  const redactor = createRedactor([find]);
  redactor.learn(bytes, 0, bytes.length);
  expect(redactor.redact(sink, bytes, 0, bytes.length)).toBe(1);
  expectGone(output.join(''), [SECRETS[0]!]);
});

const CHUNK = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' };
const sse = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;

describe('one text in pieces', () => {
  const gemini = ([, text]: readonly [number, string], at: number, { length }: readonly unknown[]) => ({
    candidates: [
      {
        content: { parts: [{ text }], role: 'model' },
        ...(at === length - 1 ? { finishReason: 'STOP' } : {}),
        index: 0,
      },
    ],
    usageMetadata: { promptTokenCount: 5, totalTokenCount: 5 + at },
    modelVersion: 'gemini-2.5-flash',
  });
  const old = ([, text]: readonly [number, string]) => ({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0, safetyRatings: [] }],
  });
  const model = 'llama3.2';
  const created_at = '2024-07-22T20:33:28.123648Z';
  it.each<[string, string, RegExp]>([
    ['Gemini, as events', alone.map(gemini).map(sse).join(''), /"text":"((?:[^"\\]|\\.)*)"/g],
    ['Gemini, as one list', JSON.stringify(alone.map(gemini), null, 2), /"text": "((?:[^"\\]|\\.)*)"/g],
    ['Gemini, as one list in a line', JSON.stringify(alone.map(gemini)), /"text":"((?:[^"\\]|\\.)*)"/g],
    ['Gemini, old', alone.map(old).map(sse).join(''), /"text":"((?:[^"\\]|\\.)*)"/g],
    [
      'Ollama, chat',
      [...alone, [0, ''] as const]
        .map(([, content], at) => {
          const done = at === alone.length;
          return JSON.stringify({ model, created_at, message: { role: 'assistant', content }, done });
        })
        .join('\n'),
      /"content":"((?:[^"\\]|\\.)*)"/g,
    ],
    [
      'Ollama, with its members in another order',
      [...alone, [0, ''] as const]
        .map(([, content], at) =>
          JSON.stringify({ done: at === alone.length, model, created_at, message: { role: 'assistant', content } }),
        )
        .join('\n'),
      /"content":"((?:[^"\\]|\\.)*)"/g,
    ],
    [
      'Ollama, generate',
      alone.map(([, response]) => JSON.stringify({ model, created_at, response, done: false })).join('\n'),
      /"response":"((?:[^"\\]|\\.)*)"/g,
    ],
    [
      'OpenAI chat, with the role in the first',
      alone
        .map(([index, content], at) =>
          sse({ ...CHUNK, choices: [{ index, delta: at === 0 ? { role: 'assistant', content } : { content } }] }),
        )
        .join(''),
      /"content":"((?:[^"\\]|\\.)*)"/g,
    ],
    [
      'Bedrock',
      alone
        .map(([contentBlockIndex, text]) =>
          JSON.stringify({ contentBlockDelta: { delta: { text }, contentBlockIndex } }),
        )
        .join('\n'),
      /"text":"((?:[^"\\]|\\.)*)"/g,
    ],
  ])('%s', (_, text, name) => {
    expect(cleaned(text, name)).toBe(TEXTS[0]!.replace(SECRETS[0]!, '[secret:named-secret:1]'));
    if (text.startsWith('[')) return;
    const before = `{"a":"${'x'.repeat(text.length)}"}\n`; // the window ends in the middle of the stream
    expectGone(redactedBy(before + text, [find], before.length + text.length - 40), [SECRETS[0]!]);
    expectGone(redactedBy(before + text, [find], before.length + Math.floor(text.length / 2)), [SECRETS[0]!]);
  });
});

describe('two texts by turns', () => {
  const call = ([index, text]: readonly [number, string]) => ({
    index,
    function: { arguments: JSON.stringify(text).slice(1, -1) },
  });
  it.each<[string, string]>([
    [
      'two answers of OpenAI chat',
      turns
        .map(([index, content]) => sse({ ...CHUNK, choices: [{ index, delta: { content }, logprobs: null }] }))
        .join(''),
    ],
    [
      'two answers, the index behind',
      turns.map(([index, content]) => sse({ ...CHUNK, choices: [{ delta: { content }, index }] })).join(''),
    ],
    [
      'two answers in one chunk',
      PIECES[0]!
        .map((piece, at) =>
          sse({
            ...CHUNK,
            choices: [piece, PIECES[1]![at] ?? ''].map((content, index) => ({ index, delta: { content } })),
          }),
        )
        .join(''),
    ],
    [
      'two calls of OpenAI chat',
      turns.map((turn) => sse({ ...CHUNK, choices: [{ index: 0, delta: { tool_calls: [call(turn)] } }] })).join(''),
    ],
    [
      'two calls of Anthropic',
      turns
        .map(([index, piece]) =>
          sse({
            type: 'content_block_delta',
            index,
            delta: { type: 'input_json_delta', partial_json: JSON.stringify(piece).slice(1, -1) },
          }),
        )
        .join(''),
    ],
    [
      'two calls of OpenAI responses',
      turns
        .map(([output_index, piece], sequence_number) =>
          sse({
            type: 'response.function_call_arguments.delta',
            sequence_number,
            output_index,
            delta: JSON.stringify(piece).slice(1, -1),
          }),
        )
        .join(''),
    ],
    [
      'two candidates of Gemini',
      PIECES[0]!
        .map((piece, at) =>
          sse({
            candidates: [piece, PIECES[1]![at] ?? ''].map((text, index) => ({
              content: { parts: [{ text }], role: 'model' },
              index,
            })),
          }),
        )
        .join(''),
    ],
  ])('%s', (_, text) => {
    const output = redactedBy(text, [find]);
    expect(redactedBy(output, [find])).toBe(output);
    expectGone(output);
    expect(output.split('[secret:named-secret:1]').length).toBe(2);
    expect(output.split('[secret:named-secret:2]').length).toBe(2);
    for (const line of output.split('\n')) if (line !== '') JSON.parse(line.slice(6));
  });
});

describe('probabilities of tokens', () => {
  const told = (token: string) => ({ token, logprob: -0.1, bytes: [...Buffer.from(token)] });
  const entry = (token: string) => ({ ...told(token), top_logprobs: [told(token), told('other')] });
  const secretBytes = [...Buffer.from(SECRETS[0]!)];
  const expectNone = (output: string) => {
    expectGone(output, [SECRETS[0]!]);
    expect(redactedBy(output, [find])).toBe(output);
    for (let at = 0; at + 4 <= secretBytes.length; at += 1)
      expect(output.replace(/\s/g, '')).not.toContain(secretBytes.slice(at, at + 4).join(','));
  };

  it.each([undefined, 2])('of a whole answer, indented by %s', (indent) => {
    const choice = {
      index: 0,
      message: { role: 'assistant', content: TEXTS[0] },
      logprobs: { content: PIECES[0]!.map(entry), refusal: null },
      finish_reason: 'stop',
    };
    const output = redactedBy(JSON.stringify({ ...CHUNK, choices: [choice] }, null, indent), [find]);
    expectNone(output);
    const after = JSON.parse(output).choices[0];
    const tokens: ReturnType<typeof entry>[] = after.logprobs.content;
    expect(tokens.map(({ token }) => token).join('')).toBe(after.message.content);
    expect(after.message.content).toContain(`${AFTER}1]`);
    expect(tokens.length).toBe(PIECES[0]!.length);
    expect(tokens[0]).toEqual(entry(PIECES[0]![0]!));
    expect(tokens.at(-1)).toEqual(entry(PIECES[0]!.at(-1)!));
  });

  it('of two answers that stream by turns', () => {
    const text = turns
      .map(([index, content]) =>
        sse({ ...CHUNK, choices: [{ index, delta: { content }, logprobs: { content: [entry(content)] } }] }),
      )
      .join('');
    const output = redactedBy(text, [find]);
    expectNone(output);
    expectGone(output);
  });

  it.each([false, true])('of Gemini, what was as likely before what was chosen: %s', (isBefore) => {
    const likely = (token: string) => ({ token, tokenId: 1, logProbability: -0.1 });
    const chosen = { chosenCandidates: PIECES[0]!.map(likely) };
    const top = { topCandidates: PIECES[0]!.map((piece) => ({ candidates: [likely(piece), likely('other')] })) };
    const logprobsResult = isBefore ? { ...top, ...chosen } : { ...chosen, ...top };
    const content = { role: 'model', parts: [{ text: TEXTS[0] }] };
    const output = redactedBy(JSON.stringify({ candidates: [{ content, finishReason: 'STOP', logprobsResult }] }), [
      find,
    ]);
    expectNone(output);
    const [{ content: after, logprobsResult: told }] = JSON.parse(output).candidates;
    const tokens: { token: string }[] = told.chosenCandidates;
    expect(tokens.map(({ token }) => token).join('')).toBe(after.parts[0].text);
    expect(told.topCandidates.at(-1)).toEqual(top.topCandidates.at(-1));
  });

  it('of OpenAI responses, which may have no bytes', () => {
    const text = alone
      .map(([, delta], sequence_number) => {
        const logprobs = [{ token: delta, logprob: -0.1, top_logprobs: [{ token: delta, logprob: -0.1 }] }];
        return sse({ type: 'response.output_text.delta', sequence_number, output_index: 0, delta, logprobs });
      })
      .join('');
    expectNone(redactedBy(text, [find]));
  });
});

describe('joins nothing else', () => {
  const VALUE = values.text('alnum', 20);
  const whole = (text: string) => sse({ candidates: [{ content: { parts: [{ text }] }, finishReason: 'STOP' }] });

  it('whole answers of Gemini', () => {
    const long = `${'Some words of an answer. '.repeat(100)}API_KEY=`;
    expect(redactedBy(whole(long) + whole(VALUE), [find])).toBe(whole(long) + whole(VALUE));
    const output = redactedBy(whole(`API_KEY=${VALUE}`) + whole('Now the next'), [find]);
    expect(output).toBe(whole('API_KEY=[secret:named-secret:1]') + whole('Now the next'));
  });

  it('two answers of one stream', () => {
    const text = ['API_KEY=', VALUE]
      .map((content, index) => sse({ ...CHUNK, choices: [{ index, delta: { content } }] }))
      .join('');
    expect(redactedBy(text, [find])).toBe(text);
  });

  it('lines with a list of what is done', () => {
    const text = ['API_KEY=', VALUE]
      .map((content) => `${JSON.stringify({ message: { role: 'user', content }, todos: [{ done: false }] })}\n`)
      .join('');
    expect(redactedBy(text, [find])).toBe(text);
  });

  it('a line of Ollama, and one that does not say whether it is done', () => {
    const text = [false, null]
      .map(
        (done, at) => `${JSON.stringify({ message: { role: 'assistant', content: ['API_KEY=', VALUE][at] }, done })}\n`,
      )
      .join('');
    expect(redactedBy(text, [find])).toBe(text);
    expect(redactedBy(text.replace('null', 'true'), [find])).not.toContain(VALUE);
  });

  it('lines that only speak of a delta', () => {
    const text = ['What is a delta? API_KEY=', VALUE]
      .map((content) => `${JSON.stringify({ messages: [{ role: 'user', content }], x: 1 })}\n`)
      .join('');
    expect(redactedBy(text, [find])).toBe(text);
  });
});
