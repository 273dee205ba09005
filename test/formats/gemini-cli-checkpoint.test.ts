/** Compressions in logs of Gemini CLI: a list of messages is all that is sent of what was said before. */
import { expect, it } from 'vitest';
import { mapMessages, mapParts } from '../../src/transcript/edit.js';
import { withoutCompacted } from '../../src/transcript/sent.js';
import { textOf } from '../../src/transcript/text.js';
import type { Message, Part } from '../../src/transcript/types.js';
import { linesOf } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { printedByProgram } from '../shared/program.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

const timestamp = '2026-09-28T10:00:02.000Z';
const said = (id: string, type: string, content: unknown) => ({ id, timestamp, type, content });
const head = { sessionId: 's', projectHash: 'p', startTime: timestamp, lastUpdated: timestamp, kind: 'main' };
const SECRET = `ghp_${'a1B2c3D4e5F6g7H8i9J0'}k1L2m3N4o5P6q7R8`;
const [asked, answered] = [said('u1', 'user', 'First?'), said('g1', 'gemini', 'Yes.')];
const [summary, ack] = [said('x1', 'user', [{ text: `A summary, ${SECRET}.` }]), said('x2', 'gemini', 'Got it.')];
const [next, done] = [said('u2', 'user', 'Go on.'), said('g2', 'gemini', 'Done.')];
const list = (...messages: readonly object[]) => ({ $set: { messages, lastUpdated: timestamp } });
const logOf = (...lines: readonly object[]) => [head, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('');
const log = logOf(asked, answered, list(summary, ack, answered), next, done);

const told = ({ role, parts }: Message) =>
  `${role}: ${parts.map((part) => ('text' in part ? textOf(part.text!) : part.type)).join(' ')}`;
const own = `user: A summary, ${SECRET}. Got it.`;
const sentOf = (text: string) =>
  withoutCompacted(openText(text).transcripts[0]!).messages.flatMap((one) => (one.role === 'meta' ? [] : told(one)));

it('sends what the list has, and reads what stands in no line as a message', () => {
  const { messages } = openText(log).transcripts[0]!;
  expect(messages.flatMap((one) => (one.role === 'meta' ? [] : told(one)))).toEqual([
    ...['user: First?', 'assistant: Yes.', own, 'user: Go on.', 'assistant: Done.'],
  ]);
  expect(sentOf(log)).toEqual(['assistant: Yes.', own, 'user: Go on.', 'assistant: Done.']);
});

it('a later list keeps the summary, or drops it', () => {
  const again = logOf(asked, answered, list(summary, ack), next, done, list(summary, ack, done));
  expect(sentOf(again)).toEqual([own, 'assistant: Done.']);
  const other = logOf(asked, answered, list(summary, ack), next, list(said('x3', 'user', 'Another.')), done);
  expect(sentOf(other)).toEqual(['user: Another.', 'assistant: Done.']);
  expect(sentOf(logOf(asked, list(asked, answered), answered))).toEqual(['user: First?', 'assistant: Yes.']);
});

it('writes an edited summary into the list, beside the edits of other messages', () => {
  const shorter = (part: Part): Part => {
    if (part.type !== 'text') return part;
    return textOf(part.text).startsWith('A summary') ? { ...part, text: 'Short.' } : part;
  };
  const edited = mapText(log, (transcript) => mapMessages(transcript, (message) => mapParts(message, shorter)));
  expect(edited).toBe(log.replace(`A summary, ${SECRET}.`, 'Short.'));
  const gone = mapText(log, (transcript) => mapMessages(transcript, (one) => ({ ...one, parts: [] })));
  expect(gone).not.toContain(SECRET);
  const call = {
    id: 'c1',
    name: 'ls',
    args: {},
    result: [{ functionResponse: { id: 'c1', name: 'ls', response: {} } }],
  };
  const calling = { ...answered, toolCalls: [call] };
  const filtered = rewriteText(logOf(asked, calling, list(summary, ack, calling), next), 'filter', { maxToolCalls: 0 });
  expect(linesOf(filtered)[3].$set.messages).toEqual([summary, ack, answered]);
});

it('a secret in a list is redacted', () => {
  expect(printedByProgram(['redact', '-'], { input: log })).not.toContain(SECRET);
});
