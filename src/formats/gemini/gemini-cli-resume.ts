/**
 * What Gemini CLI loads of a chat: its messages by id, as the last record of each says, after what rewinds and new
 * histories (`$set.messages`) take away. As `loadConversationRecord` and `isResumableMessageRecord` of
 * @google/gemini-cli-core 0.61.0 do it (2026-11-26). A chat without a message to resume is not listed, and deleted.
 */
import { patch } from '../../json/edit.js';
import type { JsonNode } from '../../json/node.js';
import {
  type Fault,
  firstFound,
  freshLine,
  type Line,
  type Loaded,
  lineWith,
  type Resume,
  tornLines,
} from '../resume.js';
import { hashId } from '../shared/derived-ids.js';
import { tornDocument } from '../shared/torn-document.js';
import { rewindableIds } from './gemini-cli-rewinds.js';

export default {
  agent: 'gemini-cli',
  claims: (line) =>
    isHeader(line) || (typeOf(line) === 'gemini' && isMessage(line)) || line.get('$set')?.isObject === true,
  claimsTorn: (head) => /^\s*\{\s*"sessionId"\s*:\s*"[^"]*",\s*"projectHash"\s*:/.test(head),
  load(lines, name): Loaded {
    const records = lines.filter(({ node }) => node?.isObject);
    const { messages, copies, wipes } = replayed(records);
    const header = headless(records, name);
    const faults = firstFound(
      () => (lines[0]?.isDocument ? tornDocument(lines[0], 'messages') : tornLines(lines)),
      () => header,
      () => copies,
      () => wipes,
    );
    return { messages: header.length > 0 ? 0 : [...messages.values()].filter(isResumable).length, faults };
  },
} satisfies Resume;

const typeOf = (node: JsonNode) => node.get('type')?.string ?? '';
const isMessage = (node: JsonNode) => node.get('id')?.isString === true;

function isHeader(line: JsonNode): boolean {
  return line.get('sessionId')?.isString === true && line.get('projectHash')?.isString === true;
}

/** Records that change which messages there are, one after the other. */
function replayed(lines: readonly Line[]) {
  const messages = new Map<string, JsonNode>();
  const known = rewindableIds();
  const written = new Map<string, Line>(); // the first with these bytes
  const copies: Fault[] = [];
  const wipes: Fault[] = [];
  const replace = (list: readonly JsonNode[]) => {
    messages.clear();
    known.dropAll();
    for (const message of list) if (isMessage(message)) set(message.get('id')!.string!, message);
  };
  for (const line of lines) {
    const node = line.node!;
    const rewind = node.get('$rewindTo')?.string;
    const history = node.get('$set')?.get('messages');
    const id = node.get('id')?.string;
    if (rewind === undefined && id === undefined && !history?.isArray) {
      if (isHeader(node) && node.get('messages')?.isArray)
        for (const each of node.get('messages')!.items()) if (isMessage(each)) set(each.get('id')!.string!, each);
      continue;
    }
    const bytes = line.bytes.latin1Slice();
    const first = written.get(bytes);
    if (first === undefined) written.set(bytes, line);
    else if (id === undefined || messages.get(id)?.json !== node.json) copies.push(copy(first, line));
    if (rewind !== undefined) {
      if (!messages.has(rewind) && has(messages))
        wipes.push(wipe(line, `this goes back to ${rewind}, which is not there`, []));
      for (const id of known.dropFrom(rewind)) messages.delete(id);
    } else if (id !== undefined) set(id, node);
    else {
      const list = history!.items();
      if (!list.some(isResumable) && has(messages))
        wipes.push(wipe(line, 'this sets a history without a message', restOf(line)));
      replace(list);
    }
  }
  return { messages, copies, wipes };

  function set(id: string, message: JsonNode): void {
    known.add(id);
    messages.set(id, message);
  }
}

const has = (messages: ReadonlyMap<string, JsonNode>) => [...messages.values()].some(isResumable);

/** What else such a record sets. */
function restOf(line: Line): Line[] {
  const set = line.node!.get('$set')!;
  if (set.length === 1) return [];
  return [lineWith(line, patch(line.node!, { $set: patch(set, { messages: undefined }) }))];
}

function wipe(line: Line, why: string, rest: readonly Line[]): Fault {
  const text = `${why}: the agent drops all that is before it`;
  return { rule: 'history-replaced', line, text, mend: new Map([[line, rest]]), cut: line.bytes };
}

function copy(first: Line, line: Line): Fault {
  const text = `the same record as in line ${first.at}, which the agent takes for the newer one`;
  return { rule: 'record-twice', line, text, mend: new Map([[line, []]]) };
}

/** Text that is no prompt: commands, and what the agent puts before the user's words. */
const IGNORED = /^(?:$|[/?]|<session_context>|<hook_context>)/;

function isResumable(message: JsonNode): boolean {
  const type = typeOf(message);
  if (type === 'user') return !IGNORED.test(textIn(message.get('content')).trim());
  if (type !== 'gemini') return false;
  const isFilled = (key: string) => (message.get(key)?.items(1).length ?? 0) > 0;
  return textIn(message.get('content')).trim() !== '' || isFilled('toolCalls') || isFilled('thoughts');
}

function textIn(content: JsonNode | undefined): string {
  if (content === undefined || content.isNull) return '';
  if (content.isString) return content.string!;
  if (content.isArray) return content.items().map(textIn).join('');
  const others = content.members().some(({ key }) => key.text !== 'text');
  return content.get('text')?.string ?? (others ? '[part]' : '');
}

const sessionSetIn = (node: JsonNode) => node.get('$set')?.get('sessionId')?.string;
const HASH = /\/([\da-f]{64})\/chats\//;

/** The first line says whose chat it is. The name of the file has the beginning of its id. */
function headless(lines: readonly Line[], name: string): Fault[] {
  const first = lines.find(({ node }) => isMessage(node!));
  if (first === undefined || lines.some(({ node }) => isHeader(node!))) return [];
  const known = lines.findLast(({ node }) => sessionSetIn(node!) !== undefined)?.node;
  const begin = /-([\da-f]{8})\.jsonl?$/.exec(name)?.[1] ?? '';
  const sessionId = (known && sessionSetIn(known)) ?? begin + hashId(name).slice(begin.length);
  const projectHash = HASH.exec(name)?.[1] ?? 'unknown'; // it is asked for, and compared with nothing
  const startTime = first.node!.get('timestamp')?.string ?? '1970-01-01T00:00:00.000Z';
  const header = freshLine(lines[0]!, { sessionId, projectHash, startTime, lastUpdated: startTime, kind: 'main' });
  const text = 'no line says which chat this is (`sessionId`, `projectHash`): Gemini CLI does not list it';
  return [{ rule: 'header-missing', line: lines[0]!, text, mend: new Map([[lines[0]!, [header, lines[0]!]]]) }];
}
