/** What Mastra's own MessageList stores: fixtures/in-memory.mjs makes it with the real package. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { run } from '../../src/index.js';
import { openText } from '../shared/opened.js';

const text = readFileSync('fixtures/formats/mastra/message-list.json', 'utf8');
const stored = () => JSON.parse(text) as Stored[];
interface Stored {
  content: {
    parts: { type: string; toolInvocation?: Invocation }[];
    toolInvocations?: Invocation[];
    experimental_attachments?: unknown[];
  };
}
interface Invocation {
  toolCallId: string;
  state: string;
  result?: unknown;
}

const callsOf = ({ content }: Stored) => content.parts.flatMap(({ toolInvocation }) => toolInvocation ?? []);

it('is read whole, a repeated file once', () => {
  const { messages, format } = openText(text).transcripts[0]!;
  expect(format).toBe('mastra');
  expect(messages.map(({ parts }) => parts.map(({ type }) => type))).toEqual([
    ['text'],
    ['thinking', 'text', 'call', 'result', 'call', 'result', 'text'],
    ['text', 'media'],
    ['call'],
  ]);
});

it('repeats in its other members what its parts say, after each step', () => {
  for (const steps of [['patch'], [{ transform: 'filter', maxToolCalls: 1 }], ['strip']] as const) {
    const after = run(stored(), [...steps]) as Stored[];
    for (const message of after) {
      const mirror = message.content.toolInvocations ?? [];
      expect(mirror.map(({ toolCallId, state, result }) => [toolCallId, state, result])).toEqual(
        callsOf(message).map(({ toolCallId, state, result }) => [toolCallId, state, result]),
      );
    }
  }
  const patched = run(stored(), ['patch']) as Stored[];
  expect(callsOf(patched[3]!)[0]).toMatchObject({ state: 'result' });
});

it('gives an added message the thread of the message before it', () => {
  const said = (role: string, at: number) => ({
    id: `m${at}`,
    role,
    threadId: `thread ${at}`,
    createdAt: `2026-01-0${at}T00:00:00Z`,
    content: { format: 2, parts: [{ type: 'text', text: 'x' }] },
  });
  const list = [said('user', 1), said('assistant', 2)];
  const after = run(list, [{ transform: 'inject', user: 'Go on.' }]) as ReturnType<typeof said>[];
  expect(after.map(({ threadId, createdAt }) => [threadId, createdAt])).toEqual(
    [...list, list[1]!].map(({ threadId, createdAt }) => [threadId, createdAt]),
  );
});

it('loses an attachment with the part that it repeats', () => {
  const after = run(stored(), [{ transform: 'prune', images: true }]) as Stored[];
  expect(after[2]!.content.parts.map(({ type }) => type)).not.toContain('file');
  expect(after[2]!.content.experimental_attachments ?? []).toEqual([]);
});
