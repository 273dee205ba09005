/** Adapters with messages that no framework should hand over: a clear error, and nothing is changed. */
import { describe, expect, it } from 'vitest';
import * as aiSdk from '../../src/adapters/ai-sdk.js';
import * as anthropic from '../../src/adapters/anthropic.js';
import * as claude from '../../src/adapters/claude-agent-sdk.js';
import * as langchain from '../../src/adapters/langchain.js';
import * as mastra from '../../src/adapters/mastra.js';
import * as openai from '../../src/adapters/openai.js';
import * as agents from '../../src/adapters/openai-agents.js';
import * as opencode from '../../src/adapters/opencode.js';
import * as pi from '../../src/adapters/pi.js';
import { isTranscriptError } from '../../src/errors.js';
import type { GuardedAgent } from '../../src/guards/openai-agents.js';
import { policyNamed, type StepName } from '../../src/index.js';

const STEPS: readonly StepName[] = ['patch', 'filter:max-tool-calls=0,drop-user', 'truncate:max-length=40,no-minimum'];
const POLICY = policyNamed('query-history')!;
const TOOL = 'query_history';

/** Whatever the types say. */
type Given = never;
const store = { load: async () => null, append: async (_: never, entries: never) => void entries };

const HOOKS: Readonly<Record<string, (messages: Given) => unknown>> = {
  'ai-sdk step': (messages) => aiSdk.trim(STEPS, { every: 1 }).prepareStep({ messages }),
  'anthropic request': (messages) => anthropic.trim(STEPS, { every: 1 }).request({ messages }),
  'openai messages': (messages) => openai.trim(STEPS, { every: 1 }).request({ messages }),
  'openai-agents filter': (input) => agents.trim(STEPS, { every: 1 }).callModelInputFilter({ modelData: { input } }),
  'claude-agent-sdk store': (entries) =>
    claude
      .trim([], { append: STEPS.slice(-1) })
      .sessionStore(store)
      .append(0 as Given, entries),
  'langchain call': (messages) => langchain.trim(STEPS, { every: 1 }).wrapModelCall({ messages }, () => 0),
  'mastra prompt': (prompt) => mastra.trim(STEPS, { every: 1 }).processLLMRequest({ prompt }),
  'opencode messages': (messages) =>
    opencode.trim(STEPS, { every: 1 })['experimental.chat.messages.transform']({}, { messages }),
  'pi context': (messages) => pi.trim(STEPS, { every: 1 }).context({ messages }),
  'opencode guard': (messages) => opencode.guard(POLICY)['experimental.chat.messages.transform']({}, { messages }),
  'mastra guard': (prompt) => mastra.guard(POLICY).processLLMRequest({ prompt }),
  'openai-agents guard': (input) => {
    const listeners = new Map<string, (...values: unknown[]) => void>();
    const on = (event: string, listener: (...values: unknown[]) => void) => listeners.set(event, listener);
    const agent = agents.guard(POLICY).agent<GuardedAgent>({ tools: [{ type: 'function' }], on });
    const context = {};
    listeners.get('agent_start')!(context, agent, input);
    const toolCall = { name: TOOL, arguments: '{}', callId: 'a' };
    return agent.tools[0].inputGuardrails[0].run({ context, toolCall });
  },
  'pi guard': (messages) =>
    pi
      .guard(POLICY)
      .toolCall({ toolCallId: 'a', toolName: TOOL, input: {} }, { sessionManager: { getBranch: () => messages } }),
};

function throwing(): object {
  const get = () => {
    throw new TypeError('trap');
  };
  return new Proxy({}, { get, ownKeys: get });
}

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function cycle(): object {
  const message: Record<string, unknown> = { role: 'user', type: 'message', info: { role: 'user' } };
  message['content'] = message['parts'] = message['message'] = [message];
  return message;
}

/** V8 ends the process where it has to copy such a list. */
const endless = () => Object.assign([], { length: 4_000_000_000 });

const LISTS: Readonly<Record<string, () => unknown>> = {
  nothing: () => null,
  'a number': () => 5,
  holes: () => new Array(3),
  'an endless list': endless,
  'a revoked proxy': () => revoked([]),
  'a proxy that throws': throwing,
  'a message that throws': () => [throwing()],
  'a revoked message': () => [revoked({})],
  'a symbol': () => [{ type: Symbol('x'), role: Symbol('y') }],
  'a message in itself': () => [cycle()],
  'an endless content': () => [
    {
      role: 'user',
      type: 'user',
      content: endless(),
      parts: endless(),
      info: { role: 'user' },
      message: { role: 'user' },
    },
  ],
  'a prototype': () => JSON.parse('[{"__proto__":{"role":"user"},"constructor":1,"role":"user","content":"x"}]'),
  'frozen messages': () => Object.freeze([Object.freeze({ role: 'user', type: 'user', content: 'x' })]),
};

describe.each(Object.entries(HOOKS))('%s', (_, hook) => {
  it.each(Object.entries(LISTS))('takes %s, or says what is wrong', async (_, made) => {
    const messages = made();
    const error = await Promise.resolve()
      .then(() => hook(messages as Given))
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    expect(error === undefined || isTranscriptError(error), String(error)).toBe(true);
  });
});

it('says where a framework keeps its list to itself', async () => {
  const part = { type: 'tool', callID: 'c', tool: 't', state: { status: 'completed', input: {}, output: 'x' } };
  const messages = Object.freeze([{ info: { role: 'assistant' }, parts: [part] }]) as never;
  const sent = opencode.trim(STEPS, { every: 1 })['experimental.chat.messages.transform']({}, { messages });
  await expect(sent).rejects.toThrow('`messages` is frozen');
});
