/** `strip` in recordings that end with a reply, which no message can follow. */
import { describe, expect, it } from 'vitest';
import { stepsOf } from '../../src/engine/steps.js';
import { openText } from '../shared/opened.js';
import { CHARACTERS, rewriteText } from '../shared/rewrite-text.js';

const used = { type: 'tool_use', id: 't', name: 'search', input: {} };
const text = { type: 'text', text: 'I look.' };
const reply = (...content: readonly object[]) => ({ type: 'message', role: 'assistant', content });
const asked = { model: 'claude-sonnet-4-5', max_tokens: 9, messages: [{ role: 'user', content: 'q' }] };
const told = (record: object, options: object) => {
  const [{ transform, values }] = stepsOf([{ transform: 'strip', ...options }]) as [ReturnType<typeof stepsOf>[number]];
  const after = transform.apply(openText(JSON.stringify(record)).transcripts[0]!, values, CHARACTERS);
  return transform.shortfall?.(after, values, CHARACTERS);
};

it('names the tools in the reply itself', () => {
  const record = { result: { type: 'succeeded', message: reply(text, used) }, custom_id: 'a' };
  const after = rewriteText(JSON.stringify(record), 'strip', { keepText: true, keepToolNames: true });
  const { content } = JSON.parse(after).result.message;
  expect(content).toEqual([text, { type: 'text', text: 'Tools used: search' }]);
  const kept = { ...used, id: 'u', name: 'other' };
  const both = { ...record, result: { type: 'succeeded', message: reply(text, used, kept) } };
  const options = { keepText: true, keepToolNames: true, tool: ['search'] };
  expect(JSON.parse(rewriteText(JSON.stringify(both), 'strip', options)).result.message.content).toEqual([
    { type: 'text', text: 'Tools used: search' },
    text,
    kept,
  ]);
});

it('says that it added no retry prompt', () => {
  const noPlace = 'added no user message: this recording has no place for one';
  const [retry, pair] = [{ retryPrompt: true }, { request: asked, response: reply(text) }];
  expect(told(pair, retry)).toBe(noPlace);
  expect(told(pair, {})).toBeUndefined();
  expect(told({ request: asked, response: reply(used) }, retry)).toBeUndefined(); // the reply went, the prompt came
  expect(told(asked, retry)).toBeUndefined();
  const part = { id: 'p', sessionID: 's', messageID: 'm', type: 'tool', callID: 'c', tool: 'f', state: { input: {} } };
  expect(told(part, retry)).toBe(noPlace);
});

it('leaves no half of a call that the provider ran, where a pause stands between call and result', () => {
  const [id, name] = ['srvtoolu_1', 'web_search'];
  const call = { type: 'server_tool_use', id, name, input: {} };
  const result = { type: 'web_search_tool_result', tool_use_id: id, content: [] };
  const [paused, went] = [reply(text, call), reply(result, used)];
  const answered = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'found' }] };
  const messages = [...asked.messages, paused, went, answered, reply(text)].map(({ role, content }) => ({
    role,
    content,
  }));
  const stripped = JSON.parse(rewriteText(JSON.stringify({ ...asked, messages }), 'strip', {}));
  const left = { role: 'assistant', content: [result] };
  expect(stripped.messages).toEqual([messages[0], messages[1], left, messages[4]]);
});

describe('where the roles of turns must alternate', () => {
  const asks = { role: 'user', content: [{ text: 'List a.' }] };
  const looks = {
    role: 'assistant',
    content: [{ text: 'I look.' }, { toolUse: { toolUseId: 't', name: 'ls', input: {} } }],
  };
  const found = { role: 'user', content: [{ toolResult: { toolUseId: 't', content: [{ text: 'b' }] } }] };
  const ended = { stopReason: 'end_turn', usage: { inputTokens: 5, outputTokens: 2, totalTokens: 7 } };
  const pair = (...content: readonly object[]) =>
    JSON.stringify({
      request: { modelId: 'amazon.nova-pro-v1:0', messages: [asks, looks, found] },
      response: { output: { message: { role: 'assistant', content } }, ...ended },
    });
  const left = (...args: Parameters<typeof rewriteText>) => {
    const { request, response } = JSON.parse(rewriteText(...args));
    return [request.messages, response.output.message.content];
  };

  it('a reply stays beside its request, with what is joined to it', () => {
    const more = { text: 'One more.' };
    const text = pair(more, { toolUse: { toolUseId: 'u', name: 'ls', input: {} } });
    const named = { keepText: true, keepToolNames: true, retryPrompt: true };
    expect(left(text, 'strip', named)).toEqual([[asks], [{ text: 'I look.' }, { text: 'Tools used: ls' }, more]]);
    expect(left(pair(more), 'filter', { maxToolCalls: 0 })).toEqual([[asks], [{ text: 'I look.' }, more]]);
  });
});
