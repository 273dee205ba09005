/** UI message streams after a transform: the other chunks of a block follow the chunk that stands for it. */
import { canonical } from '../../json/canonical.js';
import { type Json, type JsonFields, ObjectEdit, patch } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { reparsed } from '../../json/print.js';
import { listIn } from '../../lists.js';
import type { Row } from '../format.js';
import { hashId } from '../shared/derived-ids.js';
import { type Block, blocksIn } from './vercel-uistream-blocks.js';
import { callIdOf } from './vercel-uistream-read.js';

/**
 * Removes all chunks of a message that was removed. If a message changed, its main chunk holds everything, so the
 * chunks with pieces of it are removed too; the start and end of a text and requests to approve a call stay. A text
 * that was added gets a start and an end.
 */
export function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const written = new Map(rows.map(({ node, json: row }) => [node, row]));
  const indexOf = new Map(rows.map(({ node }, index) => [node, index]));
  const replaced = new Map<JsonNode, Json | undefined>(); // undefined: the chunk is removed
  const blocks = blocksIn(before);
  const refused = new Map<string | undefined, JsonNode[]>(); // the chunks of calls that hold an error, by their call
  for (const { main } of blocks)
    if (main?.get('type')?.string === 'tool-input-error') listIn(refused, callIdOf(main)).push(main);
  for (const { kind, main, others } of blocks) {
    if (main === undefined) continue;
    const now = written.get(main);
    if (now !== main)
      for (const chunk of others)
        replaced.set(chunk, now === undefined ? undefined : otherChunk(chunk, kind, main, now));
    else if (kind === 'result')
      // The result was moved before its preliminary versions.
      for (const chunk of others) if (indexOf.get(chunk)! > indexOf.get(main)!) replaced.set(chunk, undefined);
    if (kind !== 'result' || !(now instanceof ObjectEdit)) continue;
    for (const call of refused.get(callIdOf(main)) ?? [])
      if (repeatsError(call, main, now))
        replaced.set(call, withErrorText(call, written.get(call), now.fields.get('errorText')));
  }
  return rows.map(({ node, json: row }) => {
    if (node === undefined) return withStartAndEnd(row);
    return replaced.has(node) ? replaced.get(node) : row;
  });
}

/** Whether the chunk of the same call repeats the changed error text: why its arguments were refused. */
function repeatsError(call: JsonNode, result: JsonNode, now: ObjectEdit): boolean {
  const text = call.get('errorText')?.string;
  return (
    text !== undefined &&
    text === result.get('errorText')?.string &&
    now.fields.has('errorText') &&
    !now.fields.has('toolCallId')
  );
}

function withErrorText(call: JsonNode, edited: Json | undefined, errorText: Json | undefined): Json {
  const fields = edited instanceof ObjectEdit ? Object.fromEntries(edited.fields) : {};
  return patch(call, { ...fields, errorText });
}

/** Another chunk of a block whose main chunk changed; undefined if that says the same. */
function otherChunk(chunk: JsonNode, kind: Block['kind'], main: JsonNode, now: Json): Json | undefined {
  const type = chunk.get('type')!.text;
  if (kind === 'text') return type.endsWith('-delta') ? undefined : chunk;
  if (type !== 'tool-approval-request' && !isRenamed(main, now)) return undefined;
  const id = now instanceof ObjectEdit ? now.fields.get('toolCallId') : undefined;
  return patch(chunk, { toolCallId: id ?? chunk.get('toolCallId') });
}

/** Whether only the id of the call changed, so that the chunks with its pieces are still right. */
function isRenamed(main: JsonNode, now: Json): boolean {
  const after = reparsed(now);
  const isSame = (key: string, value: JsonNode) => canonical(after.get(key)?.text ?? '') === canonical(value.text);
  return main.members().every(({ key, value }) => key.text === 'toolCallId' || isSame(key.text, value));
}

function withStartAndEnd(row: Json): Json {
  if (row instanceof JsonNode) return row;
  const { type, delta } = row as JsonFields;
  const [, kind] = /^(text|reasoning)-delta$/.exec(String(type)) ?? [];
  if (kind === undefined) return row;
  const id = hashId(`${kind}\n${String(delta)}`);
  return [
    { type: `${kind}-start`, id },
    { type, id, delta },
    { type: `${kind}-end`, id },
  ];
}
