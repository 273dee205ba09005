/** A transcript written down in another format, and what could not be carried over. */
import { TranscriptError } from '../errors.js';
import type { Compose } from '../formats/compose.js';
import type { Format } from '../formats/format.js';
import { formats } from '../formats/index.js';
import { mediaOf } from '../formats/media.js';
import { readTools } from '../formats/tools.js';
import type { Json, JsonFields } from '../json/edit.js';
import { layOut } from '../json/lay-out.js';
import { JsonNode, parse } from '../json/node.js';
import { printed } from '../json/print.js';
import { proven } from '../json/proof.js';
import { joinTexts, textOf } from '../transcript/text.js';
import type { ContentPart, LazyText, MediaPart, Message, Part, Transcript } from '../transcript/types.js';
import { fieldsLost } from './lost.js';
import { oneByOne, plainMessages, shapeFor, withIds, withoutIds } from './shape.js';

export interface Conversion {
  /** The transcript in the other format, as a node of its own: a bare list of messages where nothing stands beside them. */
  readonly json: JsonNode;
  readonly findings: readonly Finding[];
}

/** Something that the other format has no place for. */
export interface Finding {
  /** What was left out or changed, as a sentence. */
  readonly what: string;
  /** The messages that had it, by index; none where it stands beside them. */
  readonly messages: readonly number[];
  /** Members that only the format it was read from has: how many messages have each, by path. */
  readonly fields?: Readonly<Record<string, number>>;
}

/** The format to write to. Throws TranscriptError where there is none, or none that can be written to. */
export function targetNamed(id: string): Format & { readonly compose: Compose } {
  const format = formats.find((candidate) => candidate.id === id)?.load();
  if (format?.compose !== undefined) return format as Format & { readonly compose: Compose };
  const known = formats.filter((candidate) => candidate.load().compose !== undefined).map((candidate) => candidate.id);
  throw new TranscriptError(
    'usage',
    `${format === undefined ? `no format \`${id}\`` : `${id} can be read, but nothing is converted to it`}; convert writes ${known.join(', ')}`,
  );
}

/** `record` is the value that held the transcript, where one did: what stands there beside the messages may be lost too. */
export function convert(
  transcript: Transcript,
  source: Format,
  target: Format & { readonly compose: Compose },
  record?: JsonNode,
): Conversion {
  const losses = createLosses();
  const { compose } = target;
  const isKin = (source.wraps?.format ?? source.id) === target.id;
  const adapted = transcript.messages.map((message, index) =>
    isKin ? unwrapped(message, index, source, target, losses.add) : adapt(message, index, target, losses.add),
  );
  const plain = plainMessages(adapted);
  const shaped = compose.takesOnePart
    ? oneByOne(withoutIds(plain))
    : shapeFor(compose.hasNoIds ? withoutIds(plain) : withIds(plain), target.traits);
  if (
    compose.hasNoIds &&
    plain.some(({ parts }) => parts.some((part) => (part.type === 'call' || part.type === 'result') && part.callId))
  )
    losses.add(`the ids of calls: in ${target.id} they pair with results by order`);
  const { system, messages } = placeSystem(shaped, compose, losses.add);
  const fields: JsonFields = {
    ...modelField(transcript, compose, losses.add),
    ...system,
    ...toolFields(transcript.tools, compose, losses.add),
  };
  const beside = record === undefined ? [] : fieldsBeside(record, source);
  if (beside.length > 0) losses.add(`what stands beside the messages: ${beside.join(', ')}`);
  const list: Json = messages.map((message) => target.write(message));
  const body: Json = Object.keys(fields).length === 0 ? list : { ...fields, [compose.messages]: list };
  return {
    json: parse(printed(body)),
    findings: [...losses.findings(), ...ownFields(transcript.messages, source, isKin)],
  };
}

/** The conversion as text: laid out, or on one line. */
export function conversionText({ json }: Conversion, isLine: boolean): string {
  return `${proven(Buffer.from(layOut(json, isLine ? 0 : 2)))}\n`;
}

type Lose = (what: string, message?: number) => void;

function createLosses(): { readonly add: Lose; findings(): Finding[] } {
  const byWhat = new Map<string, number[]>();
  return {
    add(what, message) {
      const messages = byWhat.get(what) ?? [];
      byWhat.set(what, messages);
      if (message !== undefined && messages[messages.length - 1] !== message) messages.push(message);
    },
    findings: () => [...byWhat].map(([what, messages]) => ({ what, messages })),
  };
}

// --- messages

/** A message of the same kind: its parts go over as they are, and with them what proves that they are the model's own. */
function unwrapped(message: Message, index: number, { wraps }: Format, { traits }: Format, lose: Lose): Message {
  const { raw, ...rest } = message;
  if (message.role === 'record') lose(NO_MESSAGE, index);
  const item = traits.piecesStandAlone && raw instanceof JsonNode ? (wraps?.inner(raw) ?? raw) : undefined; // an item is a message as a whole
  return item === undefined ? rest : { ...rest, raw: item };
}

const NO_MESSAGE = 'what is no message, such as headers and events';

/** A message with nothing in it that the target cannot hold, and without what it was read from. */
function adapt(message: Message, index: number, target: Format & { readonly compose: Compose }, lose: Lose): Message {
  if (message.role === 'record') {
    lose(NO_MESSAGE, index);
    return message;
  }
  if (message.name !== undefined && target.compose.takesNames !== true) lose("the speaker's name", index);
  const parts = message.parts.flatMap((part) => adaptPart(part, index, target, lose));
  return {
    role: message.role,
    parts,
    group: message.group,
    ...(target.compose.takesNames ? { name: message.name } : {}),
  };
}

function adaptPart(part: Part, index: number, target: Format & { readonly compose: Compose }, lose: Lose): Part[] {
  const { compose, traits } = target;
  if (part.type === 'text') return [{ type: 'text', text: textOf(part.text) }];
  if (part.type === 'thinking') {
    if (compose.takesThoughts && textOf(part.text) !== '') return [{ type: 'thinking', text: textOf(part.text) }];
    lose(
      compose.takesThoughts
        ? 'a thought without words'
        : `thoughts: ${target.id} takes none that it cannot prove to be its own`,
      index,
    );
    return [];
  }
  if (part.type === 'call') {
    const input = part.input instanceof JsonNode && part.input.isObject ? layOut(part.input, 0) : textOf(part.input);
    const isGood = !compose.takesObjects || isObject(input);
    if (!isGood) lose('arguments that are no JSON object: they stand in `arguments` of one', index);
    return [
      {
        type: 'call',
        callId: part.callId,
        tool: part.tool,
        input: isGood ? input : JSON.stringify(input.trim() === '' ? {} : { arguments: input }),
      },
    ];
  }
  if (part.type === 'result') {
    if (part.isError && !traits.flagsErrors) lose('that a result is an error', index);
    const content = part.content.flatMap((block) => adaptPart(block, index, target, lose) as ContentPart[]);
    return [
      {
        type: 'result',
        callId: part.callId,
        tool: part.tool,
        content,
        ...(traits.flagsErrors ? { isError: part.isError === true } : {}),
      },
    ];
  }
  if (part.type === 'media') return adaptMedia(part, index, target, lose);
  lose(`a part of type \`${typeOf(part.raw)}\``, index);
  return [];
}

function adaptMedia(
  part: MediaPart,
  index: number,
  { id, compose }: Format & { readonly compose: Compose },
  lose: Lose,
): MediaPart[] {
  const media = mediaOf(part);
  const block = media === undefined ? undefined : compose.media?.(media);
  if (block === undefined)
    lose(
      `${part.kind === 'file' ? 'a file' : `an ${part.kind}`}${media === undefined ? ' that only its provider has' : ` that ${id} has no block for`}`,
      index,
    );
  return block === undefined ? [] : [{ type: 'media', kind: part.kind, raw: parse(printed(block)) }];
}

function isObject(text: string): boolean {
  try {
    return parse(text).isObject;
  } catch {
    return false;
  }
}

function typeOf(raw: unknown): string {
  return (raw instanceof JsonNode && (raw.get('type')?.string ?? raw.members()[0]?.key.text)) || 'unknown';
}

/** One finding for all members that no lens reads. */
function ownFields(messages: readonly Message[], source: Format, keepsParts: boolean): Finding[] {
  const counts = new Map<string, number>();
  const indices: number[] = [];
  messages.forEach((message, index) => {
    const lost = message.role === 'record' ? [] : new Set(fieldsLost(message, source, keepsParts));
    for (const field of lost) counts.set(field, (counts.get(field) ?? 0) + 1);
    if ([...lost].length > 0) indices.push(index);
  });
  const names = [...counts.keys()].map((field) => `\`${field}\``);
  return names.length === 0
    ? []
    : [
        {
          what: `fields that only ${source.id} has: ${names.join(', ')}`,
          messages: indices,
          fields: Object.fromEntries(counts),
        },
      ];
}

// --- beside the messages

/** A system prompt that leads goes beside the messages; a later one is said by the user, where the format has no role for it. */
function placeSystem(
  messages: readonly Message[],
  { system }: Compose,
  lose: Lose,
): { readonly system: JsonFields; readonly messages: readonly Message[] } {
  if (system === undefined) return { system: {}, messages };
  const first = messages.findIndex(({ role }) => role !== 'system');
  const leading = messages.slice(0, first < 0 ? messages.length : first);
  const rest = messages.slice(leading.length).map((message): Message => {
    if (message.role !== 'system') return message;
    lose('that a later message is the system’s: it is the user’s');
    return { ...message, role: 'user' };
  });
  const text = leading
    .map(({ parts }) => joinTexts(parts.filter((part): part is ContentPart => part.type === 'text')))
    .join('\n\n');
  return { system: leading.length === 0 ? {} : { [system.key]: system.write(text) }, messages: rest };
}

function modelField({ model }: Transcript, compose: Compose, lose: Lose): JsonFields {
  if (model === undefined) return {};
  if (compose.model !== undefined) return { [compose.model]: model };
  lose('the name of the model');
  return {};
}

function toolFields(tools: LazyText | undefined, compose: Compose, lose: Lose): JsonFields {
  if (tools === undefined) return {};
  const { definitions, others } = readTools(tools.text);
  for (const other of others) lose(`the tool \`${other}\`, which its provider runs`);
  if (definitions.length === 0) return {};
  if (compose.tools === undefined) lose('the definitions of tools');
  return compose.tools?.(definitions) ?? {};
}

/** What a record holds beside what a transcript says of it. */
function fieldsBeside(record: JsonNode, { compose, places }: Format): string[] {
  const known = new Set([
    'messages',
    'model',
    'tools',
    'id',
    compose?.messages,
    compose?.system?.key,
    compose?.model,
    ...places.flatMap((place) => place.match(/[A-Za-z_]+/g) ?? []),
  ]);
  return record.members().flatMap(({ key, value }) => (known.has(key.text) || value.isNull ? [] : [`\`${key.text}\``]));
}
