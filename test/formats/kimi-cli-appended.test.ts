/** Lines of Kimi Code 2 that repeat messages for those who look on: they follow what steps change. */
import { expect, it } from 'vitest';
import { mapMessages, mapParts } from '../../src/transcript/edit.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';
import { outline } from '../shared/unread-files.js';

const log = fixture('kimi-cli/hand-version-2.jsonl');

interface Line {
  readonly type: string;
  readonly message: { readonly message: { readonly role: string; readonly content: readonly { text: string }[] } };
}
const appended = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
    .filter(({ type }) => type === 'agent.message.appended')
    .map(({ message: { message } }) => message);

it('reads the system prompt of the profile', () => {
  expect(outline(openText(log).transcripts[0]!)[0]).toMatch(/^system: You are Kimi Code CLI/);
});

it('are as the messages are after an edit', () => {
  const after = mapText(log, (transcript) =>
    mapMessages(transcript, (message) =>
      mapParts(message, (part) => {
        if (part.type === 'text') return { ...part, text: 'LOUD' };
        if (part.type === 'call') return { ...part, input: '{"command":"ls"}' };
        return part.type === 'result' ? { ...part, content: [{ type: 'text', text: 'LOUD' }] } : part;
      }),
    ),
  );
  const loud = [{ type: 'text', text: 'LOUD' }];
  expect(appended(after)).toEqual([
    { role: 'user', content: loud },
    {
      role: 'assistant',
      content: loud,
      toolCalls: [{ type: 'function', id: 'call_1', name: 'Bash', arguments: '{"command":"ls"}' }],
    },
    { role: 'tool', content: loud, toolCallId: 'call_1' },
    { role: 'assistant', content: loud, toolCalls: [] },
  ]);
});

it('go with the calls and results that they repeat', () => {
  const after = rewriteText(log, 'filter', { maxToolCalls: 0 });
  expect(after).not.toContain('the tool ran, as it was told to do');
  expect(appended(after).map(({ role, content }) => [role, content.map(({ text }) => text).join()])).toEqual([
    ['user', 'Please run the command that says that it ran.'],
    ['assistant', 'I run the command that says it.'],
    ['assistant', 'Done, it says that it ran.'],
  ]);
});
