/** What stands beside the messages of two recordings: the model, tool definitions, and the other fields of requests. */
import { formats } from '../../formats/index.js';
import { canonical } from '../../json/canonical.js';
import { JsonNode } from '../../json/node.js';
import { type Beside, toolsBeside } from '../../measure/stats/differences.js';
import { isMarked } from '../../measure/stats/unshown.js';
import type { Opened } from '../../source/piece.js';
import type { Transcript } from '../../transcript/types.js';

export interface Placed {
  readonly transcript: Transcript;
  readonly file: string;
  readonly line: number;
  /** What holds the messages, of the first transcript in it. */
  readonly record?: JsonNode | undefined;
}

/** The record, for the first of its transcripts. */
export function recordOf(transcript: Transcript, { record, transcripts }: Pick<Opened, 'record' | 'transcripts'>) {
  return transcripts.length === 1 || transcripts.indexOf(transcript) === 0 ? record : undefined;
}

export interface BesideDifferences {
  readonly beside: readonly Beside[];
  /** What formats that are not the same spell in ways of their own. */
  readonly notCompared: readonly string[];
}

export function besideIn(old: Placed, now: Placed): BesideDifferences {
  const [before, after] = [old.transcript, now.transcript];
  const isSame = before.format === after.format;
  const [was, is] = [fieldsIn(old), fieldsIn(now)];
  const model = changeOf('model', spelled(before.model), spelled(after.model));
  if (isSame) return { beside: [...model, ...toolsBeside(before, after), ...fieldChanges(was, is)], notCompared: [] };
  const notCompared = [
    ...(toolsBeside(before, after).length > 0 ? ['tool definitions'] : []),
    ...(was.size + is.size > 0 ? ['other fields of requests'] : []),
    ...([before, after].some(({ messages }) => messages.some(isMarked)) ? ['citations and cache marks'] : []),
  ];
  return { beside: model, notCompared };
}

function spelled(text: string | undefined): string | undefined {
  return text === undefined ? undefined : JSON.stringify(text);
}

function changeOf(name: string, before: string | undefined, after: string | undefined): Beside[] {
  const isSame =
    before === after || (before !== undefined && after !== undefined && canonical(before) === canonical(after));
  return isSame ? [] : [{ name, before, after }];
}

type Fields = ReadonlyMap<string, JsonNode>;

function fieldChanges(was: Fields, is: Fields): Beside[] {
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((name) =>
    membersChanged(name, was.get(name), is.get(name), 0),
  );
}

/** Objects are compared member by member down to here. */
const DEEPEST = 8;

function membersChanged(
  name: string,
  before: JsonNode | undefined,
  after: JsonNode | undefined,
  depth: number,
): Beside[] {
  if (depth === DEEPEST || before?.isObject !== true || after?.isObject !== true)
    return changeOf(name, before?.json, after?.json);
  const keys = new Set([before, after].flatMap((node) => node.members().map(({ key }) => key.text)));
  return [...keys].flatMap((key) => membersChanged(`${name}.${key}`, before.get(key), after.get(key), depth + 1));
}

/** What a record says of itself or of the reply, and what is compared as model and tools. */
const NOT_FIELDS = new Set([
  ...['id', 'object', 'created', 'created_at', 'completed_at', 'createTime', 'model', 'tools', 'functions'],
  ...['choices', 'candidates', 'output', 'output_text', 'response', 'usage', 'usageMetadata', 'modelVersion'],
  ...[
    'responseId',
    'system_fingerprint',
    'status',
    'error',
    'incomplete_details',
    'index',
    'finish_reason',
    'logprobs',
  ],
]);

/** The members of the request that hold no message, nor the tools. */
function fieldsIn({ transcript: { format, messages, tools }, record }: Placed): Fields {
  const isRequest = formats.find(({ id }) => id === format)?.load().encode !== undefined; // else of a session
  const held = messages.map(({ raw, origin }) => origin ?? raw).filter((node) => node instanceof JsonNode);
  const request = record === undefined || !isRequest ? undefined : requestAround(held, record);
  const fields = new Map<string, JsonNode>();
  if (request === undefined) return fields;
  const beside = tools instanceof JsonNode ? [...held, tools] : held;
  const add = (node: JsonNode, path: string) => {
    for (const { key, value } of node.members()) {
      const name = path + key.text;
      if (value.isNull || (path === '' && NOT_FIELDS.has(key.text)) || beside.some((one) => one.is(value))) continue;
      if (!beside.some((one) => value.encloses(one))) fields.set(name, value);
      else if (value.isObject) add(value, `${name}.`);
    }
  };
  add(request, '');
  return fields;
}

/** The object whose list, or whose member, the first message is. A record that is a message is no request. */
function requestAround(held: readonly JsonNode[], record: JsonNode): JsonNode | undefined {
  const first = held.find((node) => record.encloses(node));
  let [holder, node]: [JsonNode | undefined, JsonNode] = [undefined, record];
  while (first !== undefined && !node.is(first)) {
    if (node.isObject) holder = node;
    const inner: readonly JsonNode[] = node.isObject ? node.members().map(({ value }) => value) : node.items();
    const next = inner.find((value) => value.is(first) || value.encloses(first));
    if (next === undefined) return undefined;
    node = next;
  }
  return holder;
}
