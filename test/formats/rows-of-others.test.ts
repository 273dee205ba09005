/** Rows that look like those of a format and are not: how sure the format is of them, and whose they are. */
import { expect, it } from 'vitest';
import { converseUsage } from '../../src/formats/bedrock/bedrock-usage.js';
import { formatNamed } from '../../src/formats/index.js';
import { isAgentRow } from '../../src/formats/openai/openai-chat-read.js';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';

it.each([
  ['claude-code', { type: 'user', uuid: 'u', message: { role: 'user', content: 'a' } }, 1],
  ['claude-code', { type: 'user', uuid: 'u', message: { role: 'user', content: 'a' }, payload: {} }, 0],
  ['claude-code', { type: 'user', uuid: 'u', message: { role: 'user', content: 'a' }, role: 'user' }, 0],
  ['claude-code', { type: 'user', message: { role: 'user', content: 'a' } }, 0],
  ['kimi-cli', { type: 'context.append_message', message: { role: 'user' } }, 1],
  ['kimi-cli', { type: 'context.append_message', message: 'a' }, 0],
  ['kimi-cli', { type: 'context.append_loop_event', event: 'a' }, 0],
  ['kimi-cli', { type: 'metadata', protocol_version: 1 }, 0],
  ...['additional_kwargs', 'response_metadata', 'tool_call_id', 'usage_metadata', 'invalid_tool_calls'].map(
    (own) => ['langchain', { type: 'ai', content: 'a', [own]: {} }, 1] as [string, object, number],
  ),
  ['langchain', { type: 'ai', content: 'a' }, 0.8],
])('%s: %j', (id, row, score) => {
  expect(formatNamed(id).score(parse(JSON.stringify(row)))).toBe(score);
});

it.each([
  [{ role: '_usage', token_count: 150 }, true],
  [{ role: '_usage' }, false],
  [{ role: '_checkpoint', id: 0 }, true],
  [{ role: '_checkpoint' }, false],
  [{ role: 'user', content: 'a', token_count: 150 }, false],
  [{ role: 'user', content: 'a', id: 0 }, false],
  [{ role: 'exit', extra: { exit_status: 'Submitted' } }, true],
  [{ role: 'exit', extra: { exit_status: 1 } }, false],
])('%j is a row of an agent for itself: %s', (row, isOwn) => {
  expect(isAgentRow(parse(JSON.stringify(row)))).toBe(isOwn);
});

it.each([
  ['sharegpt', '"Be brief."', (text: string) => ({ type: 'text', text }) as const, '"new"'],
  [
    'gemini-cli-stream',
    '{"type":"tool_result","tool_id":"old","status":"success","output":"a"}',
    (callId: string) => ({ type: 'result', callId, content: [{ type: 'text', text: 'a' }] }) as const,
    '{"type":"tool_result","tool_id":"new","status":"success","output":"a"}',
  ],
])('%s writes what changed of %s', (id, row, part, written) => {
  const format = formatNamed(id);
  const message = format.read(parse(row));
  const parts = message.parts.map((old) => ({ ...old, ...part('new') }));
  expect(printed(format.write({ ...message, parts }))).toBe(written);
});

it.each([
  [{ inputTokens: 3 }, [3, 0]],
  [{ outputTokens: 2 }, [0, 2]],
  [{ totalTokens: 5 }, undefined],
])('Bedrock: %j is usage where it has one of the two figures', (usage, figures) => {
  const read = converseUsage(parse(JSON.stringify(usage)));
  expect(read && [read.input, read.output]).toEqual(figures);
});

it.each([
  ['{"role":1,"parts":[]}', '`role` '],
  ['{"content":{"role":1,"parts":[]}}', '`content.role` '],
  ['{"candidates":[{"content":{"role":1,"parts":[]}}]}', '`candidates[0].content.role` '],
])('Gemini: an error of %s names its place', (row, place) => {
  expect(() => formatNamed('gemini-contents').read(parse(row))).toThrow(place);
});
