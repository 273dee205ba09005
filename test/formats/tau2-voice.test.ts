/** Voice simulations of tau2: messages from ticks, and edits in them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { textOf } from '../../src/transcript/text.js';
import type { Message, Transcript } from '../../src/transcript/types.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { mapText } from '../shared/rewrite-text.js';

const REAL = '../shared/cases/unread/tau2-voice';
const text = fixture('tau2/hand-voice.json');
const parsed = (json: string) => JSON.parse(json) as { ticks: Record<string, { content?: string }>[] };
const saidIn = ({ messages }: Transcript) =>
  messages.map(({ role, parts }) => [role, ...parts.map((part) => ('text' in part ? textOf(part.text!) : part.type))]);
const rewritten = (change: (messages: readonly Message[]) => readonly Message[]) =>
  mapText(Buffer.from(text), (transcript) => ({ ...transcript, messages: change(transcript.messages) }));

describe('ticks', () => {
  it('are the messages that were spoken, with calls and results', () => {
    const { detection, transcripts } = openText(text);
    expect([detection.format.id, detection.confidence > 0.9]).toEqual(['tau2', true]);
    expect(saidIn(transcripts[0]!)).toEqual([
      ['assistant', 'Hello, how can I help you?'],
      ['user', 'I want to cancel '],
      ['assistant', 'Mhm.'],
      ['user', 'order W12.'],
      ['assistant', 'call', 'call'],
      ['tool', 'result'],
      ['tool', 'result'],
      ['assistant', 'Done, you get your refund in five days.'],
      ['user', 'Thank you. ###STOP###'],
    ]);
  });

  it('state no cost where none is recorded', () => {
    const { agent_cost: _, user_cost: __, ...bare } = JSON.parse(text);
    expect(openText(JSON.stringify(bare)).transcripts[0]).not.toHaveProperty('others');
  });

  it('state model, usage, time and cost', () => {
    const [{ id, model, messages, recorded, others }] = openText(fixture('tau2/hand-voice-results.json'))
      .transcripts as [Transcript];
    expect([id, model, others]).toEqual(['sim-v2', 'gpt-realtime-2', [{ runningCost: '3000000000e-12' }]]);
    expect(recorded!(messages[7]!)).toMatchObject({ usage: { input: 120, output: 9 }, cost: '0.002' });
  });

  it('change where a message does', () => {
    const after = rewritten((messages) =>
      messages.flatMap((message, index): Message[] => {
        if (index === 0) return [{ ...message, parts: [{ type: 'text', text: 'Hi.' }] }];
        return index === 2 || index === 5 ? [] : [message];
      }),
    );
    const before = parsed(text);
    const ticks = before.ticks.map((tick) => ({ ...tick }));
    ticks[1]!['agent_chunk'] = { ...ticks[1]!['agent_chunk'], content: 'Hi.' };
    for (const at of [2, 4]) ticks[at]!['agent_chunk'] = { ...ticks[at]!['agent_chunk'], content: '' };
    (ticks[6] as Record<string, unknown>)['agent_tool_results'] = [];
    expect(JSON.parse(after)).toEqual({ ...before, ticks });
  });

  it('are added for messages, which are read again', () => {
    const added: Message = { role: 'user', parts: [{ type: 'text', text: 'Quickly.' }] };
    const after = rewritten((messages) => [...messages.slice(0, 2), added, ...messages.slice(2)]);
    expect(parsed(after).ticks).toHaveLength(parsed(text).ticks.length + 1);
    const said = saidIn(openText(after).transcripts[0]!);
    expect(said.slice(0, 4)).toEqual([
      ...saidIn(openText(text).transcripts[0]!).slice(0, 2),
      ['user', 'Quickly.'],
      ['assistant', 'Mhm.'],
    ]);
  });

  it('without a text are a simulation without messages', () => {
    const { transcripts } = openText(fixture('tau2/voice.json'));
    expect(transcripts.map(({ messages }) => messages.map(({ role }) => role))).toEqual([['meta']]);
  });
});

const real = existsSync(REAL) ? readdirSync(REAL) : [];
describe.runIf(real.length > 0)('real results without their simulations', () => {
  it.each(real)('%s is refused with where they are', (name) => {
    expect(() => openText(readFileSync(`${REAL}/${name}`))).toThrow('in the folder `simulations` beside it');
  });
});

it('has no place for a system prompt, which an edit is told', () => {
  const prompt: Message = { role: 'system', parts: [{ type: 'text', text: 'Be kind.' }] };
  expect(() => rewritten((messages) => [prompt, ...messages])).toThrow('no place for a system prompt among its ticks');
});
