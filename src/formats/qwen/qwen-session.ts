/**
 * Sessions of Qwen Code (`~/.qwen/projects/<project>/chats/<id>.jsonl`): lines `{uuid, parentUuid, sessionId, type,
 * message}` whose `message` is a content as in Gemini, with the counts of the response in `usageMetadata` beside it.
 * A `toolCallResult` beside it shows the result again. Before, Qwen Code wrote the files of Gemini CLI.
 * https://github.com/QwenLM/qwen-code/blob/main/packages/core/src/services/chatRecordingService.ts (2026-11-26)
 */
import { patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Message, Recorded } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import gemini from '../gemini/gemini-contents.js';
import { withThoughts } from '../gemini/thoughts.js';
import { metaMessage } from '../shared/json-fields.js';
import { relink } from '../shared/links.js';
import { recordedOf, timeOf, tokens, usageFromTotals } from '../shared/recorded.js';
import { table } from '../shared/table.js';
import { readCompression, syncCompressions, syncShown, writeCompression } from './qwen-compression.js';
import { isSide, SPOKEN } from './qwen-lines.js';
import { LINK, threads } from './qwen-links.js';

const SESSION_FIELDS = ['sessionId', 'cwd', 'version', 'gitBranch', 'isSidechain', 'agentId', 'agentName'];
const TYPES = table<string>({ assistant: 'assistant', tool: 'tool_result' });

export default defineFormat({
  id: 'qwen-session',
  traits: gemini.traits,
  wraps: { format: 'gemini-contents', inner: messageIn },
  byteHints: gemini.byteHints,
  messagePaths: [],
  score(raw) {
    if (raw.get('uuid') === undefined || raw.get('sessionId') === undefined) return 0;
    if (messageIn(raw) !== undefined) return 1;
    return raw.get('systemPayload') === undefined ? 0 : 0.9;
  },
  read(raw) {
    return readLine(raw);
  },
  write(message) {
    const { raw, role } = message;
    if (!(raw instanceof JsonNode)) return { type: TYPES[role] ?? 'user', message: gemini.write(message) };
    const inner = messageIn(raw);
    if (role === 'meta') return raw;
    if (inner === undefined) return writeCompression(raw, message.parts);
    const written = gemini.write({ ...message, raw: inner });
    return written === inner ? raw : patch(raw, { message: written, ...syncShown(raw, readLine(raw), message) });
  },
  header: (line) => ({ id: line.get('sessionId')?.string, project: line.get('cwd')?.string }),
  recorded(raw) {
    const branch = raw.get('gitBranch')?.string;
    const ofAgent = requestOfAgent(raw);
    if (ofAgent !== undefined) return recordedOf({ ...ofAgent, branch });
    const read = { ...gemini.recorded?.(raw), model: raw.get('model')?.string, branch };
    const counts = isSide(raw) ? raw.get('usageMetadata') : undefined;
    return recordedOf(counts ? { ...read, ...idsOf(raw, raw.get('agentId')?.string, counts, COUNTS) } : read);
  },
  threads,
  beforeWrite: (rows, before) => relink(syncCompressions(rows, before, readLine), before, LINK, SESSION_FIELDS),
});

function readLine(raw: JsonNode): Message {
  const inner = messageIn(raw);
  if (raw.get('subtype')?.string === SPOKEN) return metaMessage(raw, false);
  if (inner !== undefined) return { ...gemini.read(inner), raw };
  return readCompression(raw) ?? metaMessage(raw, false);
}

/**
 * A request of a sub-agent, or of one that keeps the memory: its messages stand in a file of its own, or nowhere, and
 * what it took stands here. A `prompt_id` of the session itself is `<session>########<turn>`, one of an agent
 * `<session>#<agent>#<turn>`.
 * https://github.com/QwenLM/qwen-code/blob/main/packages/core/src/telemetry/loggers.ts (0.24.4, 2026-11-30)
 */
function requestOfAgent(raw: JsonNode): Recorded | undefined {
  const event = raw.get('systemPayload')?.get('uiEvent');
  if (event?.get('event.name')?.string !== 'qwen-code.api_response') return undefined;
  const asked = /^[^#]+#([^#]+)#\d+$/.exec(event.get('prompt_id')?.string ?? '')?.[1];
  const agent = event.get('subagent_id')?.string ?? event.get('subagent_name')?.string ?? asked;
  if (agent === undefined) return undefined;
  const [prompt, cacheRead, candidates, total, thoughts] = EVENT_COUNTS.map((key) => tokens(event, key));
  const known = { prompt: prompt ?? 0, thoughts: thoughts ?? 0, total };
  return {
    agent: `agent-${agent}`,
    ...idsOf(raw, agent, event, EVENT_COUNTS),
    model: event.get('model')?.string,
    time: timeOf(event.get('event.timestamp')),
    usage: usageFromTotals(prompt, withThoughts(candidates ?? 0, known), { cacheRead, reasoning: thoughts }),
  };
}

const EVENT_COUNTS = ['input', 'cached_content', 'output', 'total', 'thoughts'].map((name) => `${name}_token_count`);
const COUNTS = ['prompt', 'cachedContent', 'candidates', 'total', 'thoughts'].map((name) => `${name}TokenCount`);

/** The same in an event of the session as in the file of the agent, so that a request which both state counts once. */
function idsOf(raw: JsonNode, agent: string | undefined, counts: JsonNode, keys: readonly string[]): Recorded {
  const responseId = `${raw.get('sessionId')?.string} ${agent}`;
  return { responseId, requestId: keys.map((key) => tokens(counts, key) ?? 0).join(' ') };
}

function messageIn(raw: JsonNode): JsonNode | undefined {
  const message = raw.get('message');
  return message?.get('parts')?.isArray && raw.get('type') !== undefined ? message : undefined;
}
