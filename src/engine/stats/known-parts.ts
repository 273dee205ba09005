/** The recorded requests of a file as one line of JSON, to keep them for later runs. */
import { addAll } from '../../lists.js';
import type { RecordedPart } from '../../measure/stats/recorded-part.js';
import type { RequestList, RequestRecord } from '../../measure/stats/request.js';
import type { MediaTokens, Usage } from '../../transcript/types.js';

/** A transcript's recorded requests, and the line of its record. */
export interface PlacedPart {
  readonly line: number;
  readonly part: RecordedPart;
}

/** Texts are stored once, and named by their position; -1 is undefined. */
interface Stored {
  readonly texts: readonly string[];
  readonly parts: readonly StoredPart[];
  /** WIDTH numbers for each request of all parts. */
  readonly requests: readonly (number | null)[];
}

type StoredPart = readonly [
  line: number,
  ...names: Names,
  turnStarts: readonly number[],
  requests: number,
  duplicates: number,
  unstated: number,
];

type Names = [id: number, format: number, model: number, agent: number, project: number, forkOf: number];

const WIDTH = 13;
/** Which of these numbers names what few requests have. */
const REST = 4;

/**
 * Undefined if the requests depend on more than the file: the rest of a stated cost depends on prices. `partsOf` gives
 * equal parts back.
 */
export function textOfParts(parts: readonly PlacedPart[]): string | undefined {
  const texts = new Map<string, number>();
  const numberOf = (text: string | undefined) => {
    if (text === undefined) return -1;
    const known = texts.get(text) ?? texts.size;
    texts.set(text, known);
    return known;
  };
  const requests: (number | null)[] = [];
  const stored: StoredPart[] = [];
  for (const { line, part } of parts) {
    const names = [part.id, part.format, part.model, part.agent, part.project, part.forkOf].map(numberOf);
    const { turnStarts, duplicates, unstated = 0 } = part;
    stored.push([line, ...(names as Names), turnStarts, part.requests.length, duplicates, unstated]);
    for (const request of part.requests) {
      const row = rowOf(request, numberOf);
      if (row === undefined) return undefined;
      addAll(requests, row);
    }
  }
  return JSON.stringify({ texts: [...texts.keys()], parts: stored, requests } satisfies Stored);
}

function rowOf(
  request: RequestRecord,
  numberOf: (text: string | undefined) => number,
): readonly (number | null)[] | undefined {
  const { key, index, model, session, time, usage, requests, isRemainder, billing, tokensSource } = request;
  const { recordedCost, isUnanswered, agent, branch } = request;
  if (isRemainder && recordedCost !== undefined) return undefined;
  const { input, cacheRead, cacheWrite5m, cacheWrite1h, output, reasoning, media } = usage;
  const figures = [index, input, cacheRead, cacheWrite5m, cacheWrite1h, output, reasoning, requests];
  if (!figures.every(Number.isFinite) || !(time === undefined || Number.isFinite(time))) return undefined;
  const source = tokensSource === 'recorded' ? undefined : tokensSource;
  const cost = recordedCost?.toString();
  const rest: Rest = { isRemainder, isUnanswered, agent, branch, billing, source, cost, media };
  const isPlain = Object.values(rest).every((value) => value === undefined || value === false);
  return [
    numberOf(key),
    numberOf(model),
    numberOf(session),
    time ?? null,
    isPlain ? -1 : numberOf(JSON.stringify(rest)),
    ...figures,
  ];
}

/** What few requests have, as JSON. */
interface Rest extends Omit<RestFields, 'recordedCost' | 'tokensSource'> {
  readonly cost: string | undefined;
  /** Undefined for a request whose usage is recorded. */
  readonly source: 'exact' | 'estimated' | undefined;
  readonly media: MediaTokens | undefined;
}

type RestKey = 'isRemainder' | 'isUnanswered' | 'agent' | 'branch' | 'billing' | 'recordedCost' | 'tokensSource';
type RestFields = Pick<RequestRecord, RestKey>;

interface KnownRest {
  readonly fields: RestFields;
  readonly media: MediaTokens | undefined;
}

/** The parts that `textOfParts` wrote; undefined for a text that it did not write. */
export function partsOf(text: string): readonly PlacedPart[] | undefined {
  const stored = storedIn(text);
  const rests = stored && restsIn(stored);
  if (stored === undefined || rests === undefined) return undefined;
  const { texts, parts, requests } = stored;
  const requestAt = (at: number): RequestRecord => {
    const [key, model, session] = [texts[requests[at]!], texts[requests[at + 1]!], texts[requests[at + 2]!]];
    const time = requests[at + 3] ?? undefined;
    const { fields, media } = rests.get(requests[at + REST]!)!;
    const index = requests[at + 5]!;
    const figures = usageAt(requests, at + 6);
    const usage = media === undefined ? figures : { ...figures, media };
    const count = requests[at + 12]!;
    return { key, index, model, session, time, usage, requests: count, ...fields };
  };
  const listOf = (start: number, length: number): RequestList => ({
    length,
    keyAt: (index) => texts[requests[start + index * WIDTH]!],
    at: (index) => requestAt(start + index * WIDTH),
    *[Symbol.iterator]() {
      for (let index = 0; index < length; index++) yield requestAt(start + index * WIDTH);
    },
  });
  let start = 0;
  return parts.map(([line, id, format, model, agent, project, forkOf, turnStarts, count, duplicates, unstated]) => {
    const own = listOf(start, count);
    start += count * WIDTH;
    return {
      line,
      part: {
        id: texts[id],
        format: texts[format]!,
        model: texts[model],
        agent: texts[agent],
        project: texts[project],
        forkOf: texts[forkOf],
        turnStarts,
        requests: own,
        duplicates,
        ...(unstated === 0 ? {} : { unstated }),
      },
    };
  });
}

const PLAIN: RestFields = {
  isRemainder: false,
  isUnanswered: false,
  agent: undefined,
  branch: undefined,
  billing: undefined,
  recordedCost: undefined,
  tokensSource: 'recorded',
};

/** By the position of their text; undefined where one is something else. */
function restsIn({ texts, requests }: Stored): ReadonlyMap<number, KnownRest> | undefined {
  const rests = new Map<number, KnownRest>([[-1, { fields: PLAIN, media: undefined }]]);
  for (let at = REST; at < requests.length; at += WIDTH) {
    const number = requests[at] ?? 0;
    const rest = rests.get(number) ?? readRest(texts[number]!);
    if (rest === undefined) return undefined;
    rests.set(number, rest);
  }
  return rests;
}

function readRest(text: string): KnownRest | undefined {
  const rest = (jsonIn(text) ?? {}) as Partial<Rest>;
  const { isRemainder, isUnanswered, agent, branch, billing, cost, source, media } = rest;
  if (source !== undefined && source !== 'exact' && source !== 'estimated') return undefined;
  if (typeof isRemainder !== 'boolean' || !/^-?\d+$/.test(cost ?? '0')) return undefined;
  const fields: RestFields = {
    isRemainder,
    isUnanswered: isUnanswered === true,
    agent,
    branch,
    billing,
    recordedCost: cost === undefined ? undefined : BigInt(cost),
    tokensSource: source ?? 'recorded',
  };
  return { fields, media };
}

function usageAt(figures: readonly (number | null)[], at: number): Usage {
  return {
    input: figures[at]!,
    cacheRead: figures[at + 1]!,
    cacheWrite5m: figures[at + 2]!,
    cacheWrite1h: figures[at + 3]!,
    output: figures[at + 4]!,
    reasoning: figures[at + 5]!,
  };
}

/** What `textOfParts` wrote, if it did: a cache file may hold anything. */
function storedIn(text: string): Stored | undefined {
  const { texts, parts, requests } = (jsonIn(text) ?? {}) as Partial<Stored>;
  if (![texts, parts, requests].every(Array.isArray)) return undefined;
  const isText = (at: unknown) => typeof texts![at as number] === 'string' || at === -1;
  const isFigure = (figure: unknown, column: number) => {
    if (column < 3 || column === REST) return isText(figure);
    return Number.isFinite(figure) || (figure === null && column === 3);
  };
  const isStored =
    texts!.every((one) => typeof one === 'string') &&
    parts!.every((part) => isPart(part, isText)) &&
    requests!.length === parts!.reduce((sum, part) => sum + part[COUNT], 0) * WIDTH &&
    requests!.every((figure, at) => isFigure(figure, at % WIDTH));
  return isStored ? { texts: texts!, parts: parts!, requests: requests! } : undefined;
}

/** Where a stored part holds the number of its requests. */
const COUNT = 8;

function isPart(part: unknown, isText: (at: unknown) => boolean): boolean {
  if (!Array.isArray(part)) return false;
  const [line, id, format, model, agent, project, forkOf, turnStarts, count, duplicates, unstated] =
    part as unknown as StoredPart;
  const areNumbers =
    Array.isArray(turnStarts) && [line, ...turnStarts, count, duplicates, unstated].every(Number.isFinite);
  return areNumbers && [id, format, model, agent, project, forkOf].every(isText) && format !== -1;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
