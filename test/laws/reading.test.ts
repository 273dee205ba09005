/** Laws that hold for every recording: fixtures/formats, and the shared recordings where they are at hand. */
import { describe, expect, it } from 'vitest';
import { JsonNode } from '../../src/json/node.js';
import { isOpen, pair } from '../../src/transcript/pairs.js';
import { textOf } from '../../src/transcript/text.js';
import type { ContentPart, Message, Part, Transcript } from '../../src/transcript/types.js';
import { ALL } from '../shared/effort.js';
import { meaningOf, openText, reread, sourceOf } from '../shared/opened.js';
import { type Counts, fixtures, sharedCounts, sharedRecordings } from '../shared/recordings.js';
import { mapText } from '../shared/rewrite-text.js';

/** Messages that tell of a recording what the rest would. */
const ENOUGH = ALL ? 40 : 20;
const MANY = ALL ? 200 : 60;

/** At most so many items, evenly spread. */
function spread<T>(items: readonly T[], most: number): readonly T[] {
  const step = Math.ceil(items.length / most);
  return items.filter((_, index) => index % step === 0);
}

const recordings = [...fixtures(), ...sharedRecordings()];

describe.each(recordings)('$name', ({ name, bytes, format: expected }) => {
  const { detection, transcripts } = openText(bytes);
  const { format } = detection;
  const messages = transcripts.flatMap((transcript) => transcript.messages);
  const spoken = messages.filter(({ role }) => role !== 'meta');
  const some = spoken.slice(0, ENOUGH);
  const many = spread(spoken, MANY);

  if (expected !== undefined) {
    it('is what its folder says', () => {
      expect(format.id).toBe(expected);
      expect(detection.confidence).toBeGreaterThan(0.5);
    });
  }

  it('is saved as it was opened, byte for byte', () => {
    expect(mapText(bytes, (transcript) => transcript) === bytes.toString()).toBe(true);
    expect(
      mapText(bytes, (transcript) => ({ ...transcript, messages: [...transcript.messages] })) === bytes.toString(),
    ).toBe(true);
  });

  it('has messages that are written as the very value they were read from', () => {
    expect(
      messages
        .filter((message) => message.raw instanceof JsonNode && format.write(message) !== message.raw)
        .map(sourceOf),
    ).toEqual([]);
  });

  it('has messages that mean the same when they are edited, written and read again', () => {
    for (const [what, edit] of Object.entries(EDITS)) {
      const edited = many.map(edit);
      for (const message of edited) expect(meaningOf(reread(message, format)), what).toEqual(meaningOf(message));
    }
  });

  it('has messages of which nothing is lost when they say more', () => {
    for (const message of some.map(SAY_MORE)) expect(lettersOf(reread(message, format))).toBe(lettersOf(message));
  });

  it('has messages of which nothing is left when they say nothing', () => {
    for (const [what, edit] of Object.entries(SILENCE)) {
      for (const message of some) {
        const texts = textsGone(message, edit(message));
        const left = textsOf(reread(edit(message), format)).join('\n');
        expect(
          texts.filter((text) => left.includes(text)),
          what,
        ).toEqual([]);
      }
    }
  });

  it('has messages that mean the same when they are written anew', () => {
    for (const message of many) {
      const fresh = afresh(message);
      expect(meaningOf(reread(fresh, format))).toEqual(meaningOf(fresh));
    }
  });

  const counted = sharedCounts().get(name);
  if (typeof counted?.messages === 'number' && errOf(name) === undefined) {
    it('holds what the manifest counted', () => {
      expect(countsOf(transcripts)).toEqual(pick(counted));
    });
  }
});

/** Where the manifest counts otherwise, by the file or the folder, and why we do not follow it. */
const MANIFEST_ERRS: Readonly<Record<string, string>> = {
  'anthropic-messages/pydantic-ai_requests.a.jsonl':
    'it counts calls that the server runs: both halves stand in the assistant message, and nothing can come ' +
    'between them',
  'anthropic-messages/pydantic-ai_pairs.a.jsonl': 'the same',
  'claude-agent-sdk/tool_use_conversation.json': 'it counts two lines of one API message as one message',
  'claude-code/ccusage_alpha_chat.jsonl': 'it counts lines that hold nothing but usage as messages',
  'claude-code/edge_cases.jsonl': 'it counts a message that is a string: nobody could send it',
  'claude-code/agent-sessions_small_all-record-types.jsonl':
    'of two results without ids behind one call without an id it takes the second for an orphan: it answers the ' +
    'call again',
  'codex-rollout/agent-sessions_small_all-record-types.jsonl':
    'it counts a ghost snapshot as a message: the model never sees it',
  'kimi/': 'it counts nothing',
  'langfuse-trace/langgraph-python-2025-08-22.trace.json':
    'it counts the definition of a tool as its result: Langfuse appends it with the role tool',
  'openai-finetune/reason_tool_use_demo_50.jsonl':
    'it counts a tool message that lists the results of several calls (`[{"name":…,"content":…},…]`) as one result',
  'langfuse-trace/koog-2025-08-26.trace.json':
    'it counts calls as results: they are told as texts of role tool (`[{"function":…,"id":…}]`), each before its ' +
    'result',
  'langfuse-trace/langgraph-js-2025-10-30.trace.json':
    'it counts no result: the one there is has the name of its tool as its role (`"role":"get_weather"`)',
  'langfuse-trace/microsoft-agent-2025-12-17.trace.json':
    'it counts a generation, which holds only what is new (a result without its call): the agent around it holds ' +
    'the whole conversation',
  'openai-responses/pydantic-ai_requests.a.jsonl': 'it counts tool searches that the server runs',
  'openai-responses/pydantic-ai_pairs.a.jsonl': 'the same',
  'vercel-ai/uistream_react-agent-tool-calling.json':
    'it leaves the reasoning out, which is a message of its own wherever pieces stand alone (as it counts in Codex ' +
    'rollouts)',
  'opencode/agent-sessions_storage/part/':
    'it counts nothing: a part with a call is a file of its own, and the only place where the result can be trimmed',
  'opencode/agent-sessions_storage/message/':
    'it counts no transcript: the file is one without messages, as that of the session is, and says what a request ' +
    'used',
};

function errOf(name: string): string | undefined {
  return Object.keys(MANIFEST_ERRS).find((start) => name.startsWith(start));
}

type Edit = (message: Message) => Message;

const EDITS: Readonly<Record<string, Edit>> = {
  'texts grow': mapTexts((text) => `${text} — mehr\n"日本語"`),
  'texts shrink': mapTexts((text) => text.slice(0, Math.ceil(text.length / 3))),
  'texts go': (message) => mapContent(message, (content) => content.filter((part) => part.type !== 'text')),
  'calls go': (message) => ({ ...message, parts: message.parts.filter((part) => part.type !== 'call') }),
  'every second call goes': (message) => ({
    ...message,
    parts: message.parts.filter((part, index) => part.type !== 'call' || index % 2 === 0),
  }),
  'ids change': (message) => ({
    ...message,
    parts: message.parts.map((part) =>
      (part.type === 'call' || part.type === 'result') && part.callId ? { ...part, callId: `${part.callId}_2` } : part,
    ),
  }),
  'arguments change': (message) => ({
    ...message,
    parts: message.parts.map((part) => (part.type === 'call' ? { ...part, input: '{"changed":1.0}' } : part)),
  }),
};

/** Two texts where there was one: a format may keep them as one. */
const SAY_MORE: Edit = (message) =>
  mapContent(message, (content) =>
    content.flatMap((part): Part[] => (part.type === 'text' ? [part, { type: 'text', text: ' And more.' }] : [part])),
  );

const SILENCE: Readonly<Record<string, Edit>> = {
  'texts are empty': mapTexts(() => ''),
  'results say nothing': (message) => ({
    ...message,
    parts: message.parts.map((part) => (part.type === 'result' ? { ...part, content: [] } : part)),
  }),
};

function textsOf({ parts }: Message): string[] {
  return parts
    .flatMap((part): readonly Part[] => (part.type === 'result' ? part.content : [part]))
    .flatMap((part) => ('text' in part && part.text !== undefined ? [textOf(part.text)] : []));
}

/** The texts of some length that an edit took away. */
function textsGone(before: Message, after: Message): string[] {
  const left = textsOf(after).join('\n');
  return textsOf(before).filter((text) => text.length > 12 && !left.includes(text));
}

/** How often each character is in the texts, in whichever order and however many texts they are. */
function lettersOf(message: Message): string {
  const counts = new Map<string, number>();
  for (const text of textsOf(message)) for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts]
    .map(([letter, count]) => `${letter}${count}`)
    .sort()
    .join('');
}

function mapTexts(change: (text: string) => string): Edit {
  return (message) =>
    mapContent(message, (content) =>
      content.map((part) => (part.type === 'text' ? { ...part, text: change(textOf(part.text)) } : part)),
    );
}

function mapContent(message: Message, change: (content: readonly Part[]) => readonly Part[]): Message {
  return {
    ...message,
    parts: change(message.parts).map((part) =>
      part.type === 'result' ? { ...part, content: change(part.content) as readonly ContentPart[] } : part,
    ),
  };
}

/** As if somebody had made it: only media and what nobody knows keep the values they were read from. */
function afresh({ raw: _, ...message }: Message): Message {
  const strip = <P extends Part>(part: P): P => {
    if (part.type === 'media' || part.type === 'opaque') return part;
    const { awaitsApproval: _, ...rest } = part as P & { awaitsApproval?: boolean }; // who is asked has an id for it
    return { ...(rest as P), raw: undefined };
  };
  return {
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'result' ? strip({ ...part, content: part.content.map(strip) }) : strip(part),
    ),
  };
}

function countsOf(transcripts: readonly Transcript[]): Counts {
  const pairings = transcripts.map(({ messages }) => pair(messages));
  const calls = pairings.flatMap((pairing) => pairing.calls);
  const results = pairings.flatMap((pairing) => pairing.results);
  return {
    // it counts no sub-agents
    transcripts: transcripts.filter(({ id }) => !transcripts.some((main) => isAgentOf(id, main.id))).length,
    messages: transcripts.reduce((sum, transcript) => sum + messagesIn(transcript), 0),
    toolCalls: calls.length,
    toolResults: results.length,
    danglingCalls: calls.filter(isOpen).length,
    orphanResults: results.filter(({ call }) => call === undefined).length,
  };
}

/** Whether a transcript is of a sub-agent in the log of the other. */
function isAgentOf(id: string | undefined, main: string | undefined): boolean {
  return id !== undefined && main !== undefined && id.startsWith(`${main}/`);
}

/**
 * How many messages there are; of Claude Code's the manifest counts lines with one message id, wherever they stand, as
 * one.
 */
function messagesIn(transcript: Transcript): number {
  const said = transcript.messages.filter(
    ({ role, raw }) =>
      role !== 'meta' &&
      (raw as JsonNode).isObject &&
      !(role === 'system' && (raw as JsonNode).get('parts')) &&
      (raw as JsonNode).get('beside') === undefined,
  ); // it leaves system prompts beside the messages out
  return transcript.format === 'claude-code'
    ? new Set(said.map((message) => message.group ?? message)).size
    : said.length;
}

function pick({ transcripts, messages, toolCalls, toolResults, danglingCalls, orphanResults }: Counts): Counts {
  return { transcripts, messages, toolCalls, toolResults, danglingCalls, orphanResults };
}
