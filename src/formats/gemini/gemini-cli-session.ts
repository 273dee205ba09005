/**
 * Sessions of Gemini CLI: one object `{sessionId, projectHash, startTime, lastUpdated, messages}`, or (since 2026) a
 * log: such an object as header, then one message per line, with lines `{"$set": {…}}`, `{"$patch": {…}}` and
 * `{"$rewindTo": id}` in between. A message is `{id, timestamp, type, content}`; its content is a text or Gemini parts.
 * Messages of the model have `thoughts`, `tokens` and `toolCalls`; an entry of `toolCalls` is a call with its result.
 * https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/services/chatRecordingTypes.ts
 */
import { JsonNode } from '../../json/node.js';
import type { Usage } from '../../transcript/types.js';
import { defineFormat } from '../format.js';
import { recordedOf, timeOf, tokens, usageOf } from '../shared/recorded.js';
import { writeCheckpoint } from './gemini-cli-checkpoint.js';
import { idOf, loadLog, messageListIn, syncLog } from './gemini-cli-log.js';
import { ROLES, readMessage } from './gemini-cli-read.js';
import { freshMessage, writeMessage } from './gemini-cli-write.js';
import { withThoughts } from './thoughts.js';

export default defineFormat({
  id: 'gemini-cli-session',
  traits: { flagsErrors: true, resultsStandInCalls: true, repliesStateUsage: true },
  messagePaths: ['messages'],
  score(raw) {
    if (raw.get('$set')?.isObject || raw.get('$patch')?.isObject || raw.get('$rewindTo')?.isString) return 1;
    if (raw.get('projectHash') !== undefined)
      return raw.get('sessionId')?.isString && !messageListIn(raw)?.length ? 1 : 0;
    const type = raw.get('type')?.string;
    const isMessage =
      type !== undefined &&
      type in ROLES &&
      [raw.get('id'), raw.get('timestamp')].every((node) => node?.isString) &&
      raw.get('role') === undefined;
    if (!isMessage || (raw.get('content') ?? raw.get('toolCalls')) === undefined) return 0;
    return type === 'gemini' ? 1 : 0.7;
  },
  read: readMessage,
  write(message) {
    const { raw } = message;
    if (!(raw instanceof JsonNode)) return freshMessage(message);
    if (message.role === 'meta') return raw;
    return raw.get('$set')?.isObject ? writeCheckpoint(raw, message.parts) : writeMessage(message, raw);
  },
  describe(record) {
    const messages = messageListIn(record)?.items() ?? [];
    return {
      id: record.get('sessionId')?.string,
      project: record.get('projectHash')?.string,
      model: messages.find((message) => message.get('model')?.isString)?.get('model')?.string,
    };
  },
  header(line) {
    const project = line.get('projectHash')?.string;
    return project === undefined ? {} : { id: line.get('sessionId')?.string, project };
  },
  recorded(raw) {
    if (raw.get('type')?.string !== 'gemini') return undefined;
    return recordedOf({
      responseId: idOf(raw),
      model: raw.get('model')?.string,
      time: timeOf(raw.get('timestamp')),
      usage: usageIn(raw.get('tokens')),
    });
  },
  afterRead: loadLog,
  beforeWrite: (rows, before) => syncLog(rows, before, readMessage),
});

/**
 * Figures of the API: `input` includes cache reads, `output` excludes thoughts, and prompt tokens of server tools are
 * extra.
 * https://ai.google.dev/api/generate-content#UsageMetadata
 */
function usageIn(counts: JsonNode | undefined): Usage | undefined {
  const input = tokens(counts, 'input');
  const output = tokens(counts, 'output');
  if (input === undefined && output === undefined) return undefined;
  const cacheRead = tokens(counts, 'cached') ?? 0;
  const thoughts = tokens(counts, 'thoughts') ?? 0;
  const tool = tokens(counts, 'tool') ?? 0;
  const prompt = (input ?? 0) + tool;
  return usageOf({
    input: Math.max(0, (input ?? 0) - cacheRead) + tool,
    cacheRead,
    output: withThoughts(output ?? 0, { prompt, thoughts, total: tokens(counts, 'total') }),
    reasoning: thoughts,
  });
}
