/** `save` after changes of the caller's own: what its format cannot say is refused, not lost. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Message, open, save, type Transcript, type TranscriptError } from '../../src/index.js';
import { transformNamed } from '../../src/transforms/index.js';
import { rewriteBy } from '../../src/transforms/pipeline.js';
import { ALL } from '../shared/effort.js';
import { fixtures } from '../shared/recordings.js';
import { CHARACTERS, valuesFor } from '../shared/rewrite-text.js';
import { oneOfEach } from '../shared/trials.js';

const said = (text: string, role: Message['role'] = 'user'): Message => ({ role, parts: [{ type: 'text', text }] });
const user = { role: 'user', content: 'q' };
const reply = { role: 'assistant', content: 'a' };
const PAIR = { request: { model: 'gpt-4o', messages: [user] }, response: { choices: [{ index: 0, message: reply }] } };
const ITEMS = [
  { type: 'message', role: 'user', content: 'q' },
  { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
  { type: 'function_call', call_id: 'd', name: 'g', arguments: '{}' },
];

function changed(
  record: object,
  change: (messages: readonly Message[]) => readonly Message[],
  check?: boolean,
): string {
  const recording = open(JSON.stringify(record));
  const after = recording.transcripts.map((one) => ({ ...one, messages: change(one.messages) }));
  return save(recording, after, { check }).toString();
}

const joined = ([first, call, other]: readonly Message[]) => [
  first!,
  { ...call!, parts: [...call!.parts, ...other!.parts] },
];

describe('is refused, with its place', () => {
  it.each<[what: string, record: object, change: (messages: readonly Message[]) => readonly Message[], told: RegExp]>([
    [
      'a second call in an item of one',
      { model: 'gpt-5', input: ITEMS },
      joined,
      /^`transcripts\[0\]\.messages\[1\]`: openai-responses has no place for the call of `g` there/,
    ],
    [
      'a picture where a message is a text',
      [{ conversations: [{ from: 'human', value: 'q' }] }],
      ([first]) => [{ ...first!, parts: [...first!.parts, { type: 'media', kind: 'image' }] }],
      /^`transcripts\[0\]\.messages\[0\]`: sharegpt has no place for the image there/,
    ],
  ])('%s', (_, record, change, told) => {
    expect(() => changed(record, change)).toThrow(told);
    expect(() => changed(record, change, true)).toThrow(told);
    expect(changed(record, change, false)).not.toBe('');
  });

  it.each([true, false])('a message behind the reply to a request, checked (%s)', (check) => {
    const behind = () => changed(PAIR, (messages) => [...messages, said('and more')], check);
    expect(behind).toThrow('nothing can follow the reply to a request: a message was put behind it');
  });

  it('a message that a reader would find in front of what it follows', () => {
    // what stands before the first message of a sub-agent, which names it, is linked behind it
    const recording = open(readFileSync('fixtures/formats/claude-code/hand-sidechains.jsonl'));
    const after = recording.transcripts.map((one, at) =>
      at === 1 ? { ...one, messages: [said('in front'), ...one.messages] } : one,
    );
    expect(() => save(recording, after)).toThrow(/^`transcripts\[1\]\.messages\[1\]`: .* would be read elsewhere/);
  });

  it('one of two calls that are the same', () => {
    const twice = [ITEMS[0]!, ITEMS[1]!, { ...ITEMS[1]!, call_id: 'd' }];
    expect(() => changed({ model: 'gpt-5', input: twice }, joined)).toThrow(/the call of `f`/);
  });

  it('an option that there is not', () => {
    expect(() => save(open('[]'), [], { chek: true } as object)).toThrow('no option `chek`');
    expect(() => save(open('[]'), [], { check: 'no' as never })).toThrow('`options.check`');
  });
});

describe('is saved', () => {
  const messages = [user, reply, { role: 'user', content: [{ type: 'text', text: 'x' }] }];

  it('in another order, without a message, with one more, and with nothing left', () => {
    expect(JSON.parse(changed(messages, (all) => [...all].reverse()))).toEqual([...messages].reverse());
    expect(JSON.parse(changed(messages, (all) => all.slice(1)))).toEqual(messages.slice(1));
    expect(JSON.parse(changed(messages, (all) => [...all, said('y')]))).toEqual([
      ...messages,
      { role: 'user', content: 'y' },
    ]);
    expect(changed({ messages }, () => [])).toBe('{"messages":[]}');
  });

  it('with two texts as one', () => {
    const chat = [{ conversations: [{ from: 'human', value: 'q' }] }];
    const after = changed(chat, ([first]) => [{ ...first!, parts: [...first!.parts, { type: 'text', text: 'more' }] }]);
    expect(after).toMatch(/"value":"q\s*more"/);
  });

  it('as it is, if nothing changed', () => {
    const bytes = readFileSync('fixtures/formats/codex-rollout/hand-interrupted.jsonl');
    expect(bytes.equals(save(open(bytes)))).toBe(true);
  });
});

const SHORT = ALL ? 30_000 : 15_000;

it('after every transform: no recording loses what the transform left', () => {
  const told = fixtures().flatMap(({ name, bytes }, at) => {
    if (bytes.length > SHORT) return [];
    const recording = open(bytes);
    return oneOfEach(at).flatMap(([id, options]) => {
      const step = { transform: transformNamed(id), values: valuesFor(id, options) };
      const after = recording.transcripts.map((one): Transcript => rewriteBy(one, [step], CHARACTERS));
      try {
        save(recording, after);
        return [];
      } catch (error) {
        const { code, message } = error as TranscriptError; // of the code `format`: it would not be read again
        return code === 'format' ? [] : [`${name}, ${id}: ${message}`];
      }
    });
  });
  expect(told).toEqual([]);
});
