/**
 * Kimi CLI's wire logs (`wire.jsonl`), one record per line. User messages are `context.append_message`. Output of the
 * model is `context.append_loop_event`: a step begins, its parts, calls and results follow one by one, and it ends.
 * Earlier versions write `{timestamp, message: {type, payload}}` with TurnBegin, ContentPart, ToolCall, ToolResult.
 * Lines of all other types are not messages. Its `context.jsonl` is not of this format: it holds messages of OpenAI
 * Chat.
 * https://github.com/MoonshotAI/kimi-code https://github.com/MoonshotAI/kimi-cli
 */
import { patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import { type Description, defineFormat } from '../format.js';
import { recordedOf, timeOf, tokens, usageFromUncached } from '../shared/recorded.js';
import { readCompaction, summaryIn, writeCompaction } from './kimi-cli-compaction.js';
import { beforeWrite, EVENT, earlyOf, MESSAGE, onePrompt, SYSTEM } from './kimi-cli-log.js';
import { objectAt, readEarly, readEvent, readMessage } from './kimi-cli-read.js';
import { freshMessage, writeContent, writeEarly, writeEvent, writeMessage } from './kimi-cli-write.js';

/** Families of lines without a message; all have a numeric `time`. */
const META_LINES = new RegExp(
  '^(config|context|cron|full_compaction|goal|interaction|llm|mcp|micro_compaction|permission|plan|plan_mode|profile|' +
    'prompt|runtime|swarm_mode|task|token_counting|tools|turn|usage)\\.[\\w.]+$',
);

export default defineFormat({
  id: 'kimi-cli',
  traits: { piecesStandAlone: true, flagsErrors: true },
  messagePaths: [],
  score(raw) {
    const type = raw.get('type')?.string;
    if (type === undefined) return earlyScore(earlyOf(raw));
    if (type === 'metadata') return raw.get('protocol_version')?.isString ? 1 : 0;
    if (type === MESSAGE) return raw.get('message')?.isObject ? 1 : 0;
    if (type === EVENT) return raw.get('event')?.isObject ? 1 : 0;
    return META_LINES.test(type) && raw.get('time')?.number !== undefined ? 0.95 : 0;
  },
  read(raw) {
    const early = earlyOf(raw);
    if (early !== undefined) return { ...readEarly(early, raw.get('message')!.get('payload')!), raw };
    const type = raw.get('type')?.string;
    const system = raw.get('systemPrompt');
    if (SYSTEM.has(type ?? '') && system?.isString)
      return { role: 'system', parts: [{ type: 'text', text: system, raw: system }], raw };
    if (type === MESSAGE) return { ...readMessage(objectAt(raw, 'message')), raw };
    if (type === EVENT) return { ...readEvent(objectAt(raw, 'event')), raw };
    return readCompaction(raw) ?? { role: 'meta', parts: [], raw };
  },
  write(message) {
    const { raw, parts } = message;
    if (!(raw instanceof JsonNode)) return freshMessage(message);
    if (message.role === 'meta') return raw;
    const early = earlyOf(raw);
    if (early !== undefined) return patch(raw, { message: writeEarly(early, raw.get('message')!, parts) });
    const type = raw.get('type')!.text;
    if (type === MESSAGE) return patch(raw, { message: writeMessage(raw.get('message')!, parts) });
    if (type === EVENT) return patch(raw, { event: writeEvent(raw.get('event')!, parts) });
    return summaryIn(raw) !== undefined
      ? writeCompaction(raw, parts)
      : patch(raw, { systemPrompt: writeContent(parts, raw.get('systemPrompt')) });
  },
  header(line): Description {
    const model = line.get('modelAlias')?.string ?? line.get('model')?.string;
    const tools = line.get('type')?.string === 'llm.tools_snapshot' ? line.get('tools') : undefined;
    return { model, tools: tools?.isArray ? tools : undefined };
  },
  recorded(raw): Recorded | undefined {
    const payload = earlyOf(raw) === 'StatusUpdate' ? raw.get('message')!.get('payload') : undefined;
    const usage =
      raw.get('type')?.string === 'usage.record' ? usageIn(raw.get('usage')) : usageIn(payload?.get('token_usage'));
    const model = usage === undefined ? undefined : raw.get('model')?.string;
    return recordedOf({
      responseId: payload?.get('message_id')?.string,
      model,
      time: timeOf(raw.get('time') ?? raw.get('timestamp')),
      usage,
    });
  },
  beside: (row) => [summaryIn(row)],
  afterRead: onePrompt,
  beforeWrite,
});

/** What sub-agents say is in no message: a low score, so that it counts as unread. */
function earlyScore(type: string | undefined): number {
  if (type === undefined) return 0;
  return type === 'SubagentEvent' ? 0.4 : 1;
}

/** Usage of a `usage.record`, which also covers compactions; the end of a step repeats it and is not read. */
function usageIn(usage: JsonNode | undefined): Usage | undefined {
  const count = (camel: string, snake: string) => tokens(usage, camel) ?? tokens(usage, snake);
  return usageFromUncached(count('inputOther', 'input_other'), count('output', 'output'), {
    cacheRead: count('inputCacheRead', 'input_cache_read'),
    cacheWrite5m: count('inputCacheCreation', 'input_cache_creation'),
  });
}
