/** guard over every fixture: once is enough, nothing breaks, and every denied call has its answer. */
import { describe, expect, it } from 'vitest';
import { conversationOf } from '../../src/policy/conversation.js';
import { guardOf } from '../../src/policy/guard.js';
import { judge } from '../../src/policy/judge.js';
import type { Policy } from '../../src/policy/types.js';
import { open } from '../../src/source/recording.js';
import { complaints, judged, judgedAs } from '../shared/judge.js';
import { fixtures } from '../shared/recordings.js';
import { rewriteText } from '../shared/rewrite-text.js';

const POLICY: Policy = {
  version: 1,
  rules: [
    { id: 'a', type: 'max_calls', tool: '*', max: 2 },
    { id: 'b', type: 'no_repeat', tool: '*', unless: ['previous_error', 'result_differs'] },
    { id: 'c', type: 'max_errors', max: 0 },
  ],
};

let bitten = 0;

describe.each(fixtures().filter(({ bytes }) => bytes.length < 200_000))('$name', ({ bytes }) => {
  const text = bytes.toString();
  const output = rewriteText(text, 'guard', { policy: guardOf(POLICY) });
  if (output !== text) bitten++;
  it('once is enough', () => expect(rewriteText(output, 'guard', { policy: guardOf(POLICY) })).toBe(output));
  it('breaks nothing', () => {
    const before = judged(text);
    expect(complaints(before, judgedAs(before.opened.detection.format.id, output))).toEqual([]);
  });
  it('answers what is denied', () => {
    for (const transcript of open(Buffer.from(output)).transcripts) {
      const { findings } = judge(POLICY, conversationOf(transcript));
      for (const { call, type } of findings)
        if (type !== 'max_errors' && call?.result !== undefined && call.tool !== 'computer_call')
          // its output is a picture
          expect(call.result.text).toMatch(/^\{"success":false,"error":/);
    }
  });
});

it('has recordings that it bites on', () => expect(bitten).toBeGreaterThan(30));
