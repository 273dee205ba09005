/** Writes a transcript as a new session of an agent, and reports what could not be converted. */
import { TranscriptError } from '../errors.js';
import type { Format } from '../formats/format.js';
import type { NewDocument, NewMessage, SessionTarget } from '../formats/session.js';
import { hashId } from '../formats/shared/derived-ids.js';
import { timeOf } from '../formats/shared/recorded.js';
import { withJsonSchema } from '../formats/shared/tool-schemas.js';
import { readTools } from '../formats/shared/tools.js';
import { layOut } from '../json/lay-out.js';
import { JsonNode, parse } from '../json/node.js';
import { printed, reparsed } from '../json/print.js';
import { listIn } from '../lists.js';
import { pair } from '../transcript/pairs.js';
import { withoutCompacted } from '../transcript/sent.js';
import { grouped, textOf } from '../transcript/text.js';
import type { CallPart, Message, Part, Recorded, ResultPart, Transcript } from '../transcript/types.js';
import { adaptedMessages } from './adapt.js';
import { withAgentCalls } from './agent-calls.js';
import { createNotes, type Loss, type Notes, noteAttached, ownFields, placedIn } from './findings.js';
import { SESSION_TARGETS } from './session-targets.js';
import { mapTraffic, mediaToUsers, oneResultEach, plainMessages, shapeFor, withKinds, withToolNames } from './shape.js';
import type { Target } from './targets.js';

export interface SessionConversion {
  /** The id of the new session. */
  readonly id: string;
  readonly started: number;
  readonly project: string;
  readonly document: NewDocument;
  readonly counts: { readonly messages: number; readonly calls: number; readonly results: number };
  readonly findings: readonly Loss[];
}

export interface Beginning {
  /** The same seed gives the same ids. */
  readonly seed: string;
  /** Where the agent is to work, if not where the session says. */
  readonly project?: string | undefined;
  /** What counts where no time and no folder are recorded. */
  readonly otherwise: { readonly time: number; readonly project: string };
}

export function convertSession(
  transcript: Transcript,
  source: Format,
  target: SessionTarget,
  beginning: Beginning,
): SessionConversion {
  const notes = createNotes();
  const project = projectOf(transcript, beginning, notes);
  const times = timesOf(transcript, source, beginning.otherwise.time, notes);
  const started = times.first;
  const uuid = (name: string | number) => hashId(`${beginning.seed}\n${name}`);
  const id = target.newId?.(uuid('session'), started) ?? uuid('session');
  const { records, loose } = recordsOf(transcript);
  const shaped = shapedFor(transcript, source, target, project, notes);
  const messages = shaped.map(({ from, ...message }): NewMessage => {
    const model = runnable(from?.model ?? transcript.model, target, notes);
    return { message, time: times.of(from), model, recorded: from && records.get(from) };
  });
  const { definitions, others } = readTools(transcript.tools?.text ?? '[]');
  if (target.tools === undefined)
    for (const other of others) notes.lose(`the tool \`${other}\`, which its provider runs`);
  const title = transcript.title ?? transcript.titleIn?.();
  if (title !== undefined && target.isUntitled) notes.note('the title');
  const document = target.write({
    ...{ id, project, started, messages, uuid, source: source.id, tools: definitions.map(withJsonSchema) },
    ...{ title, model: transcript.model },
    requests: [...records.values(), ...loose],
  });
  const findings = [...notes.findings(), ...ownFields(transcript.messages, source, () => undefined)];
  return { id, started, project, document, counts: countsOf(shaped), findings };
}

/** Throws TranscriptError where an agent would find nothing to go on with. */
export function rejectEmpty({ messages }: Transcript): void {
  if (messages.every(({ role }) => role === 'meta'))
    throw new TranscriptError('usage', 'it holds no messages, so there is no session to write');
}

function runnable(model: string | undefined, { runs, format }: SessionTarget, notes: Notes): string | undefined {
  if (model === undefined || runs?.(model) !== false) return model;
  notes.note(`the model ${model}: ${format.id} goes on with its own`);
  return undefined;
}

function countsOf(messages: readonly Message[]): SessionConversion['counts'] {
  const { calls, results } = pair(messages);
  return { messages: messages.length, calls: calls.length, results: results.length };
}

/** The text of a session: a value a line, or a document, which is indented unless `isLine`. */
export function sessionText(document: NewDocument, isLine = false): string {
  if ('document' in document) return `${layOut(reparsed(document.document), isLine ? 0 : 2)}\n`;
  return document.lines.map((line) => asLine(printed(line))).join('');
}

export function asLine(text: string): string {
  return `${layOut(parse(text), 0)}\n`;
}

// --- messages

function shapedFor(
  transcript: Transcript,
  source: Format,
  target: SessionTarget,
  project: string,
  notes: Notes,
): readonly Message[] {
  const { encode, tools, format } = target;
  for (const { agent, abandoned } of transcript.agents ?? [])
    notes.note(
      abandoned === undefined
        ? `the sub-agent ${agent}`
        : `the abandoned ${agent}, which the agent would not send again`,
    );
  noteAttached(transcript, notes);
  const placeOf = new Map(transcript.messages.map((message, index) => [message, index]));
  const notesOn = (list: readonly Message[]) => placedIn(list, placeOf, notes);
  const sender = SESSION_TARGETS.find((each) => each.format.id === source.id);
  const sent = tools === undefined ? transcript.messages : sentBy(sender, transcript, notes);
  const said = tools === undefined ? sent : withoutSystem(sent, target, notesOn(sent));
  // calls are judged as they were made
  const open = tools === undefined ? encode : { ...encode, objectArgumentsOnly: false, takesCustomCalls: true };
  const adapted = adaptedMessages(said, source, { ...format, encode: open } satisfies Target, notesOn(said));
  const joined = oneResultEach(plainMessages(adapted), notes);
  const called =
    tools === undefined
      ? joined
      : withAgentCalls(joined, { from: sender?.tools, to: tools, title: format.id, project }, notesOn(joined));
  const spoken = saying(called);
  const whole = tools === undefined ? called : answered(spoken, notesOn(spoken));
  const kinds = encode.takesCustomCalls ? withKinds(whole) : whole;
  const named = encode.resultNeedsToolName ? withToolNames(kinds) : kinds;
  const shown = encode.mediaFrom === undefined ? named : mediaToUsers(named, encode.mediaFrom, notes);
  return shapeFor(withOwnIds(shown), format.traits);
}

function sentBy(sender: SessionTarget | undefined, transcript: Transcript, notes: Notes): readonly Message[] {
  const { messages } = transcript;
  const sent = sender?.sent?.(messages) ?? withoutCompacted(transcript).messages;
  const kept = new Set(sent);
  const left = messages.filter((message) => message.role !== 'meta' && !kept.has(message)).length;
  if (left > 0) notes.note(`what the agent had compacted (${grouped(left)} messages): what it kept of them stands`);
  return sent;
}

function withoutSystem(messages: readonly Message[], { format }: SessionTarget, notes: Notes): readonly Message[] {
  return messages.map((message, index): Message => {
    if (message.role !== 'system') return message;
    notes.note(`the system prompt: ${format.id} has its own`, index);
    return { role: 'meta', parts: [], discardable: true };
  });
}

/** Without messages and texts that say nothing. */
function saying(messages: readonly Message[]): readonly Message[] {
  const says = (part: Part) => part.type !== 'text' || textOf(part.text).trim() !== '';
  return messages.flatMap((message) => {
    const parts = message.parts.filter(says);
    return parts.length === 0 ? [] : [{ ...message, parts }];
  });
}

const UNANSWERED = '[No result is recorded: the call was interrupted]';

/** Each call with a result. */
function answered(messages: readonly Message[], notes: Notes): readonly Message[] {
  const open = new Map<number, CallPart[]>(); // by message
  for (const { message, part, results } of pair(messages).calls)
    if (results.length === 0) listIn(open, message).push(part);
  if (open.size === 0) return messages;
  return messages.flatMap((message, index) => {
    const own = open.get(index) ?? [];
    if (own.length > 0) notes.note('a call without a result: one is added that says so', index);
    const results = own.map(({ callId, tool, kind }): Message => {
      const result: ResultPart = { type: 'result', callId, tool, kind, isError: true, content: [TEXT] };
      return { role: 'tool', from: message.from, parts: [result] };
    });
    return [message, ...results];
  });
}

const TEXT = { type: 'text', text: UNANSWERED } as const;

/** Characters and lengths that every API takes. */
const NOT_IN_IDS = /[^a-zA-Z0-9_-]/g;
const LONGEST_ID = 64;

/** Each call and its result with an id that no other call has. */
function withOwnIds(messages: readonly Message[]): readonly Message[] {
  const { calls, results } = pair(messages);
  const taken = new Set<string>();
  const ids = new Map<Part, string>();
  for (const [index, { part }] of calls.entries()) {
    const spelled = (part.callId ?? '').replace(NOT_IN_IDS, '_');
    const isFree = spelled !== '' && spelled.length <= LONGEST_ID && !taken.has(spelled);
    const id = isFree ? spelled : `call_${index}_${hashId(`${index} ${part.callId}`).slice(0, 8)}`;
    taken.add(id);
    ids.set(part, id);
  }
  for (const { part, call } of results) if (call !== undefined) ids.set(part, ids.get(call.part)!);
  return mapTraffic(messages, (part) => (part.callId === ids.get(part) ? part : { ...part, callId: ids.get(part)! }));
}

// --- facts

/** Formats name their folders in other ways, too. */
const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/;

function projectOf({ project }: Transcript, beginning: Beginning, notes: Notes): string {
  const own = project !== undefined && ABSOLUTE.test(project) ? project : undefined;
  if (beginning.project === undefined && own === undefined)
    notes.note(`the folder of the project, which is not recorded: it is ${beginning.otherwise.project}`);
  return beginning.project ?? own ?? beginning.otherwise.project;
}

/** When messages were recorded: one without a time has that of the message before it. */
function timesOf({ messages, recorded }: Transcript, source: Format, otherwise: number, notes: Notes) {
  const own = messages.map((message) => recorded?.(message)?.time ?? timeIn(message, source));
  const found = own.find((time) => time !== undefined);
  if (found === undefined) notes.note('when it was said, which is not recorded');
  const times = new Map<Message | undefined, number>();
  let last = found ?? otherwise;
  const first = last;
  for (const [index, message] of messages.entries()) {
    last = own[index] ?? last;
    times.set(message, last);
  }
  let before = first;
  return {
    first,
    of(message: Message | undefined): number {
      before = times.get(message) ?? before;
      return before;
    },
  };
}

function timeIn({ raw }: Message, source: Format): number | undefined {
  if (!(raw instanceof JsonNode)) return undefined;
  const info = raw.get('info');
  const times = [raw.get('timestamp'), raw.get('message')?.get('timestamp'), info?.get('time')?.get('created')];
  return source.recorded?.(raw)?.time ?? times.map(timeOf).find((time) => time !== undefined);
}

/** What was recorded of the requests, by the first message that each made; of the pieces of a reply the fullest. */
function recordsOf({ messages, recorded }: Transcript) {
  const loose: Recorded[] = []; // no message is left of it
  const found = new Map<Message, Recorded>();
  const replies = new Map<string, Message>();
  let reply: Message | undefined;
  for (const message of messages) {
    const one = recorded?.(message);
    const key = `${one?.responseId} ${one?.requestId}`;
    const known = one?.responseId ? replies.get(key) : undefined;
    if (message.role === 'assistant') reply = known ?? message;
    if (one?.usage === undefined && one?.cost === undefined) continue;
    const of = message.role === 'assistant' ? reply : (known ?? reply);
    const isTaken = of !== undefined && message.role !== 'assistant' && known === undefined && found.has(of);
    if (of === undefined || isTaken) {
      loose.push(one);
      continue;
    }
    replies.set(key, of);
    const before = found.get(of);
    if (before === undefined || (before.usage?.output ?? 0) <= (one.usage?.output ?? 0)) found.set(of, one);
  }
  return { records: found, loose };
}
