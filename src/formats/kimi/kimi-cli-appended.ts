/**
 * What Kimi Code writes of messages for those who look on (`agent.message.appended`, since version 2): the prompt, and
 * at the end of a turn what each step said and called, and what came back. It is not sent; as @moonshot-ai/kimi-code
 * 2.1.0 resumes, the other lines are (2026-11-30).
 */
import { type Json, type JsonFields, ObjectEdit, patch, patchEach, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { printed } from '../../json/print.js';
import { listIn } from '../../lists.js';
import { joinTexts } from '../../transcript/text.js';
import type { Row } from '../format.js';
import { isResult } from '../shared/parts.js';

/** Such a line after an edit; undefined if all that it repeats is gone. Any other line is itself. */
export type Appended = (line: JsonNode) => Json | undefined;

const typeOf = (node: JsonNode | undefined) => node?.get('type')?.string;

export function appendedAfter(rows: readonly Row[], before: readonly JsonNode[]): Appended {
  const rowOf = new Map(rows.map((row) => [row.node, row]));
  const prompts = new Map<string | undefined, JsonNode>();
  const results = new Map<string | undefined, JsonNode>();
  const steps = new Map<string, JsonNode[]>(); // what each said and called
  const ended = new Map<string | undefined, string | undefined>(); // the step that a message came from
  for (const line of before) {
    const event = line.get('event');
    const [type, step] = [typeOf(event), event?.get('stepUuid')?.string];
    if (step !== undefined) listIn(steps, step).push(line);
    if (type === 'tool.result') results.set(event!.get('toolCallId')?.string, line);
    if (type === 'step.end') ended.set(event!.get('messageId')?.string, event!.get('uuid')?.string);
    if (typeOf(line) === 'context.append_message') prompts.set(line.get('message')?.get('id')?.string, line);
  }
  const linesOf = (meta: JsonNode | undefined, message: JsonNode): readonly JsonNode[] => {
    const role = message.get('role')?.string;
    if (role === 'assistant') return steps.get(ended.get(meta?.get('messageId')?.string) ?? '') ?? [];
    const own = role === 'tool' ? results.get(message.get('toolCallId')?.string) : undefined;
    const found = own ?? prompts.get(meta?.get('userMessageId')?.string ?? 'none');
    return found === undefined ? [] : [found];
  };
  return (line) => {
    const holder = typeOf(line) === 'agent.message.appended' ? line.get('message') : undefined;
    const message = holder?.get('message');
    if (message === undefined) return line;
    const lines = linesOf(holder!.get('meta'), message);
    const left = lines.flatMap((one) => rowOf.get(one) ?? []);
    if (left.length === lines.length && left.every(({ json, node }) => json instanceof JsonNode && json.is(node)))
      return line;
    if (left.length === 0) return undefined;
    return patch(line, { message: patch(holder!, { message: patch(message, fieldsOf(message, left)) }) });
  };
}

function fieldsOf(message: JsonNode, rows: readonly Row[]): JsonFields {
  const [first] = rows;
  const role = message.get('role')?.string;
  if (role === 'user') return { content: changedAt(first!.json, 'message', 'content') ?? message.get('content') };
  if (role === 'tool') {
    const result = first!.message.parts.find(isResult);
    return { content: [{ type: 'text', text: joinTexts(result?.content ?? []) }] };
  }
  const parts = rows.filter(({ node }) => typeOf(node?.get('event')) === 'content.part');
  const calls = message.get('toolCalls');
  const written = patchEach(calls, (call) => {
    const row = rows.find(({ node }) => node?.get('event')?.get('toolCallId')?.string === call.get('id')?.string);
    if (row === undefined) return undefined;
    const [args, id] = [changedAt(row.json, 'event', 'args'), changedAt(row.json, 'event', 'toolCallId')];
    return patch(call, { ...(id && { id }), ...(args === undefined ? {} : { arguments: printed(args) }) });
  });
  return {
    content: contentOf(message.get('content'), parts),
    ...(calls === undefined ? {} : { toolCalls: written }),
  };
}

function contentOf(old: JsonNode | undefined, rows: readonly Row[]): Json {
  const parts = rows.map((row) => changedAt(row.json, 'event', 'part') ?? row.node!.get('event')!.get('part')!);
  return old === undefined ? parts : patchItems(old, parts);
}

/** The new value at a path of an edit; undefined if unchanged. */
export function changedAt(json: Json, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (now, key) => (now instanceof ObjectEdit ? now.fields.get(key) : undefined),
    json,
  );
}
