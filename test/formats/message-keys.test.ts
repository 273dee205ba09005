/** Under which keys of a record each format is known to keep its messages. */
import { expect, it } from 'vitest';
import { openText } from '../shared/opened.js';
import { mapText } from '../shared/rewrite-text.js';

const text = (type: string, value: string) => ({ type, text: value });
const AGENTS = [
  { type: 'message', role: 'user', content: 'Hi' },
  { type: 'function_call', callId: 'c', name: 'f', arguments: '{}', status: 'completed' },
  { type: 'function_call_result', callId: 'c', name: 'f', status: 'completed', output: text('text', 'r') },
];
const CALL = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
const CHAT = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: null, tool_calls: [CALL] },
  { role: 'tool', tool_call_id: 'c', content: 'r' },
];
const RESPONSES = [
  { type: 'message', role: 'user', content: [text('input_text', 'Hi')] },
  { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
  { type: 'function_call_output', call_id: 'c', output: 'r' },
];
const ANTHROPIC = [
  { role: 'user', content: 'Hi' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'r' }] },
];
const GEMINI = [
  { role: 'user', parts: [{ text: 'Hi' }] },
  { role: 'model', parts: [{ functionCall: { id: 'c', name: 'f', args: {} } }] },
  { role: 'user', parts: [{ functionResponse: { id: 'c', name: 'f', response: { output: 'r' } } }] },
];
const OF_CALL = { source: 'agent', tool_call_metadata: { function_name: 'f', tool_call_id: 'c' } };
const OPENHANDS = [
  { id: 1, source: 'user', action: 'message', args: { content: 'Hi' } },
  { id: 2, ...OF_CALL, action: 'run', args: { command: 'ls' } },
  { id: 3, ...OF_CALL, cause: 2, observation: 'run', content: 'r', extras: {} },
];
const UI_TOOL = { type: 'tool-f', toolCallId: 'c', state: 'output-available', input: {}, output: 'r' };
const UI = [
  { id: '1', role: 'user', parts: [text('text', 'Hi')] },
  { id: '2', role: 'assistant', parts: [UI_TOOL] },
];
const MODEL_CALL = { type: 'tool-call', toolCallId: 'c', toolName: 'f', input: {} };
const MODEL_RESULT = { type: 'tool-result', toolCallId: 'c', toolName: 'f', output: { type: 'text', value: 'r' } };
const MODEL = [
  { role: 'user', content: [text('text', 'Hi')] },
  { role: 'assistant', content: [MODEL_CALL] },
  { role: 'tool', content: [MODEL_RESULT] },
];
const GENAI = [
  { role: 'user', parts: [{ type: 'text', content: 'Hi' }] },
  { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'f', arguments: {} }] },
  { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c', response: 'r' }] },
];
const CONVERSE = [
  { role: 'user', content: [{ text: 'Hi' }] },
  { role: 'assistant', content: [{ toolUse: { toolUseId: 'c', name: 'f', input: {} } }] },
  { role: 'user', content: [{ toolResult: { toolUseId: 'c', content: [{ text: 'r' }] } }] },
];
const LANGCHAIN = [
  { type: 'human', data: { content: 'Hi' } },
  { type: 'ai', data: { content: '', tool_calls: [{ id: 'c', name: 'f', args: {}, type: 'tool_call' }] } },
  { type: 'tool', data: { content: 'r', tool_call_id: 'c', name: 'f' } },
];

/** `[]` stands for a list of one. */
const KEYS: readonly [string, readonly unknown[], readonly string[]][] = [
  ['openai-agents', AGENTS, ['history', 'input', 'items', 'originalInput']],
  [
    'openai-chat',
    CHAT,
    [
      ...['messages', 'traj', 'history', 'conversation', 'data.messages', 'input.messages', 'item.messages'],
      ...['runs[].messages', 'data[].messages'],
    ],
  ],
  ['openai-responses', RESPONSES, ['input', 'output', 'items', 'data']],
  ['anthropic-messages', ANTHROPIC, ['messages', 'request.messages']],
  ['gemini-contents', GEMINI, ['contents', 'request.contents', 'events']],
  ['openhands', OPENHANDS, ['history', 'trajectory', 'events']],
  ['vercel-ui', UI, ['messages', 'initialMessages', 'chat.messages', 'body.messages', 'data.messages']],
  ['vercel-model', MODEL, ['messages', 'request.messages', 'body.messages', 'prompt', 'params.prompt']],
  ['otel-genai', GENAI, ['input_messages', 'output_messages', 'messages', 'all_messages']],
  ['bedrock-converse', CONVERSE, ['messages', 'request.messages', 'input.inputBodyJson.messages']],
  ['langchain', LANGCHAIN, ['messages', 'messages[]', 'inputs.messages[]', 'inputs.messages[0]']],
];

/** A record with these messages at a path of keys. */
const recordWith = (path: string, messages: readonly unknown[]) =>
  path.split('.').reduceRight<unknown>((inner, step) => {
    const [key, isListed] = [step.replace(/\[0?\]$/, ''), step.endsWith(']')];
    return { [key]: isListed ? [inner] : inner };
  }, messages);

it.each(KEYS.flatMap(([format, messages, keys]) => keys.map((key) => [format, key, messages] as const)))(
  '%s: at %s',
  (format, key, messages) => {
    const { detection, transcripts } = openText(JSON.stringify({ note: 'x', ...Object(recordWith(key, messages)) }));
    const parts = transcripts.flatMap((transcript) => transcript.messages.flatMap((message) => message.parts));
    const paired = parts.flatMap((part) =>
      part.type === 'call' || part.type === 'result' ? [`${part.type} ${part.callId}`] : [],
    );
    expect([detection.format.id, paired]).toEqual([format, ['call c', 'result c']]);
    expect(transcripts).toHaveLength(1);
    expect(detection.isFound).not.toBe(true); // a list that is only found by searching is harder to edit
    expect(transcripts[0]!.messages).toHaveLength(messages.length);
  },
);

it('at a key that no format knows, the last message has to stay', () => {
  const record = JSON.stringify({ note: 'x', unheardOf: AGENTS });
  expect(openText(record).detection).toMatchObject({ format: { id: 'openai-agents' }, isFound: true });
  expect(() => mapText(record, (transcript) => ({ ...transcript, messages: [] }))).toThrow('nothing would be left');
});
