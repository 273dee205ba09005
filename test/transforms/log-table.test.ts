/** What steps make of the table of a log is, byte for byte and error for error, what they make of its messages. */
import { expect, it } from 'vitest';
import { tableOfLog } from '../../src/engine/rewrite/tables/by-table.js';
import { formatNamed } from '../../src/formats/index.js';
import { rows } from '../../src/json/rows.js';
import { defaultsOf, type Options, type Values } from '../../src/options/option.js';
import { openRows } from '../../src/source/containers/row.js';
import type { Opened } from '../../src/source/piece.js';
import { readerOver } from '../../src/source/read-back.js';
import { unreadIn } from '../../src/source/unread/unread.js';
import { transformNamed } from '../../src/transforms/index.js';
import type { Step } from '../../src/transforms/pipeline.js';
import { expectSame, type Saved, saved } from '../shared/both-ways.js';
import { cases } from '../shared/effort.js';
import { malformed, randomFrom } from '../shared/malform.js';
import { fixtures, type Recording, sharedRecordings } from '../shared/recordings.js';

const STEPS: readonly Step[] = (
  [
    ['filter', { maxToolCalls: 0, everything: true }],
    ['filter', { maxToolCalls: 3 }],
    ['filter', { maxToolCalls: 1, every: 3 }],
    ['patch', {}],
    ['truncate', { maxLength: 60, noMinimum: true }],
    ['clear', { trigger: 0, keep: 1, text: '-' }],
    ['dedupe', {}],
  ] as const
).map(([id, options]) => {
  const transform = transformNamed(id);
  return { transform, values: { ...defaultsOf(transform.options), ...options } as Values<Options> };
});

function rewritten(text: Buffer, id: string, step: Step, logTables: typeof tableOfLog | undefined): Saved {
  const format = formatNamed(id);
  const events = rows(readerOver(text), { skipBadLines: true });
  const unread = (piece: Opened) => JSON.stringify(unreadIn(piece, format, 5)) ?? '';
  return saved(openRows(events, format, { isOne: false, logTables }), step, unread);
}

/** Returns how many steps went by the table. */
function compare(text: Buffer, id: string, steps = STEPS): number {
  return expectSame(steps, (step) => ({
    byTable: rewritten(text, id, step, tableOfLog),
    byMessages: rewritten(text, id, step, undefined),
  }));
}

const LONGEST = 50_000;
const FORMATS = ['claude-code', 'codex-rollout'];
const ALL_LOGS = [...fixtures(), ...sharedRecordings()].filter(({ format }) => FORMATS.includes(format ?? ''));
const logsOf = (id: string) => ALL_LOGS.filter(({ format }) => format === id);
const shortened = ({ bytes }: Recording) => {
  const end = bytes.length <= LONGEST ? bytes.length : bytes.lastIndexOf(0x0a, LONGEST);
  return bytes.subarray(0, end < 0 ? bytes.length : end);
};

it.each(FORMATS)('is the same for recordings of %s', (id) => {
  expect(logsOf(id).reduce((sum, log) => sum + compare(shortened(log), id), 0)).toBeGreaterThan(10);
});

/** An event, and the history of a compaction, can hold the text of an item in other pieces. */
it('is the same for lines of a rollout that repeat a joined text', () => {
  const line = (type: string, payload: object) => `${JSON.stringify({ timestamp: 't', type, payload })}\n`;
  const thought = (...texts: readonly string[]) => ({
    type: 'reasoning',
    summary: texts.map((text) => ({ type: 'summary_text', text })),
  });
  const call = { type: 'function_call', name: 'f', arguments: '{}', call_id: 'c1' };
  const items = [thought('ab'), call, { type: 'function_call_output', call_id: 'c1', output: 'x' }];
  const told = { type: 'item_completed', item: { type: 'Reasoning', id: 'r', summary_text: ['a', 'b'] } };
  const head = line('session_meta', { id: 's', cwd: '/p' });
  const rollout = (...more: readonly string[]) =>
    Buffer.from([head, ...items.map((item) => line('response_item', item)), ...more].join(''));
  const event = line('event_msg', told);
  const history = (...texts: readonly string[]) => line('compacted', { replacement_history: [thought(...texts)] });
  for (const [repeats, left] of [
    [event, ''],
    [history('a', 'b'), line('compacted', { replacement_history: [] })],
    [history('a', 'c'), history('a', 'c')],
  ] as const) {
    expect(compare(rollout(repeats), 'codex-rollout')).toBeGreaterThan(1);
    expect(rewritten(rollout(repeats), 'codex-rollout', STEPS[0]!, tableOfLog)).toMatchObject({
      output: head + left,
      tabled: 1,
    });
  }
});

it('is the same where two items have the joined text that a line repeats: the nearer one counts', () => {
  const line = (type: string, payload: object) => `${JSON.stringify({ timestamp: 't', type, payload })}\n`;
  const user = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'x' }] };
  const thought = (...texts: readonly string[]) => ({
    ...{ type: 'reasoning', summary: texts.map((text) => ({ type: 'summary_text', text })) },
  });
  const told = { type: 'item_completed', item: { type: 'Reasoning', id: 'r', summary_text: ['a', 'b'] } };
  const kept = { message: '', replacement_history: [user, thought('a', 'b')] };
  const round = (id: string, type: string, repeats: object) => [
    ...[line('response_item', user), line('response_item', thought('ab')), line(type, repeats)],
    line('response_item', { type: 'function_call', name: 'f', arguments: '{}', call_id: id }),
    line('response_item', { type: 'function_call_output', call_id: id, output: 'out' }),
  ];
  for (const [type, repeats] of [
    ['event_msg', told],
    ['compacted', kept],
  ] as const) {
    const lines = [...round('c1', type, repeats), ...round('c2', type, repeats), line('response_item', user)];
    const text = Buffer.from(line('session_meta', { id: 's', cwd: '/p' }) + lines.join(''));
    expect(compare(text, 'codex-rollout', [{ ...STEPS[0]!, values: { ...STEPS[0]!.values, maxToolCalls: 1 } }])).toBe(
      1,
    );
  }
});

/** Lines that refer to others, ids that are spelled otherwise or repeated, and values that nobody expects. */
const HOSTILE: readonly (readonly [RegExp, string])[] = [
  [/"uuid"/, '"uu\\u0069d"'],
  [/"parentUuid":"(\w)/, '"parentUuid":"\\u0061$1'],
  [/"parentUuid":"[^"]*"/, '"parentUuid":5'],
  [/"(?:toolUseID|sourceToolUseID|messageId|leafUuid)":"[^"]*"/, '"toolUseID":{"a":[]}'],
  [/"type":"user"/, '"type":"progress"'],
  [/"type":"(?:user|assistant)","message"/, '"type":"user","type":"assistant","message"'],
  [/"isSidechain":false/, '"isSidechain":true'],
  [/"content":"/, '"content":[{"type":"text","text":"x"},{"type":"text","text":"y"}],"was":"'],
  [/"tool_use_id"/, '"tool_use_id":"other","tool_use_id"'],
  [/"message":\{/, '"payload":null,"message":{'],
  [/"message":\{/, '"message":[],"message":{"id":"msg_1",'],
  [/"role":"user"/, '"role":"system"'],
  [/"type":"response_item"/, '"type":"event_msg"'],
  [/"payload":\{/, '"payload":{"call_id":"call_1",'],
  [/"type":"function_call"/, '"type":"reasoning","summary":[{"type":"summary_text","text":"x"}],"was":"'.concat('"')],
  [/"type":"agent_message"/, '"type":"agent_reasoning","text":"x"'],
  [/"type":"token_count"/, '"type":"thread_rolled_back","num_turns":1'],
  [/"type":"message"/, '"type":"message","id":"call_1"'],
  [/"call_id":"(\w)/, '"call_id":"\\u0061$1'],
  [/"timestamp":"[^"]*",/, ''],
];

type Random = ReturnType<typeof randomFrom>;

/** The log with lines that are gone, repeated, moved, or refer to ids of others. */
function disturbed(text: string, random: Random): string {
  const lines = text.split('\n');
  const ids = [...text.matchAll(/"(?:uuid|id|call_id)":"([^"]{8,})"/g)].map(([, id]) => id!);
  const some = () => ids[random(ids.length)] ?? 'none';
  for (let left = random(4); left > 0; left--) {
    const [at, to] = [random(lines.length), random(lines.length)];
    const line = lines[at]!;
    const [told, event] = [
      { toolUseID: some(), leafUuid: some() },
      { call_id: some(), stdout: 'x' },
    ];
    const added = [
      JSON.stringify({ type: 'progress', uuid: `p${at}`, parentUuid: some(), data: [told] }),
      JSON.stringify({ type: 'file-history-snapshot', messageId: some(), snapshot: {} }),
      JSON.stringify({ type: 'event_msg', payload: { type: 'exec_command_end', ...event } }),
      JSON.stringify({ type: 'event_msg', payload: { type: 'item_completed', item: { id: some() } } }),
      line.replaceAll(some(), some()),
      line,
    ];
    const how = random(4);
    if (how === 0) lines.splice(at, 1);
    if (how === 1) lines.splice(to, 0, ...lines.splice(at, 1));
    if (how >= 2) lines.splice(to, 0, added[random(added.length)]!);
  }
  return lines.join('\n');
}

it.each(FORMATS)('is the same for disturbed logs of %s', (id) => {
  const random = randomFrom(34);
  const logs = logsOf(id).filter(({ bytes }) => bytes.length > 1000);
  let tabled = 0;
  for (let left = cases(60, 400, 'TABLES'); left > 0; left--) {
    const log = logs[random(logs.length)]!;
    const short = shortened(log);
    const text = random(4) === 0 ? malformed({ ...log, bytes: short }, random) : short.toString();
    const [pattern, replacement] = HOSTILE[random(HOSTILE.length)]!;
    const hostile = random(3) === 0 ? text.replace(new RegExp(pattern, random(2) === 0 ? '' : 'g'), replacement) : text;
    tabled += compare(Buffer.from(disturbed(hostile, random)), id, [STEPS[random(STEPS.length)]!]);
  }
  expect(tabled).toBeGreaterThan(2);
});

it('is the same where the user wrote while the agent worked', () => {
  const line = (index: number, fields: object) =>
    `${JSON.stringify({
      ...{ parentUuid: index === 0 ? null : `q${index - 1}`, isSidechain: false, sessionId: 's', uuid: `q${index}` },
      ...{ timestamp: `2026-02-01T09:00:${10 + index}.000Z`, ...fields },
    })}\n`;
  const said = (content: unknown) => ({ type: 'user', message: { role: 'user', content } });
  const calling = (id: string) => ({
    type: 'assistant',
    message: {
      ...{ id: `m${id}`, type: 'message', role: 'assistant', model: 'claude-opus-4-5-20251101' },
      content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'npm test' } }],
    },
  });
  const result = (id: string) => said([{ type: 'tool_result', tool_use_id: id, content: 'x'.repeat(80) }]);
  const queued = (prompt: unknown) => ({ type: 'attachment', attachment: { type: 'queued_command', prompt } });
  const blocks = [{ type: 'text', text: 'And that.' }];
  const logs = ['And this.', '', blocks, undefined, 7].flatMap((prompt) =>
    [
      [result('a'), queued(prompt), calling('b'), result('b')],
      [queued(prompt), result('a'), calling('b'), result('b')],
      [result('a'), calling('b'), queued(prompt)],
      [queued(prompt)],
    ].map((rest) => [said('Go.'), calling('a'), ...rest].map((fields, index) => line(index, fields)).join('')),
  );
  expect(logs.reduce((sum, log) => sum + compare(Buffer.from(log), 'claude-code'), 0)).toBeGreaterThan(10);
});
