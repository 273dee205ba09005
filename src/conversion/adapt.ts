/** Removes or rewrites everything in messages that the target format has no place for. */

import { type Encode, GOOGLE_FILES, type Media, type MediaPlace } from '../formats/encode.js';
import type { Format } from '../formats/format.js';
import { CUSTOM, isCustomCall as isFreeText } from '../formats/shared/custom-calls.js';
import { textDocumentIn, textOfDocument } from '../formats/shared/documents.js';
import { FILE_TYPES } from '../formats/shared/file-types.js';
import { typeOfBytes } from '../formats/shared/image-types.js';
import { mediaOf } from '../formats/shared/media.js';
import { proofOf } from '../formats/shared/proofs.js';
import { patch } from '../json/edit.js';
import { layOut } from '../json/lay-out.js';
import { JsonNode, parse } from '../json/node.js';
import { printed, reparsed } from '../json/print.js';
import { textOf } from '../transcript/text.js';
import type { ContentPart, MediaPart, Message, OpaquePart, Part } from '../transcript/types.js';
import type { Notes } from './findings.js';
import { UNKNOWN_TOOL } from './shape.js';
import type { Target } from './targets.js';
import { toldTextIn } from './told-texts.js';

/** A message's target, its index for notes, and where notes go. */
interface Adaptation {
  readonly role: Message['role'];
  readonly target: Target;
  readonly index: number;
  readonly notes: Notes;
}

const NAME = "the speaker's name";
const NO_MESSAGE = 'records that are not messages, such as headers and events';

/** Messages of a related format: what the API accepts is kept unchanged, signatures included. */
export function keptMessages(messages: readonly Message[], source: Format, target: Target, notes: Notes): Message[] {
  const items = target.traits.piecesStandAlone ? itemsOf(messages, source, target) : new Map<Message, JsonNode>();
  return messages.map((message, index) => {
    if (message.role === 'meta') notes.note(NO_MESSAGE, index);
    const { raw: _, ...read } = message;
    const isNameless = message.name !== undefined && target.encode.acceptsNames === false;
    if (isNameless) notes.note(NAME, index);
    const rest = isNameless ? { ...read, name: undefined } : read;
    const raw = items.get(message);
    if (raw !== undefined) {
      // a copy without nulls is written from parts that were read from it
      const isCopy = !(message.raw instanceof JsonNode) || raw.source !== message.raw.source;
      return { ...rest, raw, parts: isCopy ? target.read(raw).parts : rest.parts };
    }
    return {
      ...rest,
      parts: rest.parts.flatMap((part) =>
        keptPart(part, mediaPlaceOf(message), { role: message.role, target, index, notes }),
      ),
    };
  });
}

/** The items that the target accepts unchanged. A call and its result are both kept or both rewritten. */
function itemsOf(messages: readonly Message[], { wraps }: Format, { encode }: Target): Map<Message, JsonNode> {
  const items = new Map<Message, JsonNode>();
  const rewritten = new Set<string | undefined>(); // ids of calls
  const idsIn = ({ parts }: Message) => parts.flatMap((part) => ('callId' in part && part.callId ? [part.callId] : []));
  for (const message of messages) {
    if (!(message.raw instanceof JsonNode) || message.role === 'meta') continue;
    const whole = wraps?.inner(message.raw) ?? message.raw;
    const item = [whole, withoutNulls(whole)].find((candidate) => encode.canReuse?.(candidate, 'item'));
    if (item !== undefined) items.set(message, item);
    else for (const id of idsIn(message)) rewritten.add(id);
  }
  for (const message of items.keys()) if (idsIn(message).some((id) => rewritten.has(id))) items.delete(message);
  return items;
}

function keptPart(part: Part, place: MediaPlace, adaptation: Adaptation): Part[] {
  const { canReuse } = adaptation.target.encode;
  const raw = part.raw instanceof JsonNode ? withoutNulls(part.raw) : undefined;
  const isOwn = part.type !== 'text' && part.type !== 'call' && part.type !== 'result';
  return raw !== undefined && (canReuse === undefined ? isOwn : canReuse(raw, part.type))
    ? [{ ...part, raw }]
    : adaptPart(part, place, adaptation);
}

/** Without members that are null: they have no meaning, and few APIs accept them. */
function withoutNulls(raw: JsonNode): JsonNode {
  const nulls = raw.members().filter(({ value }) => value.isNull);
  if (nulls.length === 0) return raw;
  return reparsed(patch(raw, Object.fromEntries(nulls.map(({ key }) => [key.text, undefined]))));
}

/** The messages of an unrelated format, without their sources. */
export function adaptedMessages(
  messages: readonly Message[],
  source: Format,
  target: Target,
  notes: Notes,
): readonly Message[] {
  return messages.flatMap((message, index) =>
    roundsOf(message, source)
      .map((round) => adapt(round, message, index, target, notes))
      .filter(({ role, parts }) => parts.length > 0 || !isLost(role, source)),
  );
}

/** Whether an empty message goes: a user who says nothing is refused, and a round without a reply is none. */
function isLost(role: Message['role'], { rounds }: Format): boolean {
  return role === 'user' || (role === 'assistant' && rounds !== undefined);
}

/** A message for each round of the model that a message holds. */
function roundsOf(message: Message, { rounds }: Format): readonly Message[] {
  const parts = message.role === 'assistant' ? (rounds?.(message) ?? []) : [];
  return parts.length < 2 ? [message] : parts.map((round) => ({ ...message, group: undefined, parts: round }));
}

function adapt(message: Message, from: Message, index: number, target: Target, notes: Notes): Message {
  if (message.role === 'meta') {
    notes.note(NO_MESSAGE, index);
    return { ...message, from };
  }
  if (message.name !== undefined && target.encode.acceptsNames !== true) notes.note(NAME, index);
  const parts = message.parts.flatMap((part) =>
    adaptPart(part, mediaPlaceOf(message), { role: message.role, target, index, notes }),
  );
  const saying = parts.filter((part) => !(part.type === 'text' && part.text === ''));
  const { role, group, name } = message;
  const spoken = saying.length > 0 ? saying : parts;
  const place = role === 'tool' ? 'user' : role;
  const said = target.encode.joinsTexts?.some((joined) => joined === place) ? setApart(spoken) : spoken;
  return target.encode.acceptsNames ? { role, parts: said, group, from, name } : { role, parts: said, group, from };
}

function mediaPlaceOf({ role }: Message): MediaPlace {
  return role === 'assistant' ? 'assistant' : 'user';
}

function thoughtsOf({ id, provider, encode: { signedThinking } }: Target): string {
  return signedThinking === undefined && provider !== undefined
    ? `${provider.title} takes none`
    : `${id} takes none that it cannot prove to be its own`;
}

function adaptPart(part: Part, place: MediaPlace, adaptation: Adaptation): Part[] {
  const { target, index, notes } = adaptation;
  const { encode, traits } = target;
  if (part.type === 'text') return [{ type: 'text', text: textOf(part.text) }];
  if (part.type === 'thinking') {
    const text = textOf(part.text);
    const proof = encode.signedThinking === undefined ? undefined : proofOf(part);
    if (proof !== undefined) return [{ type: 'thinking', text, raw: reparsed(encode.signedThinking!(proof)) }];
    if (text === '') notes.note('a thought without words', index);
    else if (!encode.acceptsThinking) notes.lose(`thoughts: ${thoughtsOf(target)}`, index);
    return encode.acceptsThinking && text !== '' ? [{ type: 'thinking', text }] : [];
  }
  if (part.type === 'call') {
    if (part.tool === '') notes.note(`that a call names no tool: it is a call of \`${UNKNOWN_TOOL}\``, index);
    const isValue = part.input instanceof JsonNode && part.input.isObject;
    const input = isValue ? layOut(part.input, 0) : textOf(part.input);
    const isCustom = isFreeText(part) && encode.takesCustomCalls === true;
    const needsObject = encode.objectArgumentsOnly || (isFreeText(part) && encode.takesCustomCalls === false);
    const isAccepted = isCustom || !needsObject || isValue || isObject(input);
    const isBlank = input.trim() === '';
    if (!isAccepted && !isBlank)
      notes.note('arguments that are not a JSON object: they stand in `arguments` of one', index);
    return [
      {
        type: 'call',
        callId: part.callId,
        tool: part.tool || UNKNOWN_TOOL,
        ...(isCustom ? { kind: CUSTOM } : {}),
        input: isAccepted ? input : JSON.stringify(isBlank ? {} : { arguments: input }),
      },
    ];
  }
  if (part.type === 'result') {
    if (part.isError && !traits.flagsErrors) notes.note('that a result is an error', index);
    const content = part.content.flatMap((block) => adaptPart(block, 'result', adaptation) as ContentPart[]);
    return [
      {
        type: 'result',
        callId: part.callId,
        tool: part.tool,
        content: encode.joinsTexts?.includes('result') ? setApart(content) : content,
        ...(traits.flagsErrors ? { isError: part.isError === true } : {}),
      },
    ];
  }
  const document = adaptDocument(part, place, adaptation);
  if (document !== undefined) return document;
  return part.type === 'media' ? adaptMedia(part, place, adaptation) : adaptOpaque(part, adaptation);
}

/** Texts that will stand in one string, a line break between them where there is no space. */
function setApart<P extends Part>(parts: readonly P[]): readonly P[] {
  let before = '\n';
  return parts.map((part) => {
    if (part.type !== 'text' || part.text === '') return part;
    const text = textOf(part.text);
    const isApart = /\s$/.test(before) || /^\s/.test(text);
    before = text;
    return isApart ? part : { ...part, text: `\n${text}` };
  });
}

/** A block of a document or search result of text: in the target's own shape, or as text under its names. */
function adaptDocument(part: Part, place: MediaPlace, adaptation: Adaptation): Part[] | undefined {
  const document = part.raw instanceof JsonNode && part.raw.isObject ? textDocumentIn(part.raw) : undefined;
  if (document === undefined) return undefined;
  const { target, index, notes } = adaptation;
  const block = document.others.length === 0 ? target.encode.textDocument?.(document) : undefined;
  if (block !== undefined) return [{ type: 'opaque', raw: reparsed(block) }];
  notes.note(`that a text is a ${document.kind}: it stands as text, under its title`, index);
  const others = document.others.flatMap((raw) => adaptPart(partOf(raw), place, adaptation));
  return [{ type: 'text', text: textOfDocument(document) }, ...others];
}

function partOf(raw: JsonNode): MediaPart | OpaquePart {
  return raw.get('type')?.string === 'image' || raw.get('image') !== undefined
    ? { type: 'media', kind: 'image', raw }
    : { type: 'opaque', raw };
}

/** The words of a refusal: a field or block of OpenAI's. */
function refusalIn(part: OpaquePart): string | undefined {
  if (!(part.raw instanceof JsonNode)) return undefined;
  const { raw } = part;
  if (raw.isString) return part.text === undefined ? undefined : raw.text;
  return raw.get('type')?.string === 'refusal' ? raw.get('refusal')?.string : undefined;
}

function adaptOpaque(part: OpaquePart, adaptation: Adaptation): Part[] {
  const { target, index, notes } = adaptation;
  const { encode } = target;
  const refusal = adaptation.role === 'assistant' ? refusalIn(part) : undefined;
  if (refusal !== undefined && encode.refusal !== undefined)
    return [{ type: 'opaque', text: refusal, raw: reparsed(encode.refusal(refusal)) }];
  if (refusal !== undefined) {
    notes.note('that a text is a refusal', index);
    return [{ type: 'text', text: refusal }];
  }
  const converted = part.raw instanceof JsonNode ? encode.convertOpaque?.(part.raw) : undefined;
  if (converted !== undefined) return converted.map((json): OpaquePart => ({ type: 'opaque', raw: reparsed(json) }));
  const told = part.raw instanceof JsonNode ? toldTextIn(part.raw) : undefined;
  if (told !== undefined) {
    notes.note(told.lost, index);
    return [{ type: 'text', text: told.text }];
  }
  const isText = part.raw instanceof JsonNode && part.raw.isString;
  notes.lose(isText ? "a text beside the message's content" : `a part of type \`${typeOf(part.raw)}\``, index);
  return [];
}

const MEDIA_NAMES: Readonly<Record<MediaPart['kind'], string>> = { image: 'an image', audio: 'audio', file: 'a file' };

function adaptMedia(part: MediaPart, place: MediaPlace, { target, index, notes }: Adaptation): MediaPart[] {
  const { id, encode } = target;
  const media = sendable(mediaOf(part), encode);
  const block = media === undefined ? undefined : encode.media?.(media, place);
  if (block === undefined) {
    const why = media === undefined ? 'that only its provider has' : `that ${id} has no block for`;
    notes.lose(`${MEDIA_NAMES[part.kind]} ${why}`, index);
    return [];
  }
  const holds = (text: string) => printed(block).includes(text);
  const isLost = (said: string | undefined) => said !== undefined && !holds(JSON.stringify(said));
  if (isLost(media?.name)) notes.note('the name of a file', index);
  if (isLost(media?.context)) notes.note('what is said about a document in its `context`', index);
  if (media?.citations && !holds('"citations"')) notes.note('that the model may cite a document', index);
  return [{ type: 'media', kind: part.kind, raw: reparsed(block) }];
}

/** With the type of its bytes where none is said; undefined for a URL that the provider cannot open. */
function sendable(media: Media | undefined, { opens }: Encode): Media | undefined {
  if (media?.url !== undefined) return opens?.test(media.url) || isPublic(media.url) ? media : undefined;
  if (media === undefined) return undefined;
  const type = mediaType(media);
  const base64 = media.base64?.replaceAll('-', '+').replaceAll('_', '/'); // Python writes it as for URLs
  return { ...media, ...(base64 === undefined ? {} : { base64 }), ...(type === undefined ? {} : { type }) };
}

function mediaType({ kind, type, base64 }: Media): string | undefined {
  if (kind === 'image') return type ?? typeOfBytes(base64!);
  return FILE_TYPES[type?.replace(/^application\//, '') ?? ''] ?? type;
}

/** What Google keeps for the owner of a key alone is not: https://ai.google.dev/gemini-api/docs/files, 2026-11. */
function isPublic(url: string): boolean {
  return /^https?:/i.test(url) && !GOOGLE_FILES.test(url);
}

function isObject(text: string): boolean {
  try {
    return parse(text).isObject;
  } catch {
    return false;
  }
}

/** What a part is called. */
export function typeOf(raw: unknown): string {
  return (raw instanceof JsonNode && (raw.get('type')?.string ?? raw.members()[0]?.key.text)) || 'unknown';
}
