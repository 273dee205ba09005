/** What was read is written whole in a message that is added: a result that moved, what a result held, a copy. */
import { describe, expect, it } from 'vitest';
import { isTranscriptError } from '../../src/errors.js';
import type { Message, Transcript } from '../../src/transcript/types.js';
import { fixtures, sharedRecordings } from '../shared/recordings.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

const MOST = 12;

/** Of each message a copy that has no place in the source, and of each result what it holds. */
function copiesOf({ messages }: Transcript): Message[] {
  const said = messages.filter(({ role }) => role === 'assistant' || role === 'tool' || role === 'user');
  return said.slice(-MOST).flatMap(({ role, parts }): Message[] => [
    { role, parts },
    ...parts.flatMap((part): Message[] => {
      if (part.type !== 'result') return [];
      return [
        { role: 'tool', parts: [part] },
        { role: 'user', parts: part.content },
      ];
    }),
  ]);
}

it.each([...fixtures(), ...sharedRecordings()].filter(({ bytes }) => bytes.length < 300_000))(
  'copies beside the messages of $name',
  ({ bytes }) => {
    try {
      const after = mapText(bytes, (transcript) => ({
        ...transcript,
        messages: [...transcript.messages, ...copiesOf(transcript)],
      }));
      expect(after).not.toContain('"tape":{');
    } catch (error) {
      if (!isTranscriptError(error)) throw error; // some have no place for such a message
    }
  },
);

describe('a result that moved to its call, or whose call is gone', () => {
  const user = { role: 'user', content: [{ type: 'text', text: 'x' }] };

  it('of the AI SDK 4', () => {
    const call = { type: 'tool-call', toolCallId: 'c', toolName: 'f', args: {} };
    const result = { type: 'tool-result', toolCallId: 'c', toolName: 'f', result: { a: 1 } };
    const [asked, answered] = [
      { role: 'assistant', content: [call] },
      { role: 'tool', content: [result] },
    ];
    const after = rewriteText(JSON.stringify([user, asked, user, answered, user]), 'patch', {});
    expect(JSON.parse(after)).toEqual([user, asked, answered, user, user]);
  });

  it('of the AI SDK 5 in a list of version 4: as it stands', () => {
    const call = (toolCallId: string) => ({ type: 'tool-call', toolCallId, toolName: 'f', args: {} });
    const answer = (toolCallId: string, more: object) => ({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName: 'f', ...more }],
    });
    const [old, now] = [
      answer('c', { result: 'x' }),
      answer('d', { output: { type: 'text', value: 'kept' }, more: 1 }),
    ];
    const asked = { role: 'assistant', content: [call('c')] };
    const later = { role: 'assistant', content: [call('d')] };
    const after = rewriteText(JSON.stringify([user, asked, old, user, later, user, now, user]), 'patch', {});
    expect(JSON.parse(after)).toContainEqual(now);
  });

  it.each([0, 1])(
    'of Cohere takes its call, of which there are two: a placeholder names the other one (%i)',
    (which) => {
      const [first, second] = ['1', '2'].map((a) => ({ name: 'f', parameters: { a } }));
      const moved = { call: [first, second][which], outputs: [{ b: 1 }] };
      const spoken = (message: string) => ({ role: 'USER', message });
      const asked = { role: 'CHATBOT', message: '', tool_calls: [first, second] };
      const history = [spoken('a'), asked, spoken('b'), { role: 'TOOL', tool_results: [moved] }, spoken('c')];
      const text = JSON.stringify({ message: 'so?', chat_history: history });
      const { chat_history: after } = JSON.parse(rewriteText(text, 'patch', {}));
      const results = (after as { tool_results?: { call: unknown }[] }[]).flatMap(({ tool_results: all }) => all ?? []);
      expect(results).toContainEqual(moved);
      expect(results.map(({ call }) => call)).toEqual(expect.arrayContaining([first, second]));
      expect(results).toHaveLength(2);
    },
  );

  it('of the API of Cohere before version 2', () => {
    const [first, second] = ['f1', 'f2'].map((name) => ({ name, parameters: { a: name } }));
    const results = [first, second].map((call) => ({ call, outputs: [{ b: 1, c: call!.name }] }));
    const spoken = (message: string) => ({ role: 'USER', message });
    const asked = { role: 'CHATBOT', message: '', tool_calls: [first, second] };
    const record = (...history: readonly object[]) => ({ message: 'so?', chat_history: history });
    const answered = { role: 'TOOL', tool_results: results };
    const text = JSON.stringify(record(spoken('a'), asked, spoken('b'), answered, spoken('c')));
    const { chat_history: after } = JSON.parse(rewriteText(text, 'patch', {})) as { chat_history: { role: string }[] };
    expect(after.filter(({ role }) => role === 'TOOL')).toEqual(
      expect.arrayContaining([expect.objectContaining({ tool_results: expect.arrayContaining([results[0]]) })]),
    );
    expect(JSON.stringify(after)).toContain(JSON.stringify(results[1]));
    expect(after.findIndex(({ role }) => role === 'TOOL')).toBe(2);
  });

  it('of opencode, with its picture', () => {
    const picture = { type: 'file', mime: 'image/png', url: 'data:image/png;base64,AA==' };
    const state = { status: 'completed', output: 'x', title: '', metadata: {}, time: { start: 1, end: 2 } };
    const info = { id: 'msg_1', sessionID: 's', role: 'assistant', time: { created: 1 } };
    const part = { id: 'prt_1', sessionID: 's', messageID: 'msg_1', type: 'tool', callID: 'c', tool: 'bash' };
    const text = JSON.stringify([{ info, parts: [{ ...part, state: { ...state, attachments: [picture] } }] }]);
    const after = JSON.parse(rewriteText(text, 'patch', { orphan: 'text' })) as { parts: object[] }[];
    expect(after.flatMap(({ parts }) => parts)).toContainEqual(expect.objectContaining(picture));
  });
});
