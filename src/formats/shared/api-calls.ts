/** Reads records of one request to an API, in any of the shapes of `api-call-shapes.ts`. */
import { nested } from '../../json/nested.js';
import type { JsonNode } from '../../json/node.js';
import { Keys } from '../../json/strings.js';
import { type ApiCallShape, apiCallShapes } from './api-call-shapes.js';

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

export function valueAt(record: JsonNode, path: string): JsonNode | undefined {
  return keysOf(path).reduce<JsonNode | undefined>((node, key) => node?.get(key), record);
}

export function textAt(record: JsonNode, paths: readonly string[] | undefined): string | undefined {
  return firstAt(record, paths)?.string || undefined;
}

/** The value at the first path that has one. */
export function firstAt(record: JsonNode, paths: readonly string[] = []): JsonNode | undefined {
  return paths
    .map((path) => factAt(record, path))
    .find((value) => value !== undefined && !value.isNull && value.string !== '');
}

/** Like `valueAt`, also inside of JSON in a string. */
export function factAt(record: JsonNode, path: string): JsonNode | undefined {
  return keysOf(path).reduce<JsonNode | undefined>(
    (node, key) => (node?.isString ? nested(node).value : node)?.get(key),
    record,
  );
}

function keysOf(path: string): readonly string[] {
  return path === '' ? [] : path.split('.');
}
