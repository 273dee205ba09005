/** Reads the beginning of an input, as far as detecting its format needs. */
import { isTranscriptError } from '../errors.js';
import { MessageError } from '../formats/shared/json-fields.js';
import type { JsonNode } from '../json/node.js';
import type { RowEvent } from '../json/rows.js';
import { detect, emptyDetection } from './detect/detect.js';
import type { Detection, DetectOptions } from './detect/detection.js';
import type { RecordEvent } from './piece.js';
import { locateIn } from './read-message.js';

/** How many records, and how many bytes of them, detection sees: first a few, and more if these do not suffice. */
export const SAMPLES = [
  { records: 16, bytes: 1 << 18 },
  { records: 500, bytes: 1 << 23 },
] as const;

/** Rows without more bytes are read to the end, if they may be written: what stands in their place is read again. */
const SHORT = { records: Number.POSITIVE_INFINITY, bytes: SAMPLES[0].bytes };

/** The events that were read ahead. */
export interface Sample {
  readonly events: RowEvent[];
  /** Whether they are the whole file, in one row. */
  isAll: boolean;
  /** The error that ended the reading; it must be thrown after the events before it are handled. */
  failure: unknown;
}

/** Reads into `sample` until the format is known. Throws TranscriptError where no format fits. */
export function detectAhead(
  events: Iterator<RowEvent, void, void>,
  sample: Sample,
  { readsOn, ...options }: DetectOptions & { readonly readsOn: boolean },
): Detection {
  const roots: JsonNode[] = [];
  let bytes = 0;
  const readOn = (most: { readonly records: number; readonly bytes: number }): boolean => {
    let hasEnded = false;
    while (roots.length < most.records && bytes < most.bytes && !hasEnded) {
      const event = nextEvent(events, sample);
      hasEnded = event === undefined;
      if (event !== undefined) sample.events.push(event);
      if (event?.type !== 'record') continue;
      roots.push(event.root);
      bytes += event.root.byteLength;
    }
    sample.isAll = hasEnded && sample.events.filter(({ type }) => type === 'open').length < 2;
    return hasEnded;
  };
  for (const most of SAMPLES) {
    const hasEnded = readOn(most);
    if (roots.length === 0 && isEmptyArray(sample.events)) return emptyDetection(options);
    try {
      const detection = detect(roots, options);
      if (readsOn && detection.container === 'rows' && !hasEnded) readOn(SHORT);
      return detection;
    } catch (error) {
      if (sample.failure !== undefined) throw sample.failure;
      if (hasEnded || most === SAMPLES.at(-1)) throw badLineIn(sample) ?? located(error, recordsIn(sample.events));
    }
  }
  throw new Error('unreachable: the last sample returns or throws');
}

export function recordsIn(events: readonly RowEvent[]): RecordEvent[] {
  return events.filter((event) => event.type === 'record');
}

/** Undefined at the end. An error after a record ends the reading, and is kept until that record was handled. */
function nextEvent(events: Iterator<RowEvent, void, void>, sample: Sample): RowEvent | undefined {
  try {
    return events.next().value ?? undefined;
  } catch (error) {
    if (!sample.events.some(({ type }) => type === 'record')) throw error;
    sample.failure = error;
    return undefined;
  }
}

/** What hinders more than the format: a line that is no JSON. */
function badLineIn({ events }: Sample): unknown {
  return events.find((event) => event.type === 'bad')?.error;
}

function isEmptyArray([first, second]: readonly RowEvent[]): boolean {
  return first?.type === 'open' && first.array && second?.type === 'close';
}

function located(error: unknown, records: readonly RecordEvent[]): unknown {
  if (error instanceof MessageError) return locateIn(error, records);
  if (isTranscriptError(error) && error.code === 'format') return error.at({ line: records[0]?.line ?? 1, column: 1 });
  return error;
}
