/** Messages with nothing in them that the target cannot hold. */
import type { MediaPlace } from '../formats/encode.js';
import type { Format } from '../formats/format.js';
import { mediaOf } from '../formats/shared/media.js';
import { patch } from '../json/edit.js';
import { layOut } from '../json/lay-out.js';
import { JsonNode, parse } from '../json/node.js';
import { printed } from '../json/print.js';
import { textOf } from '../transcript/text.js';
import type { ContentPart, MediaPart, Message, Part } from '../transcript/types.js';
import type { Notes } from './findings.js';
import type { Target } from './targets.js';

const NO_MESSAGE = 'what is no message, such as headers and events';

/** Messages of the same kind: what the API takes goes over as it is, and with it what proves that it is the model's own. */
export function keptMessages(messages: readonly Message[], source: Format, target: Target, notes: Notes): Message[] {
  const items = target.traits.piecesStandAlone ? itemsOf(messages, source, target) : new Map<Message, JsonNode>();
  return messages.map((message, index) => {
    if (message.role === 'meta') notes.note(NO_MESSAGE, index);
    const { raw: _, ...rest } = message;
    const raw = items.get(message);
    if (raw !== undefined) return { ...rest, raw };
    return { ...rest, parts: rest.parts.flatMap((part) => keptPart(part, message, index, target, notes)) };
  });
}

/** Items that are messages as a whole. A call and its result stay, or are written anew, together. */
function itemsOf(messages: readonly Message[], { wraps }: Format, { encode }: Target): Map<Message, JsonNode> {
  const items = new Map<Message, JsonNode>();
  const broken = new Set<string | undefined>();
  const idsIn = ({ parts }: Message) => parts.flatMap((part) => ('callId' in part && part.callId ? [part.callId] : []));
  for (const message of messages) {
    if (!(message.raw instanceof JsonNode) || message.role === 'meta') continue;
    const whole = wraps?.inner(message.raw) ?? message.raw;
    const item = [whole, withoutNulls(whole)].find((one) => encode.canReuse?.(one, 'item'));
    if (item !== undefined) items.set(message, item);
    else for (const id of idsIn(message)) broken.add(id);
  }
  for (const message of items.keys()) if (idsIn(message).some((id) => broken.has(id))) items.delete(message);
  return items;
}

function keptPart(part: Part, message: Message, index: number, target: Target, notes: Notes): Part[] {
  const { canReuse: keeps } = target.encode;
  const raw = part.raw instanceof JsonNode ? withoutNulls(part.raw) : undefined;
  const isOwn = part.type !== 'text' && part.type !== 'call' && part.type !== 'result';
  return raw !== undefined && (keeps === undefined ? isOwn : keeps(raw, part.type))
    ? [{ ...part, raw }]
    : adaptPart(part, index, target, notes, message.role === 'assistant' ? 'assistant' : 'user');
}

/** A member that is null says nothing, and few APIs take it. */
function withoutNulls(raw: JsonNode): JsonNode {
  const nulls = raw.members().filter(({ value }) => value.isNull);
  if (nulls.length === 0) return raw;
  return parse(printed(patch(raw, Object.fromEntries(nulls.map(({ key }) => [key.text, undefined])))));
}

/** A message of another kind, without what it was read from. */
export function adapt(message: Message, index: number, target: Target, notes: Notes): Message {
  if (message.role === 'meta') {
    notes.note(NO_MESSAGE, index);
    return message;
  }
  if (message.name !== undefined && target.encode.acceptsNames !== true) notes.note("the speaker's name", index);
  const parts = message.parts.flatMap((part) =>
    adaptPart(part, index, target, notes, message.role === 'assistant' ? 'assistant' : 'user'),
  );
  return {
    role: message.role,
    parts,
    group: message.group,
    ...(target.encode.acceptsNames ? { name: message.name } : {}),
  };
}

function adaptPart(part: Part, index: number, target: Target, notes: Notes, place: MediaPlace): Part[] {
  const { encode, traits } = target;
  if (part.type === 'text') return [{ type: 'text', text: textOf(part.text) }];
  if (part.type === 'thinking') {
    const text = textOf(part.text);
    if (text === '') notes.note('a thought without words', index);
    else if (!encode.acceptsThinking)
      notes.lose(`thoughts: ${target.id} takes none that it cannot prove to be its own`, index);
    return encode.acceptsThinking && text !== '' ? [{ type: 'thinking', text }] : [];
  }
  if (part.type === 'call') {
    const input = part.input instanceof JsonNode && part.input.isObject ? layOut(part.input, 0) : textOf(part.input);
    const isGood = !encode.objectArgumentsOnly || isObject(input);
    if (!isGood) notes.note('arguments that are no JSON object: they stand in `arguments` of one', index);
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
    if (part.isError && !traits.flagsErrors) notes.note('that a result is an error', index);
    const content = part.content.flatMap((block) => adaptPart(block, index, target, notes, 'result') as ContentPart[]);
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
  if (part.type === 'media') return adaptMedia(part, index, target, notes, place);
  notes.lose(`a part of type \`${typeOf(part.raw)}\``, index);
  return [];
}

function adaptMedia(
  part: MediaPart,
  index: number,
  { id, encode }: Target,
  notes: Notes,
  place: MediaPlace,
): MediaPart[] {
  const media = mediaOf(part);
  const block = media === undefined ? undefined : encode.media?.(media, place);
  if (block === undefined)
    notes.lose(
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
