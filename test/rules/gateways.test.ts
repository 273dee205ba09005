/** Requests that differ by provider and model in one detail: which rules find something. */
import { expect, it } from 'vitest';
import { check } from '../../src/engine/check/findings.js';

const user = { role: 'user', content: 'x' };
const calling = (id: string, more: object) => ({
  role: 'assistant',
  tool_calls: [{ id, type: 'function', function: { name: 'ls', arguments: '{}' } }],
  ...more,
});
const answer = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'a' });
const called = (more: object) => [user, calling('c1', more), answer('c1')];
const developer = [{ role: 'developer', content: 's' }, user];
const empty = [user, { role: 'assistant', content: '' }, user];
const converse = (toolUseId: string) => [
  { role: 'user', content: [{ text: 'x' }] },
  { role: 'assistant', content: [{ toolUse: { toolUseId, name: 'ls', input: {} } }] },
  { role: 'user', content: [{ toolResult: { toolUseId, content: [{ text: 'a' }] } }] },
];
const tools = [{ toolSpec: { name: 'ls', inputSchema: { json: { type: 'object' } } } }];

it.each([
  ['xai', 'grok-4', called({ content: null }), ['chat/content-missing']],
  ['xai', 'grok-4', called({ content: '' }), []],
  ['dashscope', 'qwen-max', called({}), ['chat/content-missing']],
  ['dashscope', 'qwen-max', called({ content: null }), []],
  ['moonshot', 'kimi-k2.5', called({ content: '' }), ['deepseek/reasoning-content-missing']],
  ['moonshot', 'kimi-k2-turbo-preview', called({ content: '' }), []],
  ['openai-compatible', 'kimi-k2-turbo-preview', empty, ['chat/message-empty']],
  ['openai-compatible', 'moonshotai/kimi-k2-turbo', empty, []],
  ['openrouter', 'moonshotai/kimi-k2-turbo', empty, ['chat/message-empty']],
  ['openrouter', 'deepseek/deepseek-chat', developer, ['chat/role-unsupported']],
  ['openrouter', 'openai/gpt-5', developer, []],
  ['openai-chat', 'gpt-5', developer, []],
  [
    'cohere',
    'command-a-03-2025',
    [user, calling('c1', {}), answer('c9')],
    ['chat/tool-call-unanswered', 'cohere/tool-call-not-found'],
  ],
])('%s, %s: %j', (provider, model, messages, rules) => {
  const found = check(JSON.stringify({ model, messages }), { provider, asRequest: true });
  expect(found.map(({ rule }) => rule)).toEqual(rules);
});

it.each([
  ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'functions.ls:0', ['bedrock/tool-use-id']],
  ['moonshotai.kimi-k2.5', 'functions.ls:0', []],
  ['moonshotai.kimi-k2.5', 'a|b', ['bedrock/tool-use-id']],
  ['moonshotai.kimi-k2.5', 'a'.repeat(65), ['bedrock/tool-use-id']],
])('Bedrock, %s: the id %s', (modelId, id, rules) => {
  const request = { modelId, messages: converse(id), toolConfig: { tools } };
  expect(check(JSON.stringify(request), { provider: 'bedrock', asRequest: true }).map(({ rule }) => rule)).toEqual(
    rules,
  );
});

it('takes gpt-oss for no model of OpenAI', () => {
  const told = (model: string) =>
    check(JSON.stringify({ model, messages: [user], top_k: 5 }), { asRequest: true }).map(({ rule }) => rule);
  expect(told('openai/gpt-oss-120b')).toEqual([]);
  expect(told('gpt-4o')).toEqual(['request/parameter-removed']);
});
