/** Events of the OpenHands SDK beyond the laws: condensations, branches, usage, and what the SDK takes back. */
import { expect, it } from 'vitest';
import { withoutCompacted } from '../../src/transcript/sent.js';
import { textOf } from '../../src/transcript/text.js';
import type { Message, Part } from '../../src/transcript/types.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { recordedStats } from '../shared/recorded-stats.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';
import { saidIn } from '../shared/unread.js';

const session = fixture('openhands-sdk/hand-session.jsonl');
const conversation = fixture('openhands-sdk/hand-conversation.json');
const eventsIn = (text: string | Buffer) => linesOf(text.toString()) as Event[];
const mapParts = (messages: readonly Message[], change: (part: Part) => Part) =>
  messages.map((message) => ({ ...message, parts: message.parts.map(change) }));
type Event = Record<string, unknown> & { readonly id: string; readonly kind: string };

it('are messages, calls and results', () => {
  const { detection, transcripts } = openText(session);
  expect(detection.format.id).toBe('openhands-sdk');
  expect(detection.confidence).toBeGreaterThan(0.9);
  const bash = '{"command": "ls", "summary": "List the files", "security_risk": "LOW"}';
  expect(saidIn(transcripts[0]!)).toEqual([
    'system text You are an agent who repairs programs.',
    'system text Today is 2026-10-05. The repository is /w/clock.',
    'user text The clock is an hour late in winter. See the picture.',
    'user media ',
    'user text <EXTRA_INFO>\nTimes are stored in UTC.\n</EXTRA_INFO>',
    'assistant thinking Two looks at once are cheaper.',
    'assistant text I look at the files first.',
    `assistant call call_a1 terminal ${bash}`,
    'assistant call call_a2 file_editor {"command": "view", "path": "/w/clock/clock.py", "summary": "Read the clock"}',
    'tool result call_a1 clock.py\ntest_clock.py',
    expect.stringMatching(
      /^tool result call_a2 Here's the result[\s\S]*\n<EXTRA_INFO>\nFiles in [\s\S]*<\/EXTRA_INFO>$/,
    ),
    'user text clock.py has a fixed offset of 2.',
    'assistant thinking A fresh start.',
    'assistant call call_b1 terminal {"command": "rm -rf /w/clock/.git"}',
    'tool error call_b1 Leave the history alone.',
    'assistant text I ask the zone instead.',
    expect.stringMatching(/^assistant call call_b2 file_editor /),
    'tool error call_b2 Error validating args: `old_str` did not appear verbatim in /w/clock/clock.py.',
    'assistant thinking Ask before the next edit.',
    'assistant text The offset is fixed. Shall I make the zone a setting?',
  ]);
});

it('a condensation stands for what it forgets, and a later one for its summary', () => {
  const later = {
    ...eventsIn(session)[7]!,
    id: 'later',
    parent_id: undefined,
    forgotten_event_ids: [`${eventsIn(session)[7]!.id}-summary`, eventsIn(session)[8]!.id],
    summary: 'All is said.',
  };
  const sentOf = (text: string | Buffer) => saidIn(withoutCompacted(openText(text).transcripts[0]!));
  const said = sentOf(session);
  expect(said.filter((line) => line.includes('call_a'))).toEqual([]);
  expect(said).toContain('user text clock.py has a fixed offset of 2.');
  const now = sentOf(`${session}${JSON.stringify(later)}\n`);
  expect(now.filter((line) => /fixed offset|call_b1/.test(line))).toEqual([]); // the result goes with its call
  expect(now.at(-1)).toBe('user text All is said.');
});

it('a conversation has the usage of each request, and what the user left is a branch', () => {
  const [main, branch] = openText(conversation).transcripts.flatMap((one) => [one, ...(one.agents ?? [])]);
  expect(main).toMatchObject({ model: 'claude-sonnet-4-5', project: '/w/clock' });
  expect(main!.messages.length).toBe(13);
  expect(branch!.abandoned?.context.length).toBe(2);
  const { requests, usage } = recordedStats(conversation).paid;
  expect(requests).toBe(5);
  expect(usage).toMatchObject({ input: 2900, cacheRead: 6000, cacheWrite5m: 1000, output: 740 });
});

it('a call that goes leaves a message, and links go on', () => {
  const events = eventsIn(rewriteText(session, 'filter', { maxToolCalls: 1 }));
  const ids = new Set(events.map(({ id }) => id));
  expect(events.filter(({ parent_id: parent }) => parent !== undefined && !ids.has(parent as string))).toEqual([]);
  expect(events.filter(({ kind }) => kind === 'ActionEvent').map((event) => event['tool_call_id'])).toEqual([
    'call_b2',
  ]);
  const { llm_message: said, ...rest } = events[2]!;
  expect(said).toMatchObject({ role: 'assistant', content: [{ text: 'I look at the files first.' }] });
  const members = 'activated_skills,extended_content,id,kind,llm_response_id,parent_id,source,timestamp';
  expect(Object.keys(rest).sort().join()).toBe(members); // the class takes no others
});

it('a call without a result gets the error that the SDK itself writes then', () => {
  const open = eventsIn(session).filter(({ kind }) => kind !== 'AgentErrorEvent');
  const text = open.map((event) => `${JSON.stringify(event)}\n`).join('');
  const added = eventsIn(rewriteText(text, 'patch', {})).filter(({ kind }) => kind === 'AgentErrorEvent');
  expect(added).toMatchObject([{ tool_name: 'file_editor', tool_call_id: 'call_b2', parent_id: open[10]!.id }]);
});

it('arguments that change, change in what the SDK read in them', () => {
  const text = session.toString().replaceAll('rm -rf /w/clock/.git', `echo ${'long '.repeat(400)}`);
  const changed = eventsIn(rewriteText(text, 'clear', { keep: 0, clearInputs: true, minSize: 0 }));
  for (const event of changed.filter(({ kind }) => kind === 'ActionEvent')) {
    const { arguments: input } = event['tool_call'] as { arguments: string };
    for (const [key, value] of Object.entries((event['action'] as object | undefined) ?? {}))
      if (key !== 'kind') expect(JSON.parse(input)).toHaveProperty([key], value);
  }
});

it('an argument that changes, changes alone in what the SDK read', () => {
  const text = mapText(session, (transcript) => ({
    ...transcript,
    messages: mapParts(transcript.messages, (part) =>
      part.type === 'call' ? { ...part, input: textOf(part.input).replaceAll('/w/clock', '/x/other') } : part,
    ),
  }));
  const actions = (some: string | Buffer) =>
    eventsIn(some).flatMap(({ action }) => (action === undefined ? [] : [action]));
  const moved = JSON.parse(JSON.stringify(actions(session)).replaceAll('/w/clock', '/x/other'));
  expect([actions(text.toString()), JSON.stringify(moved).includes('/x/other')]).toEqual([moved, true]);
});

it('reasoning of the Responses API is a text, its summaries apart, and goes on with a call that went', () => {
  const item = { id: 'rs_1', summary: ['**Look** around', '**Ask**'], content: null, encrypted_content: 'gAAA' };
  const events = eventsIn(session).map((event) =>
    event.kind === 'ActionEvent'
      ? { ...event, thinking_blocks: [], reasoning_content: undefined, responses_reasoning_item: item }
      : event,
  );
  const text = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  const itemsIn = (some: string) =>
    eventsIn(some).flatMap(({ kind, llm_message: said, responses_reasoning_item: own }) => {
      const one = own ?? (said as Event | undefined)?.['responses_reasoning_item'];
      return one === undefined ? [] : [[kind, one]];
    });
  expect(saidIn(openText(text).transcripts[0]!)).toContain('assistant thinking **Look** around\n**Ask**');
  const edited = (change: (part: Part) => Part) =>
    mapText(text, (one) => ({ ...one, messages: mapParts(one.messages, change) }));
  expect(edited((part) => ({ ...part }))).toBe(text);
  const masked = edited((part) =>
    part.type === 'thinking' ? { ...part, text: textOf(part.text).replace('around', '***') } : part,
  );
  const after = { id: 'rs_1', summary: ['**Look** ***\n**Ask**'], encrypted_content: 'gAAA' };
  expect(itemsIn(masked)).toEqual(Array.from({ length: 4 }, () => ['ActionEvent', after]));
  expect(itemsIn(rewriteText(text, 'prune', { reasoning: true }))).toEqual([]);
  const kinds = itemsIn(rewriteText(text, 'filter', { maxToolCalls: 1 }));
  expect(kinds).toContainEqual(['MessageEvent', item]);
});

it('uses of the same model are one total', () => {
  const { stats, ...rest } = JSON.parse(conversation.toString()) as { stats: { usage_to_metrics: object } };
  const uses = Object.values(stats.usage_to_metrics).map((use: object) => ({ ...use, model_name: 'gpt-5' }));
  const state = { ...rest, stats: { usage_to_metrics: { agent: uses[0], condenser: uses[1] } } };
  expect(openText(JSON.stringify(state)).transcripts[0]!.others).toMatchObject([
    { byModel: [{ model: 'gpt-5', running: { input: 2900, cacheRead: 6000, output: 740 }, runningRequests: 5 }] },
  ]);
});

it('a state among the events of a log names model and folder', () => {
  const { agent, workspace } = JSON.parse(conversation.toString());
  const update = {
    ...{ id: 's', timestamp: '2026-10-05T09:00:00', source: 'environment', kind: 'ConversationStateUpdateEvent' },
    ...{ key: 'full_state', value: { agent, workspace } },
  };
  const [one] = openText(`${JSON.stringify(update)}\n${session}`).transcripts;
  expect(one).toMatchObject({ model: 'claude-sonnet-4-5', project: '/w/clock' });
});
