/** Sessions that goose exports: what is sent, what edits leave for goose to import, and what the requests used. */
import { describe, expect, it } from 'vitest';
import { gooseSession } from '../../src/formats/goose/goose-database.js';
import { check } from '../../src/index.js';
import { printed } from '../../src/json/print.js';
import { withoutCompacted } from '../../src/transcript/sent.js';
import { textOf } from '../../src/transcript/text.js';
import type { Message, Part, Transcript } from '../../src/transcript/types.js';
import { fixture } from '../shared/fixture.js';
import { LOADERS } from '../shared/loaders.js';
import { openText } from '../shared/opened.js';
import { recordedStats } from '../shared/recorded-stats.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';
import { saidIn } from '../shared/unread.js';
import { outline } from '../shared/unread-files.js';

const exported = fixture('goose-session/hand-export.json');
const compacted = fixture('goose-session/hand-compaction.json');
const first = (text: string): Transcript => openText(text).transcripts[0]!;

// biome-ignore lint/suspicious/noExplicitAny: what goose wrote, read without looking
type Value = Record<string, any>;
const messagesOf = (text: string): Value[] => JSON.parse(text).conversation;
const contentsOf = (text: string): Value[] => messagesOf(text).flatMap(({ content }) => content);
/** With each content of the export changed. */
const changed = (change: (content: Value) => Value | readonly Value[]): string => {
  const session = JSON.parse(exported);
  for (const message of session.conversation) message.content = message.content.flatMap(change);
  return JSON.stringify(session, undefined, 2);
};

describe('what is sent', () => {
  it('has errors of results and of calls, and nothing that is for the user alone', () => {
    expect(outline(first(exported)).map((line) => line.slice(0, 70).replaceAll('\n', ' '))).toEqual(
      [
        'user: run ls and then run a word count on the smallest file + image',
        "assistant: thinking The user wants a listing first. + I'll list the directory",
        'tool: = total 4 -rw-r--r-- 1 me me  0 slack.yaml -rw-r--r-- 1 me me 91',
        "assistant: thinking  + `slack.yaml` has a size of 0 bytes. I'll count ",
        'tool: = wc: slack.yamll: No such file or directory',
        'assistant: The word count failed, as I misspelled the name; the file is',
        'user: thanks!',
      ].map((line) => line.slice(0, 70)),
    );
    const flags = first(exported).messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'result' ? part.isError : [])),
    );
    expect(flags).toEqual([false, true, true]);
    expect(saidIn(first(exported)).join().split('slack.yaml\n')).toHaveLength(2); // the user has a copy
  });

  it('begins with the summary, once goose has hidden what was before it from the model', () => {
    expect(first(compacted).messages).toHaveLength(11);
    expect(outline(withoutCompacted(first(compacted))).map((line) => line.slice(0, 40))).toEqual([
      'user: The user asked about the orders AP',
      'assistant: The previous message contains',
      'user: Add pagination to it.',
      'assistant: I add `page` and `limit`. + e',
      'tool: = ok',
      'assistant: `orders` has pages now.',
    ]);
  });

  it('is the same in the database', () => {
    const traffic = ({ messages }: Transcript) =>
      messages.flatMap(({ parts }) =>
        parts.flatMap((part) => (isTraffic(part) ? JSON.stringify(meaningOf(part)) : [])),
      );
    const isTraffic = (part: Part) => part.type === 'call' || part.type === 'result';
    const meaningOf = (part: Part) => {
      if (part.type === 'call') return [part.callId, part.tool, JSON.parse(textOf(part.input))];
      const content = part.type === 'result' ? part.content : [];
      const texts = content.flatMap((piece) => (piece.type === 'text' ? textOf(piece.text) : []));
      return part.type === 'result' ? [part.callId, texts.join('\n')] : [];
    };
    for (const text of [exported, compacted]) {
      const rows = messagesOf(text).map(({ role, created, content, metadata }) => ({
        ...{ role, created_timestamp: created, content_json: JSON.stringify(content) },
        metadata_json: JSON.stringify(metadata),
      }));
      const session = gooseSession('1', (sql) => (/FROM messages/.test(sql) ? rows : [{ id: '1' }]))!;
      expect(traffic(first(printed(session))).sort()).toEqual(traffic(first(text)).sort());
    }
  });
});

describe('an edit', () => {
  /** Each text, thought and argument. */
  const shout = (part: Part): Part => {
    if (part.type === 'text' || part.type === 'thinking') return { ...part, text: 'LOUD' };
    if (part.type === 'call') return { ...part, input: '{"a":1}' };
    return part.type === 'result' ? { ...part, content: [{ type: 'text', text: 'LOUD' }] } : part;
  };
  const shouted = (text: string) =>
    mapText(text, (transcript) => ({
      ...transcript,
      messages: transcript.messages.map(
        (message): Message => (message.parts.length === 0 ? message : { ...message, parts: message.parts.map(shout) }),
      ),
    }));

  const STEPS: readonly (readonly [id: string, options: Readonly<Record<string, unknown>>])[] = [
    ['filter', { maxToolCalls: 1 }],
    ['truncate', { maxLength: 12, noMinimum: true }],
    ['clear', { keep: 0, trigger: 1, minSize: 1, clearInputs: true, everything: true }],
    ['inject', { user: 'And now?' }],
    ['strip', {}],
  ];
  it.each(STEPS)('by %s leaves a session that goose imports', (id, options) => {
    expect(rewriteText(exported, id, options)).not.toBe(exported);
    for (const text of [exported, compacted]) {
      const after = rewriteText(text, id, options);
      expect(LOADERS.goose(after)).toHaveLength(messagesOf(after).length);
    }
  });

  it('of all that is said does, too, with errors that stay errors', () => {
    for (const text of [exported, compacted]) {
      const after = shouted(text);
      expect(LOADERS.goose(after)).toHaveLength(messagesOf(text).length);
      const results = (of: string) => contentsOf(of).flatMap(({ toolResult }) => (toolResult ? toolResult.status : []));
      expect(results(after)).toEqual(results(text));
      const arguments_ = contentsOf(after).flatMap(({ toolCall }) => toolCall?.value?.arguments ?? []);
      expect(new Set(arguments_.map((input) => JSON.stringify(input)))).toEqual(new Set(['{"a":1}']));
    }
  });

  it('takes what repeats the text of a result with it, and nothing else', () => {
    const valueAfter = (structuredContent: object) => {
      const text = changed((content) => {
        if (content['id'] !== 'toolu_03' || !content['toolResult']) return content;
        const value = { content: [{ type: 'text', text: '{"lines": 3, "of": [1]}' }], structuredContent };
        return { ...content, toolResult: { status: 'success', value } };
      });
      return contentsOf(shouted(text)).findLast(({ toolResult }) => toolResult)!['toolResult'].value;
    };
    expect(valueAfter({ of: [1], lines: 3 })).toEqual({ content: [{ type: 'text', text: 'LOUD' }] });
    expect(valueAfter({ exit: 0 })).toMatchObject({ structuredContent: { exit: 0 } });
  });

  it('adds a result beside those of the same message, at its time, and as hidden as it is', () => {
    const open = (at: number) => {
      const session = JSON.parse(compacted);
      session.conversation.splice(at, 1);
      return messagesOf(rewriteText(JSON.stringify(session), 'patch', {}))[at]!;
    };
    expect(open(2)).toMatchObject({ role: 'user', created: 1762243204, metadata: { agentVisible: false } });
    expect(open(9)).toMatchObject({ role: 'user', created: 1762243318, metadata: { agentVisible: true } });
    expect(open(9)['content']).toMatchObject([
      { type: 'toolResponse', id: 'edit_1', toolResult: { status: 'success' } },
    ]);
    const without = changed((content) => (content['toolResult']?.status === 'error' ? [] : content));
    expect(messagesOf(rewriteText(without, 'patch', {}))[2]!['content'].map(({ id }: Value) => id)).toEqual([
      'toolu_01',
      'toolu_02',
    ]);
  });
});

it('what goose leaves out of its requests has no errors', async () => {
  const errors = async (text: string) => (await check(text)).filter(({ severity }) => severity === 'error');
  const empty = changed((content) => (/^The word count/.test(content['text']) ? [] : content));
  expect(messagesOf(empty)[5]!['content']).toEqual([]);
  expect(await errors(empty)).toEqual([]);
  expect(await errors(compacted)).toEqual([]);
  const shown = await errors(compacted.replaceAll('"agentVisible": false', '"agentVisible": true'));
  expect(shown.map(({ rule }) => rule)).toEqual(['chat/function-name-empty']);
});

describe('what requests used', () => {
  it('stands in the messages, and their sum in the session', () => {
    const { requests, usage } = recordedStats(exported).paid;
    expect(requests).toBe(3);
    expect(usage).toMatchObject({ input: 370, cacheRead: 9310, cacheWrite5m: 5100, output: 431 });
  });

  it('stands in the session alone in early versions, as that of the last request where they sum up nothing', () => {
    const flat = { input: 51200, cacheRead: 0, output: 1110 };
    expect(recordedStats(compacted).paid.usage).toMatchObject(flat);
    const last = compacted.replaceAll('"accumulated_', '"other_');
    expect(recordedStats(last).paid.usage).toMatchObject({ input: 9180, output: 120 });
  });
});

it('messages that do not say whom they are for are recognized by the session', () => {
  const session = JSON.parse(compacted);
  for (const message of session.conversation) delete message.metadata;
  const opened = openText(JSON.stringify({ ...session, conversation: session.conversation.slice(4, 8) }));
  expect(opened.transcripts.map(({ format, title, project }) => ({ format, title, project }))).toEqual([
    { format: 'goose-session', title: undefined, project: '/w/api' },
  ]);
});
