/** Logs of one's own: `{timestamp, session_id, request, response}`, with as much of the response as was kept. */
import { describe, expect, it } from 'vitest';
import { recordedRequests } from '../../../src/measure/stats/requests.js';
import { openText } from '../../shared/opened.js';

const ask = { role: 'user', content: 'Hi' };
const answer = { role: 'assistant', content: 'Hello' };
const claude = { model: 'claude-sonnet-4-5', max_tokens: 100, messages: [ask, answer, ask] };
const claudeUsage = { input_tokens: 10, cache_read_input_tokens: 5, output_tokens: 1 };
const text = [{ type: 'text', text: 'Hello' }];
const gpt = { model: 'gpt-4.1', messages: [ask, answer, ask] };
const gptUsage = { prompt_tokens: 15, prompt_tokens_details: { cached_tokens: 5 }, completion_tokens: 1 };

const LOGS: readonly [name: string, format: string, request: { readonly model: string }, response: object][] = [
  ['a whole response', 'anthropic-messages', claude, { id: 'msg_1', ...answer, content: text, usage: claudeUsage }],
  ['content and usage', 'anthropic-messages', claude, { content: text, usage: claudeUsage }],
  ['usage', 'anthropic-messages', claude, { usage: claudeUsage }],
  ['choices and usage', 'openai-chat', gpt, { choices: [{ message: answer }], usage: gptUsage }],
  ['usage', 'openai-chat', gpt, { usage: gptUsage }],
  [
    'output and usage',
    'openai-responses',
    { model: 'gpt-5', input: 'Hi' } as { model: string },
    {
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] }],
      usage: { input_tokens: 15, input_tokens_details: { cached_tokens: 5 }, output_tokens: 1 },
    },
  ],
  [
    'usage',
    'gemini-contents',
    { model: 'gemini-2.5-pro', contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] } as { model: string },
    { usageMetadata: { promptTokenCount: 15, cachedContentTokenCount: 5, candidatesTokenCount: 1 } },
  ],
];

describe('a request in a log of its own', () => {
  it.each(LOGS)('with %s, %s', (_, format, request, response) => {
    const lines = ['2026-10-01T10:00:00Z', '2026-10-01 10:01:00'].map((timestamp) =>
      JSON.stringify({ timestamp, session_id: 's1', request, response }),
    );
    const { transcripts } = openText(Buffer.from(lines.join('\n')));
    const requests = transcripts.flatMap((one) => recordedRequests(one, { prices: undefined, at: undefined }));
    expect(transcripts.map((one) => one.format)).toEqual([format, format]);
    expect(
      requests.map(({ time, session, model, usage: { input, cacheRead, output } }) => ({
        ...{ time: new Date(time!).toISOString(), session, model },
        usage: [input, cacheRead, output],
      })),
    ).toEqual(
      ['10:00', '10:01'].map((minute) => ({
        ...{ time: `2026-10-01T${minute}:00.000Z`, session: 's1', model: request.model },
        usage: [10, 5, 1],
      })),
    );
  });
});
