/** The shapes in which formats hold calls and results: from any of them to plain messages, and from those to another's. */
import { listIn } from '../lists.js';
import { pair } from '../transcript/pairs.js';
import type { CallPart, MediaPart, Message, Part, ResultPart, Traits } from '../transcript/types.js';
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
  return pieces.map(joinedAll);
}

/** The first of them with the parts of all. */
function joinedAll(messages: readonly Message[]): Message {
  return messages.length === 1
    ? messages[0]!
    : { ...messages[0]!, raw: undefined, parts: messages.flatMap(({ parts }) => parts) };
}

/** What the model says comes before the results of its calls, what the user says behind them. */
function splitResults(message: Message): Message[] {
  const results = message.parts.filter((part) => part.type === 'result');
  if (results.length === 0) return [message.role === 'tool' ? { ...message, role: 'user' } : message]; // a tool's words that answer no call
  if (message.parts.length === 1) return [message];
  const rest = message.parts.filter((part) => part.type !== 'result');
  const answers = results.map((part): Message => ({ role: 'tool', parts: [part] }));
  const said: Message[] =
    rest.length === 0
      ? []
      : [{ ...message, raw: undefined, role: message.role === 'tool' ? 'user' : message.role, parts: rest }];
  return message.role === 'assistant' ? [...said, ...answers] : [...answers, ...said];
}

/** Plain messages with an id for each call and its results: its own, or one made of its place. */
export function withIds(messages: readonly Message[]): Message[] {
  const { calls, results } = pair(messages);
  const taken = new Set([...calls, ...results].map(({ part }) => part.callId));
  const idOf = new Map<Part, string>();
  let next = 1;
  const fresh = () => {
    while (taken.has(`call_${next}`)) next++;
    return `call_${next++}`;
  };
  for (const call of calls) idOf.set(call.part, call.part.callId || fresh());
  for (const { part, call } of results) idOf.set(part, (call && idOf.get(call.part)) || part.callId || fresh());
  return mapTraffic(messages, (part) => (part.callId === idOf.get(part) ? part : { ...part, callId: idOf.get(part)! }));
}

/** For a result of which nobody says what tool gave it. */
const UNKNOWN_TOOL = 'unknown_tool';

/** Plain messages in which each result says the name of its tool: its own, or that of its call. */
export function named(messages: readonly Message[]): Message[] {
  const nameOf = new Map<Part, string>();
  for (const { part, call } of pair(messages).results) nameOf.set(part, part.tool || call?.part.tool || UNKNOWN_TOOL);
  return mapTraffic(messages, (part) =>
    part.type === 'call' || part.tool === nameOf.get(part) ? part : { ...part, tool: nameOf.get(part)! },
  );
}

/** Plain messages in which no result says it. */
export function unnamed(messages: readonly Message[]): Message[] {
  return mapTraffic(messages, (part) => (part.type === 'call' ? part : { ...part, tool: undefined }));
}

/** What stands in a result whose picture went to the user's message. */
const MOVED = '[shown below]';

/** Plain messages in which only the user shows pictures and files: those of others stand in a message of the user, behind the results. */
export function shownByUsers(messages: readonly Message[], notes: Notes): Message[] {
  const shown: Message[] = [];
  let waiting: MediaPart[] = [];
  const flush = () => {
    if (waiting.length > 0) shown.push({ role: 'user', parts: waiting });
    waiting = [];
  };
  for (const message of messages) {
    if (message.role !== 'tool') flush();
    const media = message.role === 'user' ? [] : message.parts.flatMap(mediaIn);
    if (media.length > 0) notes.note('that a picture or file is not the user’s: it stands in a message of the user');
    for (const one of media) waiting.push(one);
    shown.push(
      media.length === 0 ? message : { ...message, raw: undefined, parts: message.parts.flatMap(withoutMedia) },
    );
  }
  flush();
  return shown;
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

function mapTraffic(messages: readonly Message[], change: <P extends CallPart | ResultPart>(part: P) => P): Message[] {
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => (part.type === 'call' || part.type === 'result' ? change(part) : part)),
  }));
}

/** Plain messages as a format with these traits holds them. */
export function shapeFor(messages: readonly Message[], traits: Traits): Message[] {
  if (traits.resultsStandInCalls) return putInside(messages);
  if (traits.resultsShareMessage) return shareMessages(messages);
  return traits.piecesStandAlone ? messages.flatMap(intoPieces) : [...messages];
}

/** Items that stand alone already, and those that were written anew in pieces. */
export function keptItems(messages: readonly Message[], traits: Traits): Message[] {
  return messages
    .flatMap((message) =>
      message.raw === undefined ? shapeFor(plainMessages([{ ...message, group: undefined }]), traits) : [message],
    )
    .filter(({ role }) => role !== 'meta');
}

/** Each part alone, each call with its result behind it. */
export function oneByOne(messages: readonly Message[]): Message[] {
  return putInside(messages)
    .flatMap(intoPieces)
    .map((message) => (message.parts[0]?.type === 'result' ? { ...message, role: 'tool' } : message));
}

/** Each result behind its call, in the call's message. A result without a call stands where it was. */
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
  return shared.map(joinedAll);
}

/** What is said stands together; each call and each thought alone. */
function intoPieces(message: Message): Message[] {
  if (message.parts.length < 2) return [message];
  const pieces: Part[][] = [];
  for (const part of message.parts) {
    const alone = part.type === 'call' || part.type === 'thinking' || part.type === 'result';
    const last = pieces[pieces.length - 1]?.[0];
    if (alone || last === undefined || last.type === 'call' || last.type === 'thinking' || last.type === 'result')
      pieces.push([part]);
    else pieces[pieces.length - 1]!.push(part);
  }
  return pieces.map((parts) => ({ ...message, raw: undefined, parts }));
}
