/** Converts the layout of calls and results: from any format to plain messages, and from those to another format. */
import { addAll, listIn } from '../lists.js';
import { takeFree } from '../rules/shared/call-ids.js';
import { mapParts } from '../transcript/edit.js';
import { type Pairing, pair } from '../transcript/pairs.js';
import { textOf } from '../transcript/text.js';
import type { CallPart, ContentPart, MediaPart, Message, Part, ResultPart, Role, Traits } from '../transcript/types.js';
import type { Notes } from './findings.js';

/** Plain messages: pieces are joined, and each result is a message of role `tool`. Records are left out. */
export function plainMessages(messages: readonly Message[]): Message[] {
  return joinPieces(messages.filter(({ role }) => role !== 'meta')).flatMap(splitResults);
}

function joinPieces(messages: readonly Message[]): Message[] {
  const pieces: Message[][] = [];
  const known = new Map<string, Message[]>();
  for (const message of messages) {
    const own = message.group === undefined ? undefined : known.get(message.group);
    if (own !== undefined) own.push(message);
    else {
      pieces.push([message]);
      if (message.group !== undefined) known.set(message.group, pieces.at(-1)!);
    }
  }
  return pieces.map(joinMessages);
}

/** The first message with the parts of all. */
function joinMessages(messages: readonly Message[]): Message {
  return messages.length === 1
    ? messages[0]!
    : { ...messages[0]!, raw: undefined, parts: messages.flatMap(({ parts }) => parts) };
}

/** Each result becomes a message: after the model's other parts, before the user's. */
function splitResults(message: Message): Message[] {
  const results = message.parts.filter((part) => part.type === 'result');
  // a tool message that answers no call
  if (results.length === 0) return [message.role === 'tool' ? { ...message, role: 'user' } : message];
  if (message.parts.length === 1) return [message];
  const rest = message.parts.filter((part) => part.type !== 'result');
  const answers = results.map((part): Message => ({ role: 'tool', from: message.from, parts: [part] }));
  const others: Message[] =
    rest.length === 0
      ? []
      : [{ ...message, raw: undefined, role: message.role === 'tool' ? 'user' : message.role, parts: rest }];
  return message.role === 'assistant' ? [...others, ...answers] : [...answers, ...others];
}

/** Plain messages in which each call and its results have an id: their own or a new one, without these characters. */
export function withIds(messages: readonly Message[], notInIds?: RegExp): Message[] {
  const { calls, results } = pair(messages);
  const taken = new Set([...calls, ...results].map(({ part }) => part.callId ?? ''));
  const idOf = new Map<Part, string>();
  let next = 1;
  const fresh = () => {
    while (taken.has(`call_${next}`)) next++;
    return `call_${next++}`;
  };
  const spelled = (id: string) =>
    notInIds === undefined || id.search(notInIds) < 0 ? id : takeFree(id.replace(notInIds, '_'), taken);
  for (const call of calls) idOf.set(call.part, spelled(call.part.callId || fresh()));
  for (const { part, call } of results) idOf.set(part, (call && idOf.get(call.part)) || part.callId || fresh());
  return mapTraffic(messages, (part) => (part.callId === idOf.get(part) ? part : { ...part, callId: idOf.get(part)! }));
}

/** The name of a tool that is not recorded. */
export const UNKNOWN_TOOL = 'unknown_tool';

/** Plain messages in which each result has a tool name: its own or that of its call. */
export function withToolNames(messages: readonly Message[]): Message[] {
  const nameOf = new Map<Part, string>();
  for (const { part, call } of pair(messages).results) nameOf.set(part, part.tool || call?.part.tool || UNKNOWN_TOOL);
  return mapTraffic(messages, (part) =>
    part.type === 'call' || part.tool === nameOf.get(part) ? part : { ...part, tool: nameOf.get(part)! },
  );
}

/** Plain messages in which each result has the kind of its call. */
export function withKinds(messages: readonly Message[]): Message[] {
  const kindOf = new Map<Part, string>();
  for (const { part, call } of pair(messages).results) if (call?.part.kind) kindOf.set(part, call.part.kind);
  return mapTraffic(messages, (part) => (kindOf.has(part) ? { ...part, kind: kindOf.get(part)! } : part));
}

/** Plain messages in which no result has a tool name. */
export function withoutToolNames(messages: readonly Message[]): Message[] {
  return mapTraffic(messages, (part) => (part.type === 'call' ? part : { ...part, tool: undefined }));
}

/**
 * Each call has at most one result, after it: APIs reject others. A result without a call, or a second one of a call,
 * becomes words of the user after the results around it.
 */
export function oneResultEach(messages: readonly Message[], notes: Notes): readonly Message[] {
  const { results } = pair(messages);
  const loose = results.filter((site) => site.call?.results[0] !== site);
  const early = results.filter((site) => site.standing === 'early' && site.call!.results[0] === site);
  if (loose.length + early.length === 0) return messages;
  if (loose.some(({ call }) => call === undefined)) notes.note(`a result whose call is missing: ${AS_TEXT}`);
  if (loose.some(({ call }) => call !== undefined)) notes.note(`a second result of a call: ${AS_TEXT}`);
  if (early.length > 0) notes.note('that a result stands before its call: it stands after it');
  return placed(messages, new Set(loose.map(({ part }) => part)), early);
}

const AS_TEXT = 'it stands as text in a message of the user';

function placed(messages: readonly Message[], loose: ReadonlySet<Part>, early: Pairing['results']): readonly Message[] {
  const moved = new Map<number, ResultPart[]>(); // by the message of the call
  for (const { part, call } of early) listIn(moved, call!.message).push(part);
  const leaving = new Set<Part>([...loose, ...early.map(({ part }) => part)]);
  const output: Message[] = [];
  let waiting: Part[] = [];
  const flush = () => {
    if (waiting.length > 0) output.push({ role: 'user', parts: waiting });
    waiting = [];
  };
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'tool') flush();
    const parts = message.parts.filter((part) => !leaving.has(part));
    for (const part of message.parts) if (part.type === 'result' && loose.has(part)) addAll(waiting, asSaid(part));
    if (parts.length === message.parts.length) output.push(message);
    else if (parts.length > 0) output.push({ ...message, parts });
    for (const part of moved.get(index) ?? []) output.push({ role: 'tool', parts: [part] });
  }
  flush();
  return output;
}

/** The content of a result, under a heading. */
function asSaid({ tool, content }: ResultPart): ContentPart[] {
  const heading = `[Tool result${tool ? ` of ${tool}` : ''}]`;
  const [first, ...rest] = content;
  if (first?.type === 'text') return [{ type: 'text', text: `${heading}: ${textOf(first.text)}` }, ...rest];
  return [{ type: 'text', text: heading }, ...content];
}

/** Replaces an image or file in a result that moved to a user message. */
const MOVED = '[shown below]';

/** Moves images and files of other roles to a user message after the results. */
export function mediaToUsers(messages: readonly Message[], from: readonly Role[], notes: Notes): Message[] {
  const output: Message[] = [];
  let waiting: MediaPart[] = [];
  const flush = () => {
    if (waiting.length > 0) output.push({ role: 'user', parts: waiting });
    waiting = [];
  };
  for (const message of messages) {
    if (message.role !== 'tool') flush();
    const media = from.includes(message.role) ? [] : message.parts.flatMap(mediaIn);
    if (media.length > 0) notes.note('that a picture or file is not the user’s: it stands in a message of the user');
    for (const part of media) waiting.push(part);
    output.push(
      media.length === 0 ? message : { ...message, raw: undefined, parts: message.parts.flatMap(withoutMedia) },
    );
  }
  flush();
  return output;
}

function mediaIn(part: Part): MediaPart[] {
  if (part.type === 'media') return [part];
  return part.type === 'result' ? part.content.filter((block) => block.type === 'media') : [];
}

function withoutMedia(part: Part): Part[] {
  if (part.type === 'media') return [];
  if (part.type !== 'result' || mediaIn(part).length === 0) return [part];
  return [
    { ...part, content: part.content.map((block) => (block.type === 'media' ? { type: 'text', text: MOVED } : block)) },
  ];
}

/** Plain messages without ids. */
export function withoutIds(messages: readonly Message[]): Message[] {
  return mapTraffic(messages, (part) => (part.callId === undefined ? part : { ...part, callId: undefined }));
}

export function mapTraffic(
  messages: readonly Message[],
  change: <P extends CallPart | ResultPart>(part: P) => P,
): Message[] {
  return messages.map((message) =>
    mapParts(message, (part) => (part.type === 'call' || part.type === 'result' ? change(part) : part)),
  );
}

/** Plain messages in the layout of a format with these traits. */
export function shapeFor(messages: readonly Message[], traits: Traits): Message[] {
  if (traits.resultsStandInCalls) return putInside(messages);
  if (traits.resultsShareMessage) return shareMessages(messages);
  return traits.piecesStandAlone ? messages.flatMap(intoPieces) : [...messages];
}

/** Kept items unchanged, and rewritten ones as separate items. */
export function keptItems(messages: readonly Message[], traits: Traits): Message[] {
  return messages
    .flatMap((message) =>
      message.raw === undefined ? shapeFor(plainMessages([{ ...message, group: undefined }]), traits) : [message],
    )
    .filter(({ role }) => role !== 'meta');
}

/** One part per message, each result right after its call. */
export function oneByOne(messages: readonly Message[]): Message[] {
  return putInside(messages)
    .flatMap(intoPieces)
    .map((message) => (message.parts[0]?.type === 'result' ? { ...message, role: 'tool' } : message));
}

/** Each result right after its call, in the call's message. A result without a call keeps its place. */
function putInside(messages: readonly Message[]): Message[] {
  const { results } = pair(messages);
  const answers = new Map<Part, ResultPart[]>();
  const moved = new Set<Part>();
  for (const { part, call } of results) {
    if (call === undefined) continue;
    listIn(answers, call.part).push(part);
    moved.add(part);
  }
  return messages.flatMap((message): Message[] => {
    if (message.role === 'tool') return message.parts.every((part) => moved.has(part)) ? [] : [message];
    return [
      { ...message, raw: undefined, parts: message.parts.flatMap((part) => [part, ...(answers.get(part) ?? [])]) },
    ];
  });
}

function shareMessages(messages: readonly Message[]): Message[] {
  const shared: Message[][] = [];
  for (const message of messages) {
    const last = shared.at(-1);
    if (message.role === 'tool' && last?.[0]?.role === 'tool') last.push(message);
    else shared.push([message]);
  }
  return shared.map(joinMessages);
}

/** Calls, results and thinking are separate messages; other parts in a row stay together. */
function intoPieces(message: Message): Message[] {
  if (message.parts.length < 2) return [message];
  const pieces: Part[][] = [];
  for (const part of message.parts) {
    const last = pieces[pieces.length - 1]?.[0];
    if (last === undefined || standsAlone(part) || standsAlone(last)) pieces.push([part]);
    else pieces[pieces.length - 1]!.push(part);
  }
  return pieces.map((parts) => ({ ...message, raw: undefined, parts }));
}

function standsAlone({ type }: Part): boolean {
  return type === 'call' || type === 'thinking' || type === 'result';
}
