/** Reads records of one request to an API, in any of the shapes of `api-call-shapes.ts`. */
import { nested } from '../../json/nested.js';
import { type JsonNode, parse } from '../../json/node.js';
import { Keys } from '../../json/strings.js';
import type { Billing, Recorded, Usage } from '../../transcript/types.js';
import type { Envelope } from '../format.js';
import { type ApiCallShape, apiCallShapes, type UsagePaths } from './api-call-shapes.js';
import { openaiBilling } from './billing.js';
import { chatUsage, costText, isCount, recordedOf, responseInfo, timeOf, usageFromTotals } from './recorded.js';

/** A record of one request: its bodies, where it has them. */
export interface ApiCall {
  readonly shape: ApiCallShape;
  /** The id of the request in its file. */
  readonly id: string | undefined;
  readonly request: JsonNode | undefined;
  readonly response: JsonNode | undefined;
}

/** Where the bodies of a provider hold messages, as in `Format.messagePaths`: each part may begin with `=`. */
export interface BodyPaths {
  readonly request: readonly string[];
  readonly response: string;
}

/** The message paths of one provider's bodies in records of all shapes. */
export function callPaths(body: BodyPaths): {
  /** Requests with their responses. */
  readonly pairs: readonly string[];
  readonly requests: readonly string[];
  readonly responses: readonly string[];
} {
  const request = (at: string) => body.request.map((part) => inside(at, part)).join(' + ');
  const response = (at: string) => `> ${inside(at, body.response)}`;
  const pairs = apiCallShapes.flatMap((shape) =>
    shape.request === undefined || shape.response === undefined
      ? []
      : [`${request(shape.request)} ${response(shape.response)}`],
  );
  const own = <K extends 'request' | 'response'>(key: K) => apiCallShapes.flatMap((shape) => shape[key] ?? []);
  return {
    pairs: distinct(pairs),
    requests: distinct(
      own('request')
        .filter((at) => at !== '')
        .map(request),
    ),
    responses: distinct(['', ...own('response')].map(response)),
  };
}

function distinct(paths: readonly string[]): string[] {
  return [...new Set(paths)];
}

/** The path of a part of a body that is at this path. */
function inside(at: string, part: string): string {
  const [, kind, path] = /^([=~]?)(.*)$/s.exec(part)!;
  return `${kind}${[at, path].filter((step) => step !== '').join('.')}`;
}

/** The call that a record states; undefined if it has none of the shapes. */
export function callIn(record: JsonNode): ApiCall | undefined {
  const shape = shapeOf(record);
  if (shape === undefined) return undefined;
  const body = (path: string | undefined) => (path === undefined ? undefined : valueAt(record, path));
  return { shape, id: textAt(record, shape.id), request: body(shape.request), response: body(shape.response) };
}

/** The shapes, and by each the indices of the first keys of its paths among all of these: made when they are needed. */
let firstKeys: FirstKeys | undefined;

interface FirstKeys {
  readonly keys: Keys;
  readonly ofShapes: readonly (readonly number[])[];
}

/** Most records have none of the keys by which shapes are told, so all of them are searched for in one walk. */
function shapeOf(record: JsonNode): ApiCallShape | undefined {
  firstKeys ??= firstKeysOf(apiCallShapes);
  const { keys, ofShapes } = firstKeys;
  const found = record.find(keys);
  if (!found.some((at) => at >= 0)) return undefined;
  const isLike = (_: ApiCallShape, index: number) => ofShapes[index]!.every((key) => found[key]! >= 0);
  return apiCallShapes.filter(isLike).find(({ has }) => has.every((path) => valueAt(record, path) !== undefined));
}

function firstKeysOf(shapes: readonly ApiCallShape[]): FirstKeys {
  const ofShapes = shapes.map(({ has }) => has.map((path) => keysOf(path)[0]!));
  const keys = new Keys([...new Set(ofShapes.flat())]);
  return { keys, ofShapes: ofShapes.map((first) => first.map((key) => keys.indexOfName(key))) };
}

/**
 * What a record states of its request. `read` reads the body of a response. A record of no known shape is a response,
 * or has one in `response` or in the `body` of it.
 */
export function callReply(record: JsonNode, read: (response: JsonNode) => Recorded | undefined): Recorded | undefined {
  const call = callIn(record);
  if (call === undefined) return replyBeside(record, read);
  const { shape, id, response } = call;
  const found = response?.isObject ? read(response) : undefined;
  const usage = found?.usage ?? usageAt(record, shape.usage);
  const reply = found ?? { responseId: shape.usage && id };
  const failed = hasFailed(record, shape);
  if (failed && (usage === undefined || isEmpty(usage))) return { failed };
  if (usage === undefined) return found;
  return recordedOf({
    ...reply,
    usage,
    model: found?.model ?? textAt(record, shape.model),
    time: found?.time ?? zonedTime(firstAt(record, shape.time)),
    sessionId: found?.sessionId ?? textAt(record, shape.session),
    cost: found?.cost ?? costText(firstAt(record, shape.cost)),
    billing: billingOf(found?.billing, shape),
    ...(failed ? { failed } : {}),
  });
}

/** What a response in `response`, in the `body` of it, or alone states. */
function replyBeside(record: JsonNode, read: (response: JsonNode) => Recorded | undefined): Recorded | undefined {
  const response = record.get('response')?.get('body') ?? record.get('response') ?? record;
  const failed = response !== record && response.get('error')?.isObject === true;
  return read(response) ?? (failed ? { failed } : undefined);
}

/** The response states a tier only if it is not the standard one, so the file's tier holds unless it does. */
function billingOf(stated: Billing | undefined, { tier }: ApiCallShape): Billing | undefined {
  return tier === undefined || stated?.tier !== undefined ? stated : { ...stated, tier };
}

function isEmpty(usage: Usage): boolean {
  return Object.values(usage).every((count) => count === 0);
}

function hasFailed(record: JsonNode, { error = [], status }: ApiCallShape): boolean {
  if (firstAt(record, error) !== undefined) return true;
  const stated = status && valueAt(record, status.path);
  if (stated === undefined || stated.isNull) return false;
  if (stated.number !== undefined) return stated.number >= 400;
  return status?.success !== undefined && stated.text !== status.success;
}

function usageAt(record: JsonNode, paths: UsagePaths | undefined): Usage | undefined {
  if (paths === undefined) return undefined;
  const count = (path: string | undefined) => {
    const number = path === undefined ? undefined : factAt(record, path)?.number;
    return isCount(number) ? number : undefined;
  };
  return usageFromTotals(count(paths.prompt), count(paths.output), {
    cacheRead: count(paths.cacheRead),
    cacheWrite5m: count(paths.cacheWrite),
    reasoning: count(paths.reasoning),
  });
}

function textAt(record: JsonNode, paths: readonly string[] | undefined): string | undefined {
  return firstAt(record, paths)?.string || undefined;
}

/** The value at the first path that has one. */
function firstAt(record: JsonNode, paths: readonly string[] = []): JsonNode | undefined {
  return paths
    .map((path) => factAt(record, path))
    .find((value) => value !== undefined && !value.isNull && value.string !== '');
}

function valueAt(record: JsonNode, path: string): JsonNode | undefined {
  return keysOf(path).reduce<JsonNode | undefined>((node, key) => node?.get(key), record);
}

/** Like `valueAt`, also inside of JSON in a string. */
function factAt(record: JsonNode, path: string): JsonNode | undefined {
  return keysOf(path).reduce<JsonNode | undefined>(
    (node, key) => (node?.isString ? nested(node).value : node)?.get(key),
    record,
  );
}

function keysOf(path: string): readonly string[] {
  return path === '' ? [] : path.split('.');
}

/** A time, in UTC if the text has no zone. */
function zonedTime(node: JsonNode | undefined): number | undefined {
  return node?.isString && /^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(node.text)
    ? timeOf(parse(JSON.stringify(`${node.text.replace(' ', 'T')}Z`)))
    : timeOf(node);
}

// --- requests without messages

/** Made when it is needed: loading a format makes nothing. */
let noMessages: JsonNode | undefined;

/** For records of requests that failed, or whose messages were not logged: a transcript without messages each. */
export const messagelessCalls: Envelope = {
  open(record) {
    if (messagelessReply(record) === undefined) return undefined;
    noMessages ??= parse('[]');
    return [noMessages];
  },
  close: (record) => record,
  describe: () => ({ traits: { endsOnReply: true, isReply: true } }),
};

/**
 * What a line of a batch file or of a gateway's log states of its request: from the response if that is of OpenAI's
 * kind, as one with embeddings is, else from the line itself.
 */
export function messagelessReply(record: JsonNode): Recorded | undefined {
  const { shape } = callIn(record) ?? {};
  if (shape === undefined || (shape.tier ?? shape.usage) === undefined) return undefined;
  const reply = callReply(record, (response) =>
    responseInfo(response, chatUsage(response.get('usage'), response.get('model')?.string), openaiBilling(response)),
  );
  return reply === undefined || (reply.usage === undefined && !reply.failed) ? undefined : reply;
}
