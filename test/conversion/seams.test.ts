/** Texts in blocks of their own do not run into one another where the target has one string for them. */
import { expect, it } from 'vitest';
import { convert } from '../../src/index.js';

const text = (letters: string) => ({ type: 'text', text: letters });
const call = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command: id } });
const request = {
  model: 'claude-opus-4-5',
  max_tokens: 100,
  system: [text('Be'), text('brief.')],
  messages: [
    { role: 'user', content: [text('Look'), text('here.')] },
    { role: 'assistant', content: [text('It '), text('is'), text('.'), call('toolu_1'), call('toolu_2')] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: [text('one'), text('two\n'), text('three')] },
        { type: 'tool_result', tool_use_id: 'toolu_2', content: [text('bad'), text('luck')], is_error: true },
        text('And'),
        text('so on.'),
      ],
    },
    { role: 'assistant', content: [text('Done.')] },
  ],
};

const TARGETS = [
  ...['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini-contents', 'bedrock-converse', 'vercel-model'],
  ...['sharegpt', 'langchain', 'pydantic-ai', 'opencode', 'gemini-cli-session', 'claude-code', 'pi-session'],
];

it.each(TARGETS)('in %s', (to) => {
  const written = JSON.stringify(convert(JSON.stringify(request), to)[0]!.value).replaceAll('\\\\n', '\\n');
  for (const run of ['Bebrief', 'Lookhere', 'onetwo', 'twothree', 'badluck', 'Andso'])
    expect(written).not.toContain(run);
});

it('sets apart only what no space does, and nothing that the model said', () => {
  const gemini = JSON.stringify(convert(JSON.stringify(request), 'gemini-contents')[0]!.value);
  expect(gemini).toContain(JSON.stringify({ result: 'one\ntwo\nthree' }));
  expect(gemini).toContain(JSON.stringify({ error: 'bad\nluck' }));
  const sharegpt = JSON.stringify(convert(JSON.stringify(request), 'sharegpt')[0]!.value);
  expect(sharegpt).toContain(JSON.stringify('It is.'));
});
