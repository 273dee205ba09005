/** A transcript written down in another format, and what could not be carried over. */
import type { Encode } from '../formats/encode.js';
import type { Format } from '../formats/format.js';
import { readTools } from '../formats/shared/tools.js';
import { assertJson } from '../json/check.js';
import type { Json, JsonFields } from '../json/edit.js';
import { layOut } from '../json/lay-out.js';
import { type JsonNode, parse } from '../json/node.js';
import { printed } from '../json/print.js';
import { joinTexts } from '../transcript/text.js';
import type { ContentPart, LazyText, Message, Transcript } from '../transcript/types.js';
import { adapt, keptMessages } from './adapt.js';
import { createNotes, type Loss, type Notes, ownFields } from './findings.js';
import { keepRules, type Repair } from './keep-rules.js';
import {
  keptItems,
  named,
  oneByOne,
  plainMessages,
  shapeFor,
  shownByUsers,
  unnamed,
  withIds,
  withoutIds,
} from './shape.js';
import type { Target } from './targets.js';

export type { Loss as Finding } from './findings.js';
export type { Repair } from './keep-rules.js';
export { type Target, targetNamed } from './targets.js';

export interface Conversion {
  /** The transcript in the other format, as a node of its own: a bare list of messages where nothing stands beside them. */
  readonly json: JsonNode;
  /** The same, always as an object that holds the list. */
  readonly record: JsonNode;
  readonly findings: readonly Loss[];
  /** What was mended so that the target takes it. */
  readonly repairs: readonly Repair[];
}

/** `record` is the value that held the transcript, where one did: what stands there beside the messages may be lost too. */
export function convert(transcript: Transcript, source: Format, target: Target, record?: JsonNode): Conversion {
  const notes = createNotes();
  const { encode } = target;
  const isKin = (source.wraps?.format ?? source.id) === target.id;
  const adapted = isKin
    ? keptMessages(transcript.messages, source, target, notes)
    : transcript.messages.map((message, index) => adapt(message, index, target, notes));
  const plain = encode.resultNeedsToolName ? named(plainMessages(adapted)) : plainMessages(adapted);
  const shaped =
    isKin && target.traits.piecesStandAlone ? keptItems(adapted, target.traits) : shapedFor(plain, target, notes);
  if (
    encode.pairsByOrder &&
    plain.some(({ parts }) => parts.some((part) => (part.type === 'call' || part.type === 'result') && part.callId))
  )
    notes.note(`the ids of calls: in ${target.id} they pair with results by order`);
  const { system, messages } = placeSystem(shaped, encode, notes);
  const fields: JsonFields = {
    ...modelField(transcript, encode, notes),
    ...maxTokensField(record, encode),
    ...system,
    ...toolFields(transcript.tools, encode, notes),
  };
  const beside = record === undefined ? [] : fieldsBeside(record, source, encode);
  if (beside.length > 0) notes.note(`what stands beside the messages: ${beside.join(', ')}`);
  const recordOf = (list: Json) => parse(printed({ ...fields, [encode.messages]: list }));
  const written = recordOf(messages.map((message) => target.write(message)));
  const kept = keepRules(written, target);
  const whole = kept === undefined ? written : recordOf(kept.messages);
  return {
    json: Object.keys(fields).length === 0 ? whole.get(encode.messages)! : whole,
    record: whole,
    findings: [
      ...notes.findings(),
      ...ownFields(transcript.messages, source, (_, index) => (isKin ? adapted[index] : undefined)),
    ],
    repairs: kept?.repairs ?? [],
  };
}

function shapedFor(plain: readonly Message[], { encode, traits }: Target, notes: Notes): Message[] {
  const shown = encode.mediaOnlyFromUser ? shownByUsers(plain, notes) : plain;
  if (encode.onePartPerMessage) return oneByOne(withoutIds(shown));
  const paired = encode.pairsByOrder ? withoutIds(shown) : withIds(shown);
  return shapeFor(encode.resultHasNoToolName ? unnamed(paired) : paired, traits);
}

/** A conversion as text: laid out, or on one line. */
export function conversionText({ json }: Pick<Conversion, 'json'>, isLine: boolean): string {
  return `${assertJson(Buffer.from(layOut(json, isLine ? 0 : 2)))}\n`;
}

// --- beside the messages

/** A system prompt that leads goes beside the messages; a later one is said by the user, where the format has no role for it. */
function placeSystem(
  messages: readonly Message[],
  { system }: Encode,
  notes: Notes,
): { readonly system: JsonFields; readonly messages: readonly Message[] } {
  if (system === undefined) return { system: {}, messages };
  const first = messages.findIndex(({ role }) => role !== 'system');
  const leading = messages.slice(0, first < 0 ? messages.length : first);
  const rest = messages.slice(leading.length).map((message): Message => {
    if (message.role !== 'system') return message;
    notes.note('that a later message is the system’s: it is the user’s');
    return { ...message, role: 'user' };
  });
  const text = leading
    .map(({ parts }) => joinTexts(parts.filter((part): part is ContentPart => part.type === 'text')))
    .join('\n\n');
  return { system: leading.length === 0 ? {} : { [system.key]: system.write(text) }, messages: rest };
}

function modelField({ model }: Transcript, encode: Encode, notes: Notes): JsonFields {
  if (model === undefined) return {};
  if (encode.model !== undefined) return { [encode.model]: model };
  notes.note('the name of the model');
  return {};
}

function toolFields(tools: LazyText | undefined, encode: Encode, notes: Notes): JsonFields {
  if (tools === undefined) return {};
  const { definitions, others } = readTools(tools.text);
  for (const other of others) notes.lose(`the tool \`${other}\`, which its provider runs`);
  if (definitions.length === 0) return {};
  if (encode.tools === undefined) notes.lose('the definitions of tools');
  return encode.tools?.(definitions) ?? {};
}

/** Names of the most tokens of a reply: OpenAI's, Anthropic's, Bedrock's, Gemini's. */
const LIMITS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens', 'maxTokens', 'maxOutputTokens'];
/** Where they stand, beside the messages. */
const SETTINGS = ['request', 'body', 'inferenceConfig', 'generationConfig', 'config'];

function maxTokensField(record: JsonNode | undefined, { maxTokens }: Encode): JsonFields {
  if (maxTokens === undefined) return {};
  const around = [record, ...SETTINGS.map((key) => record?.get(key))];
  const limits = around.flatMap((node) => LIMITS.map((key) => node?.get(key)?.number));
  return { [maxTokens.key]: limits.find((limit) => limit !== undefined && limit > 0) ?? maxTokens.default };
}

/** What a record holds beside what a transcript says of it. */
function fieldsBeside(record: JsonNode, { encode, messagePaths }: Format, { maxTokens }: Encode): string[] {
  const known = new Set([
    'messages',
    'model',
    'tools',
    'id',
    encode?.messages,
    encode?.system?.key,
    encode?.model,
    ...(maxTokens === undefined ? [] : LIMITS),
    ...messagePaths.flatMap((place) => place.match(/[A-Za-z_]+/g) ?? []),
  ]);
  return record.members().flatMap(({ key, value }) => (known.has(key.text) || value.isNull ? [] : [`\`${key.text}\``]));
}
