import { JsonNode } from '../json/node.js';
import { addAll, listIn } from '../lists.js';
import { languageOf, languageOption } from '../options/language.js';
import type { Values } from '../options/option.js';
import { mapMessages, withMessages, withoutPartsOf } from '../transcript/edit.js';
import { type CallSite, type Pairing, pair, type ResultSite } from '../transcript/pairs.js';
import { textOf } from '../transcript/text.js';
import type { ContentPart, Message, Part, ResultPart, Transcript } from '../transcript/types.js';
import { repairIds } from './ids.js';
import { type Cause, placeholderText } from './placeholder.js';
import { shareResults } from './share-results.js';
import { toolMatcher, toolOptions } from './tools.js';
import { defineTransform } from './transform.js';
import { answersFollow, isValid } from './valid-pairs.js';

const options = {
  template: {
    type: 'text',
    value: 'text',
    excludes: ['generator', 'lang', 'placeholder=auto'],
    summary: 'the text of placeholders, with {tool}, {id} and {args}',
  },
  generator: {
    type: 'module',
    reach: 'runs',
    excludes: ['lang', 'placeholder=auto'],
    value: 'file.mjs',
    summary: 'a module whose default export (tool, id, args) => string returns the placeholder',
  },
  placeholder: {
    type: 'choice',
    choices: ['cancelled', 'auto'],
    default: 'cancelled',
    summary: 'auto: state the cause (another message came in, the recording ends, malformed arguments)',
  },
  orphan: {
    type: 'choice',
    choices: ['drop', 'keep', 'text'],
    default: 'drop',
    summary: 'what to do with a result without a call; text: turn it into a user message',
  },
  late: {
    type: 'choice',
    choices: ['move', 'drop', 'keep'],
    default: 'move',
    summary: 'what to do with a result that is too far down, or before its call',
  },
  duplicate: {
    type: 'choice',
    choices: ['first', 'last', 'keep'],
    default: 'first',
    summary: 'which of several results of one call to keep',
  },
  pending: {
    type: 'choice',
    choices: ['answer', 'keep', 'drop'],
    default: 'answer',
    summary: 'what to do with open calls of the last message',
  },
  ...languageOption,
  ...toolOptions,
} as const;
type PatchOptions = Values<typeof options>;

export default defineTransform({
  id: 'patch',
  summary: 'repair calls and results that do not match',
  description:
    'Makes a transcript valid: every call has one result, right after its message. A call without a result gets a ' +
    'placeholder; a misplaced result moves to its call; a duplicate result and a result without a call are dropped; ' +
    'ids that are empty or used twice in one message are replaced in the call and its result; and an empty list of ' +
    'calls is removed. A call of the last message that waits for the approval of the user stays open. A valid ' +
    'transcript does not change.',
  options,
  onlyTraffic: () => true,
  isMonotone: (_options, transcript) => isValidThroughout(transcript),
  continues: (_options, transcript) => isValidThroughout(transcript),
  continuesBefore: (_options, transcript) => isValidThroughout(transcript),
  /** Where nothing was to be repaired, only what was added may be. */
  resume({ now, added, before, after, apply }) {
    const rest = { ...now, messages: added };
    const made = before === after ? apply(rest) : undefined;
    if (made === rest) return now;
    return before.messages.length === 0 ? made : undefined;
  },
  apply(given, chosen) {
    const transcript = withoutEmptyCalls(given);
    const found = pair(transcript.messages);
    if (isValid(transcript, found)) return together(transcript);
    const named = repairIds(transcript, found);
    const pairing = named === transcript ? found : pair(named.messages);
    const plan = planRepair(named, pairing, chosen);
    return carryOut(named, pairing, plan, chosen);
  },
});

function withoutEmptyCalls(transcript: Transcript): Transcript {
  if (!transcript.messages.some(({ emptyCalls }) => emptyCalls)) return transcript;
  return mapMessages(transcript, (message) => (message.emptyCalls ? { ...message, emptyCalls: false } : message));
}

/** The results of a message's calls in one message, where the API takes no two of one role. */
function together(transcript: Transcript): Transcript {
  const { messages, traits } = transcript;
  const isShared = traits.rolesAlternate && traits.resultsShareMessage;
  return isShared ? withMessages(transcript, shareResults(messages, traits)) : transcript;
}

/** Whether nothing was to be repaired before any message of the model. */
function isValidThroughout(transcript: Transcript): boolean {
  const pairing = pair(transcript.messages);
  const isPlain = withoutEmptyCalls(transcript) === transcript && together(transcript) === transcript;
  return isPlain && isValid(transcript, pairing) && answersFollow(transcript, pairing);
}

/** What to do with the parts that must change. */
interface Plan {
  readonly dropped: Set<Part>;
  /** Results to move to their call, by the index of the call's message. */
  readonly moved: Map<number, ResultSite[]>;
  /** Calls to answer with a placeholder, by the index of their message. */
  readonly answered: Map<number, CallSite[]>;
  readonly toText: Set<Part>;
}

function planRepair(transcript: Transcript, pairing: Pairing, options: PatchOptions): Plan {
  const plan: Plan = { dropped: new Set(), moved: new Map(), answered: new Map(), toText: new Set() };
  const matches = toolMatcher(options);
  const becomesText = ({ part, call }: ResultSite) =>
    call === undefined && options.orphan === 'text' && matches(part.tool);
  const lastIndex = lastNonResult(transcript.messages);
  const isFollowed = pairing.results.some((result) => result.message > lastIndex && becomesText(result));
  const last = isFollowed ? undefined : lastIndex;
  const isLast = ({ message }: CallSite) =>
    last !== undefined && isSameMessage(transcript.messages[message]!, transcript.messages[last]!);
  for (const call of pairing.calls) {
    if (!matches(call.part.tool)) continue;
    const result = chooseResult(call, options, plan);
    if (result !== undefined) {
      if (result.standing !== 'in place' && options.late === 'move') listIn(plan.moved, call.message).push(result);
    } else if (
      transcript.traits.omitsResults === true ||
      (isLast(call) && (options.pending === 'keep' || transcript.traits.endsOnReply === true))
    ) {
      // the call stays open
    } else if (isLast(call) && options.pending === 'drop') plan.dropped.add(call.part);
    else if (isLast(call) && call.part.awaitsApproval === true) continue;
    else listIn(plan.answered, call.message).push(call);
  }
  for (const { part, call } of pairing.results) {
    if (call !== undefined || !matches(part.tool)) continue;
    if (options.orphan === 'drop') plan.dropped.add(part);
    if (options.orphan === 'text') plan.toText.add(part);
  }
  return plan;
}

/** The result to keep; the others are added to the plan's dropped parts. */
function chooseResult(call: CallSite, { late, duplicate }: PatchOptions, plan: Plan): ResultSite | undefined {
  const isUsable = ({ standing }: ResultSite) => late !== 'drop' || standing === 'in place';
  const usable = call.results.filter(isUsable);
  for (const result of call.results) if (!isUsable(result)) plan.dropped.add(result.part);
  const chosen =
    duplicate === 'last'
      ? usable[usable.length - 1]
      : (usable.find(({ standing }) => standing === 'in place') ?? usable[0]);
  if (duplicate !== 'keep') for (const result of usable) if (result !== chosen) plan.dropped.add(result.part);
  return chosen;
}

function carryOut(transcript: Transcript, { results }: Pairing, plan: Plan, options: PatchOptions): Transcript {
  const { messages, traits } = transcript;
  const movedParts = new Set<Part>([...plan.moved.values()].flat().map(({ part }) => part));
  const leaving = new Set<Part>([...plan.dropped, ...plan.toText, ...movedParts]);
  if (leaving.size === 0 && plan.answered.size === 0) return transcript;

  const last = lastNonResult(messages);
  const messageOf = new Map(results.map(({ part, message }) => [part as Part, messages[message]!]));
  const output: Message[] = [];
  let waiting: Message[] = []; // results to add after the current run of results
  let texts: Message[] = []; // results without a call, as text, to add after those
  let group: string | undefined;
  const causeOf = (message: Message): Cause =>
    last >= 0 && isSameMessage(message, messages[last]!) ? 'end' : 'interrupted';
  let end = 0; // after the last message of the output: only records follow it
  const flush = () => {
    if (waiting.length + texts.length === 0) return;
    const records = output.splice(end);
    for (const list of [waiting, texts]) addAll(output, list);
    end = output.length;
    addAll(output, records);
    waiting = [];
    texts = [];
  };
  messages.forEach((message, index) => {
    if (message.role !== 'tool' && message.role !== 'meta') {
      if (message.group === undefined || message.group !== group) flush();
      group = message.group;
    }
    const rest = withoutPartsOf(message, leaving);
    const answers = (plan.answered.get(index) ?? []).map((call) => ({
      call,
      answer: placeholder(call, causeOf(message), options, traits.flagsErrors === true),
    }));
    const moved = plan.moved.get(index) ?? [];
    if (rest?.role === 'tool' && !rest.parts.some(({ type }) => type === 'result'))
      texts.push(rest); // words that stood beside results that leave: the results after them stay at their calls
    else if (rest !== undefined)
      output.push(
        traits.resultsStandInCalls
          ? withAnswers(rest, [...answers, ...moved.map(({ call, part }) => ({ call: call!, answer: part }))])
          : rest,
      );
    if (rest !== undefined && rest.role !== 'meta') end = output.length;
    for (const part of message.parts)
      if (part.type === 'result' && plan.toText.has(part))
        texts.push({ role: 'user', parts: part.content.map(contentPart) });
    if (traits.resultsStandInCalls) return;
    for (const { part } of moved)
      waiting.push(moveMessage(messageOf.get(part)!, part, traits.resultsShareMessage === true));
    for (const { answer } of answers) waiting.push({ role: 'tool', parts: [answer] });
  });
  flush();
  return withMessages(transcript, traits.resultsShareMessage ? shareResults(output, traits) : output);
}

/** Content of a result as content of a message. Its JSON value is kept only if it is a string. */
function contentPart(part: ContentPart): ContentPart {
  if (part.type !== 'text') return part;
  return { type: 'text', text: part.text instanceof JsonNode && part.text.isString ? part.text : textOf(part.text) };
}

/** The index of the last message that is no result: only results of its calls follow it. */
function lastNonResult(messages: readonly Message[]): number {
  return messages.findLastIndex(({ role }) => role !== 'tool' && role !== 'meta');
}

/** Whether both are the same message, or pieces of one. */
function isSameMessage(message: Message, other: Message): boolean {
  return message === other || (message.group !== undefined && message.group === other.group);
}

/**
 * The message that holds only this result, which keeps its bytes; a new one if there is none or results share a
 * message.
 */
function moveMessage(home: Message, part: ResultPart, joins: boolean): Message {
  return home.parts.length === 1 && !joins ? home : { role: 'tool', parts: [part] };
}

function placeholder({ part }: CallSite, cause: Cause, options: PatchOptions, flagsErrors: boolean): ResultPart {
  const text = placeholderText({ tool: part.tool, id: part.callId ?? '', args: textOf(part.input) }, cause, {
    ...options,
    lang: languageOf(options.lang),
  });
  return {
    type: 'result',
    callId: part.callId,
    tool: part.tool,
    content: [{ type: 'text', text }],
    ...(flagsErrors ? { isError: true } : {}),
    ...(part.legacy ? { legacy: true } : {}),
    ...(part.kind === undefined ? {} : { kind: part.kind }),
  };
}

/** The message with each answer after its call. */
function withAnswers(
  message: Message,
  answers: readonly { readonly call: CallSite; readonly answer: ResultPart }[],
): Message {
  if (answers.length === 0) return message;
  const answerOf = new Map(answers.map(({ call, answer }) => [call.part as Part, answer]));
  return {
    ...message,
    parts: message.parts.flatMap((part) => [part, ...(answerOf.has(part) ? [answerOf.get(part)!] : [])]),
  };
}
