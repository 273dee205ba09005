/** Replies in spans of the AI SDK, which are judged by the prompts that the SDK itself makes of them. */
import * as ai6 from 'ai';
import * as ai5 from 'ai-5';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mapMessages, mapParts } from '../../src/transcript/edit.js';
import { textOf } from '../../src/transcript/text.js';
import type { Message, Part } from '../../src/transcript/types.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

const VERSIONS = [
  { name: 'AI SDK 5', sdk: ai5 as unknown as typeof ai6, specification: 'v2' },
  { name: 'AI SDK 6', sdk: ai6, specification: 'v3' },
] as const;

/** A reply, and what the model is sent after it. */
const REPLIES = [
  [
    { type: 'reasoning', text: 'Shade.' },
    { type: 'reasoning', text: 'Much of it.' },
    { type: 'text', text: 'I look. ' },
    { type: 'text', text: 'Or not.' },
    { type: 'tool-call', toolCallId: 'c1', toolName: 'herbs', input: '{"light":"shade"}' },
  ],
  [
    { type: 'tool-call', toolCallId: 'c2', toolName: 'herbs', input: '{"light": "half shade"}' },
    { type: 'tool-call', toolCallId: 'c3', toolName: 'herbs', input: '{"light":"sun"}' },
  ],
  [{ type: 'text', text: '{"herb": "woodruff"}' }],
];

/** What a part says, in few words. */
const saidIn = ({ role, parts }: Message) =>
  `${role}: ${parts
    .map((part) => {
      if (part.type === 'call') return `${part.callId} ${part.tool} ${JSON.stringify(JSON.parse(textOf(part.input)))}`;
      return part.type === 'result'
        ? `result of ${part.callId}`
        : `${part.type} ${textOf((part as { text: '' }).text)}`;
    })
    .join(', ')}`;

const shortened = (part: Part): Part =>
  part.type === 'text' || part.type === 'thinking' ? { ...part, text: textOf(part.text).slice(0, 2) } : part;

type Recorded = Record<string, unknown>;

/** A tracer that keeps the attributes of spans, with a trace of its own for each run. */
function tracerOf(spans: { name: string; attributes: Recorded }[]) {
  return {
    startSpan: () => ({}),
    startActiveSpan(name: string, options: { attributes?: Recorded }, run: (span: unknown) => unknown) {
      const attributes = { ...options.attributes };
      spans.push({ name, attributes });
      const setAttributes = (more: Recorded) => Object.assign(attributes, more);
      const rest = ['addEvent', 'setStatus', 'recordException', 'end', 'updateName'];
      return run({ setAttributes, setAttribute: () => {}, ...Object.fromEntries(rest.map((key) => [key, () => {}])) });
    },
  };
}

const layout = (spans: readonly object[]) =>
  spans
    .map((span, index) => JSON.stringify({ ...span, context: { trace_id: 't', span_id: `s${index}` } }))
    .map((line) => `${line}\n`)
    .join('');

describe.each(VERSIONS)('$name', ({ sdk, specification }) => {
  const isOld = specification === 'v2';
  const usage = isOld ? { inputTokens: 1, outputTokens: 1, totalTokens: 2 } : { inputTokens: {}, outputTokens: {} };
  const finish = (index: number) => {
    const reason = index === REPLIES.length - 1 ? 'stop' : 'tool-calls';
    return { finishReason: isOld ? reason : { unified: reason, raw: undefined }, usage };
  };
  const chunksOf = (part: { readonly type: string; readonly text?: string }, id: string): object[] =>
    part.type === 'tool-call'
      ? [part]
      : [
          { type: `${part.type}-start`, id },
          { type: `${part.type}-delta`, id, delta: part.text },
          { type: `${part.type}-end`, id },
        ];
  const streamOf = (index: number) => [
    { type: 'stream-start', warnings: [] },
    ...REPLIES[index]!.flatMap((part, place) => chunksOf(part, `${place}`)),
    { type: 'finish', ...finish(index) },
  ];

  /** The spans of a run, and the prompts that the model was sent. */
  async function traced(run: (settings: Parameters<typeof ai6.generateText>[0]) => Promise<unknown>) {
    const spans: { name: string; attributes: Recorded }[] = [];
    const prompts: string[] = [];
    const next = ({ prompt }: { prompt: unknown }) => prompts.push(JSON.stringify(prompt)) - 1;
    const model = {
      specificationVersion: specification,
      provider: 'fake',
      modelId: 'fake',
      supportedUrls: {},
      doGenerate: async (options: { prompt: unknown }) => {
        const index = next(options);
        return { content: REPLIES[index], ...finish(index), warnings: [] };
      },
      doStream: async (options: { prompt: unknown }) => {
        const chunks = streamOf(next(options));
        return { stream: ReadableStream.from(chunks) };
      },
    };
    const herbs = sdk.tool({
      inputSchema: z.object({ light: z.string() }),
      execute: async () => ({ herbs: ['mint'] }),
    });
    await run({
      model: model as never,
      tools: { herbs },
      system: 'You plan gardens.',
      prompt: 'Which herb?',
      stopWhen: sdk.stepCountIs(5),
      experimental_telemetry: { isEnabled: true, tracer: tracerOf(spans) as never },
    });
    return { text: layout(spans), prompts };
  }

  const runs = {
    generateText: (settings: never) => sdk.generateText(settings),
    streamText: async (settings: never) => {
      await sdk.streamText(settings).consumeStream();
      await new Promise((resolve) => setTimeout(resolve, 50)); // spans end after the stream
    },
  };

  it.each(Object.entries(runs))('%s: one conversation, which the last prompt begins', async (_, run) => {
    const { text, prompts } = await traced(run as never);
    const { transcripts } = openText(text);
    expect(transcripts).toHaveLength(1);
    const { messages, recorded } = transcripts[0]!;
    const [prompt] = openText(prompts.at(-1)!).transcripts;
    expect(messages.slice(0, -1).map(saidIn)).toEqual(prompt!.messages.map(saidIn));
    expect(saidIn(messages.at(-1)!)).toBe('assistant: text {"herb": "woodruff"}');
    expect(messages.filter((message) => recorded?.(message) !== undefined)).toHaveLength(3);
    expect(rewriteText(text, 'filter', { maxToolCalls: 0 })).not.toMatch(/half shade|mint/);
    const cut = mapText(text, (transcript) => mapMessages(transcript, (message) => mapParts(message, shortened)));
    expect(cut).not.toMatch(/I look|Or not|Shade|Much of it/);
    expect(openText(cut).transcripts).toHaveLength(1);
  });
});

describe('AI SDK 3', () => {
  const NAMES = /ai\.response\.(?=text|toolCalls|object)/g;
  const early = (text: string) => text.replace(NAMES, 'ai.result.');

  it.each(['otlp/hand-ai-sdk.json', 'otlp/hand-ai-sdk-calls.json'])('names the reply of %s ai.result', (name) => {
    const text = fixture(name);
    const said = (of: string) => openText(of).transcripts.map(({ messages }) => messages.map(saidIn));
    expect(early(text)).not.toBe(text);
    expect(said(early(text))).toEqual(said(text));
    for (const maxToolCalls of [0, 1]) {
      const after = rewriteText(text, 'filter', { maxToolCalls });
      expect(rewriteText(early(text), 'filter', { maxToolCalls })).toBe(early(after));
    }
    const cut = (of: string) =>
      mapText(of, (transcript) => mapMessages(transcript, (message) => mapParts(message, shortened)));
    expect(cut(early(text))).toBe(early(cut(text)));
  });

  it('of 3.4 repeats it', () => {
    const text = fixture('otlp/hand-ai-sdk.json');
    const twice = JSON.stringify(JSON.parse(text), (key, value) =>
      key === 'attributes'
        ? value.flatMap((one: { key: string }) =>
            one.key === 'ai.response.text' ? [one, { ...one, key: 'ai.result.text' }] : [one],
          )
        : value,
    );
    const { messages } = openText(twice).transcripts[0]!;
    const last = textOf((messages.at(-1)!.parts[0] as { text: '' }).text);
    const cut = mapText(twice, (transcript) => mapMessages(transcript, (message) => mapParts(message, shortened)));
    expect(twice.split(last)).toHaveLength(3);
    expect(cut).not.toContain(last);
  });
});
