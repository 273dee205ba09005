/** Sessions of many faults: what agents' loaders and their doctors do with them grows with the file, and not faster. */
import { describe, expect, it } from 'vitest';
import { examineSession } from '../../src/engine/check/sessions.js';
import { growth } from '../shared/growth.js';

const NAME = '/sessions/rollout-2026-01-01T00-00-00-01996135-afde-7911-97f0-d863511eca56.jsonl';
const uuid = (number: number) => `5e55a0aa-0000-4000-8000-${String(number).padStart(12, '0')}`;
const linked = (at: number, parent: number | null, more: object = {}) => ({
  ...{ uuid: uuid(at), parentUuid: parent === null ? null : uuid(parent), isSidechain: false, sessionId: uuid(0) },
  ...{ type: 'user', message: { role: 'user', content: `message ${at}` } },
  ...more,
});
const LOST = 9_000_000;
const call = (id: number) => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id: `t${id}`, name: 'Bash', input: {} }],
});
const result = (id: number) => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: `t${id}`, content: 'x' }],
});
const header = { type: 'session', version: 3, id: uuid(0), timestamp: '2026-01-01T00:00:00.000Z', cwd: '/p' };
const pi = (at: number, parentId: string | null) => ({
  ...{ type: 'message', id: `e${at}`, parentId, timestamp: '2026-01-01T00:00:00.000Z' },
  message: { role: 'user', content: `message ${at}`, api: 'x' },
});
const chat = { sessionId: uuid(0), projectHash: 'x', startTime: '2026-01-01T00:00:00.000Z', kind: 'main' };
const said = (at: number) => ({
  id: `m${at}`,
  timestamp: '2026-01-01T00:00:00.000Z',
  type: 'user',
  content: `a ${at}`,
});
const meta = { timestamp: '2026-01-01T00:00:00.000Z', type: 'session_meta', payload: { id: uuid(0), cwd: '/p' } };
const item = (at: number) => ({
  timestamp: `2026-01-01T00:00:00.${String(at % 1000).padStart(3, '0')}Z`,
  type: 'response_item',
  payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: `item ${at}` }] },
});
const event = { timestamp: '2026-01-01T00:00:00.000Z', type: 'event_msg', payload: { type: 'token_count' } };
const compacted = { timestamp: '2026-01-01T00:00:00.000Z', type: 'compacted', payload: {} };

/** The records of a turn, by its number of so many. */
type Turn = (at: number, of: number) => readonly unknown[];

const CASES: Readonly<Record<string, readonly [first: readonly unknown[], turn: Turn]>> = {
  'Claude Code: parents that are missing': [[], (at) => [linked(at, at === 0 ? null : LOST + at)]],
  'Claude Code: parents that are missing beside a long chain': [
    [],
    (at) => [linked(2 * at, at === 0 ? null : 2 * at - 2), linked(2 * at + 1, LOST + at)],
  ],
  'Claude Code: ids that are there twice': [[], (at) => [linked(at >> 1, at === 0 ? null : (at - 1) >> 1)]],
  'Claude Code: circles': [[], (at) => [linked(at, at % 2 === 0 ? at + 1 : at - 1)]],
  'Claude Code: one circle': [[], (at, of) => [linked(at, (at + 1) % of)]],
  'Claude Code: the last record first, and its root missing': [
    [],
    (at, of) => [linked(of - at, at === of - 1 ? LOST : of - at - 1)],
  ],
  'Claude Code: results that are off the way': [
    [],
    (at) => [
      linked(3 * at, at === 0 ? null : 3 * at - 2, { type: 'assistant', message: call(at) }),
      linked(3 * at + 2, LOST + at, { message: result(at) }),
      linked(3 * at + 1, 3 * at),
    ],
  ],
  'Claude Code: calls that are off the way': [
    [],
    (at) => [
      linked(4 * at, at === 0 ? null : 4 * at - 1, { type: 'assistant', message: call(2 * at) }),
      linked(4 * at + 1, 4 * at, { type: 'assistant', message: call(2 * at + 1) }),
      linked(4 * at + 2, 4 * at + 1, { message: result(2 * at + 1) }),
      linked(4 * at + 3, 4 * at, { message: result(2 * at) }),
    ],
  ],
  'Claude Code: compactions that point nowhere': [
    [],
    (at) => [
      linked(2 * at, at === 0 ? null : 2 * at - 1),
      linked(2 * at + 1, 2 * at, {
        type: 'system',
        subtype: 'compact_boundary',
        compactMetadata: { preservedSegment: { headUuid: uuid(2 * at), anchorUuid: 'lost', tailUuid: uuid(2 * at) } },
      }),
    ],
  ],
  'Claude Code: results of one call': [
    [linked(0, null, { type: 'assistant', message: call(0) })],
    (at) => [linked(2 * at + 1, at === 0 ? 0 : 2 * at - 1), linked(2 * at + 2, LOST + at, { message: result(0) })],
  ],
  'Claude Code: calls with one id': [
    [],
    (at, of) => [
      linked(at, LOST + at, { message: result(0) }),
      linked(of + at, LOST + of + at, { type: 'assistant', message: call(0) }),
    ],
  ],
  'pi: parents that are missing': [[header], (at) => [pi(at, at === 0 ? null : `lost${at}`)]],
  'pi: the last record first, and its root missing': [
    [header],
    (at, of) => [pi(of - at, at === of - 1 ? 'lost' : `e${of - at - 1}`)],
  ],
  'pi: ids that are there twice': [[header], (at) => [pi(at >> 1, at === 0 ? null : `e${(at - 1) >> 1}`)]],
  'pi: circles': [[header], (at) => [pi(at, `e${at % 2 === 0 ? at + 1 : at - 1}`)]],
  'Gemini CLI: rewinds': [[chat], (at) => [said(2 * at), said(2 * at + 1), { $rewindTo: `m${2 * at + 1}` }]],
  'Gemini CLI: rewinds that point nowhere': [[chat], (at) => [said(at), { $rewindTo: `lost${at}` }]],
  'Gemini CLI: histories without a message': [[chat], (at) => [said(at), { $set: { messages: [{ id: `n${at}` }] } }]],
  'Codex: events that are said again': [[meta, item(0)], () => [event]],
  'Codex: lines that are written again': [[meta], (at, of) => [item(at >= of >> 1 ? at - (of >> 1) : at)]],
  'Codex: each line twice': [[meta], (at) => [item(at), item(at)]],
  'Codex: compactions without a history': [[meta], (at) => [item(at), compacted]],
  'Codex: rollbacks': [
    [meta],
    (at) => [item(2 * at), item(2 * at + 1), { ...event, payload: { type: 'thread_rolled_back', num_turns: 1 } }],
  ],
};

function sessionOf(kind: string, count: number): Buffer {
  const [first, turn] = CASES[kind]!;
  const records = [...first, ...Array.from({ length: count }, (_, at) => turn(at, count)).flat()];
  return Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
}

describe.each(Object.keys(CASES))('%s', (kind) => {
  it('four times as many take at most eight times as long', () => {
    expect(examineSession(sessionOf(kind, 20), NAME)).toBeDefined();
    expect(growth(400, (size) => examineSession(sessionOf(kind, size), NAME))).toBeLessThan(8);
  });
});
