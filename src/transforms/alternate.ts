/** Keeps the turns of a conversation in the order that its API demands, where a step dropped or added messages. */
import { asBlock, isField } from '../formats/shared/movable-parts.js';
import { JsonNode } from '../json/node.js';
import { originOf } from '../transcript/compare.js';
import { resultsFirst, withMessages } from '../transcript/edit.js';
import { isResult } from '../transcript/pairs.js';
import type { Message, Traits, Transcript } from '../transcript/types.js';

/** What a model is taken to have said to results where its API takes no user right after them. */
const BRIDGE: Message = { role: 'assistant', parts: [{ type: 'text', text: '.' }] };

/** What a user is taken to say where the API takes no history that ends with the model. */
const GO_ON: Message = { role: 'user', parts: [{ type: 'text', text: 'continue' }] };

/** The members of a message that its parts are read from. */
const CONTENT = new Set(['role', 'content', 'parts', 'tool_calls']);

/**
 * `after` with messages of one role that came together joined to one, where the format's API refuses such; those that
 * stood together before stay as they are.
 */
export function alternating(before: Transcript, after: Transcript): Transcript {
  const { traits } = after;
  if (before.messages === after.messages || !(traits.rolesAlternate || traits.modelAnswers || traits.userEnds))
    return after;
  const previous = new Map<unknown, unknown>();
  let raw: unknown;
  for (const message of before.messages)
    if (message.role !== 'meta') {
      previous.set(message.raw, raw);
      raw = message.raw;
    }
  const isNew = (first: Message, second: Message) =>
    second.raw === undefined || first.raw === undefined || previous.get(second.raw) !== first.raw;

  const messages: Message[] = [];
  let last = -1; // index of the last message that is no record
  let run: Message[] = []; // what becomes that message
  let role: Message['role'] | undefined; // of it
  for (const message of after.messages) {
    if (message.role === 'meta') {
      messages.push(message);
      continue;
    }
    const [first] = run;
    const meets = first !== undefined && isNew(first, message);
    if (meets && traits.rolesAlternate && joins({ role: role!, name: first.name }, message, traits)) {
      role = joinedRole(role!, [first, message]);
      run.push(message);
      continue;
    }
    if (run.length > 1) messages[last] = oneOf(run);
    if (meets && traits.modelAnswers && role === 'tool' && message.role === 'user') messages.push(BRIDGE);
    last = messages.push(message) - 1;
    run = [message];
    role = message.role;
  }
  if (run.length > 1) messages[last] = oneOf(run, replyOf(before, run.at(-1)!));
  if (mayNotEnd(messages[last], traits) && lastOf(before)?.role !== 'assistant') messages.splice(last + 1, 0, GO_ON);
  return withMessages(after, messages);
}

/** Whether the API takes no request that ends with this message. */
function mayNotEnd(last: Message | undefined, { modelAnswers, userEnds }: Traits): boolean {
  if (last?.role !== 'assistant') return false;
  return modelAnswers || userEnds === 'always' || (!!userEnds && last.parts.some(({ type }) => type === 'thinking'));
}

function lastOf({ messages }: Transcript): Message | undefined {
  return messages.findLast(({ role }) => role !== 'meta');
}

/** Both as one message; undefined where they are no two turns of one role, or something would be lost. */
export function joined(first: Message, second: Message, traits: Traits): Message | undefined {
  return joins(first, second, traits) ? oneOf([first, second]) : undefined;
}

function joins(first: Pick<Message, 'role' | 'name'>, second: Message, traits: Traits): boolean {
  const isOne = roleOf(first, traits) === roleOf(second, traits) && first.role !== 'system';
  const isAlone = first.role === 'tool' && !traits.resultsShareMessage; // its message has room for one result only
  return isOne && !isAlone && first.name === second.name && isBare(second);
}

/** The last message, if it is the reply that the recording ends with: it stays beside the request. */
function replyOf({ traits, messages }: Transcript, last: Message): Message | undefined {
  return traits.endsOnReply && originOf(messages.at(-1)!) === originOf(last) ? last : undefined;
}

/** Turns of one role as one message, results first. `base`: which of them it is. */
function oneOf(run: readonly Message[], base = run[0]!): Message {
  const parts = run.flatMap((message) => message.parts).map(asBlock);
  const role = joinedRole(run[0]!.role, run);
  return { ...base, role, parts: role === 'tool' ? resultsFirst(parts) : parts };
}

function joinedRole(role: Message['role'], messages: readonly Message[]): Message['role'] {
  return role !== 'assistant' && messages.some(({ parts }) => parts.some(isResult)) ? 'tool' : role;
}

function roleOf({ role }: Pick<Message, 'role'>, { resultsLeadText }: Traits): Message['role'] {
  return role === 'tool' && resultsLeadText ? 'user' : role;
}

/** Whether a message is its content and nothing else. */
export function isBare({ raw, parts }: Message): boolean {
  return (
    !parts.some(isField) && (!(raw instanceof JsonNode) || raw.members().every(({ key }) => CONTENT.has(key.text)))
  );
}
