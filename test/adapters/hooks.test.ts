/** Adapters whose frameworks are not installed here: their hooks, with values that the real packages made. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as claude from '../../src/adapters/claude-agent-sdk.js';
import * as mastra from '../../src/adapters/mastra.js';
import * as opencode from '../../src/adapters/opencode.js';
import * as pi from '../../src/adapters/pi.js';
import { run, type StepName } from '../../src/index.js';

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

/** What the steps make of it, without an adapter. */
const expected = (list: readonly object[], from: string) => run(list, STEPS, { from });

describe('Mastra', () => {
  it('sends trimmed prompts, and says nothing if the prompt stays', async () => {
    const prompt = listIn('vercel-model/prompt-v2.json');
    const before = structuredClone(prompt);
    const processor = mastra.trim(STEPS);
    const sent = await processor.processLLMRequest({ prompt, model: { modelId: 'gpt-5' } });
    expect(sent!.prompt).toEqual(expected(prompt, 'vercel-model'));
    expect(sent!.prompt).not.toEqual(prompt);
    expect(prompt).toEqual(before);
    expect(await processor.processLLMRequest({ prompt: sent!.prompt })).toBeUndefined();
    expect(processor.id).toBe('ctx-trim');
  });
});

describe('pi', () => {
  it('trims the messages of the event', async () => {
    const messages = listIn('pi-session/hand-context.json');
    const handlers = new Map<string, (event: { messages: object[] }) => Promise<{ messages: object[] }>>();
    pi.trim(STEPS).extension({ on: (event, handler) => handlers.set(event, handler) });
    const sent = await handlers.get('context')!({ messages });
    expect(sent.messages).toEqual(expected(messages, 'pi-session'));
    expect(sent.messages).not.toEqual(messages);
    expect(sent.messages.some((message) => messages.includes(message))).toBe(true);
  });
});

describe('opencode', () => {
  it('changes the list itself, and no message of it', async () => {
    const messages = listIn('opencode/hand-plugin.json');
    const [before, copy] = [[...messages], structuredClone(messages)];
    const hook = opencode.trim(STEPS)['experimental.chat.messages.transform'];
    await hook({}, { messages });
    expect(messages).toEqual(expected(copy, 'opencode'));
    expect(messages).not.toEqual(copy);
    expect(before).toEqual(copy);
    const again = [...messages];
    await hook({}, { messages });
    expect(messages).toEqual(again);
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

  it('rejects wrong steps at once', () => {
    expect(() => claude.trim(['nothing'])).toThrow(/nothing/);
    expect(() => claude.trim(['patch'], { append: ['nothing'] })).toThrow(/nothing/);
  });
});
