/** Messages with nothing in them that the target cannot hold. */
import type { Format } from '../formats/format.js';
import { mediaOf } from '../formats/media.js';
import { patch } from '../json/edit.js';
import { layOut } from '../json/lay-out.js';
import { JsonNode, parse } from '../json/node.js';
import { printed } from '../json/print.js';
import { textOf } from '../transcript/text.js';
import type { ContentPart, MediaPart, Message, Part } from '../transcript/types.js';
import type { Notes } from './findings.js';
import type { Target } from './targets.js';

const NO_MESSAGE = 'what is no message, such as headers and events';

/** A message of the same kind: its parts go over as they are where the API takes them so, and with them what proves that they are the model's own. */
export function unwrapped(message: Message, index: number, { wraps }: Format, target: Target, notes: Notes): Message {
  const { raw, ...rest } = message;
  if (message.role === 'record') notes.note(NO_MESSAGE, index);
  const { traits, compose } = target;
  if (traits.piecesStandAlone && raw instanceof JsonNode)
    return { ...rest, raw: withoutNulls(wraps?.inner(raw) ?? raw) }; // an item is a message as a whole
  const parts = rest.parts.flatMap((part) => {
    const kept = part.raw instanceof JsonNode ? withoutNulls(part.raw) : undefined;
    const isOwn = part.type === 'media' || part.type === 'opaque' || (part.type === 'thinking' && !compose.keeps);
    return kept !== undefined && (isOwn || compose.keeps?.(part, kept))
      ? [{ ...part, raw: kept }]
      : adaptPart(part, index, target, notes);
  });
  return { ...rest, parts };
}

/** A member that is null says nothing, and few APIs take it. */
function withoutNulls(raw: JsonNode): JsonNode {
  const nulls = raw.members().filter(({ value }) => value.isNull);
  if (nulls.length === 0) return raw;
  return parse(printed(patch(raw, Object.fromEntries(nulls.map(({ key }) => [key.text, undefined])))));
}

/** A message of another kind, without what it was read from. */
export function adapt(message: Message, index: number, target: Target, notes: Notes): Message {
  if (message.role === 'record') {
    notes.note(NO_MESSAGE, index);
    return message;
  }
  if (message.name !== undefined && target.compose.takesNames !== true) notes.note("the speaker's name", index);
  const parts = message.parts.flatMap((part) => adaptPart(part, index, target, notes));
  return {
    role: message.role,
    parts,
    group: message.group,
    ...(target.compose.takesNames ? { name: message.name } : {}),
  };
}

function adaptPart(part: Part, index: number, target: Target, notes: Notes): Part[] {
  const { compose, traits } = target;
  if (part.type === 'text') return [{ type: 'text', text: textOf(part.text) }];
  if (part.type === 'thinking') {
    const text = textOf(part.text);
    if (text === '') notes.note('a thought without words', index);
    else if (!compose.takesThoughts)
      notes.lose(`thoughts: ${target.id} takes none that it cannot prove to be its own`, index);
    return compose.takesThoughts && text !== '' ? [{ type: 'thinking', text }] : [];
  }
  if (part.type === 'call') {
    const input = part.input instanceof JsonNode && part.input.isObject ? layOut(part.input, 0) : textOf(part.input);
    const isGood = !compose.takesObjects || isObject(input);
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
    const content = part.content.flatMap((block) => adaptPart(block, index, target, notes) as ContentPart[]);
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
  if (part.type === 'media') return adaptMedia(part, index, target, notes);
  notes.lose(`a part of type \`${typeOf(part.raw)}\``, index);
  return [];
}

function adaptMedia(part: MediaPart, index: number, { id, compose }: Target, notes: Notes): MediaPart[] {
  const media = mediaOf(part);
  const block = media === undefined ? undefined : compose.media?.(media);
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
