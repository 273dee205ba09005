/** Builds a transcript from its messages and from what its record says about it. */
import type { Description, Format } from '../formats/format.js';
import { redefine } from '../formats/shared/tool-edits.js';
import { EditedText } from '../json/edit.js';
import { JsonNode } from '../json/node.js';
import { type Replacement, reparsed } from '../json/print.js';
import type { Addition } from '../json/replace.js';
import type { Message, Transcript } from '../transcript/types.js';
import { hasMemberMessage, type MessagePath } from './message-paths.js';

export interface TranscriptContext {
  readonly format: Format;
  readonly traits: Transcript['traits'];
  readonly description: Description;
  /** The record that holds the messages; undefined for a row. */
  readonly record?: JsonNode;
  readonly messagePath?: MessagePath;
  /** Fixes may change the members of the request around the messages. */
  readonly hasBody?: boolean;
}

/** What edits definitions loads when some are edited. */
const redefined: typeof redefine = (tools, changes) => redefine(tools, changes);

export function transcriptOf(messages: readonly Message[], context: TranscriptContext): Transcript {
  const { format, traits, description, record, messagePath, hasBody } = context;
  const { id, recorded } = format;
  const recordedBy: Pick<Transcript, 'recorded'> =
    recorded === undefined
      ? {}
      : { recorded: ({ raw }) => (raw instanceof JsonNode ? recorded(raw, record) : undefined) };
  return {
    format: id,
    traits,
    ...description,
    model: modelOf(messages, context),
    messages,
    titleIn: () => format.titleIn?.(messages),
    redefine: redefined,
    body: hasBody ? {} : undefined,
    takesSystem: () => (traits.takesNoSystem ? undefined : systemTarget(format, messagePath)),
    ...recordedBy,
  };
}

/** The model that the record, a message or (within the first lines) what is recorded of a request names. */
function modelOf(messages: readonly Message[], { description, format, record }: TranscriptContext): string | undefined {
  const stated = description.model ?? messages.find(({ model }) => model !== undefined)?.model;
  if (stated !== undefined || format.recorded === undefined) return stated ?? description.reply?.model;
  for (const { raw, role } of messages.slice(0, HEADER_LINES)) {
    const recorded = role === 'assistant' && raw instanceof JsonNode ? format.recorded(raw, record)?.model : undefined;
    if (recorded !== undefined) return recorded;
  }
  return description.reply?.model;
}

/** A system prompt can be a message if the format reads the message that it writes for one. */
function systemTarget(format: Format, messagePath: MessagePath | undefined): 'message' | 'beside' | undefined {
  const { encode, write, read, score, traits } = format;
  if (encode?.system !== undefined && messagePath !== undefined && hasMemberMessage(messagePath, encode.system.key))
    return 'beside';
  if (encode?.system?.cannotBeMessage) return undefined;
  if (traits.systemIsMessage) return 'message';
  const written = reparsed(write({ role: 'system', parts: [{ type: 'text', text: 'x' }] }));
  return score(written) > 0 && read(written).role === 'system' ? 'message' : undefined;
}

/** Only the first lines of a log are searched for headers. */
export const HEADER_LINES = 100;

/** What the first lines of a log say about it. The first line that says something wins. */
export function headerOf(messages: readonly Message[], { header }: Format): Description {
  const found: Record<string, unknown> = {};
  if (header === undefined) return found;
  for (const { raw } of messages.slice(0, HEADER_LINES))
    if (raw instanceof JsonNode) for (const [key, value] of Object.entries(header(raw))) found[key] ??= value;
  return found;
}

/** The changed members of the request body. */
export function bodyChanges({ body: { read, written } = {} }: Transcript): Addition[] {
  if (!(read instanceof JsonNode) || !(written instanceof JsonNode)) return [];
  const keys = new Set([read, written].flatMap((body) => body.members().map(({ key }) => key.text)));
  return [...keys].flatMap((key) => {
    const value = written.get(key);
    return value?.json === read.get(key)?.json ? [] : [{ holder: read, key, value }];
  });
}

/** The edited tool definitions of a transcript, which replace the ones that were read. */
export function toolEdits({ tools }: Transcript): Replacement[] {
  return tools instanceof EditedText ? [{ node: tools.base, value: tools.json }] : [];
}
