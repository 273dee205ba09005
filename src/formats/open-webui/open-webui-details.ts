/**
 * Calls, reasoning and code in the content of a message, as Open WebUI wrote them before it kept `output`: HTML blocks
 * `<details type="tool_calls" …>`, whose attributes are JSON with HTML escapes. Each block becomes the items of
 * `output` that say the same. `serialize_content_blocks` and `serialize_output` in
 * https://github.com/open-webui/open-webui/blob/main/backend/open_webui/utils/middleware.py (2026-11-30)
 */
import type { JsonNode } from '../../json/node.js';
import { addAll } from '../../lists.js';
import { tryParse } from '../shared/json-fields.js';
import { table } from '../shared/table.js';
import { CODE, CODE_TOOL, codeItems } from './open-webui-code.js';

/** An item of `output`. */
export type Item = object;

/** A piece of a content, with the items that it says; without items it is a gap. */
export interface Piece {
  readonly source: string;
  readonly items: readonly Item[];
}

const HEAD =
  /<details type="(tool_calls|reasoning|code_interpreter)"((?: \w+="[^"]*")*)>\n<summary>([^<]*)<\/summary>\n/g;
const END = '</details>';
export const START = '<details type="';
const FENCE = /^ *```/gm;

/** The pieces of a content; undefined if there are no blocks in it. Blocks that are quoted as code are text. */
export function piecesOf(content: string): readonly Piece[] | undefined {
  if (!content.includes(START)) return undefined;
  const pieces: Piece[] = [];
  let [from, isQuoted] = [0, false];
  let text = '';
  for (const block of blocksIn(content)) {
    const before = content.slice(from, block.start);
    if ((before.match(FENCE)?.length ?? 0) % 2 === 1) isQuoted = !isQuoted;
    const items = isQuoted ? [] : READ[block.type]!(block, pieces.length);
    const source = content.slice(block.start, block.end);
    text += before;
    from = block.end;
    if (items.length === 0) text += source;
    else {
      addAll(pieces, [...textPieces(text), { source, items }]);
      text = '';
    }
  }
  return pieces.length === 0 ? undefined : [...pieces, ...textPieces(text + content.slice(from))];
}

/** White space around a text belongs to the blocks beside it. */
function textPieces(source: string): Piece[] {
  const text = source.trim();
  if (text === '') return source === '' ? [] : [{ source, items: [] }];
  const start = source.indexOf(text);
  const gaps = [source.slice(0, start), source.slice(start + text.length)].map((gap) =>
    gap === '' ? [] : [{ source: gap, items: [] }],
  );
  return [...gaps[0]!, { source: text, items: [textItem(text)] }, ...gaps[1]!];
}

function textItem(text: string): Item {
  return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] };
}

// --- reading

interface Block {
  readonly type: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly summary: string;
  readonly body: string;
  readonly start: number;
  readonly end: number;
}

function blocksIn(content: string): Block[] {
  const blocks: Block[] = [];
  HEAD.lastIndex = 0;
  for (let match = HEAD.exec(content); match !== null; match = HEAD.exec(content)) {
    const [head, type, attributes, summary] = match as unknown as [string, string, string, string];
    const from = match.index + head.length;
    const close = content.indexOf(END, from);
    if (close < 0) break;
    const end = close + END.length + (content[close + END.length] === '\n' ? 1 : 0);
    const pairs = [...attributes.matchAll(/ (\w+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!] as const);
    const body = content.slice(from, close).replace(/\n$/, '');
    blocks.push({ type, attributes: new Map(pairs), summary, body, start: match.index, end });
    HEAD.lastIndex = end;
  }
  return blocks;
}

const READ = table<(block: Block, index: number) => Item[]>({
  tool_calls: ({ attributes, body }) => {
    const [id, name] = ['id', 'name'].map((key) => unescaped(attributes.get(key) ?? ''));
    if (!name) return [];
    const result = attributes.get('result') ?? (body || undefined);
    const call = { type: 'function_call', call_id: id!, name, arguments: decoded(attributes.get('arguments') ?? '') };
    if (result === undefined) return [call];
    const output = [{ type: 'input_text', text: decoded(result) }];
    return [call, { type: 'function_call_output', call_id: id!, output }];
  },
  reasoning: ({ body }) => {
    const lines = (body.startsWith('&gt;') ? unescaped(body) : body).split('\n');
    const text = lines.map((line) => (line.startsWith('> ') ? line.slice(2) : line)).join('\n');
    return [{ type: 'reasoning', summary: [], content: [{ type: 'output_text', text }] }];
  },
  code_interpreter: ({ attributes, body }, index) => {
    const code = CODE_BODY.exec(body);
    const output = attributes.get('output');
    return code === null ? [] : codeItems(`code_${index}`, code[2]!, output && decoded(output));
  },
});

const CODE_BODY = /^```(.*)\n([\s\S]*)\n```$/;

/** A string is stored as JSON; other values stand for themselves. */
function decoded(value: string): string {
  const text = unescaped(value);
  return tryParse(text)?.string ?? text;
}

// --- writing

/** The source of a block whose items changed; undefined if a block cannot say them. `items`: those that are left. */
export function pieceAfter({ source }: Piece, items: readonly JsonNode[]): string | undefined {
  if (items.length === 0) return '';
  if (!source.startsWith(START)) return textIn(items[0]!);
  const [block] = blocksIn(source) as [Block];
  const [first, second] = items;
  if (first!.get('type')?.string === 'function_call_output') return undefined; // without its call
  return renderedItem(first!, second, block);
}

const NONE = { attributes: new Map<string, string>(), summary: '', body: '' };
type Shell = Pick<Block, 'attributes' | 'summary' | 'body'>;

/** What Open WebUI shows of `output`. `blocks`: of each item, the block that showed it before. */
export function shownOf(items: readonly JsonNode[], blocks: readonly (Shell | undefined)[]): string {
  const results = new Map<string, JsonNode>();
  for (const item of items) {
    const id = item.get('type')?.string === 'function_call_output' ? item.get('call_id')?.string : undefined;
    if (id !== undefined && !results.has(id)) results.set(id, item);
  }
  return items
    .map((item, at) => renderedItem(item, results.get(item.get('call_id')?.string ?? ''), blocks[at] ?? NONE))
    .join('')
    .trim();
}

/** The blocks that show items of `output`, which say more than those: how long it took, and images of results. */
export function shellsOf(shown: string, output: readonly JsonNode[]): (Shell | undefined)[] {
  const all = blocksIn(shown);
  const left = new Map(Object.values(SHOWN_AS).map((type) => [type, all.filter((block) => block.type === type)]));
  return output.map((item) => left.get(SHOWN_AS[item.get('type')?.string ?? '']!)?.shift());
}

const SHOWN_AS = table<string>({ function_call: 'tool_calls', reasoning: 'reasoning', [CODE]: 'code_interpreter' });

/** The texts among items. */
export function textsOf(items: readonly JsonNode[]): string {
  return items
    .filter((item) => item.get('type')?.string === 'message')
    .map(textIn)
    .join('\n');
}

export function textIn(item: JsonNode): string {
  const content = item.get('content');
  return content?.string ?? (content?.items() ?? []).map((block) => block.get('text')?.string ?? '').join('');
}

function renderedItem(item: JsonNode, result: JsonNode | undefined, block: Shell): string {
  switch (item.get('type')?.string) {
    case 'message': {
      const text = textIn(item).trim();
      return text === '' ? '' : `${text}\n`;
    }
    case 'function_call':
      return item.get('name')?.string === CODE_TOOL ? codeBlock(item, result, block) : callBlock(item, result, block);
    case 'reasoning':
      return reasoningBlock(item, block);
    default:
      return '';
  }
}

function callBlock(call: JsonNode, result: JsonNode | undefined, { attributes, summary, body }: Shell): string {
  const isInBody = body !== '' && attributes.get('result') === undefined;
  const output = result && encoded(outputIn(result));
  const all = new Map(attributes)
    .set('done', String(result !== undefined))
    .set('id', escaped(call.get('call_id')?.string ?? ''))
    .set('name', escaped(call.get('name')?.string ?? ''))
    .set('arguments', encoded(call.get('arguments')?.text ?? ''));
  if (output === undefined || isInBody) all.delete('result');
  else all.set('result', output);
  const had = isInBody || attributes.get('result') !== undefined;
  const title = result === undefined ? 'Executing...' : had ? summary : 'Tool Executed';
  return opened('tool_calls', all, title) + (output !== undefined && isInBody ? `${output}\n` : '') + CLOSED;
}

function outputIn(result: JsonNode): string {
  const output = result.get('output');
  return output?.string ?? (output?.items() ?? []).map((block) => block.get('text')?.text ?? '').join('');
}

function reasoningBlock(item: JsonNode, { attributes, summary }: Shell): string {
  const [blocks = []] = ['summary', 'content'].flatMap((key) =>
    item.get(key)?.length ? [item.get(key)!.items()] : [],
  );
  const text = blocks.map((block) => block.get('text')?.string ?? '').join('');
  const all =
    attributes.size > 0
      ? attributes
      : new Map([
          ['done', 'true'],
          ['duration', '0'],
        ]);
  const quoted = text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
  return `${opened('reasoning', all, summary || 'Thought for 0 seconds')}${escaped(quoted)}\n${CLOSED}`;
}

function codeBlock(call: JsonNode, result: JsonNode | undefined, { attributes, summary, body }: Shell): string {
  const output = result && outputIn(result);
  const all = new Map(attributes).set('done', attributes.get('done') ?? 'true');
  if (output === undefined) all.delete('output');
  else all.set('output', tryParse(output)?.isObject ? escaped(output) : encoded(output));
  const code = `\`\`\`${CODE_BODY.exec(body)?.[1] ?? 'python'}\n${call.get('arguments')?.text ?? ''}\n\`\`\`\n`;
  return `${opened('code_interpreter', all, summary || 'Analyzed')}${code}${CLOSED}`;
}

function opened(type: string, attributes: ReadonlyMap<string, string>, summary: string): string {
  const written = [...attributes].map(([key, value]) => ` ${key}="${value}"`).join('');
  return `<details type="${type}"${written}>\n<summary>${summary}</summary>\n`;
}

const CLOSED = '</details>\n';

// --- HTML and JSON

function encoded(text: string): string {
  return escaped(JSON.stringify(text));
}

/** As `html.escape` of Python. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!);
}

function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#x27|#39);/g, (sign) => SIGNS[sign]!);
}

const ESCAPES = table<string>({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#x27;' });
const SIGNS = table<string>({ ...Object.fromEntries(Object.entries(ESCAPES).map(([a, b]) => [b, a])), '&#39;': "'" });
