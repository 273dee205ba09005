/** Compactions in Codex rollouts: the summary is a message, and what it replaces is not sent again. */
import { expect, it } from 'vitest';
import { mapMessages, mapParts } from '../../src/transcript/edit.js';
import { sumsSent, withoutCompacted } from '../../src/transcript/sent.js';
import { textOf } from '../../src/transcript/text.js';
import type { Message, Part } from '../../src/transcript/types.js';
import { examine } from '../shared/examined.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { printedByProgram, runProgram } from '../shared/program.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

const line = (type: string, payload: object) => ({ timestamp: '2026-01-01T00:00:00.000Z', type, payload });
const said = (role: string, text: string) => ({
  type: 'message',
  role,
  content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
});
const item = (payload: object) => line('response_item', payload);
const head = line('session_meta', { id: 's', cwd: '/p', base_instructions: { text: 'Be brief.' } });
const [asked, answered] = [said('user', 'First question?'), said('assistant', 'First answer.')];
const call = { type: 'function_call', name: 'shell', call_id: 'c1', arguments: '{"command":["ls"]}' };
const result = { type: 'function_call_output', call_id: 'c1', output: 'x'.repeat(5000) };
const after = [item(said('user', 'Go on.')), item(said('assistant', 'Done.'))];
const SUMMARY = 'Another model wrote: the first question is answered.';

function rollout(...compactions: readonly object[]): string {
  const lines = [head, ...[asked, answered, call, result].map(item), ...compactions, ...after];
  return lines.map((one) => `${JSON.stringify(one)}\n`).join('');
}

const local = rollout(line('compacted', { message: SUMMARY, replacement_history: [asked, said('user', SUMMARY)] }));
const early = rollout(line('compacted', { message: SUMMARY }));
const encrypted = { type: 'compaction', encrypted_content: 'gAAAA' };
const remote = rollout(line('compacted', { message: '', replacement_history: [asked, encrypted] }));

const told = ({ role, parts: [part] }: Message) =>
  `${role}: ${part?.type === 'text' ? textOf(part.text) : (part?.type ?? '')}`;
const sentOf = (text: string) => withoutCompacted(openText(text).transcripts[0]!).messages.map(told);

it('reads the summary as words of the user, where it stands', () => {
  for (const text of [local, early])
    expect(openText(text).transcripts[0]!.messages.map(told)[5]).toBe(`user: ${SUMMARY}`);
});

it('knows what is sent after it: what the history names, or all that the user said', () => {
  const rest = ['user: Go on.', 'assistant: Done.'];
  for (const text of [local, early])
    expect(sentOf(text)).toEqual(['system: Be brief.', 'user: First question?', `user: ${SUMMARY}`, ...rest]);
  expect(sentOf(remote)).toEqual(['system: Be brief.', 'user: First question?', 'user: opaque', ...rest]);
  const dropped = rollout(line('compacted', { message: SUMMARY, replacement_history: [said('user', SUMMARY)] }));
  expect(sentOf(dropped)).toEqual(['system: Be brief.', `user: ${SUMMARY}`, ...rest]);
});

it('of several, the last holds', () => {
  const [one, two] = ['One.', 'Two.'].map((message) => line('compacted', { message }));
  expect(sentOf(rollout(one!, two!))).toEqual(sentOf(early).map((text) => text.replace(SUMMARY, 'Two.')));
  const { messages } = openText(rollout(one!, two!)).transcripts[0]!;
  const tokens = messages.map(() => 1);
  expect(sumsSent(messages, tokens)).toEqual([0, 1, 2, 3, 4, 5, 3, 3, 4, 5]);
});

it('writes an edited summary into the history, too, and cuts the copies of a result beside it', () => {
  const history = [asked, call, result, said('user', SUMMARY)];
  const text = rollout(line('compacted', { message: SUMMARY, replacement_history: history }));
  const shorter = (part: Part): Part =>
    part.type === 'text' && textOf(part.text) === SUMMARY ? { ...part, text: 'Shorter.' } : part;
  const edited = mapText(text, (transcript) => mapMessages(transcript, (message) => mapParts(message, shorter)));
  expect(edited).not.toContain(SUMMARY);
  expect(edited.match(/Shorter\./g)).toHaveLength(2);
  const cut = rewriteText(text, 'truncate', { maxLength: 1000 });
  expect(cut).not.toContain('x'.repeat(1001));
  const kept = linesOf<{ type: string; payload: { replacement_history: unknown[] } }>(
    rewriteText(text, 'filter', { maxToolCalls: 0 }),
  ).find(({ type }) => type === 'compacted')!.payload;
  expect(kept.replacement_history).toEqual([asked, said('user', SUMMARY)]);
});

it('a secret in a history or a summary is redacted', () => {
  const text = printedByProgram(['redact', 'fixtures/formats/codex-rollout/hand-compaction.jsonl']);
  expect(fixture('codex-rollout/hand-compaction.jsonl').match(/ghp_\w{36}/g)).toHaveLength(5);
  expect(text).not.toMatch(/ghp_\w{36}/);
});

it('`stats` counts what is sent, and says what is not', () => {
  const file = 'fixtures/formats/codex-rollout/hand-compaction.jsonl';
  const told = printedByProgram(['stats', file, '--model', 'gpt-4']);
  expect(told).toContain('replay       4 requests, 2,753 input tokens');
  const [gone, next] = ['compacted: 1,312 tokens are no longer sent', 'the next request has 76 tokens of messages'];
  expect(told).toContain(`\n${gone}; ${next}, and a summary that cannot be read\n`);
});

it('what was replaced fills no window', () => {
  const long = item(said('assistant', 'many words of it '.repeat(10_000)));
  const context = line('turn_context', { model: 'gpt-4' });
  const text = rollout(long, context, line('compacted', { message: SUMMARY }));
  expect(runProgram(['check', '-'], { input: text })).toMatchObject({ status: 0, stderr: '' });
  expect(printedByProgram(['stats', '-'], { input: text })).not.toContain('warning');
  expect(printedByProgram(['check', '-'], { input: rollout(long, context) })).toContain('core/context-overflow');
});

it.each(['anthropic', 'moonshot', 'zhipu', 'minimax', 'openai-responses'])(
  'a compaction without a summary is no message to %s, and stays when others are mended',
  (provider) => {
    const text = rollout(line('compacted', { message: '', replacement_history: [] }));
    const { findings, mended } = examine(text, provider, { asRequest: true, from: 'codex-rollout' });
    expect(findings.filter(({ text: what }) => what.includes('is empty'))).toEqual([]);
    expect(mended()).toContain('"compacted"');
  },
);
