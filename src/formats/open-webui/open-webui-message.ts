/** Writes what a message of Open WebUI says where it was read from. What has no place there becomes `output`. */
import { ArrayEdit, type Json, type JsonFields, ObjectEdit, patch, patchItems } from '../../json/edit.js';
import { JsonNode } from '../../json/node.js';
import { reparsed } from '../../json/print.js';
import { listIn } from '../../lists.js';
import { codeAfter, isCode } from './open-webui-code.js';
import { type Piece, pieceAfter, piecesOf, START, shellsOf, shownOf, textIn, textsOf } from './open-webui-details.js';
import { fileIn, replyItem, type Said, saidIn } from './open-webui-said.js';
import type { Place } from './open-webui-tree.js';

/** An item after the edit. */
interface Edited {
  /** Its index before; undefined if it was added. */
  readonly from: number | undefined;
  readonly json: Json;
  readonly node: JsonNode;
}

/** The members that change. `base`: the items before. */
export function messageFields(was: Place, base: JsonNode, after: Json): JsonFields {
  const items = editedItems(base, after);
  if (was.isSystem) return { content: textsOf(items.map(({ node }) => node)) };
  const said = saidIn(was.node);
  const count = said.items.length;
  const isFile = ({ from, node }: Edited) => (from === undefined ? fileIn(node) !== undefined : from >= count);
  return {
    ...saidFields(
      was.node,
      said,
      items.filter((item) => !isFile(item)),
    ),
    ...fileFields(was.node.get('files'), items.filter(isFile), count),
  };
}

/** The members of a message that was added. */
export function freshFields(role: string, said: Json): JsonFields {
  const items = editedItems(undefined, said);
  const files = items.filter(({ node }) => fileIn(node) !== undefined);
  const words = items.filter((item) => !files.includes(item));
  return { role, ...wordFields(role, words), ...fileFields(undefined, files, 0) };
}

function editedItems(base: JsonNode | undefined, after: Json): Edited[] {
  const items =
    after instanceof JsonNode ? after.items() : after instanceof ArrayEdit ? after.items : (after as Json[]);
  const index = new Map(base?.items().map((item, at) => [item.at, at]));
  return items.map((json) => {
    const source = json instanceof JsonNode ? json : json instanceof ObjectEdit ? json.base : undefined;
    const from = source !== undefined && source.source === base?.source ? index.get(source.at) : undefined;
    return { from, json, node: json instanceof JsonNode ? json : reparsed(json) };
  });
}

function fileFields(files: JsonNode | undefined, items: readonly Edited[], count: number): JsonFields {
  const before = files?.items() ?? [];
  if (items.length === 0 && before.length === 0) return {};
  const after = items.map(({ from, node }) => (from === undefined ? fileIn(node)! : before[from - count]!));
  return { files: files === undefined ? after : patchItems(files, after) };
}

function saidFields(node: JsonNode, said: Said, items: readonly Edited[]): JsonFields {
  const isSame = items.length === said.items.length && items.every(({ json }) => json instanceof JsonNode);
  if (isSame && items.every(({ from }, index) => from === index)) return {};
  switch (said.place) {
    case 'output':
      return outputFields(node, said.origins!, items);
    case 'merged':
      return mergedFields(node, items);
    case 'blocks':
      return blockFields(said.pieces!, items) ?? wordFields('assistant', items);
    default:
      return contentFields(node, items);
  }
}

// --- by place

function outputFields(node: JsonNode, origins: readonly number[], items: readonly Edited[]): JsonFields {
  const list = node.get('output')!;
  const before = list.items();
  const originOf = ({ from }: Edited) => (from === undefined ? undefined : origins[from]!);
  const own = new Map<number | undefined, Edited[]>();
  for (const item of items) listIn(own, originOf(item)).push(item);
  const output = items.flatMap((item): readonly Json[] => {
    const origin = originOf(item);
    if (origin === undefined) return [item.json];
    const old = before[origin]!;
    if (!isCode(old)) return [item.json instanceof ObjectEdit ? new ObjectEdit(old, item.json.fields) : old];
    const all = own.get(origin)!;
    return all[0] === item ? codesAfter(old, origin, all, origins) : [];
  });
  const nodes = items.map((item) => item.node);
  const shown = node.get('content')?.string;
  if (shown === undefined || !repeats(shown, before)) return { output: patchItems(list, output) };
  const shells = shellsOf(shown, before);
  const blocks = items.map((item) => shells[originOf(item) ?? -1]);
  return { output: patchItems(list, output), content: shown.includes(START) ? shownOf(nodes, blocks) : textsOf(nodes) };
}

/** Whether a content has no words but those of the output: others would be lost with it. */
function repeats(shown: string, output: readonly JsonNode[]): boolean {
  const said = spaceless(textsOf(output));
  const pieces = piecesOf(shown)?.flatMap(({ items }) => items.map((item) => reparsed(item as JsonFields)));
  const texts = pieces === undefined ? [shown] : pieces.filter(isText).map(textIn);
  return texts.every((text) => said.includes(spaceless(text)));
}

function spaceless(text: string): string {
  return text.replace(/\s+/g, '');
}

function isText(item: JsonNode): boolean {
  return item.get('type')?.string === 'message';
}

function codesAfter(
  old: JsonNode,
  origin: number,
  own: readonly Edited[],
  origins: readonly number[],
): readonly Json[] {
  const isWhole = own.length === origins.filter((one) => one === origin).length;
  if (isWhole && own.every(({ json }) => json instanceof JsonNode)) return [old];
  const written = codeAfter(
    old,
    origin,
    own.map(({ node }) => node),
  );
  return written === undefined ? own.map(({ json }) => json) : [written];
}

function mergedFields(node: JsonNode, items: readonly Edited[]): JsonFields {
  const [only] = items;
  const value = items.length === 1 && only!.from === 0 ? only!.node.get('content') : undefined;
  if (value?.string) return { merged: patch(node.get('merged')!, { content: value.text }) };
  return { merged: undefined, ...wordFields('assistant', items) };
}

function contentFields(node: JsonNode, items: readonly Edited[]): JsonFields {
  const role = node.get('role')!.text;
  const old = node.get('content');
  if (!old?.isArray) return wordFields(role, items);
  const blocks = items.flatMap(({ from, json, node: item }): readonly Json[] => {
    if (from === undefined) return [{ type: 'text', text: textIn(item) }];
    const value = json instanceof ObjectEdit ? json.fields.get('content') : old;
    if (value instanceof JsonNode) return value.items();
    return value instanceof ArrayEdit ? value.items : (value as readonly Json[]);
  });
  return { content: patchItems(old, blocks) };
}

/** What is said as a content alone, if it can be; else as `output`, with the content that repeats it. */
function wordFields(role: string, items: readonly Edited[]): JsonFields {
  const nodes = items.map(({ node }) => node);
  const content = textsOf(nodes);
  const isPlain = nodes.length < 2 && nodes.every(isText) && piecesOf(content) === undefined;
  if (role !== 'assistant' || nodes.length === 0 || (isPlain && nodes.every((node) => partsIn(node) < 2)))
    return { content };
  return { content, output: nodes.map(asOutput) };
}

function partsIn(item: JsonNode): number {
  const content = item.get('content');
  return content?.isArray ? content.length : 1;
}

function asOutput(item: JsonNode): Json {
  const content = item.get('content');
  return item.get('type')?.string === 'message' && content?.isString ? replyItem(content) : item;
}

// --- blocks

/** The content with other blocks; undefined if it would be read as something else. */
function blockFields(pieces: readonly Piece[], items: readonly Edited[]): JsonFields | undefined {
  const groups = grouped(pieces, items);
  if (groups === undefined) return undefined;
  let content = '';
  for (const [index, piece] of pieces.entries()) {
    const own = groups[index]!;
    const isSame = own.length === piece.items.length && own.every(({ json }) => json instanceof JsonNode);
    const text = isSame
      ? piece.source
      : pieceAfter(
          piece,
          own.map(({ node }) => node),
        );
    if (text === undefined) return undefined;
    content += text;
  }
  const again = (piecesOf(content) ?? []).flatMap((piece) => piece.items).map((item) => reparsed(item as JsonFields));
  const isRead = again.length === items.length && again.every((item, at) => keyOf(item) === keyOf(items[at]!.node));
  return isRead ? { content } : undefined;
}

/** The items of each piece, an added result beside its call; undefined if others were added, or they moved. */
function grouped(pieces: readonly Piece[], items: readonly Edited[]): Edited[][] | undefined {
  const pieceOf = pieces.flatMap((piece, index) => piece.items.map(() => index));
  const groups = pieces.map((): Edited[] => []);
  let last = -1;
  for (const item of items) {
    const { from, node } = item;
    const at: number | undefined = from === undefined ? last : pieceOf[from];
    if (at === undefined || at < last) return undefined;
    if (from === undefined && !(answers(node, groups[at]) && pieces[at]!.items.length === 1)) return undefined;
    groups[at]!.push(item);
    last = at;
  }
  return groups;
}

function answers(node: JsonNode, group: readonly Edited[] = []): boolean {
  const [call] = group;
  const id = call?.node.get('type')?.string === 'function_call' ? call.node.get('call_id')?.string : undefined;
  return (
    group.length === 1 && node.get('type')?.string === 'function_call_output' && node.get('call_id')?.string === id
  );
}

/** What an item says. */
function keyOf(item: JsonNode): string {
  const members = ['type', 'call_id', 'name', 'arguments', 'code'].map((key) => item.get(key)?.text ?? '');
  const output = item.get('output');
  const said = ['content', 'output'].map((key) => {
    const value = item.get(key);
    return value?.isArray ? value.items().map((block) => block.get('text')?.text ?? block.text) : (value?.text ?? '');
  });
  return JSON.stringify([members, said, output === undefined]);
}
