/**
 * UI message streams of the Vercel AI SDK: a chunk a line, or an array of them, that tell of one reply as it grows. The deltas of a
 * text are one message, as are the chunks of a call's arguments, and those of a result of which earlier ones were preliminary: what
 * was read into such a message stands or goes with it. Chunks of all other types pass through, as do those of calls that the
 * provider ran. https://ai-sdk.dev/docs/ai-sdk-ui/stream-protocol#data-stream-protocol
 */
import { canonical } from '../../json/canonical.js';
import { type Json, type JsonFields, ObjectEdit, patch } from '../../json/edit.js';
import { JsonNode, parse } from '../../json/node.js';
import { printed } from '../../json/print.js';
import { textOf } from '../../transcript/text.js';
import type { CallPart, LazyText, Message, Part, ResultPart, Text } from '../../transcript/types.js';
import { defineFormat, type Row } from '../format.js';
import { hashId } from '../shared/derived-ids.js';
import { jsonValue, optionalString, stringIn, wrongMember } from '../shared/json-fields.js';
import { idField, joinedString } from '../shared/parts.js';
import { table } from '../shared/table.js';
import { mediaKind, metadataSays, modelIn, readValue, saysError, writeValue } from './ai-sdk.js';

const METADATA = 'messageMetadata';
/** The members by which chunks of these types are known, and how surely. */
const KNOWN: readonly (readonly [types: RegExp, members: readonly string[], sure: number])[] = [
  [/^tool-(?:input|output)-(?:start|delta|available|error|denied)$/, ['toolCallId'], 1],
  [/^tool-approval-request$/, ['toolCallId', 'approvalId'], 1],
  [/^(?:text|reasoning)-delta$/, ['id', 'delta'], 0.9],
  [/^(?:text|reasoning)-(?:start|end)$/, ['id'], 0.9],
  [/^(?:start|finish)-step$/, [], 0.9],
  [/^message-metadata$/, [METADATA], 0.9],
  [/^source-(?:url|document)$/, ['sourceId'], 0.7],
  [/^file$/, ['url', 'mediaType'], 0.6],
  [/^data-/, ['data'], 0.4],
  [/^error$/, ['errorText'], 0.4],
  [/^(?:start|finish|abort)$/, [], 0.4],
];
/** Chunks of streams that the SDK keeps inside, whose others have the same names. */
const FOREIGN = new Set(['tool-call', 'tool-result', 'stream-start', 'response-metadata', 'raw']);

export default defineFormat({
  id: 'vercel-uistream',
  traits: { flagsErrors: true, piecesStandAlone: true, endsOnReply: true, isReply: true },
  messagePaths: [],
  score(raw) {
    const type = raw.get('type')?.string;
    if (type === undefined || raw.get('role') !== undefined) return 0;
    if (
      FOREIGN.has(type) &&
      (raw.get('toolCallId') === undefined || raw.get('input') !== undefined || raw.get('output') !== undefined)
    )
      return type.startsWith('tool-') ? -1 : 0;
    return (
      KNOWN.find(([types, members]) => types.test(type) && members.every((key) => raw.get(key) !== undefined))?.[2] ?? 0
    );
  },
  read(raw) {
    const parts = readChunk(raw);
    if (parts === undefined) return { role: 'meta', parts: [], raw };
    return { role: parts[0]!.type === 'result' ? 'tool' : 'assistant', parts, raw };
  },
  write(message) {
    const { raw, parts, role } = message;
    if (!(raw instanceof JsonNode)) return freshChunk(parts);
    return role === 'meta' || loaded.has(parts) ? raw : writeChunk(raw, parts);
  },
  header: (line) => ({ id: line.get('messageId')?.string, model: modelIn(line.get(METADATA)) }),
  recorded: (raw) => metadataSays(raw.get(METADATA)),
  afterRead,
  beforeWrite,
});

// --- reading

function readChunk(raw: JsonNode): readonly [Part] | undefined {
  const type = optionalString(raw, 'type') ?? '';
  if (raw.get('providerExecuted')?.boolean === true) return undefined;
  switch (type) {
    case 'text-delta':
    case 'reasoning-delta': {
      const text = raw.get('delta');
      return text?.isString
        ? [{ type: type === 'text-delta' ? 'text' : 'thinking', text, raw }]
        : wrongMember(text, raw, 'delta', 'a string');
    }
    case 'tool-input-start':
    case 'tool-input-available':
    case 'tool-input-error':
      return [
        {
          type: 'call',
          callId: idIn(raw),
          tool: optionalString(raw, 'toolName') ?? '',
          input: raw.get('input') ?? '',
          raw,
        },
      ];
    case 'tool-output-available':
      return [
        {
          type: 'result',
          callId: idIn(raw),
          content: readValue(raw.get('output')),
          isError: saysError(raw.get('output')),
          raw,
        },
      ];
    case 'tool-output-error':
    case 'tool-output-denied': {
      const text = raw.get('errorText');
      return [
        {
          type: 'result',
          callId: idIn(raw),
          content: stringIn(text, 'errorText') === undefined ? [] : [{ type: 'text', text: text!, raw: text }],
          isError: true,
          raw,
        },
      ];
    }
    case 'file':
      return [{ type: 'media', kind: mediaKind(raw)!, raw }];
    default:
      return undefined;
  }
}

function idIn(raw: JsonNode): string {
  return optionalString(raw, 'toolCallId') ?? '';
}

/** Chunks that are one message: the one that stands for it, and the others. */
interface Block {
  readonly kind: 'said' | 'call' | 'result';
  main: JsonNode | undefined;
  readonly others: JsonNode[];
  /** Those of them, and the main one, that hold the text in pieces. */
  readonly pieces: JsonNode[];
}

/** The parts of messages that stand for several chunks and did not change. */
const loaded = new WeakSet<readonly Part[]>();

/** A text that came in pieces. */
function joined(pieces: readonly JsonNode[]): LazyText {
  return {
    get text() {
      return pieces.map((piece) => piece.text).join('');
    },
    byteLength: pieces.reduce((sum, piece) => sum + piece.byteLength, 0),
  };
}

const BLOCKS = table<Block['kind']>({
  text: 'said',
  reasoning: 'said',
  'tool-input': 'call',
  'tool-approval': 'call',
  'tool-output': 'result',
});
/** What ends a call's arguments. */
const WHOLE = /^tool-input-(?:available|error)$/;

/** Ids come again: a block ends where another begins under its name. */
function blocksIn(chunks: readonly JsonNode[]): Block[] {
  const blocks: Block[] = [];
  const open = new Map<string, Block>();
  for (const chunk of chunks) {
    const type = chunk.get('type')?.string ?? '';
    const [, of, step] =
      /^(text|reasoning|tool-input|tool-output|tool-approval)-(start|delta|end|available|error|denied|request)$/.exec(
        type,
      ) ?? [];
    if (of === undefined) continue;
    const kind = BLOCKS[of]!;
    const name = kind === 'said' ? `${of} ${chunk.get('id')?.string}` : `${kind} ${idIn(chunk)}`;
    let block = open.get(name);
    if (block === undefined || step === 'start' || isDone(block, type)) {
      block = { kind, main: undefined, others: [], pieces: [] };
      blocks.push(block);
      open.set(name, block);
    }
    const leads =
      kind === 'said'
        ? step === 'delta' && block.main === undefined
        : kind === 'result' || step === 'start' || WHOLE.test(type);
    if (leads && block.main !== undefined) block.others.push(block.main);
    if (leads) block.main = chunk;
    else block.others.push(chunk);
    if (step === 'delta') block.pieces.push(chunk);
  }
  return blocks;
}

/** Whether a chunk of that type cannot be another of the block: its result is there, or its arguments are. */
function isDone({ kind, main }: Block, type: string): boolean {
  if (main === undefined || kind === 'said') return false;
  return kind === 'result'
    ? main.get('preliminary')?.boolean !== true
    : WHOLE.test(type) && WHOLE.test(main.get('type')!.text);
}

/** Of the chunks of a block, one is the message; all others pass through beside it. */
function afterRead(messages: readonly Message[]): readonly Message[] {
  const chunks = messages.flatMap(({ raw }) => (raw instanceof JsonNode ? [raw] : []));
  const texts = new Map<unknown, Text>();
  const others = new Set<unknown>();
  const ranByProvider = new Set<string>();
  for (const chunk of chunks) if (chunk.get('providerExecuted')?.boolean === true) ranByProvider.add(idIn(chunk));
  for (const { kind, main, others: rest, pieces } of blocksIn(chunks)) {
    for (const chunk of rest) others.add(chunk);
    if (main === undefined || WHOLE.test(main.get('type')!.text)) continue;
    const key = kind === 'said' ? 'delta' : 'inputTextDelta';
    if (pieces.length > (kind === 'said' ? 1 : 0))
      texts.set(main, joined(pieces.flatMap((piece) => piece.get(key) ?? [])));
  }
  return messages.map((message): Message => {
    const { raw, parts } = message;
    const [first] = parts;
    if (first === undefined) return message;
    if (others.has(raw) || ((first.type === 'call' || first.type === 'result') && ranByProvider.has(first.callId!)))
      return { role: 'meta', parts: [], raw };
    const text = texts.get(raw);
    if (text === undefined) return message;
    const whole: readonly Part[] = [first.type === 'call' ? { ...first, input: text } : ({ ...first, text } as Part)];
    loaded.add(whole);
    return { ...message, parts: whole };
  });
}

// --- writing

/** A chunk that stands for others as well says all of it from now on, even where that is what it said alone. */
function writeChunk(raw: JsonNode, parts: readonly Part[]): Json {
  const [part] = parts;
  if (part?.type === 'call') return writeCall(part, raw);
  if (part?.type === 'result') return patch(raw, { ...idField('toolCallId', part), ...resultFields(part, raw) });
  if (part?.type === 'media') return raw;
  if (raw.get('delta') === undefined) return freshChunk(parts);
  if (part !== undefined && 'text' in part && parts.length === 1 && raw.get('delta')!.is(part.text)) return raw;
  return new ObjectEdit(raw, new Map([['delta', saidIn(parts)]]));
}

/** All texts and thoughts, as a chunk has one. */
function saidIn(parts: readonly Part[]): string {
  return parts.map((part) => (part.type === 'text' || part.type === 'thinking' ? textOf(part.text) : '')).join('');
}

/** Arguments in pieces become whole where anything of the call changes. */
function writeCall(call: CallPart, raw: JsonNode): Json {
  const { callId, input } = call;
  const isStart = raw.get('type')?.string === 'tool-input-start';
  const id = idField('toolCallId', call);
  if (!isStart)
    return patch(raw, {
      ...id,
      ...(raw.get('input') === undefined && input === '' ? {} : { input: jsonValue(input) }),
    });
  if (input === '' && idIn(raw) === (callId ?? '')) return raw;
  return patch(raw, { type: 'tool-input-available', ...id, input: jsonValue(input) });
}

function resultFields({ content }: ResultPart, raw: JsonNode): JsonFields {
  const [first] = content;
  const type = raw.get('type')?.string;
  if (type === 'tool-output-available') return { output: writeValue(content, raw.get('output')) };
  if (first?.type === 'text')
    return {
      ...(type === 'tool-output-denied' ? { type: 'tool-output-error' } : {}),
      errorText: joinedString(content),
    };
  return raw.get('errorText')?.isString ? { errorText: '' } : {};
}

function freshChunk(parts: readonly Part[]): Json {
  const [part] = parts;
  switch (part?.type) {
    case 'call':
      return {
        type: 'tool-input-available',
        toolCallId: part.callId ?? '',
        toolName: part.tool,
        input: jsonValue(part.input),
      };
    case 'result': {
      const [first] = part.content;
      const id = { toolCallId: part.callId ?? '' };
      if (part.isError && (first === undefined || (part.content.length === 1 && first.type === 'text')))
        return { type: 'tool-output-error', ...id, errorText: first?.type === 'text' ? textOf(first.text) : '' };
      return { type: 'tool-output-available', ...id, output: writeValue(part.content, undefined, part.isError) ?? '' };
    }
    case 'text':
      return { type: 'text-delta', id: '', delta: saidIn(parts) };
    case 'thinking':
      return { type: 'reasoning-delta', id: '', delta: saidIn(parts) };
    default:
      return part?.raw instanceof JsonNode ? part.raw : { type: 'text-delta', id: '', delta: '' };
  }
}

// --- chunks of which something went

/**
 * The chunks of a message go with it. Where it changed, it says everything, and what told the same in pieces goes: the beginning and
 * the end of a text stay, and requests to approve a call. A text that was added begins and ends, too.
 */
function beforeWrite(rows: readonly Row[], before: readonly JsonNode[]): readonly (Json | undefined)[] {
  const written = new Map(rows.map(({ node, json: row }) => [node, row]));
  const places = new Map(rows.map(({ node }, index) => [node, index]));
  const fate = new Map<JsonNode, Json | undefined>();
  const blocks = blocksIn(before);
  for (const { kind, main, others } of blocks) {
    if (main === undefined) continue;
    const now = written.get(main);
    if (now !== main)
      for (const chunk of others) fate.set(chunk, now === undefined ? undefined : beside(chunk, kind, main, now));
    else if (kind === 'result')
      for (const chunk of others) if (places.get(chunk)! > places.get(main)!) fate.set(chunk, undefined); // it moved before what was preliminary
    if (kind === 'result' && now instanceof ObjectEdit)
      for (const call of blocks) repeatError(call.main, main, now, written, fate);
  }
  return rows.map(({ node, json: row }) => {
    if (node === undefined) return framed(row);
    return fate.has(node) ? fate.get(node) : row;
  });
}

/** Why the arguments of a call were refused stands in its chunk, and again in its result. */
function repeatError(
  call: JsonNode | undefined,
  result: JsonNode,
  now: ObjectEdit,
  written: ReadonlyMap<JsonNode | undefined, Json>,
  fate: Map<JsonNode, Json | undefined>,
): void {
  const text = call?.get('errorText');
  if (
    call?.get('type')?.string !== 'tool-input-error' ||
    idIn(call) !== idIn(result) ||
    text?.string === undefined ||
    text.string !== result.get('errorText')?.string
  )
    return;
  if (!now.fields.has('errorText') || now.fields.has('toolCallId')) return;
  const edited = written.get(call);
  fate.set(
    call,
    patch(call, {
      ...(edited instanceof ObjectEdit ? Object.fromEntries(edited.fields) : {}),
      errorText: now.fields.get('errorText'),
    }),
  );
}

function beside(chunk: JsonNode, kind: Block['kind'], main: JsonNode, now: Json): Json | undefined {
  const type = chunk.get('type')!.text;
  if (kind === 'said') return type.endsWith('-delta') ? undefined : chunk;
  if (type !== 'tool-approval-request' && !isRenamed(main, now)) return undefined;
  const id = now instanceof ObjectEdit ? now.fields.get('toolCallId') : undefined;
  return patch(chunk, { toolCallId: id ?? chunk.get('toolCallId') });
}

/** Whether nothing but the id of the call changed: what was told in pieces still holds. */
function isRenamed(main: JsonNode, now: Json): boolean {
  const after = parse(printed(now));
  const isSame = (key: string, value: JsonNode) => canonical(after.get(key)?.text ?? '') === canonical(value.text);
  return main.members().every(({ key, value }) => key.text === 'toolCallId' || isSame(key.text, value));
}

function framed(row: Json): Json {
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
