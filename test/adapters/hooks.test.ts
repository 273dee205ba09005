/** Adapters whose frameworks are not installed here: their hooks, with values that the real packages made. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as claude from '../../src/adapters/claude-agent-sdk.js';
import * as mastra from '../../src/adapters/mastra.js';
import * as openai from '../../src/adapters/openai.js';
import * as opencode from '../../src/adapters/opencode.js';
import * as pi from '../../src/adapters/pi.js';
import { type Policy, policyNamed, run, type StepName } from '../../src/index.js';

const STEPS: readonly StepName[] = ['patch', 'filter:max-tool-calls=1', 'truncate:max-length=40,no-minimum'];

function listIn(path: string): object[] {
  const text = readFileSync(`fixtures/formats/${path}`, 'utf8');
  const values: unknown = path.endsWith('.jsonl')
    ? text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown)
    : JSON.parse(text);
  return values as object[];
}

/** Three calls of a tool in a turn, and no repeated call unless the result differed. */
const LIMITS: Policy = {
  version: 1,
  rules: [
    { id: 'limit', type: 'max_calls', tool: 'bash', max: 3, per: 'turn' },
    { id: 'repeat', type: 'no_repeat', tool: 'bash', unless: ['result_differs'] },
    { id: 'steps', type: 'max_steps', max: 4, per: 'turn' },
    { id: 'later', type: 'after', trigger: 'bash', then: 'report' }, // no guard knows what comes later
  ],
};

/** What the steps make of it, without an adapter. */
const expected = (list: readonly object[], from: string) => run(list, STEPS, { from });

describe('Mastra', () => {
  it('sends trimmed prompts, and says nothing if the prompt stays', async () => {
    const prompt = listIn('vercel-model/prompt-v2.json');
    const before = structuredClone(prompt);
    const processor = mastra.trim(STEPS, { every: 1 });
    const sent = await processor.processLLMRequest({ prompt, model: { modelId: 'gpt-5' } });
    expect(sent!.prompt).toEqual(expected(prompt, 'vercel-model'));
    expect(sent!.prompt).not.toEqual(prompt);
    expect(prompt).toEqual(before);
    expect(await processor.processLLMRequest({ prompt: sent!.prompt })).toBeUndefined();
    expect(processor.id).toBe('ctx-trim');
  });
});

describe('the guard of Mastra', () => {
  it('judges a call by what the model was sent, and those of the same reply, run by run', async () => {
    const { processLLMRequest, hooks } = mastra.guard(LIMITS);
    const [run, other] = [{}, {}];
    const ask = (command: string, requestContext: object = run) =>
      hooks.beforeToolCall({ toolName: 'bash', input: { command }, context: { requestContext } });
    const call = (command: string) => ({ toolCallId: command, toolName: 'bash' });
    const prompt = [
      { role: 'user', content: [{ type: 'text', text: 'Run.' }] },
      { role: 'assistant', content: [{ type: 'tool-call', ...call('1'), input: { command: '1' } }] },
      { role: 'tool', content: [{ type: 'tool-result', ...call('1'), output: { type: 'text', value: '1' } }] },
    ];
    expect(await processLLMRequest({ prompt, requestContext: run })).toBeUndefined();
    await processLLMRequest({ prompt: prompt.slice(0, 1), requestContext: other });
    expect(await ask('1')).toMatchObject({ proceed: false, output: { success: false } });
    expect(await ask('1', other)).toBeUndefined();
    expect(await ask('2')).toBeUndefined();
    expect(await ask('3')).toMatchObject({ proceed: false });
    await processLLMRequest({ prompt, requestContext: run });
    expect(await ask('3')).toBeUndefined();
  });

  it('refuses to judge a call of a run whose requests it has not seen', async () => {
    const { processLLMRequest, hooks } = mastra.guard(LIMITS);
    const ask = (context: unknown) => hooks.beforeToolCall({ toolName: 'bash', input: {}, context });
    const refusal = 'the guard has seen no request of this run: add it to `inputProcessors`, too';
    await expect(ask({ requestContext: {} })).rejects.toThrow(refusal);
    await expect(ask(undefined)).rejects.toThrow(refusal);
    await processLLMRequest({ prompt: [{ role: 'user', content: [] }] });
    expect(await ask(undefined)).toBeUndefined();
    await expect(ask({ requestContext: {} })).rejects.toThrow(refusal);
  });
});

describe('pi', () => {
  it('trims the messages of the event', async () => {
    const messages = listIn('pi-session/hand-context.json');
    const handlers = new Map<string, (event: { messages: object[] }) => Promise<{ messages: object[] }>>();
    pi.trim(STEPS, { every: 1 }).extension({ on: (event, handler) => handlers.set(event, handler) });
    const sent = await handlers.get('context')!({ messages });
    expect(sent.messages).toEqual(expected(messages, 'pi-session'));
    expect(sent.messages).not.toEqual(messages);
    expect(sent.messages.some((message) => messages.includes(message))).toBe(true);
  });
});

describe('the guard of pi', () => {
  const user = (text: string) => ({ type: 'message', message: { role: 'user', content: [{ type: 'text', text }] } });
  const calling = (...calls: [id: string, command: string][]) => ({
    type: 'message',
    message: {
      role: 'assistant',
      content: calls.map(([id, command]) => ({ type: 'toolCall', id, name: 'bash', arguments: { command } })),
    },
  });
  const answer = (id: string, text: string) => ({
    type: 'message',
    message: {
      role: 'toolResult',
      toolCallId: id,
      toolName: 'bash',
      content: [{ type: 'text', text }],
      isError: false,
    },
  });
  const ask = async (branch: object[], id: string, command: string) => {
    const handlers = new Map<string, (event: object, context: object) => Promise<unknown>>();
    pi.guard(LIMITS).extension({ on: (event, handler) => handlers.set(event, handler) });
    const event = { type: 'tool_call', toolCallId: id, toolName: 'bash', input: { command } };
    return handlers.get('tool_call')!(event, { sessionManager: { getBranch: () => branch } });
  };

  it('judges a call by the entries up to its reply', async () => {
    const before = [user('Run them.'), calling(['a', 'ls']), answer('a', 'x'), calling(['b', 'pwd'])];
    expect(await ask(before, 'b', 'pwd')).toBeUndefined();
    expect(await ask(before, 'b', 'ls')).toMatchObject({
      block: true,
      reason: expect.stringContaining('"success":false'),
    });
  });

  it('counts the calls of the same reply that come before', async () => {
    const reply = calling(['a', '1'], ['b', '2'], ['c', '3'], ['d', '4']);
    expect(await ask([user('Run.'), reply], 'c', '3')).toBeUndefined();
    expect(await ask([user('Run.'), reply], 'd', '4')).toMatchObject({ block: true });
    const next = [user('Run.'), reply, user('Again.'), calling(['e', '5'])];
    expect(await ask(next, 'e', '5')).toBeUndefined();
  });
});

describe('opencode', () => {
  it('changes the list itself, and no message of it', async () => {
    const messages = listIn('opencode/hand-plugin.json');
    const [before, copy] = [[...messages], structuredClone(messages)];
    const hook = opencode.trim(STEPS, { every: 1 })['experimental.chat.messages.transform'];
    await hook({}, { messages });
    expect(messages).toEqual(expected(copy, 'opencode'));
    expect(messages).not.toEqual(copy);
    expect(before).toEqual(copy);
    const again = [...messages];
    await hook({}, { messages });
    expect(messages).toEqual(again);
  });
});

describe('the guard of opencode', () => {
  it('judges a call by what the model was sent, and those of the same reply', async () => {
    const hooks = opencode.guard(LIMITS);
    const ask = (command: string, sessionID = 's') =>
      hooks['tool.execute.before']({ tool: 'bash', sessionID }, { args: { command } });
    const user = { info: { id: 'm', role: 'user', sessionID: 's' }, parts: [{ type: 'text', text: 'Run.' }] };
    const reply = {
      info: { id: 'n', role: 'assistant', sessionID: 's' },
      parts: ['1', '2'].map((command) => ({
        type: 'tool',
        tool: 'bash',
        callID: command,
        state: { status: 'completed', input: { command }, output: command, title: '', metadata: {}, time: {} },
      })),
    };
    await hooks['experimental.chat.messages.transform']({}, { messages: [user, reply] });
    await expect(ask('1')).rejects.toThrow(/"success":false.*call 2 of its kind|"success":false/);
    await hooks['experimental.chat.messages.transform']({}, { messages: [user, reply] });
    expect(await ask('3')).toBeUndefined();
    await expect(ask('4')).rejects.toThrow(/at most 3/);
    expect(await ask('4', 'another session')).toBeUndefined();
    await expect(ask('4', 'another session')).rejects.toThrow(/second time/); // whose messages it has not seen
  });

  it('judges by the words of the user', async () => {
    const hooks = opencode.guard(policyNamed('query-history')!);
    const user = {
      info: { role: 'user', sessionID: 's' },
      parts: [{ type: 'text', text: 'Translate this sentence.' }],
    };
    await hooks['experimental.chat.messages.transform']({}, { messages: [user] });
    const call = { tool: 'query_history', sessionID: 's' };
    await expect(hooks['tool.execute.before'](call, { args: { query: 'x' } })).rejects.toThrow(/"success":false/);
  });
});

describe('the guard of the Claude Agent SDK', () => {
  /** Like the program: each reply asks about its calls, then gives their results together. */
  const session = (policy: Policy, session_id = 's') => {
    const { hooks } = claude.guard(policy);
    const send = <E extends keyof typeof hooks>(event: E, input: object) =>
      hooks[event][0]!.hooks[0]!({ session_id, ...input });
    let next = 0;
    return {
      says: (prompt: string) => send('UserPromptSubmit', { prompt }),
      async replies(commands: readonly string[], agent_id?: string) {
        const of = agent_id === undefined ? {} : { agent_id };
        const calls = commands.map((command) => ({
          tool_name: 'bash',
          tool_input: { command },
          tool_use_id: `toolu_${++next}`,
        }));
        const answers = [];
        for (const call of calls) answers.push(await send('PreToolUse', { ...call, ...of }));
        const tool_calls = calls.map((call) => ({ ...call, tool_response: call.tool_input.command }));
        await send('PostToolBatch', { tool_calls, ...of });
        return answers.map((answer) => 'hookSpecificOutput' in answer);
      },
    };
  };

  it('counts calls by turn', async () => {
    const { says, replies } = session(LIMITS);
    await says('Run.');
    expect(await replies(['1', '2'])).toEqual([false, false]);
    expect(await replies(['1', '3'])).toEqual([true, true]);
    await says('Again.');
    expect(await replies(['4', '5', '6', '7'])).toEqual([false, false, false, true]);
  });

  it('knows which calls are of one reply', async () => {
    const { says, replies } = session({ version: 1, rules: [{ id: 'steps', type: 'max_steps', max: 2 }] });
    await says('Run.');
    expect(await replies(['1', '2', '3', '4'])).toEqual([false, false, false, false]);
    expect(await replies(['5'])).toEqual([false]);
    expect(await replies(['6'])).toEqual([true]);
  });

  it('counts the calls of subagents apart, and judges them by what the user said', async () => {
    const { says, replies } = session(LIMITS);
    await says('Run.');
    expect(await replies(['1', '2', '3'])).toEqual([false, false, false]);
    expect(await replies(['1', '2', '3', '4'], 'agent')).toEqual([false, false, false, true]);
    const { hooks } = claude.guard(policyNamed('query-history')!);
    const [hook] = hooks.PreToolUse[0]!.hooks;
    await hook!({ session_id: 's', prompt: 'Translate this sentence.' });
    const call = { session_id: 's', agent_id: 'a', tool_name: 'query_history', tool_input: { query: 'x' } };
    const { hookSpecificOutput } = (await hook!(call)) as { hookSpecificOutput: Record<string, string> };
    expect(hookSpecificOutput).toMatchObject({ hookEventName: 'PreToolUse', permissionDecision: 'deny' });
    expect(JSON.parse(hookSpecificOutput['permissionDecisionReason']!)).toMatchObject({ success: false });
  });
});

describe('Claude Agent SDK', () => {
  const entries = listIn('claude-code/hand-interrupted.jsonl');

  /** Like the store in the SDK's documentation. */
  class Memory {
    readonly #sessions = new Map<string, object[]>();
    async append({ sessionId }: Key, added: object[]) {
      this.#sessions.set(sessionId, [...(this.#sessions.get(sessionId) ?? []), ...added]);
    }
    async load({ sessionId }: Key) {
      return this.#sessions.get(sessionId) ?? null;
    }
    async listSessions() {
      return [...this.#sessions.keys()];
    }
  }
  interface Key {
    readonly sessionId: string;
  }

  it('loads sessions repaired, and stores them whole', async () => {
    const store = new Memory();
    const trimmed = claude.trim(['patch']).sessionStore(store);
    const key = { sessionId: 'a' };
    expect(await trimmed.load(key)).toBeNull();
    await trimmed.append(key, entries);
    expect(await store.load(key)).toEqual(entries);
    const loaded = await trimmed.load(key);
    expect(loaded).toEqual(run(entries, ['patch'], { from: 'claude-code' }));
    expect(loaded).not.toEqual(entries);
    expect(await trimmed.listSessions()).toEqual(['a']);
  });

  it('truncates new entries if it is asked to', async () => {
    const store = new Memory();
    const long = listIn('claude-code/read-again.jsonl');
    const steps = ['truncate:max-length=20,no-minimum'];
    await claude.trim([], { append: steps }).sessionStore(store).append({ sessionId: 'a' }, long);
    expect(await store.load({ sessionId: 'a' })).toEqual(run(long, steps, { from: 'claude-code' }));
    expect(await store.load({ sessionId: 'a' })).not.toEqual(long);
  });

  it('stores each result that comes after its call, whatever is checked when a session is loaded', async () => {
    const store = new Memory();
    const key = { sessionId: 'a' };
    const long = listIn('claude-code/read-again.jsonl');
    const steps = ['truncate:max-length=20,no-minimum'];
    const trimmed = claude.trim([], { append: steps, check: 'throw' }).sessionStore(store);
    for (const entry of long) await trimmed.append(key, [entry]);
    expect(await store.load(key)).toEqual(run(long, steps, { from: 'claude-code' }));
  });

  it('rejects steps for new entries that need those before', () => {
    for (const step of ['patch', 'strip', 'filter:max-tool-calls=1', 'fit:max-tokens=9'])
      expect(() => claude.trim([], { append: ['truncate', step] })).toThrow(
        `\`append\`: ${step.split(':')[0]} needs a whole session, not new entries`,
      );
    claude.trim([], { append: ['truncate', 'strip-noise', { transform: 'offload', dir: 'results', store() {} }] });
  });

  it('rejects wrong steps at once', () => {
    expect(() => claude.trim(['nothing'])).toThrow(/nothing/);
    expect(() => claude.trim(['patch'], { append: ['nothing'] })).toThrow(/nothing/);
  });
});

it('trims when it pays, unless it is told when', async () => {
  const call = (id: string) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } });
  const round = (id: string) => [
    { role: 'assistant', content: null, tool_calls: [call(id)] },
    { role: 'tool', tool_call_id: id, content: 'word '.repeat(2000) },
  ];
  const messages = [
    { role: 'user', content: 'Go.' },
    ...Array.from({ length: 40 }, (_, at) => round(`call_${at}`)).flat(),
  ];
  const steps: StepName[] = [{ transform: 'filter', maxToolCalls: 10, scope: 'all' }];
  const sent = async (count: number, every?: 1 | 'auto') =>
    (await openai.trim(steps, { every }).request({ model: 'gpt-5', messages: messages.slice(0, count) })).messages;
  expect(await sent(81)).toEqual(await sent(81, 'auto'));
  expect(await sent(25)).toHaveLength(25); // one call could go, and all behind it would be written again
  expect(await sent(25, 1)).toHaveLength(21);
  expect((await sent(81)).length).toBeLessThan(81);
});
