/** Pydantic AI beyond the laws: containers, requests of several parts, instructions, and what it takes. */
import { describe, expect, it } from 'vitest';
import { convert, targetNamed } from '../../src/conversion/convert.js';
import { formatNamed } from '../../src/formats/index.js';
import { mapMessages } from '../../src/transcript/edit.js';
import { textOf } from '../../src/transcript/text.js';
import type { Message, Part } from '../../src/transcript/types.js';
import { conversionText } from '../shared/conversion-text.js';
import { fixture, linesOf } from '../shared/fixture.js';
import { openText, recordedIn } from '../shared/opened.js';
import { refusedByPydantic } from '../shared/pydantic-ai.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

const read = (name: string) => fixture(`pydantic-ai/${name}`);
const WEATHER = read('hand-weather.json');
const OLD = read('hand-old.jsonl');
const MEDIA = read('hand-media.jsonl');

interface Value {
  readonly kind: string;
  readonly parts: readonly Record<string, unknown>[];
  readonly instructions?: string;
}

const shapeOf = (values: readonly Value[]) =>
  values.map(({ kind, parts }) => `${kind}: ${parts.map((part) => part['part_kind']).join(', ')}`);
const rolesOf = (text: string) =>
  openText(text).transcripts.map(({ messages }) => messages.map(({ role }) => role[0]).join(''));
const taken = (text: string): Value[] => {
  const values = JSON.parse(text) as Value[];
  expect(refusedByPydantic(values)).toEqual([]);
  return values;
};
const without = (text: string, goes: (message: Message, index: number) => boolean) =>
  mapText(text, (transcript) => ({
    ...transcript,
    messages: transcript.messages.filter((message, index) => !goes(message, index)),
  }));

const asked = { parts: [{ content: 'Hi', part_kind: 'user-prompt' }], kind: 'request' };
const called = { parts: [{ tool_name: 'f', args: '{}', tool_call_id: 'c', part_kind: 'tool-call' }], kind: 'response' };
const answered = { parts: [{ content: 'Hello', part_kind: 'text' }], kind: 'response' };

describe('reading', () => {
  it('makes a message of each part of a request, and of the instructions', () => {
    expect(rolesOf(WEATHER)).toEqual(['ssuattatua']);
    const { messages, id } = openText(WEATHER).transcripts[0]!;
    expect(id).toBe('c-17');
    expect(messages[0]!.parts).toMatchObject([{ type: 'text', text: { text: 'Use metric units. Today is Monday.' } }]);
    expect(messages[5]!.parts).toMatchObject([{ type: 'result', callId: 'toolu_02', isError: true }]);
  });

  it('reads a retry without the name of a tool as the user’s', () => {
    expect(rolesOf(OLD)).toEqual(['suatauat', 'uau']);
  });

  it('reads usage, old and new', () => {
    const recorded = recordedIn(WEATHER).filter((one) => one?.usage !== undefined);
    expect(recorded[0]).toMatchObject({
      responseId: 'msg_01',
      model: 'claude-sonnet-4-5-20250929',
      usage: { input: 100, cacheRead: 900, cacheWrite5m: 200, output: 80 },
    });
    expect(recordedIn(OLD).find((one) => one?.usage !== undefined)).toMatchObject({
      responseId: 'chatcmpl-1',
      usage: { input: 56, cacheRead: 64, output: 14 },
    });
    expect(recordedIn(MEDIA).find((one) => one?.usage !== undefined)).toMatchObject({
      cost: '0.0012',
      usage: { input: 300, output: 60, reasoning: 32, media: { inputAudio: 50 } },
    });
  });

  it.each([
    ['an array', JSON.stringify([asked, answered])],
    ['lines', `${JSON.stringify(asked)}\n${JSON.stringify(answered)}\n`],
    ['a record', JSON.stringify({ messages: [asked, answered] })],
    ['a string in a record', JSON.stringify({ message_list: JSON.stringify([asked, answered]) })],
  ])('finds messages in %s', (_, text) => {
    const { detection, transcripts } = openText(text);
    expect(detection.format.id).toBe('pydantic-ai');
    expect(transcripts.map(({ messages }) => messages.map(({ role }) => role))).toEqual([['user', 'assistant']]);
  });

  it('keeps what only Pydantic AI or its providers know as it is, and it goes when it is taken away', () => {
    const native = { tool_name: 'code_execution', tool_call_id: 's', provider_name: 'anthropic' };
    const said = [
      { ...native, args: '{"code":"1"}', part_kind: 'builtin-tool-call' },
      { ...native, content: { stdout: 'one' }, part_kind: 'native-tool-return' },
      { content: 'All before, in short.', id: 'x', provider_name: 'anthropic', part_kind: 'compaction' },
      { content: 'later', part_kind: 'some-later-kind' },
    ];
    const video = { url: 'https://example.com/a.mp4', kind: 'video-url' };
    const prompt = { content: ['Look.', video, { content: 'Tagged.', tag: 'a', kind: 'text-content' }] };
    const tools = { tool_names: ['f'], part_kind: 'tool-availability-delta' };
    const result = { tool_name: 'f', content: ['plain', { data: 'QUJD', media_type: 'image/png', kind: 'binary' }] };
    const text = JSON.stringify([
      { parts: [{ ...prompt, part_kind: 'user-prompt' }, tools], kind: 'request' },
      { parts: [...said, ...called.parts], kind: 'response' },
      { parts: [{ ...result, tool_call_id: 'c', part_kind: 'tool-return' }], kind: 'request' },
    ]);
    const { messages } = openText(text).transcripts[0]!;
    expect(messages.map(({ role }) => role)).toEqual(['user', 'meta', 'assistant', 'tool']);
    const words = messages.flatMap(({ parts }) =>
      parts.flatMap((part) => ('text' in part ? [`${part.type} ${textOf(part.text ?? '')}`] : [part.type])),
    );
    expect(words).toEqual([
      ...['text Look.', 'media', 'text Tagged.', 'opaque {"code":"1"}', 'opaque {"stdout":"one"}'],
      ...['opaque All before, in short.', `opaque ${JSON.stringify(said[3])}`, 'call', 'result'],
    ]);
    const copied = (part: Part): Part =>
      part.type === 'result' ? { ...part, content: part.content.map((piece) => ({ ...piece })) } : { ...part };
    const fresh = (goes: (part: Part) => boolean) =>
      mapText(text, (one) =>
        mapMessages(one, (message) => ({
          ...message,
          parts: message.parts.filter((part) => !goes(part)).map(copied),
        })),
      );
    expect(fresh(() => false)).toBe(text);
    expect(fresh(({ type }) => type === 'opaque')).toBe(
      text.replace(/(?<="parts":)\[\{"tool_name":"code.*?"some.*?\},/, '['),
    );
  });

  it('leaves the messages of others to them', () => {
    const gemini = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] };
    expect(openText(JSON.stringify(gemini)).detection.format.id).toBe('gemini-contents');
    expect(() => openText(JSON.stringify([{ kind: 'request', parts: [{ path: '/a' }] }]))).toThrow();
  });
});

describe('writing', () => {
  it('drops a request that has no part left, and keeps the bytes of the rest', () => {
    const [first] = taken(without(WEATHER, ({ role }) => role === 'tool' || role === 'assistant'));
    expect(first!.parts).toHaveLength(2);
    const left = without(WEATHER, (_, index) => index === 4);
    expect(shapeOf(taken(left))[2]).toBe('request: retry-prompt');
    const gone = without(WEATHER, (_, index) => index === 4 || index === 5);
    expect(shapeOf(taken(gone))).toHaveLength(5);
    const [before] = WEATHER.split('"parts": [\n      {"tool_name": "get_weather", "content": {"temp') as [string];
    expect(gone.startsWith(before.slice(0, before.lastIndexOf('},')))).toBe(true);
  });

  it('answers a call in the request behind it', () => {
    const [, second] = linesOf<Value[]>(rewriteText(OLD, 'patch', {}));
    expect(refusedByPydantic(second)).toEqual([]);
    expect(shapeOf(second!)).toEqual([
      'request: user-prompt',
      'response: text, tool-call',
      'request: tool-return, user-prompt',
    ]);
    expect(second![2]!.parts[0]).toMatchObject({ tool_name: 'lookup', tool_call_id: 'pyd_ai_9', outcome: 'failed' });
    const ends = taken(rewriteText(JSON.stringify([asked, called]), 'patch', {}));
    expect(shapeOf(ends)).toEqual(['request: user-prompt', 'response: tool-call', 'request: tool-return']);
  });

  it('adds a message of the user', () => {
    const values = taken(rewriteText(WEATHER, 'inject', { user: 'Go on.' }));
    expect(shapeOf(values).at(-1)).toBe('request: user-prompt');
    expect(values).toHaveLength(7);
  });

  it('moves a late result to its call', () => {
    const late = {
      parts: [{ tool_name: 'f', content: 1, tool_call_id: 'c', part_kind: 'tool-return' }],
      kind: 'request',
    };
    const values = taken(rewriteText(JSON.stringify([asked, called, asked, answered, late]), 'patch', {}));
    expect(shapeOf(values)).toEqual([
      'request: user-prompt',
      'response: tool-call',
      'request: tool-return, user-prompt',
      'response: text',
    ]);
  });

  it('keeps requests without parts where they stand', () => {
    const empty = { parts: [], kind: 'request' };
    const values = taken(without(JSON.stringify([empty, asked, answered, empty]), ({ role }) => role === 'assistant'));
    expect(shapeOf(values)).toEqual(['request: ', 'request: user-prompt', 'request: ']);
  });

  it('cuts texts of all kinds', () => {
    for (const text of [WEATHER, ...MEDIA.split('\n').filter(Boolean).slice(0, 1)]) {
      const cut = rewriteText(text, 'truncate', { maxLength: 8, noMinimum: true });
      const value = JSON.parse(cut) as Value[] | { messages: Value[] };
      expect(refusedByPydantic(Array.isArray(value) ? value : value.messages)).toEqual([]);
    }
  });
});

describe('instructions', () => {
  const instructionsAfter = (text: string) => taken(text).flatMap(({ instructions }) => instructions ?? []);
  const late = { ...asked, instructions: 'B' };
  const TWO = JSON.stringify([{ ...asked, instructions: 'A' }, answered, late, answered]);

  it('go from all requests', () => {
    expect(instructionsAfter(without(WEATHER, (_, index) => index === 0))).toEqual([]);
  });

  it('stay with the last request that is left', () => {
    expect(instructionsAfter(without(TWO, (_, index) => index === 3))).toEqual(['B']);
    expect(rolesOf(without(TWO, ({ role }) => role === 'user'))).toEqual(['saa']);
  });

  it('go to a request that was added, where no other is left', () => {
    const text = mapText(TWO, (transcript) => ({
      ...transcript,
      messages: [
        ...transcript.messages.filter(({ role }) => role !== 'user'),
        { role: 'user', parts: [{ type: 'text', text: 'Go on.' }] },
      ],
    }));
    const last = taken(text).at(-1)!;
    expect([instructionsAfter(text), last.instructions, last.parts.length]).toEqual([['B'], 'B', 1]);
  });

  it('change wherever they are repeated', () => {
    const same = JSON.stringify([late, answered, late]);
    const changed = mapText(same, (transcript) => ({
      ...transcript,
      messages: transcript.messages.map((message) =>
        message.role === 'system' ? { ...message, parts: [{ type: 'text', text: 'C' }] } : message,
      ),
    }));
    expect(instructionsAfter(changed)).toEqual(['C', 'C']);
  });
});

/** What a message says, without where it stands. */
const said = ({ role, parts }: Message) =>
  JSON.stringify([role, parts.map((part) => [part.type, 'text' in part ? textOf(part.text ?? '') : ''])]);

describe('random edits', () => {
  const all = JSON.parse(WEATHER) as Value[];
  const fresh: readonly Message[] = [
    { role: 'user', parts: [{ type: 'text', text: 'New' }] },
    { role: 'assistant', parts: [{ type: 'text', text: 'New, too' }] },
  ];
  const edit = (messages: readonly Message[], random: (below: number) => number): readonly Message[] => {
    const left = messages.filter(() => random(4) > 0);
    const place = () => (left[0]?.role === 'system' ? 1 : 0) + random(Math.max(1, left.length)); // behind instructions
    if (left.length > 3) left.splice(place(), 0, ...left.splice(1 + random(left.length - 1), 1));
    if (random(2) === 0) left.splice(place(), 0, fresh[random(2)]!);
    return left.length === 0 ? messages.slice(0, 1) : left;
  };

  it.each([
    ['a list', (values: unknown) => JSON.stringify(values, null, 1), (text: string) => JSON.parse(text)],
    [
      'a string',
      (values: unknown) => JSON.stringify({ id: 1, history: JSON.stringify(values) }),
      (text: string) => JSON.parse(JSON.parse(text).history),
    ],
  ])('of %s are read as what was written, and taken', (_, write, parse) => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      return Math.floor((seed / 2 ** 31) * below);
    };
    for (let round = 0; round < 150; round++) {
      const values: unknown[] = Array.from({ length: 1 + random(8) }, () => all[random(all.length)]);
      if (random(3) === 0) values.splice(random(values.length), 0, { kind: 'request', parts: [] });
      let wanted: readonly string[] = [];
      const after = mapText(write(values), (transcript) => {
        const messages = edit(transcript.messages, random);
        wanted = messages.map(said);
        return { ...transcript, messages };
      });
      expect(refusedByPydantic(parse(after)), after).toEqual([]);
      expect(openText(after).transcripts[0]!.messages.map(said)).toEqual(wanted);
    }
  });
});

describe('conversion', () => {
  const converted = (text: string, to: string) => {
    const { transcripts, detection } = openText(text);
    return conversionText(convert(transcripts[0]!, detection.format, targetNamed(to)), false);
  };

  it.each([
    'openai-chat',
    'anthropic',
    'gemini',
    'openai-responses',
    'bedrock',
    'langchain',
    'vercel-model',
    'sharegpt',
  ])('to %s and back', (to) => {
    const there = converted(WEATHER, to);
    expect(openText(there).detection.format.id).toBe(formatNamed(targetNamed(to).id).id);
    const back = taken(converted(there, 'pydantic-ai'));
    expect(back.flatMap(({ parts }) => parts).filter((part) => part['part_kind'] === 'tool-call')).toHaveLength(3);
  });

  it('takes files along, with the letters of base64', () => {
    const image = { data: '-_8=', media_type: 'image/png', kind: 'binary' };
    const shown = { parts: [{ content: ['What?', image], part_kind: 'user-prompt' }], kind: 'request' };
    const chat = converted(JSON.stringify([shown, answered]), 'openai-chat');
    expect(chat).toContain('data:image/png;base64,+/8=');
    expect(taken(converted(chat, 'pydantic-ai'))[0]!.parts[0]).toMatchObject({
      content: ['What?', { kind: 'binary', data: '+/8=', media_type: 'image/png' }],
    });
  });
});
