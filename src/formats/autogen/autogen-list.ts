/** Lists of AutoGen's messages after a transform: summaries follow their results, additions are completed. */
import { type Json, type JsonFields, patch, patchEach } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { reparsed } from '../../json/print.js';
import { joinTexts } from '../../transcript/text.js';
import type { ResultPart } from '../../transcript/types.js';
import type { Row } from '../format.js';
import { withAdjacentRecords } from '../shared/adjacent-record.js';
import { derivedId } from '../shared/derived-ids.js';
import { objectsIn } from '../shared/json-fields.js';
import { table } from '../shared/table.js';
import { readResult } from './autogen-content.js';

/** The type of events that repeat results as one text. */
export const SUMMARY = 'ToolCallSummaryMessage';
/** Sources that are the user. */
export const USER_SOURCE = /^user(_?proxy)?$/i;

/** Writes additions in the spelling of the messages around them, and changes summaries like the results they repeat. */
export function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const written = new Map(rows.map(({ node, json: now }) => [node, now]));
  const resultsOf = new Map<JsonNode, JsonNode>(); // the event with the results that each summary repeats
  let results: JsonNode | undefined;
  for (const node of before) {
    const type = node.get('type')?.string;
    if (type === 'ToolCallExecutionEvent') results = node;
    else if (type === SUMMARY && results !== undefined) resultsOf.set(node, results);
  }
  let speaker = before.map(speakerOf).find((name) => name !== undefined);
  return withAdjacentRecords(rows, before).map(({ node, json: now, adjacent }) => {
    if (node === undefined) return completeMessage(now as JsonFields, adjacent, speaker ?? 'assistant');
    speaker = speakerOf(node) ?? speaker;
    const repeated = resultsOf.get(node);
    return repeated === undefined || written.get(repeated) === repeated
      ? now
      : writeSummary(node, repeated, written.get(repeated));
  });
}

/** The types of AgentChat for messages of model clients. */
const CHAT_TYPES = table<string>({
  FunctionExecutionResultMessage: 'ToolCallExecutionEvent',
  UserMessage: 'TextMessage',
  AssistantMessage: 'TextMessage',
});

/** The agent whose message it is. */
function speakerOf(message: JsonNode): string | undefined {
  const source = message.get('source')?.string;
  return source === undefined || USER_SOURCE.test(source) ? undefined : source;
}

function completeMessage(message: JsonFields, adjacent: JsonNode | undefined, speaker: string): Json {
  const type = message['type'] as string;
  const isChat = adjacent?.get('source') !== undefined && !((adjacent.get('type')?.string ?? '') in CHAT_TYPES);
  const source = type === 'UserMessage' ? 'user' : speaker;
  if (!isChat)
    return type === 'UserMessage' || type === 'AssistantMessage'
      ? { ...message, source: message['source'] ?? source }
      : message;
  const id = adjacent.get('id') === undefined ? {} : { id: derivedId(adjacent.get('id')!.text, message) };
  return {
    ...id,
    source,
    models_usage: null,
    metadata: {},
    created_at: adjacent.get('created_at'),
    content: message['content'],
    type: CHAT_TYPES[type] ?? type,
  };
}

/** A summary after some of its results changed or were removed; undefined if all of them were removed. */
function writeSummary(summary: JsonNode, repeated: JsonNode, now: Json | undefined): Json | undefined {
  const left = now === undefined ? [] : resultsIn(reparsed(now));
  const changes = resultsIn(repeated).map((before) => ({
    before,
    after:
      left.find(({ callId }) => callId === before.callId) ??
      left.find(({ content }) => joinTexts(content) === joinTexts(before.content)),
  }));
  if (changes.every(({ after }) => after === undefined)) return undefined;
  const text = changes.reduce(
    (whole, { before, after }) => replaceText(whole, joinTexts(before.content), after && joinTexts(after.content)),
    summary.get('content')?.string ?? '',
  );
  const changeEach = (list: string, idKey: string, change: (item: JsonNode, after: ResultPart) => Json) =>
    patchEach(summary.get(list), (item) => {
      const id = item.get(idKey)?.string;
      const found = changes.find(({ before }) => before.callId === id);
      return found === undefined ? item : found.after && change(item, found.after);
    });
  return patch(summary, {
    content: text,
    tool_calls: changeEach('tool_calls', 'id', (item) => item),
    results: changeEach('results', 'call_id', (item, after) => patch(item, { content: joinTexts(after.content) })),
  });
}

function resultsIn(event: JsonNode): ResultPart[] {
  return objectsIn(event.get('content'), 'content').map(readResult);
}

/** A text with `before` replaced by `after`; without `after`, its line is removed. */
function replaceText(text: string, before: string, after: string | undefined): string {
  const at = before === '' ? -1 : text.indexOf(before);
  if (at < 0 || before === after) return text;
  const [head, tail] = [text.slice(0, at), text.slice(at + before.length)];
  if (after !== undefined) return head + after + tail;
  return tail.startsWith('\n') ? head + tail.slice(1) : head.replace(/\n$/, '') + tail;
}
