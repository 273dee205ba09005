/** Choices of a reply: a message that was added has nothing of the choice that another one was read from. */
import { expect, it } from 'vitest';
import { withMessages } from '../../src/transcript/edit.js';
import { mapText } from '../shared/rewrite-text.js';

const stopped = { index: 0, finish_reason: 'stop' };
const said = { ...stopped, message: { role: 'assistant', content: 'y' } };
const added = { role: 'assistant', content: 'z' };

/** The choices of the second of two replies, with a message added to it. */
function choicesAfter(choice: object): unknown {
  const replies = [said, choice].map((one) => JSON.stringify({ object: 'chat.completion', choices: [one] }));
  let isFirst = true;
  const output = mapText(replies.join('\n'), (transcript) => {
    if (isFirst) {
      isFirst = false;
      return transcript;
    }
    return withMessages(transcript, [
      ...transcript.messages,
      { role: 'assistant', parts: [{ type: 'text', text: 'z' }] },
    ]);
  });
  return (JSON.parse(output.split('\n')[1]!) as { choices: unknown }).choices;
}

it('a message is not added behind another: it would be another choice', () => {
  expect(() => choicesAfter(said)).toThrow('nothing can follow the reply to a request');
});

it('a message is added to a choice that lost its own', () => {
  expect(choicesAfter(stopped)).toEqual([{ ...stopped, message: added }]);
});
