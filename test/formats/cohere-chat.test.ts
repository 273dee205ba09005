/** Cohere beyond the laws: usage, version 1, citations, detection. */
import { expect, it } from 'vitest';
import { pair } from '../../src/transcript/pairs.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { rewriteText } from '../shared/rewrite-text.js';

const read = (name: string) => fixture(`cohere-chat/${name}`);
const EARLY = read('hand-v1.jsonl');
const rewritten = (id: string, options: Record<string, unknown>) => linesOf(rewriteText(EARLY, id, options));

it('reads the usage of a reply', () => {
  const usage = { cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, reasoning: 0 };
  expect(openText(read('hand-v2-pair.jsonl')).transcripts[0]).toMatchObject({
    model: 'command-a-03-2025',
    reply: { responseId: 'c14c80c3-18eb-4519-9460-6c92edd8cfb4', usage: { ...usage, input: 37, output: 28 } },
  });
  expect(openText(EARLY).transcripts[3]!.reply).toEqual({
    responseId: 'gen-1',
    usage: { ...usage, input: 120, output: 14 },
  });
});

it('distinguishes its messages from those of other chat APIs', () => {
  const formatOf = (...messages: object[]) => openText(JSON.stringify({ messages })).detection.format.id;
  const [user, assistant] = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'hello' },
  ];
  expect(formatOf(user, assistant)).toBe('openai-chat');
  expect(formatOf(user, { ...assistant, tool_plan: 'I will search.' }, user, user, user)).toBe('cohere-chat');
  expect(formatOf(user, { role: 'user', content: [{ type: 'document', source: { type: 'text', data: 'x' } }] })).toBe(
    'anthropic-messages',
  );
});

it('reads the parts of version 1 as one transcript', () => {
  const shapes = openText(EARLY).transcripts.map(({ messages }) => {
    const { calls, results } = pair(messages);
    return [
      messages.map(({ role }) => role[0]).join(''),
      calls.length,
      results.filter(({ standing }) => standing === 'in place').length,
    ];
  });
  expect(shapes).toEqual([
    ['suatauau', 4, 3],
    ['uatauat', 4, 4],
    ['uat', 1, 1],
    ['uata', 3, 3],
  ]);
});

it('pairs a second result of a call with that call, not with the one of another tool', () => {
  const result = (name: string, text: string) => ({ call: { name, parameters: {} }, outputs: [{ text }] });
  const history = [
    { role: 'USER', message: 'Both, please.' },
    { role: 'CHATBOT', tool_calls: ['sales', 'stock'].map((name) => ({ name, parameters: {} })) },
    { role: 'TOOL', tool_results: [result('sales', '1'), result('sales', '2'), result('stock', '3')] },
  ];
  const { results } = pair(openText(JSON.stringify(history)).transcripts[0]!.messages);
  expect(results.map(({ call }) => call?.part.tool)).toEqual(['sales', 'sales', 'stock']);
});

it('adds and removes messages in a request of version 1', () => {
  const [interrupted, asked, single, response] = rewritten('strip', { retryPrompt: 'again' });
  expect([interrupted.preamble, interrupted.message, interrupted.chat_history.at(-1)]).toEqual([
    'You answer with figures.',
    'again',
    { role: 'USER', message: 'Never mind. Thanks!' },
  ]);
  expect([asked.message, asked.tool_results]).toEqual(['again', []]);
  expect(single).toMatchObject({
    message: 'again',
    tool_results: [],
    chat_history: [{ role: 'USER', message: 'What is in the catalogue?' }],
  });
  expect(response.text).toBe('10000 on the 29th.');
});

it('answers an unanswered call with a result that repeats the call', () => {
  const [interrupted] = rewritten('patch', { template: 'cancelled' });
  expect(interrupted.chat_history.at(-1)).toEqual({
    role: 'TOOL',
    tool_results: [
      {
        call: { name: 'query_product_catalog', parameters: { category: 'Clothing' } },
        outputs: [{ text: 'cancelled' }],
      },
    ],
  });
});

it('removes the output of a result that went from citations, also of a message that lost a call itself', () => {
  const call = (id: string) => ({ id, type: 'function', function: { name: 's', arguments: '{}' } });
  const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: [{ type: 'document', document: {} }] });
  const cited = (source: object) => [
    { start: 0, end: 5, text: 'cited', sources: [{ type: 'tool', id: 'a0:0', ...source }] },
  ];
  const content = [{ type: 'text', text: 'cited' }];
  const citations = cited({ tool_output: { r: 'secret' } });
  const messages = [
    { role: 'user', content: 'q' },
    { role: 'assistant', tool_plan: 'I search.', tool_calls: [call('a0')] },
    result('a0'),
    { role: 'assistant', content, citations, tool_calls: [call('b0')] },
    result('b0'),
    { role: 'assistant', content, citations },
  ];
  const request = JSON.stringify({ model: 'command-a-03-2025', messages });
  const left = JSON.parse(rewriteText(request, 'filter', { maxToolCalls: 0, everything: true }));
  const both = { role: 'assistant', content, citations: cited({}) };
  expect(left.messages.slice(-2)).toEqual([both, both]);
});

it('removes the output of a changed result from citations', () => {
  const cut = rewriteText(read('hand-v2.json'), 'truncate', { maxLength: 60, noMinimum: true });
  expect(cut).not.toContain('Total Units Sold');
  expect(cut).toContain('"id": "query_0:0"');
});

it('cuts the arguments of a call also where its result repeats it, in version 1', () => {
  const call = (day: string) => ({ name: 'f', parameters: { day } });
  const answer = (day: string) => ({ call: call(day), outputs: [{ text: `${day} and much more of it`.repeat(9) }] });
  const record = {
    message: 'And?',
    chat_history: [
      { role: 'USER', message: 'Sales?' },
      { role: 'CHATBOT', message: 'I look.', tool_calls: [call('first'), call('second'), call('third')] },
      { role: 'TOOL', tool_results: ['first', 'second', 'third'].map(answer) },
    ],
  };
  const cleared = rewriteText(JSON.stringify(record), 'clear', { trigger: 0, keep: 1, clearInputs: true, minSize: 0 });
  const [, { tool_calls: calls }, { tool_results: results }] = JSON.parse(cleared).chat_history;
  expect(calls.map(({ parameters }: { parameters: object }) => parameters)).toEqual([{}, {}, { day: 'third' }]);
  expect(results.map((result: { call: object }) => result.call)).toEqual(calls);
});
