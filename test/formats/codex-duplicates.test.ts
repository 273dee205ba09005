/** Lines of Codex rollouts that repeat items, by hand: which item each one repeats, and what becomes of it. */
import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/transcript/types.js';
import { linesOf } from '../shared/fixture.js';
import { mapText } from '../shared/rewrite-text.js';

type Payload = Readonly<Record<string, unknown>>;
interface Line {
  readonly type: string;
  readonly payload: Payload;
}

const item = (payload: Payload): Line => ({ type: 'response_item', payload });
const event = (type: string, payload: Payload): Line => ({ type: 'event_msg', payload: { type, ...payload } });
const completed = (type: string, more: Payload) => event('item_completed', { item: { type, ...more } });
const call = (id: string) => item({ type: 'function_call', name: 'shell', arguments: '{}', call_id: id });
const output = (id: string, text: unknown = 'out') => item({ type: 'function_call_output', call_id: id, output: text });
const thought = (...texts: readonly string[]) =>
  item({ type: 'reasoning', summary: texts.map((text) => ({ type: 'summary_text', text })) });
const said = (role: 'user' | 'assistant', ...texts: readonly string[]) =>
  item({
    ...{ type: 'message', role },
    content: texts.map((text) => ({ type: role === 'user' ? 'input_text' : 'output_text', text })),
  });
const compacted = (...items: readonly Line[]): Line => ({
  type: 'compacted',
  payload: { message: '', replacement_history: items.map(({ payload }) => payload) },
});
const HELLO = said('user', 'Hello');

/** The payloads after an edit of the messages, by the place of their lines. */
function edited(records: readonly Line[], edit: (message: Message, at: number) => readonly Message[]) {
  const head = { type: 'session_meta', payload: { id: 's', cwd: '/p' } };
  const text = [head, ...records].map((line, at) => JSON.stringify({ timestamp: String(at - 1), ...line })).join('\n');
  const after = mapText(text, (transcript) => ({
    ...transcript,
    messages: transcript.messages.flatMap((message, at) => edit(message, at - 1)),
  }));
  return linesOf<Line & { readonly timestamp: string }>(after).slice(1);
}

/** The places of the lines that are left where those of some items go. */
const left = (records: readonly Line[], ...gone: readonly number[]) =>
  edited(records, (message, at) => (gone.includes(at) ? [] : [message])).map(({ timestamp }) => Number(timestamp));

describe('an event', () => {
  it.each([
    event('exec_command_end', { call_id: 'c1' }),
    event('dynamic_tool_call_request', { callId: 'c1' }),
    event('guardian_assessment', { event_id: 'c1' }),
    event('guardian_assessment', { target_item_id: 'c1' }),
    completed('CommandExecution', { id: 'c1' }),
  ])('that names a call goes with it and its result: $payload', (told) => {
    const records = [HELLO, call('c1'), output('c1'), told, said('assistant', 'Done')];
    expect(left(records, 1, 2)).toEqual([0, 4]);
    expect(left(records, 2)).toEqual([0, 1, 3, 4]);
  });

  it('that names a call with the id of another repeats the one before it, else the first', () => {
    const end = event('exec_command_end', { call_id: 'c1' });
    const twice = [HELLO, end, call('c1'), output('c1'), end, HELLO, call('c1'), output('c1'), end];
    expect(left(twice, 2, 3)).toEqual([0, 5, 6, 7, 8]);
    expect(left(twice, 6, 7)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('that names no call repeats the nearest message of its id, of two as near the first', () => {
    const own = item({ type: 'message', id: 'm', role: 'assistant', content: [] });
    const told = completed('AgentMessage', { id: 'm', content: [] });
    const records = [HELLO, own, told, HELLO, HELLO, told, own];
    expect(left(records, 1)).toEqual([0, 3, 4, 5, 6]);
    expect(left(records, 6)).toEqual([0, 1, 2, 3, 4]);
    expect(left([own, told, own], 0)).toEqual([2]);
    expect(left([own, told, own], 2)).toEqual([0, 1]);
  });

  it.each<[Line, Line]>([
    [said('user', 'a', 'b'), event('user_message', { message: 'ab' })],
    [said('assistant', 'a', 'b'), event('agent_message', { message: 'b' })],
    [said('assistant', 'ab'), completed('AgentMessage', { content: ['a', 'b'].map((text) => ({ text })) })],
    [thought('a', 'b'), event('agent_reasoning', { text: 'a' })],
    [thought('a', 'b'), event('agent_reasoning', { text: 'ab' })],
    [thought('ab'), completed('Reasoning', { summary_text: ['a'], raw_content: ['b'] })],
  ])('goes with the nearest item of its text: %j', (own, told) => {
    const records = [HELLO, own, told, said('assistant', 'Done'), HELLO, own, told];
    expect(left(records, 1)).toEqual([0, 3, 4, 5, 6]);
    expect(left(records, 5)).toEqual([0, 1, 2, 3, 4]);
    expect(left(records, 3)).toEqual([0, 1, 2, 4, 5, 6]);
  });

  it('stays if its text is that of a result, or of none', () => {
    const others = [event('agent_message', { message: 'out' }), event('agent_message', { message: '' })];
    const records = [HELLO, call('c1'), output('c1'), ...others, said('assistant', ''), said('assistant', 'Done')];
    expect(left(records, 1, 2, 5)).toEqual([0, 3, 4, 6]);
  });

  it('that ends a turn stays without the last message', () => {
    const records = [HELLO, said('assistant', 'Done'), event('task_complete', { last_agent_message: 'Done', turn: 1 })];
    const [, ended] = edited(records, (message, at) => (at === 1 ? [] : [message]));
    expect(ended!.payload).toEqual({ type: 'task_complete', last_agent_message: null, turn: 1 });
  });

  it('names a call by its new id', () => {
    const records = [HELLO, call('call_1'), output('call_1'), event('exec_command_end', { call_id: 'call_1' })];
    const after = edited(records, ({ parts, ...message }) => [
      { ...message, parts: parts.map((part) => ('callId' in part ? { ...part, callId: 'call_9' } : part)) },
    ]);
    expect(after.slice(1).map(({ payload }) => payload['call_id'])).toEqual(Array(3).fill('call_9'));
  });
});

describe('the history of a compaction', () => {
  /** The items in the histories that are left. */
  const kept = (records: readonly Line[], ...gone: readonly number[]) =>
    edited(records, (message, at) => (gone.includes(at) ? [] : [message])).flatMap(
      ({ payload }) => (payload['replacement_history'] as readonly Payload[] | undefined) ?? [],
    );
  const payloads = (...items: readonly Line[]) => items.map(({ payload }) => payload);

  it('loses the items that go: by id and type, or by text', () => {
    const history = [HELLO, thought('a'), call('c1'), output('c1')];
    const records = [...history, compacted(...history), said('assistant', 'Done')];
    expect(kept(records, 1)).toEqual(payloads(HELLO, call('c1'), output('c1')));
    expect(kept(records, 3)).toEqual(payloads(HELLO, thought('a'), call('c1')));
    expect(kept(records, 2, 3)).toEqual(payloads(HELLO, thought('a')));
    expect(kept(records, 5)).toEqual(payloads(...history));
    const named = (text: string) => item({ ...said('assistant', text).payload, id: 'm' });
    expect(kept([HELLO, named('whole'), compacted(HELLO, named('half'))], 1)).toEqual(payloads(HELLO));
  });

  it('repeats the last of the same items before it, and none behind it', () => {
    const records = [HELLO, thought('a'), HELLO, thought('a'), compacted(thought('a')), HELLO, thought('a')];
    expect(kept(records, 1)).toEqual(payloads(thought('a')));
    expect(kept(records, 3)).toEqual([]);
    expect(kept(records, 6)).toEqual(payloads(thought('a')));
  });

  it('has a new text within what it holds of an item, and drops images only of the same one', () => {
    const LONG = 'The whole output of a command, which is long.';
    const image = { type: 'input_image', image_url: 'data:image/png;base64,AAAA' };
    const text = (value: string) => ({ type: 'input_text', text: value });
    const shorter = (was: unknown, to: string, withImage: boolean) => {
      const own = output('c1', withImage ? [text(LONG), image] : LONG);
      const records = [HELLO, call('c1'), own, compacted(output('c1', was))];
      const after = edited(records, ({ parts, ...message }) => [
        {
          ...message,
          parts: parts.map((part) =>
            part.type === 'result' ? { ...part, content: [{ type: 'text' as const, text: to }] } : part,
          ),
        },
      ]);
      return (after[3]!.payload['replacement_history'] as readonly Payload[])[0]!['output'];
    };
    expect(shorter(`First: ${LONG}`, '...', false)).toBe('First: ...');
    expect(shorter([text(LONG), image], '...', true)).toEqual([text('...')]);
    expect(shorter([text('other'), image], '...', true)).toEqual([text('other'), image]);
  });
});
