/** Edits of chats of VS Code by hand: where each kind of prompt and reply stands, and what is written of it. */
import { describe, expect, it } from 'vitest';
import type { Message, Part } from '../../src/transcript/types.js';
import { openText } from '../shared/opened.js';
import { mapText } from '../shared/rewrite-text.js';
import { outline } from '../shared/unread-files.js';

const chat = (...requests: readonly object[]) =>
  JSON.stringify({ version: 3, responderUsername: 'GitHub Copilot', sessionId: 's', requests });
const told = (...requests: readonly object[]) => outline(openText(chat(...requests)).transcripts[0]!);
type Change = (message: Message, index: number) => Message | undefined;
/** The requests after a change of messages; undefined removes one. */
const edited = (requests: readonly object[], change: Change, ...added: readonly Message[]) =>
  JSON.parse(
    mapText(chat(...requests), (transcript) => ({
      ...transcript,
      messages: [...transcript.messages.flatMap((message, index) => change(message, index) ?? []), ...added],
    })),
  ).requests;
const text = (value: string): Part => ({ type: 'text', text: value });
const same: Change = (message) => message;
const without =
  (...gone: readonly number[]): Change =>
  (message, index) =>
    gone.includes(index) ? undefined : message;
const saying =
  (at: number, ...parts: readonly Part[]): Change =>
  (message, index) =>
    index === at ? { ...message, parts } : message;
const anyText = { supportThemeIcons: false, supportHtml: false };

describe('a prompt', () => {
  const reply = { response: [{ value: 'Yes.' }] };

  it.each<[string, object, string, object, object]>([
    ['prompt', { prompt: 'Hi' }, 'Hi', { prompt: 'Ho' }, { prompt: '' }],
    ['a message that is a text', { message: 'Hi' }, 'Hi', { message: 'Ho' }, { message: '' }],
    [
      'a message with a text',
      { message: { text: 'Hi', parts: [{ kind: 'text', text: 'Hi', range: 1 }, { kind: 'tool' }] } },
      'Hi',
      { message: { text: 'Ho', parts: [{ kind: 'text', text: 'Ho', range: 1 }] } },
      { message: { text: '', parts: [] } },
    ],
    [
      'a message without parts',
      { message: { text: 'Hi' } },
      'Hi',
      { message: { text: 'Ho', parts: [{ kind: 'text', text: 'Ho' }] } },
      { message: { text: '', parts: [] } },
    ],
    [
      'the parts of a message',
      { message: { parts: [{ text: 'H' }, { kind: 'tool' }, { text: 'i' }] } },
      'Hi',
      { message: { text: 'Ho', parts: [{ kind: 'text', text: 'Ho' }] } },
      { message: { text: '', parts: [] } },
    ],
  ])('in %s is read and written there', (_, request, said, after, gone) => {
    expect(told({ ...request, ...reply })).toEqual([`user: ${said}`, 'assistant: Yes.']);
    expect(edited([{ ...request, ...reply }], same)).toEqual([{ ...request, ...reply }]);
    expect(edited([{ ...request, ...reply }], saying(0, text('Ho')))).toEqual([{ ...after, ...reply }]);
    expect(edited([{ ...request, ...reply }], without(0))).toEqual([{ ...gone, ...reply }]);
  });

  it('that says nothing is none', () => {
    for (const request of [{}, { prompt: '' }, { message: '' }, { message: {} }, { message: { text: '' } }])
      expect(told({ ...request, ...reply })).toEqual(['assistant: Yes.']);
  });

  const cache = { type: 3, cacheType: 'ephemeral' };
  const rendered = (renderedUserMessage: unknown, more: object = {}) => ({
    ...{ message: { text: 'Hi', parts: [] }, result: { metadata: { renderedUserMessage, ...more } } },
    ...reply,
  });

  it('that was rendered keeps its shape, and the marks in it', () => {
    expect(told(rendered('<p>Hi</p>'))).toEqual(['user: <p>Hi</p>', 'assistant: Yes.']);
    expect(told(rendered([{ type: 1, text: '<p>' }, cache, { type: 1, text: 'Hi' }]))[0]).toBe('user: <p>Hi');
    for (const none of ['', [], [cache], 5]) expect(told(rendered(none))[0]).toBe('user: Hi');
    const written = (value: unknown, change: Change) => edited([rendered(value)], change)[0];
    expect(written('<p>Hi</p>', saying(0, text('<p>Hi!</p>')))).toEqual(rendered('<p>Hi!</p>'));
    expect(written([{ type: 1, text: '<p>Hi</p>' }, cache], saying(0, text('Hi!')))).toEqual(
      rendered([{ type: 1, text: 'Hi!' }, cache]),
    );
  });

  it('that is rendered without what the user wrote shows it no more', () => {
    const gone = { message: { text: '', parts: [] } };
    const [cleared] = edited([rendered([{ type: 1, text: '<p>Hi</p>' }, cache])], without(0));
    expect(cleared).toEqual({ ...rendered([cache]), ...gone });
    expect(edited([rendered('<p>Hi</p>')], saying(0, text('Ho')))).toEqual([{ ...rendered('Ho'), ...gone }]);
    const plain = { ...rendered('<p>Hi</p>'), message: 'Hi' };
    expect(edited([plain], saying(0, text('Ho')))).toEqual([{ ...rendered('Ho'), message: '' }]);
    expect(edited([plain], saying(0, text('Hi Ho')))).toEqual([{ ...rendered('Hi Ho'), message: 'Hi' }]);
    const { message: _, ...bare } = rendered('<p>Hi</p>');
    expect(edited([bare], without(0))).toEqual([{ ...bare, result: { metadata: { renderedUserMessage: '' } } }]);
  });

  it('has its context before it, which goes alone', () => {
    const both = rendered('<p>Hi</p>', { renderedGlobalContext: [{ type: 1, text: 'Linux' }] });
    expect(told(both)).toEqual(['user: Linux', 'user: <p>Hi</p>', 'assistant: Yes.']);
    expect(edited([both], without(0))).toEqual([rendered('<p>Hi</p>', { renderedGlobalContext: [] })]);
    expect(edited([both], saying(0, text('Mac')))).toEqual([
      rendered('<p>Hi</p>', { renderedGlobalContext: [{ type: 1, text: 'Mac' }] }),
    ]);
  });
});

describe('a reply that is a text', () => {
  it.each(['response', 'completion'])('stands in %s', (key) => {
    const request = { prompt: 'Hi', [key]: 'Yes.' };
    expect(told(request)).toEqual(['user: Hi', 'assistant: Yes.']);
    expect(edited([request], saying(1, text('No.')))).toEqual([{ prompt: 'Hi', [key]: 'No.' }]);
    expect(edited([request], saying(0, text('Ho')))).toEqual([{ prompt: 'Ho', [key]: 'Yes.' }]);
    expect(edited([request], without(1))).toEqual([{ prompt: 'Hi', [key]: '' }]);
    expect(told({ prompt: 'Hi', [key]: '' })).toEqual(['user: Hi']);
  });

  it('is added to a request without one', () => {
    const more: Message = { role: 'assistant', parts: [text('Yes.')], raw: undefined };
    expect(edited([{ prompt: 'Hi' }], same, more)).toEqual([{ prompt: 'Hi', completion: 'Yes.' }]);
    expect(edited([{ prompt: 'Hi' }], saying(0, text('Ho')))).toEqual([{ prompt: 'Ho' }]);
  });
});

describe('a request', () => {
  const silent = { prompt: '', response: [] };
  const asked = (prompt: string) => ({ prompt, response: [{ value: `${prompt}!` }] });

  it('without messages stays; one whose messages are gone goes', () => {
    const all = [silent, asked('a'), silent, asked('b'), silent];
    expect(edited(all, without(0, 1))).toEqual([silent, silent, asked('b'), silent]);
    expect(edited(all, without(2, 3))).toEqual([silent, asked('a'), silent, silent]);
    expect(edited(all, (message, index) => (index === 3 ? undefined : message))[3]).toEqual({
      ...{ prompt: 'b', response: [] },
    });
  });

  it('that was added holds rounds and results, and shows the texts', () => {
    const user: Message = { role: 'user', parts: [text('More')], raw: undefined };
    const reply: Message = {
      role: 'assistant',
      parts: [
        { type: 'thinking', text: 'Hm.' },
        text('So'),
        { type: 'call', callId: 'c', tool: 'f', input: '{}' },
        { type: 'call', tool: 'g', input: '{}' } as Part,
      ],
      raw: undefined,
    };
    const result: Message = {
      role: 'tool',
      parts: [{ type: 'result', callId: 'c', content: [{ type: 'text', text: 'x' }] }],
      raw: undefined,
    };
    const [, only] = edited([asked('a')], same, user);
    expect(only).toEqual({
      requestId: expect.stringMatching(/^request_./),
      message: { text: 'More', parts: [{ kind: 'text', text: 'More' }] },
      variableData: { variables: [] },
      response: [],
    });
    const [first, second] = edited([asked('a')], same, user, reply, result);
    expect(first).toEqual(asked('a'));
    expect(second).toMatchObject({
      message: { text: 'More' },
      response: [{ value: 'So', ...anyText }],
      result: {
        metadata: {
          toolCallRounds: [
            {
              response: 'So',
              toolCalls: [
                { name: 'f', arguments: '{}', id: 'c' },
                { name: 'g', arguments: '{}', id: expect.any(String) },
              ],
              thinking: { text: 'Hm.' },
              toolInputRetry: 0,
              id: expect.stringMatching(/./),
            },
          ],
          toolCallResults: { c: { content: [{ value: 'x' }] } },
        },
      },
    });
  });
});
