/**
 * What agents load of a session, as plain as can be: written from their sources, apart from ours, to judge what
 * `check --fix` writes. bench/resume.mjs lets the agents themselves judge.
 */

// biome-ignore lint/suspicious/noExplicitAny: records of agents, read without looking
type Value = Record<string, any>;

function recordsIn(text: string): Value[] {
  return text.split('\n').flatMap((line): Value[] => {
    try {
      const value: unknown = JSON.parse(line);
      return typeof value === 'object' && value !== null ? [value] : [];
    } catch {
      return [];
    }
  });
}

/** The way from a record to the root. Undefined if it has no end. */
function wayUp(from: Value | undefined, byId: ReadonlyMap<string, Value>, parent: string): Value[] | undefined {
  const way: Value[] = [];
  for (let at = from; at !== undefined; at = byId.get(at[parent])) {
    if (way.includes(at)) return undefined;
    way.unshift(at);
  }
  return way;
}

/** @anthropic-ai/claude-agent-sdk 0.3.332: getSessionMessages, without compactions. */
function claudeCode(text: string): string[] {
  const records = recordsIn(text).filter(
    ({ uuid, type }) => uuid && /^(user|assistant|system|attachment|progress)$/.test(type),
  );
  const byId = new Map(records.map((record) => [record['uuid'] as string, record]));
  const main = records.filter(({ isSidechain, type }) => !isSidechain && type !== 'progress');
  const parents = new Set(main.map(({ parentUuid }) => parentUuid));
  const ends = main.filter((record) => byId.get(record['uuid']) === record && !parents.has(record['uuid']));
  const isMessage = ({ type }: Value) => type === 'user' || type === 'assistant';
  for (const end of ends.reverse()) {
    const way = wayUp(end, byId, 'parentUuid');
    const last = way?.findLast(isMessage);
    if (way === undefined || last === undefined) continue;
    const chain = way.slice(0, way.indexOf(last) + 1);
    return chain
      .flatMap((record, at) => [record, ...beside(record, chain.slice(at + 1), chain, records)])
      .filter((record) => isMessage(record) && !record['isMeta'] && !record['isSidechain'])
      .map(({ type, message }) => JSON.stringify([type, message.role, message.content]));
  }
  return [];
}

const blocks = ({ message }: Value): Value[] => (Array.isArray(message?.content) ? message.content : []);

const replyOf = ({ type, message }: Value): unknown => (type === 'assistant' ? message.id : undefined);
const byTime = (a: Value, b: Value) => String(a['timestamp'] ?? '').localeCompare(String(b['timestamp'] ?? ''));

/** Behind the last piece of a reply on a way: its other pieces, and results of its calls. */
function beside(record: Value, rest: readonly Value[], chain: readonly Value[], records: readonly Value[]): Value[] {
  const reply = replyOf(record);
  if (reply === undefined || rest.some((other) => replyOf(other) === reply)) return [];
  const pieces = records.filter((other) => replyOf(other) === reply);
  const calls = new Set(pieces.flatMap((piece) => blocks(piece).flatMap(({ id }) => id ?? [])));
  const answers = (other: Value) =>
    other['parentUuid'] && blocks(other).some((block) => calls.has(block['tool_use_id']));
  const off = (other: Value) => !chain.includes(other);
  return [...pieces.filter(off).sort(byTime), ...records.filter((other) => answers(other) && off(other)).sort(byTime)];
}

/** @mariozechner/pi-coding-agent 0.73.1: SessionManager, without compactions. */
function pi(text: string): string[] {
  const [header, ...records] = recordsIn(text);
  if (header?.['type'] !== 'session') return [];
  const isLinked = records.some(({ parentId }) => parentId !== undefined);
  const byId = new Map(records.map((record) => [record['id'] as string, record]));
  const way = isLinked ? wayUp(records.at(-1), byId, 'parentId') : records;
  return (way ?? [])
    .filter(({ type }) => type === 'message')
    .map(({ message }) => JSON.stringify([message.role, message.content]));
}

/** codex-rs, load_rollout_items and rollout_reconstruction, without rollbacks. */
function codex(text: string): string[] {
  const records = recordsIn(text);
  if (!records.some(({ type }) => type === 'session_meta')) return [];
  let items: Value[] = [];
  for (const { type, payload } of records) {
    if (type === 'response_item' && payload.type !== 'ghost_snapshot') items.push(payload);
    if (type === 'compacted' && payload.replacement_history) items = [...payload.replacement_history];
  }
  return items.map((item) => JSON.stringify(item));
}

const JSON_TEXT = /^\s*\{\s*\n/;
const documentOr = (text: string): Value[] => {
  if (!JSON_TEXT.test(text)) return recordsIn(text);
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
};

/** @google/gemini-cli-core 0.61.0: loadConversationRecord, and the messages that are not left out of the history. */
function geminiCli(text: string): string[] {
  const records = documentOr(text);
  if (!records.some(({ sessionId, projectHash }) => sessionId && projectHash)) return [];
  let messages: Value[] = [];
  for (const record of records) {
    const at = messages.findIndex(({ id }) => id === (record['$rewindTo'] ?? record['id']));
    if (record['$rewindTo'] !== undefined) messages = at < 0 ? [] : messages.slice(0, at);
    else if (record['id'] !== undefined) messages.splice(at < 0 ? messages.length : at, 1, record);
    else messages = record['$set']?.messages ?? record['messages'] ?? messages;
  }
  return messages
    .map((message) => ({ ...message, text: plain(message['content']) }))
    .filter(({ type, text: said, toolCalls, thoughts }: Value) =>
      type === 'user'
        ? said && !/^(?:[/?]|<(?:session|hook)_context>)/.test(said)
        : type === 'gemini' && (said || toolCalls?.length || thoughts?.length),
    )
    .map(({ type, content, toolCalls }: Value) => JSON.stringify([type, content, toolCalls]));
}

function plain(content: unknown): string {
  const parts = Array.isArray(content) ? content : [content ?? ''];
  return parts
    .map((part) => (typeof part === 'string' ? part : (part.text ?? '[part]')))
    .join('')
    .trim();
}

/** opencode-ai 1.18.33: what follows the newest finished compaction, and what it kept; not in the order of requests. */
function opencode(text: string): string[] {
  const messages: Value[] = documentOr(text)[0]?.['messages'] ?? [];
  const isDone = ({ info }: Value) => info.summary === true && info.finish && !info.error;
  const compaction = (message: Value) => message['parts'].find(({ type }: Value) => type === 'compaction');
  const asked = messages.findLastIndex(
    (message, at) =>
      compaction(message) &&
      messages.slice(at).some((answer) => isDone(answer) && answer['info'].parentID === message['info'].id),
  );
  const tail = asked < 0 ? undefined : compaction(messages[asked]!).tail_start_id;
  const from = tail === undefined ? asked : messages.findIndex(({ info }) => info.id === tail);
  return messages.slice(Math.max(0, from)).map(({ info, parts }) => JSON.stringify([info.role, parts]));
}

/** @qwen-code/qwen-code 0.24.4: loadSession, and the history made of it; pieces of one id are one record. */
function qwenCode(text: string): string[] {
  const records = recordsIn(text).filter(({ uuid, sessionId }) => uuid && sessionId);
  const byId = new Map<string, Value>();
  for (const record of records) {
    const first = byId.get(record['uuid']);
    const parts = [...(first?.['message']?.parts ?? []), ...(record['message']?.parts ?? [])];
    byId.set(record['uuid'], first ? { ...first, message: { ...first['message'], parts } } : record);
  }
  const way = wayUp(byId.get(records.at(-1)?.['uuid']), byId, 'parentUuid') ?? [];
  const compressed = way.findLastIndex(({ systemPayload }) => systemPayload?.compressedHistory);
  const history: Value[] = way[compressed]?.['systemPayload'].compressedHistory ?? [];
  const since = way.slice(compressed + 1).filter(({ type, subtype, message }) => {
    return type !== 'system' && message && subtype !== 'realtime_message';
  });
  return [...history, ...since.map(({ message }) => message)].map((message) => JSON.stringify(message));
}

/** @continuedev/cli 1.5.47: HistoryManager.load, which takes a file that is no JSON for a session without messages. */
function continueDev(text: string): string[] {
  const history: Value[] = documentOr(text)[0]?.['history'] ?? [];
  return history.map((item) => JSON.stringify(item));
}

const isText = (value: unknown): boolean => typeof value === 'string';
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/** `tool_result_serde.rs`: a value of this kind, or an error. */
const outcome = (result: Value | undefined, isValue: (value: Value) => boolean): boolean =>
  (result?.['status'] === 'success' && isValue(result['value'])) ||
  (result?.['status'] === 'error' && isText(result['error']));
const called = ({ id, toolCall }: Value): boolean =>
  isText(id) && outcome(toolCall, ({ name, arguments: input }) => isText(name) && (input == null || isObject(input)));
const isPiece = ({ type, ...piece }: Value): boolean =>
  type === 'text' ? isText(piece['text']) : type === 'image' ? isText(piece['data']) : isText(type);
const arePieces = (value: unknown): boolean => Array.isArray(value) && value.every(isPiece);

/** `MessageContent` in crates/goose/src/conversation/message.rs of aaif-goose/goose, as of 2026-11-30. */
const GOOSE_CONTENT: Readonly<Record<string, (block: Value) => boolean>> = {
  text: ({ text }) => isText(text),
  image: ({ data, mimeType }) => isText(data) && isText(mimeType),
  toolRequest: called,
  frontendToolRequest: called,
  toolResponse: ({ id, toolResult }) =>
    isText(id) && outcome(toolResult, (value) => arePieces(Array.isArray(value) ? value : value?.['content'])),
  toolConfirmationRequest: ({ id, toolName, arguments: input }) => isText(id) && isText(toolName) && isObject(input),
  actionRequired: ({ data }) => isText(data?.actionType),
  thinking: ({ thinking, signature }) => isText(thinking) && isText(signature),
  redactedThinking: ({ data }) => isText(data),
  systemNotification: ({ notificationType, msg }) => isText(notificationType) && isText(msg),
  conversationCompacted: () => true, // left out
  reasoning: () => true, // left out, or a thought
};

/** `Session` in session_manager.rs there: one value that serde refuses is an error for the whole import. */
function goose(text: string): string[] {
  const session = documentOr(text)[0] ?? {};
  const { conversation = [], extension_data: data, message_count: count } = session;
  const isMessage = ({ role, created, content, metadata }: Value): boolean =>
    (role === 'user' || role === 'assistant') &&
    Number.isInteger(created) &&
    Array.isArray(content) &&
    content.every((block) => GOOSE_CONTENT[block.type]?.(block)) &&
    typeof metadata?.userVisible === 'boolean' &&
    typeof metadata.agentVisible === 'boolean';
  const texts = [session['id'], session['working_dir'], session['name'] ?? session['description']];
  const times = [session['created_at'], session['updated_at']];
  const isTaken = [...texts, ...times].every(isText) && isObject(data) && Number.isInteger(count);
  return isTaken && conversation.every(isMessage) ? conversation.map((one: Value) => JSON.stringify(one)) : [];
}

export const LOADERS = {
  'claude-code': claudeCode,
  pi,
  codex,
  opencode,
  'gemini-cli': geminiCli,
  'qwen-code': qwenCode,
  continue: continueDev,
  goose,
};
