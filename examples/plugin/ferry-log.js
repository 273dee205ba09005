// @ts-check
/**
 * Logs of Ferry, an agent: JSON Lines, each with its `kind`. `open` begins a run, `ask` is a question of the user,
 * `act` a turn of the model with the tools that it uses, and `outcome` what one of these gave.
 */
import {
  defineFormat,
  isNode,
  json,
  jsonValue,
  metaMessage,
  optionalObjects,
  optionalString,
  patch,
  patchItems,
  recordedOf,
  textOf,
  timeOf,
  tokens,
  usageOf,
} from 'ctx-trim/plugin';

/** @import { CallPart, ContentPart, Json, JsonNode, Message, Part, ResultPart } from 'ctx-trim/plugin' */

/** @type {Readonly<Record<string, Message['role']>>} */
const ROLES = { ask: 'user', act: 'assistant', outcome: 'tool' };

/** What a line of each kind has. */
const MEMBERS = { open: 'run', ask: 'say', act: 'say', outcome: 'ref' };

export default defineFormat({
  id: 'ferry-log',
  title: 'Ferry: logs of runs',
  signatures: ['kind run', 'kind say', 'kind uses', 'kind ref'],
  traits: { flagsErrors: true, takesNoSystem: true },
  messagePaths: [],
  score(raw) {
    const member = Object.entries(MEMBERS).find(([kind]) => kind === raw.get('kind')?.string)?.[1];
    return member !== undefined && (raw.get(member) ?? raw.get('uses')) !== undefined ? 1 : 0;
  },
  read(raw) {
    const role = ROLES[raw.get('kind')?.string ?? ''];
    if (role === undefined) return metaMessage(raw, false);
    return { role, parts: role === 'tool' ? [resultIn(raw)] : [...textIn(raw, 'say'), ...callsIn(raw)], raw };
  },
  write(message, near) {
    const { raw, role, parts } = message;
    if (role === 'meta' && isNode(raw)) return raw;
    const result = parts.find((part) => part.type === 'result');
    const kind = Object.keys(ROLES).find((known) => ROLES[known] === role) ?? 'ask';
    const fields = result === undefined ? turnOf(parts, raw) : outcomeOf(result);
    return isNode(raw) ? patch(raw, fields) : { kind, at: near?.get('at'), ...fields };
  },
  header: (line) => ({
    id: line.get('run')?.string,
    model: line.get('engine')?.string,
    project: line.get('cwd')?.string,
  }),
  recorded(raw) {
    const spent = raw.get('spent');
    const usage = usageOf({
      input: tokens(spent, 'fresh'),
      cacheRead: tokens(spent, 'reused'),
      output: tokens(spent, 'made'),
    });
    return recordedOf({
      time: timeOf(raw.get('at')),
      model: raw.get('engine')?.string,
      ...(spent?.isObject ? { usage } : {}),
    });
  },
});

/**
 * @param {JsonNode} raw
 * @param {string} key
 * @returns {ContentPart[]}
 */
function textIn(raw, key) {
  if (optionalString(raw, key) === undefined) return [];
  const text = /** @type {JsonNode} */ (raw.get(key));
  return [{ type: 'text', text, raw: text }];
}

/** @param {JsonNode} raw @returns {Part[]} */
function callsIn(raw) {
  return optionalObjects(raw, 'uses').map((use) => ({
    type: 'call',
    callId: optionalString(use, 'ref'),
    tool: optionalString(use, 'tool') ?? '',
    input: use.get('with') ?? '{}',
    raw: use,
  }));
}

/** @param {JsonNode} raw @returns {ResultPart} */
function resultIn(raw) {
  const isError = raw.get('ok')?.boolean === false;
  return { type: 'result', callId: optionalString(raw, 'ref'), content: textIn(raw, 'gave'), isError, raw };
}

/**
 * What the model or the user says, and the tools that the model uses.
 *
 * @param {readonly Part[]} parts
 * @param {unknown} raw
 */
function turnOf(parts, raw) {
  const calls = parts.filter((part) => part.type === 'call').map(writeCall);
  const old = isNode(raw) ? raw.get('uses') : undefined;
  const isGone = calls.length === 0 && !old?.hasItems([]);
  return {
    say: calls.length > 0 && !parts.some(({ type }) => type === 'text') ? undefined : saidBy(parts),
    uses: isGone ? undefined : old === undefined ? calls : patchItems(old, calls),
  };
}

/** @param {CallPart} call @returns {Json} */
function writeCall({ callId, tool, input, raw }) {
  const isLeftOut = isNode(raw) && raw.get('with') === undefined && input === '{}';
  const fields = { ref: callId, tool, with: isLeftOut ? undefined : jsonValue(input) };
  return isNode(raw) ? patch(raw, fields) : fields;
}

/** @param {ResultPart} result */
function outcomeOf({ callId, content, isError, raw }) {
  const isLeftOut = isNode(raw) && raw.get('gave') === undefined && content.length === 0;
  const ok = isNode(raw) && raw.get('ok') === undefined && !isError ? undefined : !isError;
  return { ref: callId, ok, gave: isLeftOut ? undefined : saidBy(content) };
}

/** One text is written as it was read; several become one. @param {readonly Part[]} parts */
function saidBy(parts) {
  const [first, ...rest] = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return first !== undefined && rest.length === 0 ? json(first) : [first ?? '', ...rest].map(textOf).join('');
}
