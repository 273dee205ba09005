/**
 * What a format has no way to say, and why: the laws expect a message without it, and nothing else lost. A test holds
 * that each entry is needed.
 */

import { joinTexts } from '../../src/transcript/text.js';
import type { ContentPart, Message, Part, ResultPart, Role } from '../../src/transcript/types.js';
import { meaningOf } from './opened.js';

export interface Limit {
  readonly why: string;
  /** The message as the format can say it; undefined where it cannot. */
  as(message: Message): Message | undefined;
}

// --- kinds of limits

const unnamed = (why: string): Limit => ofResults(why, ({ tool: _, ...result }) => result);
const noIds = (why: string): Limit => ({
  why,
  as: (message) =>
    mapped(message, (part) => (part.type === 'call' || part.type === 'result' ? { ...part, callId: undefined } : part)),
});
const noFlags = (why: string): Limit => ofResults(why, ({ isError: _, ...result }) => result);
const alwaysFlags = (why: string): Limit =>
  ofResults(why, (result) => ({ ...result, isError: result.isError === true }));
const onlyErrors = (why: string): Limit =>
  ofResults(why, ({ isError, ...result }) => (isError ? { ...result, isError } : result));
const oneResultText = (why: string): Limit =>
  ofResults(why, (result) => ({ ...result, content: joined(result.content) }));
const oneErrorText = (why: string): Limit =>
  ofResults(why, (result) => (result.isError ? { ...result, content: joined(result.content) } : result));
const oneText = (why: string, roles: readonly Role[] = ['system', 'user', 'assistant']): Limit => ({
  why,
  as: (message) => (roles.includes(message.role) ? { ...message, parts: joined(message.parts) } : message),
});
const without = (why: string, has: (message: Message) => boolean): Limit => ({
  why,
  as: (message) => (has(message) ? undefined : message),
});
const onePart = (why: string): Limit =>
  without(why, ({ parts }) => parts.length > 1 && parts.some(({ type }) => type === 'call'));
const callAlone = (why: string): Limit =>
  without(why, ({ parts }) => {
    const calls = parts.filter(({ type }) => type === 'call').length;
    return calls > 1 || (calls === 1 && parts.some(({ type }) => type === 'text'));
  });
const noSystem = (why: string): Limit => without(why, ({ role }) => role === 'system');

// --- the table

const CARRIED: readonly Limit[] = [oneResultText('in the shape of OpenTelemetry a response is one value')];
const ANTHROPIC: readonly Limit[] = [
  unnamed('a tool_result block names the call, not the tool'),
  alwaysFlags('without is_error a result is none'),
];
const RESPONSES: readonly Limit[] = [
  unnamed('an output names the call, not the tool'),
  noFlags('an output has no flag'),
  onePart('an item is a text or a call'),
];

const GEMINI: readonly Limit[] = [
  onlyErrors('a response is an output or an error'),
  oneResultText('a response is one value'),
];

export const LIMITS: Readonly<Record<string, readonly Limit[]>> = {
  'anthropic-messages': ANTHROPIC,
  'claude-code': ANTHROPIC,
  'claude-agent-sdk': ANTHROPIC,
  'claude-managed-agents': [...ANTHROPIC, onePart('an event is a message or a call')],
  'cursor-agent': [...ANTHROPIC, noSystem('no message has the role')],
  'amp-thread': [...ANTHROPIC, oneResultText('a result is one value')],
  'droid-session': ANTHROPIC,
  'roo-code': ANTHROPIC,
  happy: [...ANTHROPIC, oneText('what the user typed is one string', ['user'])],
  'bedrock-converse': [
    unnamed('a toolResult names the call, not the tool'),
    alwaysFlags('without a status a result is none'),
  ],
  atif: [unnamed('an observation names the call, not the tool'), noFlags('an observation has no flag')],
  autogen: [
    alwaysFlags('is_error is no without it'),
    oneResultText('the content of a result is one string'),
    {
      why: 'beside calls there is only a thought',
      as: (message) =>
        message.parts.some(({ type }) => type === 'call')
          ? mapped({ ...message, parts: joined(message.parts) }, (part) =>
              part.type === 'text' ? { ...part, type: 'thinking' } : part,
            )
          : message,
    },
  ],
  'codex-rollout': RESPONSES,
  'pydantic-ai': [alwaysFlags('a result is an error, or none')],
  mastra: [unnamed('a result stands in its call'), alwaysFlags('a result is an error, or none')],
  'openai-agents': [
    noFlags('a result has no flag'),
    onePart('an item is a text or a call'),
    oneText('a system prompt is a text', ['system']),
  ],
  'openai-responses': RESPONSES,
  'gemini-interactions': [
    oneText('a system instruction is one string', ['system']),
    onePart('a step is a text or a call'),
  ],
  'chatgpt-export': [
    noIds('a call names a tool'),
    noFlags('a result has no flag'),
    onePart('a message is a text or a call'),
  ],
  'claude-ai-export': [noSystem('no message has the role'), alwaysFlags('a result is an error, or none')],
  'open-webui': [unnamed('an output names the call, not the tool'), noFlags('an output has no flag')],
  antigravity: [
    alwaysFlags('a status is an error, or none'),
    oneText('a content is one string'),
    oneResultText('a content is one string'),
  ],
  'copilot-cli': [
    onlyErrors('a result is a success or says what went wrong'),
    oneText('a content is one string'),
    oneResultText('a result is one string'),
  ],
  opencode: [
    noSystem('no message has the role'),
    alwaysFlags('a state is completed, or an error'),
    oneResultText('an output is one string'),
  ],
  'kimi-cli': [
    unnamed('a result names the call, not the tool'),
    alwaysFlags('is_error is no without it'),
    oneResultText('an output is one string'),
  ],
  'goose-session': [
    unnamed('a result names the call, not the tool'),
    noSystem('no message has the role'),
    alwaysFlags('isError is no without it'),
  ],
  'continue-session': [unnamed('a result stands in its call'), alwaysFlags('a state is an error, or none')],
  'copilot-debug-log': [
    noSystem('no row has the role'),
    unnamed('a result stands in its call'),
    onlyErrors('a status is ok, or an error'),
    oneText('a content is one string', ['user']),
    oneResultText('a result is one string'),
    callAlone('a row is a text or a call'),
  ],
  'copilot-timeline': [
    unnamed('a result stands in its call'),
    noIds('calls and results pair by order'),
    noFlags('a result has no flag'),
    oneText('a content is one string'),
    oneResultText('a result is one value'),
    callAlone('an event is a text or a call'),
  ],
  'cline-ui': [
    noSystem('no row has the role'),
    noIds('calls and results pair by order'),
    noFlags('a result has no flag'),
    oneText('a row has one text'),
    oneResultText('a request is one text'),
    onePart('a row is a text or a call'),
  ],
  tau2: [
    unnamed('a tool message names the call, not the tool'),
    alwaysFlags('error is no without it'),
    oneText('a content is one string'),
    oneResultText('a content is one string'),
  ],
  openhands: [
    alwaysFlags('an observation is an error, or none'),
    oneText('an event has one content'),
    oneResultText('an observation has one content'),
    without('an action is one call', ({ parts }) => parts.filter(({ type }) => type === 'call').length > 1),
  ],
  'openhands-sdk': [
    oneErrorText('an error is one string'),
    alwaysFlags('an observation is an error, or none'),
    without('an action is one call', ({ parts }) => parts.filter(({ type }) => type === 'call').length > 1),
  ],
  'openclaw-trajectory': [
    alwaysFlags('a result is a success, or not'),
    onePart('an event of a call has no text'),
    oneText('a prompt is one string', ['system', 'user']),
  ],
  'pi-session': [noSystem('no message has the role'), alwaysFlags('isError is always said')],
  'gemini-cli-session': [
    noSystem('no message has the role'),
    onlyErrors('a status is success, or an error'),
    oneResultText('a response is one value'),
  ],
  'gemini-cli-stream': [
    noSystem('no message has the role'),
    unnamed('a result names the call, not the tool'),
    alwaysFlags('a status is success, or an error'),
    onePart('a line is a text or a call'),
    oneText('a content is one string'),
    oneResultText('an output is one string'),
  ],
  'gemini-contents': GEMINI,
  'qwen-session': GEMINI,
  'vercel-uistream': [
    unnamed('an output names the call, not the tool'),
    alwaysFlags('an output is an error, or none'),
    oneErrorText('an errorText is one string'),
    onePart('a chunk is a text or a call'),
    oneText('a chunk is one text'),
    without('only a reply is streamed', ({ role }) => role === 'system' || role === 'user'),
  ],
  'vercel-ui': [
    unnamed('a result stands in its call'),
    alwaysFlags('a state is an error, or none'),
    oneErrorText('an errorText is one string'),
  ],
  'vercel-model': [
    alwaysFlags('an output is an error, or none'),
    oneText('the content of a system message is one string', ['system']),
  ],
  'otel-genai': [noFlags('a response has no flag'), oneResultText('a response is one value')],
  langfuse: CARRIED,
  langsmith: CARRIED,
  openinference: CARRIED,
  otlp: CARRIED,
  promptfoo: CARRIED,
  'trace-log': CARRIED,
  'prompt-answers': CARRIED,
  'vscode-chat': [...CARRIED, noSystem('no request has one')],
  'call-log': CARRIED,
  'usage-log': [without('it holds no messages', () => true)],
  inspect: [alwaysFlags('error is null without one')],
  langchain: [alwaysFlags('a status is success, or an error')],
  'llama-factory': [
    unnamed('a message of role tool says only what came back'),
    noFlags('a message of role tool says only what came back'),
    noIds('calls and results pair by order'),
  ],
  'cohere-chat': [unnamed('a result names the call, not the tool'), noFlags('a result has no flag')],
  sharegpt: [
    unnamed('an observation says only what came back'),
    noFlags('an observation says only what came back'),
    noIds('calls and results pair by order'),
    oneText('a value is one string'),
    oneResultText('a value is one string'),
    onePart('a message is a text or a call'),
  ],
  'ollama-chat': [
    noFlags('a tool message has no flag'),
    oneText('a content is one string'),
    oneResultText('a content is one string'),
  ],
  'swe-agent': [noFlags('a tool message has no flag')],
  'openai-chat': [noFlags('a tool message has no flag')],
};

/** The message as a format can say it; undefined where it cannot. */
export function sayable(message: Message, limits: readonly Limit[]): Message | undefined {
  return limits.reduce<Message | undefined>((said, limit) => said && limit.as(said), message);
}

/** What a message means, as far as a format can say it: as JSON. Undefined where it cannot say it. */
export function meaningWithin(message: Message, limits: readonly Limit[]): string | undefined {
  const said = sayable(message, limits);
  return said && JSON.stringify(sorted(meaningOf(said)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}

function ofResults(why: string, change: (result: ResultPart) => ResultPart): Limit {
  return { why, as: (message) => mapped(message, (part) => (part.type === 'result' ? change(part) : part)) };
}

function mapped(message: Message, change: (part: Part) => Part): Message {
  return { ...message, parts: message.parts.map(change) };
}

/** All texts as one, where the first one stood. */
function joined<P extends Part>(parts: readonly P[]): P[] {
  const texts = parts.filter((part): part is P & ContentPart => part.type === 'text');
  const one = { type: 'text', text: joinTexts(texts) } as unknown as P;
  return parts.flatMap((part) => (part.type !== 'text' ? [part] : part === texts[0] ? [one] : []));
}
