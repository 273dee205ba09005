/** Condensations of OpenHands: what they forget is not sent, and the summary is a message. */
import { expect, it } from 'vitest';
import { readInput } from '../../src/engine/input.js';
import { mapMessages, mapParts } from '../../src/transcript/edit.js';
import { withoutCompacted } from '../../src/transcript/sent.js';
import { textOf } from '../../src/transcript/text.js';
import type { Message, Part } from '../../src/transcript/types.js';
import { openText } from '../shared/opened.js';
import { mapText } from '../shared/rewrite-text.js';

const said = (id: number, content: string, source: string) => ({
  ...{ id, source, action: 'message', message: content, args: { content, wait_for_response: false } },
});
const run = (id: number) => ({
  ...{ id, source: 'agent', action: 'run', message: 'Running', args: { command: 'ls', thought: `Call ${id}.` } },
});
const result = (id: number, cause: number) => ({
  ...{ id, cause, source: 'agent', observation: 'run', message: 'Ran', content: `Result ${id}.`, extras: {} },
});
const condensation = (id: number, args: object, message = 'Condensing') => ({
  ...{ id, source: 'agent', action: 'condensation', message, args },
});
const named = (ids: readonly number[], summary: string | null) => ({
  ...{ forgotten_event_ids: ids, forgotten_events_start_id: null, forgotten_events_end_id: null },
  ...{ summary, summary_offset: summary === null ? null : 1 },
});
const ranged = (start: number, end: number) => ({
  ...{ forgotten_event_ids: null, forgotten_events_start_id: start, forgotten_events_end_id: end },
  ...{ summary: 'Notes.', summary_offset: 1 },
});

const before = [said(1, 'Go.', 'user'), run(2), result(3, 2), run(4), result(5, 4), said(6, 'Gone.', 'agent')];
const log = (...events: readonly object[]) => JSON.stringify([...before, ...events, said(99, 'On.', 'user')]);
const textIn = (part: Part | undefined) => (part?.type === 'result' ? part.content[0] : part);
const told = ({ role, parts }: Message) => {
  const part = textIn(parts[0]);
  return `${role}: ${part?.type === 'text' ? textOf(part.text) : ''}`;
};
const sentOf = (text: string) =>
  withoutCompacted(openText(text).transcripts[0]!)
    .messages.filter(({ role }) => role !== 'meta')
    .map(told);

const [GO, CALL, RESULT, GONE, NOTES, ON] = [
  ...['user: Go.', 'assistant: Call 4.', 'tool: Result 5.', 'assistant: Gone.', 'user: Notes.', 'user: On.'],
] as const;

it.each([
  ['of events by name', named([2, 3], 'Notes.'), [GO, CALL, RESULT, GONE, NOTES, ON]],
  ['of a range', ranged(2, 6), [GO, NOTES, ON]],
  ['without a summary', named([2, 3, 6], null), [GO, CALL, RESULT, ON]],
  ['with an empty one', named([2, 3, 6], ''), [GO, CALL, RESULT, ON]],
  ['of a call whose result is left', named([2, 3, 4, 6], 'Notes.'), [GO, NOTES, ON]],
])('a condensation %s', (_, args, sent) => {
  const text = log(condensation(7, args));
  expect(sentOf(text)).toEqual(sent);
  expect(readInput(text, {}).omissions().unread).toEqual([]);
});

it('of several summaries the last holds, and nothing forgotten comes back', () => {
  const first = [condensation(7, ranged(2, 3)), said(8, 'Then.', 'user')];
  const second = condensation(9, named([4, 5, 6, 8], 'Later.'));
  expect(sentOf(log(...first, second))).toEqual([GO, 'user: Later.', ON]);
  const silent = condensation(9, named([4, 5, 6, 8], null));
  expect(sentOf(log(...first, silent))).toEqual([GO, NOTES, ON]);
});

it('a changed summary stands where it stood, and where the event repeats it', () => {
  const shorter = (part: Part): Part =>
    part.type === 'text' && textOf(part.text) === 'Notes.' ? { ...part, text: 'Less.' } : part;
  const changed = (text: string) =>
    mapText(text, (transcript) => mapMessages(transcript, (message) => mapParts(message, shorter)));
  const less = { ...ranged(2, 3), summary: 'Less.' };
  expect(changed(log(condensation(7, ranged(2, 3))))).toBe(log(condensation(7, less)));
  const repeated = log(condensation(7, ranged(2, 3), 'Summary: Notes.'));
  expect(changed(repeated)).toBe(log(condensation(7, less, 'Summary: Less.')));
});
