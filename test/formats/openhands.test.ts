import { describe, expect, it } from 'vitest';
import format from '../../src/formats/openhands/openhands.js';
import { parse } from '../../src/json/node.js';
import type { Transcript } from '../../src/transcript/types.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { rewriteText } from '../shared/rewrite-text.js';

type Event = Record<string, unknown> & {
  tool_call_metadata?: {
    total_calls_in_response: number;
    model_response: { choices: [{ message: { tool_calls: unknown[] } }] };
  };
};

const recording = (name: string) => fixture(`openhands/${name}`);
const parallel = recording('hand-parallel.jsonl');
const eventsOf = (text: string) => (JSON.parse(text) as { history: Event[] }).history;
const eventOf = (events: readonly Event[], id: number) => events.find((event) => event['id'] === id)!;

describe('what the output records', () => {
  it('about requests: uncached input, cost as spelled, time as UTC', () => {
    const [transcript] = openText(parallel).transcripts;
    const recorded = (index: number) => transcript!.recorded!(transcript!.messages[index]!);
    expect([transcript!.id, transcript!.model]).toEqual(['hand__made-1', 'litellm_proxy/claude-3-5-sonnet-20241022']);
    expect(recorded(4)).toEqual({
      responseId: 'chatcmpl-1',
      model: 'claude-3-5-sonnet-20241022',
      time: Date.UTC(2024, 10, 5, 9, 0, 10),
      usage: { input: 50, cacheRead: 1000, cacheWrite5m: 150, cacheWrite1h: 0, output: 80, reasoning: 0 },
      cost: '0.01',
    });
    expect([6, 8, 10, 12].map((index) => recorded(index)?.cost)).toEqual([undefined, '0.0125', '0.015', '0.0025']);
  });

  it.each([{}, { owner: 'o', number: 5 }, { owner: 'o', repo: 5, number: 5 }, { owner: 'o', repo: 'r' }])(
    'an issue that is not named whole names nothing: %j',
    (issue) => {
      const event = { id: 0, source: 'user', action: 'message', args: { content: 'x' }, message: 'x' };
      const [transcript] = openText(JSON.stringify({ issue, history: [[event, event]] })).transcripts;
      expect(transcript!.id).toBeUndefined();
    },
  );

  it('about a request whose response is not kept with its event, by the id of that', () => {
    const named = { tool_call_id: 'c', function_name: 'execute_bash', total_calls_in_response: 1 };
    const meta = { tool_call_metadata: { ...named, model_response: { id: 'r' } } };
    const action = { id: 1, source: 'agent', action: 'run', message: 'Runs', args: { command: 'ls', thought: '' } };
    const ran = { id: 2, cause: 1, source: 'agent', observation: 'run', message: 'Ran', content: 'a', extras: {} };
    const crash = {
      id: 3,
      source: 'environment',
      observation: 'error',
      message: '',
      content: 'It crashed.',
      extras: {},
    };
    const usage = { model: 'gpt-5', prompt_tokens: 100, completion_tokens: 10, cache_read_tokens: 20 };
    const token_usages = ['r', 'r', 's'].map((response_id, at) => ({ ...usage, prompt_tokens: 100 + at, response_id }));
    const history = [{ ...action, ...meta }, { ...ran, ...meta }, crash];
    const [{ messages, recorded }] = openText(JSON.stringify({ history, metrics: { token_usages } })).transcripts as [
      Transcript,
    ];
    expect(recorded!(messages[0]!)).toMatchObject({ model: 'gpt-5', usage: { input: 80, cacheRead: 20, output: 10 } });
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'user']); // nothing called for the crash
  });

  it('about a real resolver run', () => {
    const [transcript] = openText(recording('resolver.jsonl')).transcripts;
    expect(transcript!.id).toBe('neubig/pr-viewer#5');
    expect(transcript!.messages.map((message) => transcript!.recorded!(message)?.cost)).toEqual([
      undefined,
      '0.015396',
      undefined,
      '0.019719',
      undefined,
      '0.016742999999999997',
      undefined,
      '0.018855',
    ]);
  });
});

describe('events that change', () => {
  it("change all copies of an observation's content", () => {
    const cut = eventOf(eventsOf(rewriteText(parallel, 'truncate', { maxLength: 200, noMinimum: true })), 7);
    expect(cut['content']).toContain('original length: 1125 chars');
    expect([cut['message'], (cut['extras'] as Event)['shown']]).toEqual([cut['content'], cut['content']]);
  });

  it('leave no removed call in the responses of others', () => {
    const events = eventsOf(rewriteText(parallel, 'filter', { maxToolCalls: 2 }));
    expect(eventOf(events, 5)).toBeUndefined();
    expect(eventOf(events, 4)).toMatchObject({ action: 'message', args: { content: 'Let me look.' } });
    for (const id of [6, 7]) {
      const { total_calls_in_response, model_response } = eventOf(events, id).tool_call_metadata!;
      expect([total_calls_in_response, model_response.choices[0].message.tool_calls.length]).toEqual([1, 1]);
    }
  });

  it('are whole events if added', () => {
    const events = eventsOf(rewriteText(parallel, 'patch', {}));
    const [answer] = events.slice(11);
    expect(answer).toMatchObject({
      id: 14,
      timestamp: '2024-11-05T09:00:30',
      source: 'agent',
      cause: 10,
      observation: 'error',
    });
    expect(answer!.tool_call_metadata).toEqual(eventOf(events, 10).tool_call_metadata);
  });

  it('stay in pairs', () => {
    const { history } = JSON.parse(rewriteText(recording('hand-pairs.jsonl'), 'filter', { maxToolCalls: 0 })) as {
      history: Event[][];
    };
    expect(history.map((pair) => pair.map((event) => event['action'] ?? event['observation']))).toEqual([
      ['message', 'null'],
      ['message', 'null'],
      ['run', 'null'],
      ['finish', 'null'],
    ]);
  });
});

/** An event is an action or an observation: what is both, or has a role, is of another program. */
it.each<[object, number]>([
  [{ action: 'run', args: {} }, 1],
  [{ action: 'run', args: {}, observation: 'run', content: 'x', extras: {} }, 0],
  [{ action: 'run', args: {}, role: 'assistant' }, 0],
  [{ observation: 'run', content: 'x', extras: {}, role: 'tool' }, 0],
  [{ action: 5, args: {} }, 0],
  [{ args: {} }, 0],
  [{ action: 'fly', args: {} }, 1],
  [{ action: 'fly', args: 'x' }, 0],
  [{ action: 'run', command: 'ls' }, 0.9],
  [{ observation: 'run', content: 'x', extras: {} }, 1],
  [{ observation: 'fly', content: 'x', extras: {} }, 1],
  [{ observation: 'fly', content: 'x' }, 0],
  [{ observation: 'run', content: 5, extras: {} }, 0.3],
  [{ observation: 'run', content: 'x', extras: 5 }, 0.9],
  [{ observation: 'run' }, 0.3],
])('is told by its members: %j', (event, score) => {
  expect(format.score(parse(JSON.stringify(event)))).toBe(score);
});
