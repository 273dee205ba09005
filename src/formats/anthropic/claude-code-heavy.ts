/**
 * Images and PDFs that a session of Claude Code holds again: in blocks of later messages, which are all sent, and
 * beside a block in the record of its tool (`toolUseResult.file.base64`), which is never sent.
 * https://github.com/anthropics/claude-code/issues/67080
 */
import { type Json, patch, patchItems } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import { type Fault, type Line, lineWith } from '../resume.js';

/** So many bytes of repetition are worth a word. */
const HEAVY = 1_000_000;
/** Smaller texts are no images. */
const LEAST = 1_000;

export function heavyMedia(lines: readonly Line[]): Fault[] {
  const seen = new Set<string>();
  const mend = new Map<Line, readonly Line[]>();
  let total = 0;
  for (const line of lines) {
    if (line.bytes.length < LEAST || !line.bytes.includes('base64')) continue;
    const { node, saved } = lightened(line.node!, seen);
    if (saved > 0) mend.set(line, [lineWith(line, node)]);
    total += saved;
  }
  const [first] = mend.keys();
  if (first === undefined || total < HEAVY) return [];
  const megabytes = (total / 1e6).toFixed(1);
  const text = `${megabytes} MB are images and files that the session holds already, and the agent keeps again`;
  return [{ rule: 'media-repeated', line: first, text, mend }];
}

function lightened(node: JsonNode, seen: Set<string>) {
  let saved = 0;
  let hasMedia = false;
  const light = (block: JsonNode): Json => {
    const inner = block.get('content');
    if (inner?.isArray) return patch(block, { content: patchItems(inner, inner.items().map(light)) });
    const data = dataOf(block);
    if (data === undefined) return block;
    hasMedia = true;
    if (!seen.has(data.json)) {
      seen.add(data.json);
      return block;
    }
    saved += data.byteLength;
    return { type: 'text', text: `[${block.get('type')!.string}: as in an earlier message]` };
  };
  const message = node.get('message');
  const content = message?.get('content');
  const lighter = content?.isArray ? patchItems(content, content.items().map(light)) : undefined;
  const result = node.get('toolUseResult');
  const file = result?.get('file');
  const kept = file?.get('base64');
  const isKept = hasMedia && kept?.isString === true && kept.byteLength >= LEAST;
  if (isKept) saved += kept.byteLength;
  const fields = {
    ...(lighter === undefined ? {} : { message: patch(message!, { content: lighter }) }),
    ...(isKept ? { toolUseResult: patch(result!, { file: patch(file!, { base64: '' }) }) } : {}),
  };
  return { node: patch(node, fields), saved };
}

function dataOf(block: JsonNode): JsonNode | undefined {
  const data = block.get('source')?.get('data');
  return data?.isString && data.byteLength >= LEAST ? data : undefined;
}
