/** Cline's sessions beyond the laws: usage next to each message, and results that are lists of queries. */
import { expect, it } from 'vitest';
import { NO_USAGE } from '../../src/transcript/usage.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { runProgram } from '../shared/program.js';
import { rewriteText } from '../shared/rewrite-text.js';

const session = fixture('anthropic-messages/hand-cline.json');

it('reads model, time, usage and cost', () => {
  const { transcripts, detection } = openText(session);
  const [transcript] = transcripts;
  expect(detection.format.id).toBe('anthropic-messages');
  expect(transcript).toMatchObject({ id: '1769936400000_abcde', model: 'anthropic/claude-opus-4.8-fast' });
  const [, , call] = transcript!.messages;
  expect(call!.model).toBe('anthropic/claude-opus-4.8-fast');
  expect(transcript!.recorded!(call!)).toEqual({
    responseId: 'msg_a1',
    model: 'anthropic/claude-opus-4.8-fast',
    time: 1769936402000,
    usage: { ...NO_USAGE, input: 200, cacheRead: 700, cacheWrite5m: 100, output: 40 },
    cost: '0.0123',
  });
});

it('cuts query results inside their block', () => {
  const after = JSON.parse(rewriteText(session, 'truncate', { maxLength: 300, noMinimum: true })) as {
    messages: { content: { content: { query: string; result: string }[] }[] }[];
  };
  expect(after.messages[2]!.content[0]!.content).toEqual([
    { query: 'a.ts', result: expect.stringMatching(/^line 1 of the log[\s\S]{100,260}$/), success: true },
    {
      query: 'b.ts',
      result: expect.stringMatching(/\[result truncated, original length: \d+ chars\]$/),
      success: false,
    },
  ]);
});

/** Its own `metadata.usage`: 2,050 tokens in, 1,200 of them cached, 100 out, $0.0022125. */
it('sums the same as Cline 3.0.65 does', () => {
  const words = ['stats', '--recorded', '--format', 'json', 'fixtures/formats/anthropic-messages/hand-cline-cli.json'];
  const { totals } = JSON.parse(runProgram(words).stdout);
  expect(totals).toMatchObject({ requests: 2, input: 850, cache_read: 1200, output: 100, cost_usd: 0.0022125 });
});
