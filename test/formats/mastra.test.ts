/** What Mastra's own MessageList stores: fixtures/in-memory.mjs makes it with the real package. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { run } from '../../src/index.js';
import { mapMessages, mapParts } from '../../src/transcript/edit.js';
import { textOf } from '../../src/transcript/text.js';
import { openText } from '../shared/opened.js';
import { mapText } from '../shared/rewrite-text.js';

const REDACTED = { type: 'redacted', data: 'ZGF0YQ==' };
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

it('has thoughts in the details of its parts, and repeats them', () => {
  const thread = readFileSync('fixtures/formats/mastra/hand-thoughts.json', 'utf8');
  const thoughts = openText(thread).transcripts[0]!.messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'thinking' ? textOf(part.text) : [])),
  );
  expect(thoughts).toEqual([
    'The user wants the weather in Oslo, so one call is enough.',
    'It rains. So I say that.',
    'Nothing else.',
    '',
  ]);
  const changed = mapText(thread, (transcript) =>
    mapMessages(transcript, (message) =>
      mapParts(message, (part) =>
        part.type === 'thinking' && textOf(part.text) !== '' ? { ...part, text: `(${textOf(part.text)})` } : part,
      ),
    ),
  );
  const { content } = JSON.parse(changed)[1];
  expect(content.parts.filter(({ type }: { type: string }) => type === 'reasoning')).toEqual([
    { type: 'reasoning', reasoning: '', details: [{ type: 'text', text: `(${thoughts[0]})`, signature: 'c2ln' }] },
    { type: 'reasoning', reasoning: '', details: [{ type: 'text', text: `(${thoughts[1]})` }, REDACTED] },
    { type: 'reasoning', reasoning: '(Nothing else.)', details: [{ type: 'text', text: '(Nothing else.)' }] },
    { type: 'reasoning', reasoning: '', details: [REDACTED] },
  ]);
  expect(content.reasoning).toBe(`(${thoughts[0]})\n(${thoughts[1]})\n(Nothing else.)`);
  const pruned = run(JSON.parse(thread) as Stored[], [{ transform: 'prune', reasoning: true }]);
  expect(JSON.stringify(pruned)).not.toMatch(/one call is enough|It rains|Nothing else/);
});
