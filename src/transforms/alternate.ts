/** Keeps the turns of a conversation in the order that its API demands, where a step dropped or added messages. */
import { JsonNode } from '../json/node.js';
import { withMessages } from '../transcript/edit.js';
import type { Message, Part, Traits, Transcript } from '../transcript/types.js';

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
  for (const message of after.messages) {
    const first = messages[last];
    const meets = first !== undefined && message.role !== 'meta' && isNew(first, message);
    const one = meets && traits.rolesAlternate ? joined(first, message, traits) : undefined;
    if (one !== undefined) {
      messages[last] = one;
      continue;
    }
    if (meets && traits.modelAnswers && first.role === 'tool' && message.role === 'user') messages.push(BRIDGE);
    messages.push(message);
    if (message.role !== 'meta') last = messages.length - 1;
  }
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
  const isOne = roleOf(first, traits) === roleOf(second, traits) && first.role !== 'system';
  const isAlone = first.role === 'tool' && !traits.resultsShareMessage; // its message has room for one result only
  if (!isOne || isAlone || first.name !== second.name || !isBare(second)) return undefined;
  const parts = [...first.parts, ...second.parts].map(asBlock);
  const isResult = ({ type }: Part) => type === 'result';
  if (first.role === 'assistant' || !parts.some(isResult)) return { ...first, parts };
  return { ...first, role: 'tool', parts: [...parts.filter(isResult), ...parts.filter((part) => !isResult(part))] };
}

function roleOf({ role }: Message, { resultsLeadText }: Traits): Message['role'] {
  return role === 'tool' && resultsLeadText ? 'user' : role;
}

/** Whether a message is its content and nothing else. */
export function isBare({ raw, parts }: Message): boolean {
  const isField = ({ type, raw: own }: Part) => type !== 'text' && own instanceof JsonNode && own.isString;
  return (
    !parts.some(isField) && (!(raw instanceof JsonNode) || raw.members().every(({ key }) => CONTENT.has(key.text)))
  );
}

/** A text that was the whole content becomes one block of several. */
function asBlock(part: Part): Part {
  return part.type === 'text' && part.raw instanceof JsonNode && part.raw.isString
    ? { type: 'text', text: part.text }
    : part;
}
