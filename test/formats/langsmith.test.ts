/** Runs of LangSmith: what a trace holds, what is recorded of its requests, and edits in all of its runs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { modelIn } from '../../src/formats/langsmith/langsmith-runs.js';
import { parse } from '../../src/json/node.js';
import { textOf } from '../../src/transcript/text.js';
import type { Transcript } from '../../src/transcript/types.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { mapText } from '../shared/rewrite-text.js';

const REAL = '../shared/cases/unread/langsmith';

const replace = (from: string, to: string) => (transcript: Transcript) => ({
  ...transcript,
  messages: transcript.messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => {
      if (part.type === 'text' && textOf(part.text) === from) return { ...part, text: to };
      if (part.type !== 'result') return part;
      return {
        ...part,
        content: part.content.map((piece) =>
          piece.type === 'text' && textOf(piece.text) === from ? { ...piece, text: to } : piece,
        ),
      };
    }),
  })),
});
const requestsOf = (text: string) =>
  openText(text).transcripts.map(({ messages, recorded }) => messages.flatMap((message) => recorded!(message) ?? []));

describe('a trace', () => {
  const text = fixture('langsmith/hand-batch.json');

  it('is one transcript, with the requests of all its runs', () => {
    const { transcripts } = openText(text);
    expect(transcripts.map(({ id, model, messages }) => [id, model, messages.map(({ role }) => role)])).toEqual([
      [JSON.parse(text).post[0].id, 'gpt-4o-mini', ['system', 'user', 'assistant', 'tool', 'assistant']],
    ]);
    expect(transcripts[0]!.tools?.text).toContain('"weather"');
    expect(requestsOf(text)).toMatchObject([
      [
        { responseId: 'chatcmpl-L1', model: 'gpt-4o-mini-2024-07-18', usage: { input: 60, output: 15 } },
        { responseId: 'chatcmpl-L2', time: Date.parse('2026-03-01T10:00:03Z'), usage: { input: 63, cacheRead: 32 } },
      ],
    ]);
  });

  it('is edited in all of its runs', () => {
    const result = 'Porto: 17 degrees, light wind from the west.';
    const after = mapText(Buffer.from(text), replace(result, 'Trimmed.'));
    expect(text.split(result).length).toBe(3);
    expect(after).toBe(text.replaceAll(result, 'Trimmed.'));
  });
});

it('runs in several lines belong together, and the pieces of a streamed reply go with an edit of it', () => {
  const text = fixture('langsmith/hand-lines.jsonl');
  expect(requestsOf(text)).toMatchObject([[{ responseId: 'chatcmpl-L3', time: 1772359300000 }]]);
  const said = 'Owls hunt at night without a sound.';
  const [post, patch] = linesOf(mapText(Buffer.from(text), replace(said, 'Trimmed.')));
  expect(post).toEqual(linesOf(text)[0]);
  expect(patch.patch[0].outputs.choices[0].message.content).toBe('Trimmed.');
  expect(patch.patch[0].events).toEqual([{ name: 'start' }]);
});

it('rows of exported runs are transcripts, with the formats of their providers', () => {
  const { transcripts } = openText(fixture('langsmith/hand-rows.jsonl'));
  expect(transcripts.map(({ model, messages }) => [model, ...messages.map(({ role }) => role)])).toEqual([
    ['claude-haiku-4-5', 'system', 'user', 'assistant'],
    ['gpt-5', 'system', 'user', 'assistant'],
    ['claude-haiku-4-5', 'user'],
  ]);
  expect(requestsOf(fixture('langsmith/hand-rows.jsonl'))).toMatchObject([
    [{ usage: { input: 14, cacheRead: 100, output: 8 }, cost: '6.4e-05' }],
    [{ usage: { input: 20, output: 7 } }],
    [],
  ]);
});

const real = existsSync(REAL) ? readdirSync(REAL) : [];
describe.runIf(real.length > 0)('real batches', () => {
  it.each(real)('%s: all texts, usage and times', (name) => {
    const bytes = readFileSync(`${REAL}/${name}`);
    const { post, patch } = JSON.parse(bytes.toString());
    const { detection, transcripts } = openText(bytes);
    expect([detection.format.id, detection.confidence]).toEqual(['langsmith', 0.9]);
    const texts = transcripts.map(({ messages }) =>
      messages.map(({ parts }) => parts.map((part) => ('text' in part ? textOf(part.text!) : '')).join('')),
    );
    const { inputs } = post[0];
    const { outputs } = patch[0];
    expect(texts).toEqual([[inputs.messages[0].content, outputs.choices[0].message.content]]);
    const { usage_metadata: usage } = outputs;
    expect(requestsOf(bytes.toString())).toMatchObject([
      [
        {
          model: outputs.model,
          time: new Date(post[0].start_time).getTime(),
          usage: { input: usage.input_tokens, output: usage.output_tokens },
        },
      ],
    ]);
  });
});

it('takes the model from the parameters where the metadata names none', () => {
  const extra = { metadata: { ls_model_name: '' }, invocation_params: { model: 'gpt-5' } };
  expect(modelIn(parse(JSON.stringify(extra)))).toBe('gpt-5');
  const older = { invocation_params: { model: null, model_name: 'gpt-4' } };
  expect(modelIn(parse(JSON.stringify(older)))).toBe('gpt-4');
  expect(modelIn(parse(JSON.stringify({ invocation_params: { model: 7 } })))).toBeUndefined();
});

it('counts a traced response of OpenAI, and says why a run without messages is none', () => {
  const run = {
    id: 't',
    trace_id: 't',
    name: 'run',
    run_type: 'llm',
    inputs: { input: [{ role: 'user', content: 'Hi' }] },
  };
  const output = [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] }];
  const usage = { input_tokens: 100, input_tokens_details: { cached_tokens: 40 }, output_tokens: 20 };
  const outputs = { object: 'response', id: 'resp_1', model: 'gpt-5', output, usage };
  expect(requestsOf(JSON.stringify({ post: [{ ...run, outputs }] }))).toMatchObject([
    [{ responseId: 'resp_1', model: 'gpt-5', usage: { input: 60, cacheRead: 40, output: 20 } }],
  ]);
  const chain = { ...run, run_type: 'chain', inputs: { question: 'Hi' }, outputs: { answer: 1 } };
  expect(() => openText(JSON.stringify({ post: [chain] }))).toThrow('no run has messages in its `inputs` or `outputs`');
});
