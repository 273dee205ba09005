/** convert: what a transcript says goes over into another provider's shape, and what cannot is named. */
import { describe, expect, it } from 'vitest';
import { type Conversion, convert, targetNamed } from '../../src/conversion/convert.js';
import { formats } from '../../src/formats/index.js';
import { isOpen, pair } from '../../src/transcript/pairs.js';
import { joinTexts, textOf } from '../../src/transcript/text.js';
import type { ContentPart, Message, Transcript } from '../../src/transcript/types.js';
import { conversionText } from '../shared/conversion-text.js';
import { chatOf } from '../shared/judge.js';
import { openText } from '../shared/opened.js';
import { fixtures, sampled } from '../shared/recordings.js';
import { faultsOf } from '../shared/valid-chat.js';

const targets = formats.filter((entry) => entry.load().encode !== undefined).map(({ id }) => id);

function converted(text: string | Buffer, to: string, from?: string): Conversion[] {
  const { detection, pieces } = openText(text, from === undefined ? {} : { from });
  return pieces.flatMap((piece) =>
    piece.transcripts.map((transcript) => convert(transcript, detection.format, targetNamed(to), piece.record)),
  );
}

const valuesOf = (conversion: Conversion): unknown => JSON.parse(conversionText(conversion, false));

/** Without those that hold no results: there all calls are answered for the target. */
const answered = fixtures().filter(({ bytes }) =>
  openText(bytes).transcripts.every(({ traits }) => traits.omitsResults !== true),
);

it('has recordings of nearly all formats to convert', () => {
  expect(new Set(answered.map(({ format }) => format)).size).toBeGreaterThan(40);
});

describe.each(targets)('to %s', (to) => {
  const target = targetNamed(to);

  it.each(sampled(answered, to, 1).map(({ name, bytes }) => [name, bytes] as const))(
    '%s: says the same, and pairs as before',
    (_, bytes) => {
      const { transcripts } = openText(bytes);
      converted(bytes, to).forEach((conversion, index) => {
        const before = transcripts[index]!;
        const text = conversionText(conversion, true);
        expect(JSON.parse(text)).toEqual(JSON.parse(conversionText(conversion, false)));
        const spoken = before.messages.filter(({ role, parts }) => role !== 'meta' && parts.length > 0);
        if (spoken.length === 0) return;
        const after = openText(text, { from: to }).transcripts[0]!;
        const isWaiting = pair(before.messages).calls.some(isOpen); // for an answer that was not recorded
        const wasValid = !isWaiting && faultsOf(chatOf(before)).length === 0; // an open question stays one
        if (target.encode.objectArgumentsOnly !== true) expect(inputsOf(after)).toEqual(inputsOf(before));
        if (wasValid) expect(faultsOf(chatOf(after))).toEqual([]);
        if (conversion.repairs.length > 0 || conversion.findings.some(({ what }) => what === MOVED_PICTURE)) {
          // The provider's rules may add answers, move results to their calls, put words where none may be missing, and
          // respell names.
          const [now, was] = [trafficOf(after), trafficOf(before)];
          expect(now.calls.length).toBe(was.calls.length);
          expect([now.open <= was.open, now.orphans <= was.orphans]).toEqual([true, true]);
          if (!conversion.repairs.some(({ lossy }) => lossy))
            expect(withoutLetters(saidIn(before, true).letters, saidIn(after, true).letters)).toBe('');
          return;
        }
        // without ids, what pairs by order is what stands in order
        const traffic = trafficOf(before);
        const isRespelled = conversion.findings.some(({ what }) => what.startsWith('that a tool is named'));
        const was = isRespelled
          ? { ...traffic, calls: traffic.calls.map((name) => name.replace(/\W/g, '_')) }
          : traffic;
        const continues = ['previous_response_id', 'conversation', 'previous_interaction_id'].some((key) =>
          conversion.record.get(key),
        );
        const says = conversion.findings.some(({ what }) => /as text|refusal/.test(what));
        if (wasValid || !target.encode.pairsByOrder)
          expect(trafficOf(after)).toEqual(continues ? was : { ...was, orphans: 0 });
        if (was.orphans === 0 && !says) expect(saidIn(after)).toEqual(saidIn(before));
        else expect(withoutLetters(saidIn(before).letters, saidIn(after).letters)).toBe('');
      });
    },
  );

  it('is recognised for what it is', () => {
    const [conversion] = converted(JSON.stringify(CHAT), to);
    const { detection } = openText(conversionText(conversion!, false));
    expect(detection.format.id).toBe(to);
    expect(detection.confidence).toBeGreaterThan(0.5);
  });

  it('comes back as it was, where nothing was lost', () => {
    const [there] = converted(JSON.stringify(CHAT), to);
    const [back] = converted(conversionText(there!, false), 'openai-chat', to);
    const lost = there!.findings.filter(({ what, fields }) => fields === undefined && !what.startsWith(FOREIGN_MODEL));
    // a limit that the target requires comes back too
    const { max_completion_tokens: _, ...value } = valuesOf(back!) as Readonly<Record<string, unknown>>;
    if (lost.length === 0) expect(value).toEqual(CHAT);
    else expect(target.encode.model).toBe(undefined); // the model's name has no place there
  });
});

const MOVED_PICTURE = 'that a picture or file is not the user’s: it stands in a message of the user';

const FOREIGN_MODEL = 'the model `';

/** Calls answered, calls open, results without a call. */
function trafficOf({ messages }: Transcript) {
  const { calls, results } = pair(messages);
  return {
    calls: calls.map(({ part }) => part.tool || 'unknown_tool').sort(),
    open: calls.filter(isOpen).length,
    orphans: results.filter(({ call }) => call === undefined).length,
  };
}

function inputsOf({ messages }: Transcript): string[] {
  return pair(messages)
    .calls.map(({ part }) => textOf(part.input))
    .map((input) => JSON.stringify(attempt(input)))
    .sort();
}

function attempt(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

/** Everything that is said, in its order but for the system's, which may move. */
function saidIn({ messages }: Transcript, isWellFormed = false): { readonly letters: string } {
  const textsOf = (role: (message: Message) => boolean) =>
    messages
      .filter(role)
      .map(({ parts }) =>
        parts
          .flatMap((part): readonly ContentPart[] =>
            part.type === 'result' ? part.content : part.type === 'text' ? [part] : [],
          )
          .map((part) => (isWellFormed ? joinTexts([part]).replace(/\p{Surrogate}/gu, '') : joinTexts([part])))
          .join(''),
      )
      .join('')
      .replace(/\s+/g, '');
  const letters = sortedLetters(textsOf(({ role }) => role !== 'meta'));
  return { letters: isWellFormed ? letters.replaceAll('\ufffd', '') : letters };
}

function sortedLetters(text: string): string {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const letters = [...counts.keys()].sort();
  return letters.map((letter) => letter.repeat(counts.get(letter)!)).join('');
}

/** The letters that are not among the others. Both are sorted. */
function withoutLetters(letters: string, others: string): string {
  const [ours, theirs] = [[...letters], [...others]];
  let at = 0;
  return ours
    .filter((letter) => {
      while (at < theirs.length && theirs[at]! < letter) at++;
      if (theirs[at] !== letter) return true;
      at++;
      return false;
    })
    .join('');
}

const CHAT = {
  model: 'gpt-4o',
  messages: [
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this? 日本語' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
      ],
    },
    {
      role: 'assistant',
      content: 'Two looks.',
      tool_calls: [
        { id: 'call_a', type: 'function', function: { name: 'look', arguments: '{"n":12345678901234567890}' } },
        { id: 'call_b', type: 'function', function: { name: 'measure', arguments: '{"unit":"mm"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_a', content: 'a cat' },
    { role: 'tool', tool_call_id: 'call_b', content: '{"width":3}' },
    { role: 'assistant', content: 'A cat.' },
  ],
  tools: [
    {
      type: 'function',
      function: {
        name: 'look',
        description: 'Looks.',
        parameters: { type: 'object', properties: { n: { type: 'integer' } } },
      },
    },
  ],
};

it('writes a request to Anthropic', () => {
  const [conversion] = converted(JSON.stringify(CHAT), 'anthropic-messages');
  expect(conversionText(conversion!, true)).toContain('"input":{"n":12345678901234567890}');
  expect(conversion!.findings.map(({ what, loss }) => [what, loss])).toEqual([
    [expect.stringMatching(/^the model `gpt-4o`, which Anthropic Messages does not have/), false],
  ]);
  expect(valuesOf(conversion!)).toMatchObject({
    model: 'gpt-4o',
    system: 'Be brief.',
    tools: [{ name: 'look', description: 'Looks.', input_schema: { type: 'object' } }],
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text' },
          { type: 'tool_use', id: 'call_a', name: 'look' },
          { type: 'tool_use', id: 'call_b' },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_a', content: 'a cat' },
          { type: 'tool_result', tool_use_id: 'call_b' },
        ],
      },
      { role: 'assistant', content: 'A cat.' },
    ],
  });
});

it('gives ids to calls that have none, on both sides', () => {
  const contents = [
    { role: 'user', parts: [{ text: 'go' }] },
    { role: 'model', parts: [{ functionCall: { name: 'a', args: {} } }, { functionCall: { name: 'a', args: {} } }] },
    {
      role: 'user',
      parts: [
        { functionResponse: { name: 'a', response: { output: '1' } } },
        { functionResponse: { name: 'a', response: { output: '2' } } },
      ],
    },
  ];
  const [conversion] = converted(JSON.stringify({ contents }), 'openai-chat');
  expect(valuesOf(conversion!)).toMatchObject([
    { role: 'user' },
    { tool_calls: [{ id: 'call_1' }, { id: 'call_2' }] },
    { role: 'tool', tool_call_id: 'call_1', content: '1' },
    { role: 'tool', tool_call_id: 'call_2', content: '2' },
  ]);
});

it('names what it leaves out', () => {
  const lines = [
    { type: 'summary', summary: 's', leafUuid: 'u2' },
    {
      type: 'user',
      uuid: 'u1',
      parentUuid: null,
      sessionId: 's',
      timestamp: '2026-01-01T00:00:00Z',
      message: { role: 'user', content: 'go' },
    },
    {
      type: 'assistant',
      uuid: 'u2',
      parentUuid: 'u1',
      sessionId: 's',
      timestamp: '2026-01-01T00:00:01Z',
      message: {
        id: 'm1',
        role: 'assistant',
        model: 'claude-opus-4-5',
        content: [{ type: 'thinking', thinking: 'hm', signature: 'sig' }],
        usage: { output_tokens: 3 },
      },
    },
    {
      type: 'assistant',
      uuid: 'u3',
      parentUuid: 'u2',
      sessionId: 's',
      timestamp: '2026-01-01T00:00:02Z',
      message: {
        id: 'm1',
        role: 'assistant',
        model: 'claude-opus-4-5',
        content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }],
      },
    },
    {
      type: 'user',
      uuid: 'u4',
      parentUuid: 'u3',
      sessionId: 's',
      timestamp: '2026-01-01T00:00:03Z',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'no', is_error: true }] },
    },
  ];
  const log = lines.map((line) => JSON.stringify(line)).join('\n');
  const [chat] = converted(log, 'openai-responses');
  expect(chat!.findings.map(({ what, messages }) => [what.split(/[:,] /)[0], messages])).toEqual([
    ['records that are not messages', [0]],
    ['thoughts', [2]],
    ['that a result is an error', [4]],
    [expect.stringMatching(/^the model `claude-opus-4-5`/), []],
    ['fields that only claude-code has', [1, 2, 3, 4]],
  ]);
  expect(Object.keys(chat!.findings[4]!.fields!)).toEqual(
    expect.arrayContaining(['uuid', 'parentUuid', 'timestamp', 'message.usage', 'message.content[].signature']),
  );

  // to the shape that the log wraps, thoughts go with their proof, and the pieces become one message again
  const [own] = converted(log, 'anthropic-messages');
  expect(valuesOf(own!)).toEqual({
    model: 'claude-opus-4-5',
    max_tokens: 4096,
    messages: [
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'sig' },
          { type: 'tool_use', id: 't1', name: 'Bash', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'no', is_error: true }] },
    ],
  });
});

it('takes a limit of the recording for the one that the target requires', () => {
  const limited = { model: 'gpt-4o', max_completion_tokens: 77, messages: [{ role: 'user', content: 'x' }] };
  const [conversion] = converted(JSON.stringify(limited), 'claude');
  expect(valuesOf(conversion!)).toMatchObject({ max_tokens: 77 });
  expect(conversion!.findings.map(({ what, loss }) => [what, loss])).toEqual([
    [expect.stringMatching(/^the model `gpt-4o`, which Anthropic Messages does not have/), false],
  ]);
});

it('calls bookkeeping no loss, and words, calls, results, pictures and tools one', () => {
  const log = { messages: [{ role: 'user', content: 'x', uuid: 'u', timestamp: 1 }], metadata: { a: 1 } };
  const lossesOf = (record: object, to: string) =>
    converted(JSON.stringify(record), to)[0]!.findings.map(({ loss }) => loss);
  expect(lossesOf(log, 'anthropic')).toEqual([false, false]);
  const audio = { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } };
  expect(lossesOf({ messages: [{ role: 'user', content: [audio] }] }, 'anthropic')).toContain(true);
  const searches = { messages: [{ role: 'user', content: 'x' }], tools: [{ type: 'web_search' }] };
  expect(lossesOf(searches, 'anthropic')).toContain(true);
});

it('puts a picture of a result into a message of the user where results take none', () => {
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
  const shot = {
    messages: [
      { role: 'user', content: 'shot' },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'a', name: 'shot', input: {} },
          { type: 'tool_use', id: 'b', name: 'shot', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [image] },
          { type: 'tool_result', tool_use_id: 'b', content: 'dark' },
        ],
      },
    ],
  };
  const [conversion] = converted(JSON.stringify(shot), 'openai');
  expect(valuesOf(conversion!)).toMatchObject([
    { role: 'user' },
    { tool_calls: [{ id: 'a' }, { id: 'b' }] },
    { role: 'tool', tool_call_id: 'a', content: '[shown below]' },
    { role: 'tool', tool_call_id: 'b', content: 'dark' },
    { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }] },
  ]);
  expect(conversion!.findings.map(({ loss }) => loss)).not.toContain(true);
});

it('knows short names, and providers with rules of their own', () => {
  const idOf = (name: string) => targetNamed(name).id;
  const names = ['openai', 'anthropic', 'claude', 'gemini', 'bedrock', 'responses', 'ai-sdk', 'mistral'];
  expect(names.map(idOf)).toEqual([
    'openai-chat',
    'anthropic-messages',
    'anthropic-messages',
    'gemini-contents',
    'bedrock-converse',
    'openai-responses',
    'vercel-model',
    'openai-chat',
  ]);
  const call = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });
  const chat = [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: '', tool_calls: [call('call_with_a_long_id')] },
    { role: 'tool', tool_call_id: 'call_with_a_long_id', content: 'r' },
  ];
  const [conversion] = converted(JSON.stringify(chat), 'mistral');
  expect(conversion!.repairs.map(({ rule, count }) => [rule, count])).toContainEqual([
    'mistral/tool-call-id-format',
    1,
  ]);
});

it('refuses what it cannot write, and says what it can', () => {
  expect(() => targetNamed('claude-code')).toThrow(
    /claude-code can be read, but not written; convert writes .*openai-chat/,
  );
  expect(() => targetNamed('nothing')).toThrow(/no format `nothing`; convert writes /);
});

it('does not say that a limit of tokens is left out which the target requires and gets', () => {
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'go' }] }];
  const text = JSON.stringify({ messages, maxOutputTokens: 500 });
  const [conversion] = converted(text, 'anthropic-messages', 'vercel-model');
  expect(valuesOf(conversion!)).toMatchObject({ max_tokens: 500 });
  expect(conversion!.findings.map(({ what }) => what).join()).not.toContain('maxOutputTokens');
});

it('does not say that a parameter is left out which is null', () => {
  const contents = [{ role: 'user', parts: [{ text: 'go' }] }];
  const generationConfig = { temperature: 0.5, responseLogprobs: null, thinkingConfig: {} };
  const [conversion] = converted(JSON.stringify({ contents, generationConfig }), 'openai-chat');
  const said = conversion!.findings.map(({ what }) => what).join();
  expect(said).toContain('`generationConfig.thinkingConfig`');
  expect(said).not.toContain('responseLogprobs');
});

it('says that a name of the speaker is left out where the target has none', () => {
  const chat = JSON.stringify([{ role: 'user', name: 'ann', content: 'x' }]);
  const left = (to: string) => converted(chat, to)[0]!.findings.map(({ what }) => what);
  expect(left('anthropic-messages')).toContain("the speaker's name");
  expect(left('cohere')).toContain("the speaker's name"); // a provider of the same format
  expect(left('openai-chat')).not.toContain("the speaker's name");
});
