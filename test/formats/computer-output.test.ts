/** A computer's output is a picture in OpenAI Responses: nothing else can take its place. */
import { expect, it } from 'vitest';
import { run, type StepName } from '../../src/index.js';

const IMAGE = `data:image/png;base64,${'AAAA'.repeat(200)}`;
const OPTIONS = { from: 'openai-responses', countTokens: (text: string) => text.length };
const output = { type: 'computer_screenshot', image_url: IMAGE };
const input = [
  { role: 'user', content: 'Look.' },
  { type: 'computer_call', id: 'cu_1', call_id: 'c', action: { type: 'screenshot' }, pending_safety_checks: [] },
  { type: 'computer_call_output', call_id: 'c', output },
  { role: 'user', content: 'Go on.' },
];

it.each([['prune:images'], ['clear:trigger=0,keep=0']])('%s leaves a picture of one pixel', (step) => {
  const sent = run(input, [step as StepName], OPTIONS) as typeof input;
  expect(sent[2]).toEqual({
    ...input[2],
    output: { type: 'computer_screenshot', image_url: expect.stringMatching(/^data:image\/png;base64,.{1,200}$/) },
  });
  expect(run(sent, [step as StepName], OPTIONS)).toEqual(sent);
});

it('leaves it as it is where no step changes it', () => {
  expect(run(input, ['patch'], OPTIONS)[2]).toBe(input[2]);
});
