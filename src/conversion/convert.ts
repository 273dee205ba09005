/** Writes a transcript in another format, and reports what could not be converted. */
import type { Encode } from '../formats/encode.js';
import type { Format } from '../formats/format.js';
import type { JsonFields } from '../json/edit.js';
import { printLaidOut, printOnOneLine } from '../json/lay-out.js';
import type { JsonNode } from '../json/node.js';
import { reparsed, type Sink } from '../json/print.js';
import { textOf } from '../transcript/text.js';
import type { Message, Transcript } from '../transcript/types.js';
import { alternating } from '../transforms/alternate.js';
import { adaptedMessages, keptMessages, typeOf } from './adapt.js';
import { withApprovals } from './approvals.js';
import { createNotes, type Loss, type Notes, noteAttached, ownFields } from './findings.js';
import { type Fault, keepRules, type Repair } from './keep-rules.js';
import { modelField, parameterFields } from './request-fields.js';
import {
  keptItems,
  mediaToUsers,
  oneByOne,
  oneResultEach,
  plainMessages,
  shapeFor,
  withIds,
  withKinds,
  withoutIds,
  withoutToolNames,
  withToolNames,
} from './shape.js';
import type { Target } from './targets.js';
import { toolFields } from './tool-fields.js';
import { choosing, type ToolNames, toolNamesFor, withNames } from './tool-names.js';

export type { Loss as Finding } from './findings.js';
export type { Fault, Repair } from './keep-rules.js';
export { type Target, targetNamed } from './targets.js';

export interface Conversion {
  /** The transcript in the other format: a bare list of messages if there is nothing else. */
  readonly json: JsonNode;
  /** The same, always as an object that holds the list. */
  readonly record: JsonNode;
  readonly findings: readonly Loss[];
  /** What was fixed so that the target accepts the transcript. */
  readonly repairs: readonly Repair[];
  /** What the target still rejects. */
  readonly faults: readonly Fault[];
}

/** Whether the target takes it, and says all that was said. */
export function isWhole({ findings, repairs, faults }: Pick<Conversion, 'findings' | 'repairs' | 'faults'>): boolean {
  return faults.length === 0 && !repairs.some(({ lossy }) => lossy) && !findings.some(({ loss }) => loss);
}

/** Abandoned branches are not converted: the transcript that they were left for has a note of them. */
export function isConverted({ abandoned }: Transcript): boolean {
  return abandoned === undefined;
}

/** Converts a transcript. `record`: the value around it, if any, whose other members may be lost too. */
export function convert(transcript: Transcript, source: Format, target: Target, record?: JsonNode): Conversion {
  const notes = createNotes();
  const { encode } = target;
  for (const { agent, abandoned } of transcript.agents ?? [])
    if (abandoned !== undefined) notes.note(`the abandoned ${agent}, which the agent would not send again`);
  noteAttached(transcript, notes);
  const isRelated = (source.wraps?.format ?? source.id) === target.id;
  const adapted = isRelated
    ? keptMessages(transcript.messages, source, target, notes)
    : adaptedMessages(transcript.messages, source, target, notes);
  const isKept = isRelated && target.traits.piecesStandAlone;
  const names: ToolNames = isKept ? new Map() : toolNamesFor(transcript, encode, notes);
  const joined = isKept ? plainMessages(adapted) : oneResultEach(plainMessages(withNames(adapted, names)), notes);
  const kinds = encode.takesCustomCalls ? withKinds(joined) : joined;
  const plain = encode.resultNeedsToolName ? withToolNames(kinds) : kinds;
  const shaped = isKept ? keptItems(adapted, target.traits) : shapeForTarget(plain, target, notes);
  if (
    encode.pairsByOrder &&
    plain.some(({ parts }) => parts.some((part) => (part.type === 'call' || part.type === 'result') && part.callId))
  )
    notes.note(`the ids of calls: in ${target.id} they pair with results by order`);
  const { takesApprovals = false } = encode;
  const approved = withApprovals(shaped, transcript.messages, takesApprovals, notes);
  const own = source.id === target.id ? ownSystem(transcript, encode, record) : undefined;
  const { system, messages: placed } = placeSystem(approved, encode, notes, own);
  const messages = isRelated || !encode.joinsTurns ? placed : inTurn(placed, target, notes);
  const beside: JsonFields = {
    ...modelField(transcript, target, notes),
    ...system,
    ...toolFields(transcript, target, { names, isRelated }, notes),
  };
  const fields = parameterFields(record, source, choosing(target, names, transcript), beside, notes);
  const list = messages.map((message) => target.write(message));
  const { record: whole, repairs, faults } = keepRules(reparsed({ ...fields, [encode.messages]: list }), target);
  return {
    json: Object.keys(fields).length === 0 ? whole.get(encode.messages)! : whole,
    record: whole,
    findings: [
      ...notes.findings(),
      ...ownFields(transcript.messages, source, (_, index) => (isRelated ? adapted[index] : undefined)),
    ],
    repairs,
    faults,
  };
}

function shapeForTarget(plain: readonly Message[], { encode, traits }: Target, notes: Notes): Message[] {
  const shown = encode.mediaFrom === undefined ? plain : mediaToUsers(plain, encode.mediaFrom, notes);
  if (encode.onePartPerMessage) return oneByOne(withoutIds(shown));
  const paired = encode.pairsByOrder ? withoutIds(shown) : withIds(shown, encode.notInIds);
  return shapeFor(encode.resultHasNoToolName ? withoutToolNames(paired) : paired, traits);
}

/** Prints a conversion as JSON: indented, or on one line. */
export function printConversion(sink: Sink, { json }: Pick<Conversion, 'json'>, isLine: boolean): void {
  if (isLine) printOnOneLine(sink, json);
  else printLaidOut(sink, json, 2);
  sink.text('\n');
}

/** Turns of one role joined to one. */
function inTurn(messages: readonly Message[], { id, traits }: Target, notes: Notes): readonly Message[] {
  const empty = { format: id, traits, messages: [] };
  const joined = alternating(empty, { ...empty, messages }).messages;
  if (joined.length < messages.length) notes.note('that two messages of one role stood in a row: they are one');
  return joined;
}

// --- fields other than messages

/** The field of the system prompt, if it is all that the system says before others speak. */
function ownSystem({ messages }: Transcript, { system }: Encode, record?: JsonNode): JsonNode | undefined {
  const own = system === undefined ? undefined : record?.get(system.key);
  return own?.is(messages[0]?.raw) && messages[1]?.role !== 'system' ? own : undefined;
}

/**
 * Moves a leading system prompt out of the messages if the format has a field for it; a later one then becomes a user
 * message. `own`: the field as it was read, which says all of it.
 */
function placeSystem(
  messages: readonly Message[],
  { system }: Encode,
  notes: Notes,
  own: JsonNode | undefined,
): { readonly system: JsonFields; readonly messages: readonly Message[] } {
  if (system === undefined) return { system: {}, messages };
  const first = messages.findIndex(({ role }) => role !== 'system');
  const leading = messages.slice(0, first < 0 ? messages.length : first);
  const parts = own === undefined ? leading.flatMap((message) => message.parts) : [];
  const media = parts.filter(({ type }) => type === 'media');
  if (media.length > 0) notes.note('that a picture or file is the system’s: it stands in a message of the user');
  const rest = messages.slice(leading.length).map((message): Message => {
    // only a format that is related keeps such a part, and its API takes it from the system
    if (message.role !== 'system' || message.parts.some(({ type }) => type === 'opaque')) return message;
    notes.note('that a later message is the system’s: it is the user’s');
    return { ...message, role: 'user' };
  });
  for (const { type, raw } of parts) if (type === 'opaque') notes.lose(`a part of type \`${typeOf(raw)}\``, 0);
  const texts = parts.flatMap((part) => (part.type === 'text' ? textOf(part.text) || [] : []));
  return {
    system: leading.length === 0 ? {} : { [system.key]: own ?? system.write(texts.join('\n\n')) },
    messages: media.length === 0 ? rest : [{ role: 'user', parts: media }, ...rest],
  };
}
