/** Calls whose input is free text, and lines that are no messages: what transforms do beside them. */
import { expect, it } from 'vitest';
import { defaultsOf } from '../../src/options/option.js';
import type { Message, Transcript } from '../../src/transcript/types.js';
import { transformNamed } from '../../src/transforms/index.js';
import { openText } from '../shared/opened.js';
import { CHARACTERS } from '../shared/rewrite-text.js';

const [empty] = openText('[{"role":"user","content":"a"}]').transcripts;

function applied(id: string, messages: readonly Message[], values: object): readonly Message[] {
  const transform = transformNamed(id);
  const transcript: Transcript = { ...empty!, messages };
  return transform.apply(transcript, { ...defaultsOf(transform.options), ...values }, CHARACTERS).messages;
}

const text = (role: Message['role'], said: string): Message => ({ role, parts: [{ type: 'text', text: said }] });

it('clear empties arguments that are an object with members, not the free text of another kind of call', () => {
  const inputOf = (input: string, kind?: string) => {
    const [called] = applied(
      'clear',
      [
        { role: 'assistant', parts: [{ type: 'call', callId: 'c', tool: 't', input, ...(kind ? { kind } : {}) }] },
        {
          role: 'tool',
          parts: [{ type: 'result', callId: 'c', content: [{ type: 'text', text: 'long '.repeat(99) }] }],
        },
      ],
      { trigger: 0, keep: 0, clearInputs: true },
    );
    const [part] = called!.parts;
    return part!.type === 'call' ? part!.input : undefined;
  };
  expect(inputOf('{"a":1}')).toBe('{}');
  expect(inputOf(' { "a":1}')).toBe('{}');
  for (const same of ['{}', ' { } ', 'x {"a":1}', '[1]', '']) expect(inputOf(same)).toBe(same);
  expect(inputOf('{ echo; }', 'custom')).toBe('{ echo; }');
});

it('examples stand behind the system prompt, also where a line that is not a message stands before it', () => {
  const meta: Message = { role: 'meta', parts: [] };
  const example = text('user', 'example');
  const [system, user, answer] = [text('system', 's'), text('user', 'u'), text('assistant', 'a')];
  const told = (...messages: Message[]) => applied('inject', messages, { fewShot: [example] }).indexOf(example);
  expect(told(meta, system, user, answer)).toBe(2);
  expect(told(system, meta, user)).toBe(2);
  expect(told(meta, user)).toBe(1);
  expect(told(user)).toBe(0);
  expect(told(example, user)).toBe(0);
});
