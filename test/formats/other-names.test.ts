/** Names that recorders give the same thing: each of them is read. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { openText } from '../shared/opened.js';

const otlp = readFileSync('fixtures/formats/otlp/hand-ai-sdk.json', 'utf8');
const textsOf = (text: string, from?: string) =>
  openText(text, from === undefined ? {} : { from }).transcripts.map(({ messages }) =>
    messages.map(({ role, parts }) => [role, parts.map((part) => ('text' in part ? String(part.text) : part.type))]),
  );

it.each(['scope_spans', 'instrumentationLibrarySpans'])('spans in `%s`', (name) => {
  expect(otlp).toContain('"scopeSpans"');
  expect(textsOf(otlp.replaceAll('"scopeSpans"', `"${name}"`))).toEqual(textsOf(otlp));
});

/** Of the conventions of OpenTelemetry as they changed, OpenInference, Logfire and the AI SDK. */
const CACHE_WRITES = [
  ...['gen_ai.usage.cache_creation.input_tokens', 'gen_ai.usage.cache_write.input_tokens'],
  ...['llm.token_count.prompt_details.cache_write', 'gen_ai.usage.cache_creation_input_tokens'],
  'gen_ai.usage.details.cache_write_tokens',
];
const CACHE_READS = [
  ...['gen_ai.usage.cache_read.input_tokens', 'llm.token_count.prompt_details.cache_read'],
  ...['gen_ai.usage.cache_read_input_tokens', 'gen_ai.usage.details.cache_read_tokens', 'ai.usage.cachedInputTokens'],
];

it.each([
  ...CACHE_WRITES.map((name) => [name, { cacheWrite5m: 30, cacheRead: 0 }] as const),
  ...CACHE_READS.map((name) => [name, { cacheWrite5m: 0, cacheRead: 30 }] as const),
])('tokens of `%s`', (name, cached) => {
  const attributes = {
    'openinference.span.kind': 'LLM',
    'llm.model_name': 'claude-sonnet-4-5',
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.content': 'Hi',
    'llm.output_messages.0.message.role': 'assistant',
    'llm.output_messages.0.message.content': 'Hello',
    'llm.token_count.prompt': 100,
    'llm.token_count.completion': 5,
    [name]: 30,
  };
  const span = { name: 'llm', context: { trace_id: 'a', span_id: 'b' }, attributes };
  const [transcript] = openText(`${JSON.stringify(span)}\n`).transcripts;
  const usages = transcript!.messages.flatMap((message) => transcript!.recorded?.(message)?.usage ?? []);
  expect(usages).toEqual([expect.objectContaining({ input: 70, output: 5, ...cached })]);
});

it('the first row of Cline, which is the task', () => {
  const row = (ts: number, text: string, conversationHistoryIndex: number) => ({
    ...{ ts, type: 'say', say: 'text', text },
    conversationHistoryIndex,
  });
  const rows = [row(1, 'Tidy up.', -1), row(2, 'Which files?', 0)];
  expect(textsOf(JSON.stringify(rows), 'cline-ui')[0]!.map(([role]) => role)).toEqual(['user', 'assistant']);
});
