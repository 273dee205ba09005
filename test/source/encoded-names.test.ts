/** Lists of messages that stand as JSON in a string, under each of the names that such records have. */
import { expect, it } from 'vitest';
import { formats } from '../../src/formats/index.js';
import { parse } from '../../src/json/node.js';
import { signatureTest } from '../../src/source/detect/signatures.js';
import { openText } from '../shared/opened.js';

const USER = { role: 'user', content: 'Hi' };
const CALL = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
const CHAT = [
  USER,
  { role: 'assistant', content: null, tool_calls: [CALL] },
  { role: 'tool', tool_call_id: 'c', content: 'x' },
];

it.each(['messages', 'conversations', 'conversation', 'contents', 'input', 'output', 'history'])('%s', (key) => {
  const node = (value: unknown) => parse(JSON.stringify({ [key]: value }));
  const has = (value: unknown, ...signatures: readonly string[]) => signatureTest([node(value)])(signatures);
  expect(has(JSON.stringify(CHAT), `${key}[]`)).toBe(true);
  expect(has(JSON.stringify(CHAT), `@${key} role tool_call_id`)).toBe(true);
  expect(has(CHAT, `${key}[]`)).toBe(true);
  expect(has('text', `${key}[]`)).toBe(false);
  expect(has('text', `${key}""`)).toBe(true);
  expect(has(JSON.stringify(CHAT), 'tool_call_id nothing')).toBe(false);
});

it.each(['other', 'text', ''])('not %j', (key) => {
  const sample = [parse(JSON.stringify({ [key]: JSON.stringify(CHAT) }))];
  expect(signatureTest(sample)([`${key}[]`, `@${key} role`, 'role'])).toBe(false);
});

it('signatures are of an object, its place, and what it says of itself', () => {
  const test = signatureTest([
    parse('{"type":"user","ts":5,"a":{"b":[{"role":"x","c":null}]},"tools":[{"d":1}],"on":true}'),
  ]);
  for (const known of [
    'type',
    '@ type',
    'type=user',
    'ts#',
    'a{}',
    'type ts',
    'b[]',
    '@b role',
    'role=x',
    'role c',
    'on',
    'tools[]',
  ])
    expect([known, test([known])]).toEqual([known, true]);
  for (const unknown of ['@a b', '@ b', 'type b', 'type=other', 'ts""', 'a[]', 'd', '@tools d', 'c=x', 'b role'])
    expect([unknown, test([unknown])]).toEqual([unknown, false]);
  expect(test(['nothing', 'type'])).toBe(true);
  expect(test([])).toBe(false);
});

/** https://platform.claude.com/docs/en/managed-agents/events-and-streaming (2026-11) */
it.each([
  { type: 'user.message', content: [{ type: 'text', text: 'Hi' }] },
  { type: 'system.message', content: [{ type: 'text', text: 'Hi' }] },
  { type: 'agent.message', content: [{ type: 'text', text: 'Hi' }] },
  { type: 'user.tool_result', tool_use_id: 'c', content: [] },
  { type: 'user.custom_tool_result', custom_tool_use_id: 'c', content: [] },
  { type: 'agent.tool_result', tool_use_id: 'c', content: [] },
  { type: 'agent.mcp_tool_result', mcp_tool_use_id: 'c', content: [] },
])('an event of Claude Managed Agents is known alone: $type', (event) => {
  expect(openText(JSON.stringify(event)).detection.format.id).toBe('claude-managed-agents');
  const { signatures } = formats.find(({ id }) => id === 'claude-managed-agents')!;
  expect(signatureTest([parse(JSON.stringify(event))])(signatures)).toBe(true);
});
