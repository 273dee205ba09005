/** Laws that hold for every recording: fixtures/formats, and the shared recordings where they are at hand. */
import { describe, expect, it } from 'vitest';
import { formatNamed } from '../../src/formats/index.js';
import type { JsonNode } from '../../src/json/node.js';
import { LAWS } from '../../src/plugin/laws.js';
import { open } from '../../src/source/recording.js';
import { isOpen, pair } from '../../src/transcript/pairs.js';
import type { Transcript } from '../../src/transcript/types.js';
import { ALL } from '../shared/effort.js';
import { lawful } from '../shared/lawful.js';
import { type Counts, fixtures, sharedCounts, sharedRecordings } from '../shared/recordings.js';

const most = ALL ? 200 : 40;
const recordings = [...fixtures(), ...sharedRecordings()];
const counts = sharedCounts();

describe.each(recordings)('$name', ({ name, bytes, format: expected }) => {
  const recording = open(bytes);
  const { transcripts } = recording;

  if (expected !== undefined) {
    it('is what its folder says', () => {
      expect(recording.format).toBe(expected);
      const detected = recording.all.find((piece) => piece.type === 'detected')!;
      expect(detected.detection.confidence).toBeGreaterThan(0.5);
    });
  }

  it.each(Object.entries(LAWS))('%s', (law, faults) => {
    lawful(faults({ format: formatNamed(recording.format), recording, bytes, most }), `${name}: ${law}`);
  });

  const counted = counts.get(name);
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
  'pi-session/before-compaction.jsonl': 'it counts no summary of a compaction: pi sends it as a message of the user',
  'opencode/agent-sessions_storage/part/':
    'it counts nothing: a part with a call is a file of its own, and the only place where the result can be trimmed',
  'opencode/agent-sessions_storage/message/':
    'it counts no transcript: the file is one without messages, as that of the session is, and says what a request ' +
    'used',
};

function errOf(name: string): string | undefined {
  return Object.keys(MANIFEST_ERRS).find((start) => name.startsWith(start));
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
