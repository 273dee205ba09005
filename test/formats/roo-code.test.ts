/** Histories of Roo Code: what it condensed or truncated is not sent, unless the summary or the marker is gone. */
import { expect, it } from 'vitest';
import { withoutCompacted } from '../../src/transcript/sent.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { rewriteText } from '../shared/rewrite-text.js';

const history = fixture('roo-code/hand-condensed.json').toString();
type Stored = Readonly<Record<string, unknown>>;

/** Roo Code's own rule: https://github.com/RooCodeInc/Roo-Code/blob/main/src/core/condense/index.ts */
function effective(messages: readonly Stored[]): readonly unknown[] {
  const idsOf = (flag: string, id: string) => messages.filter((one) => one[flag] === true).map((one) => one[id]);
  const [summaries, markers] = [idsOf('isSummary', 'condenseId'), idsOf('isTruncationMarker', 'truncationId')];
  return messages
    .filter((one) => !summaries.includes(one['condenseParent']) && !markers.includes(one['truncationParent']))
    .map(({ ts }) => ts);
}

const sentIn = (text: string) =>
  withoutCompacted(openText(text).transcripts[0]!).messages.map(
    (message) => openText(text).transcripts[0]!.recorded!(message)?.time,
  );

it.each([
  ['as it is', () => true],
  ['without its last summary', ({ content }: Stored) => !JSON.stringify(content).includes('## Conversation Summary')],
  ['without the marker', ({ isTruncationMarker }: Stored) => isTruncationMarker !== true],
])('%s, it is sent as Roo Code does', (_, stays: (message: Stored) => boolean) => {
  const messages = (JSON.parse(history) as Stored[]).filter(stays);
  const text = JSON.stringify(messages);
  expect(openText(text).detection.format.id).toBe('roo-code');
  expect(sentIn(text)).toEqual(effective(messages));
  expect(sentIn(text).length).toBeLessThan(messages.length);
});

it('without the names, it is a list of Anthropic messages', () => {
  const plain = history.replaceAll(/,"(?:condense|truncation)(?:Id|Parent)":"[^"]+"/g, '');
  expect(openText(plain).detection.format.id).toBe('anthropic-messages');
});

it('steps keep the names of the messages that they keep', () => {
  const shorter = JSON.parse(rewriteText(history, 'filter', { maxToolCalls: 1 })) as Stored[];
  const names = (message: Stored) => [message['condenseParent'], message['truncationParent'], message['condenseId']];
  const before = new Map((JSON.parse(history) as Stored[]).map((message) => [message['ts'], names(message)]));
  expect(shorter.length).toBeLessThan(before.size);
  for (const message of shorter) expect(names(message)).toEqual(before.get(message['ts']));
});
