/** Statistics of transcripts: tokens, requests, costs, carried results, and the fit of estimated models. */
import {
  type AuditFacts,
  type Counted,
  createAudit,
  type GatherOptions,
  type RowGrouping,
} from '../../measure/stats/audit.js';
import { type Calibration, calibrate, growthOf } from '../../measure/stats/calibrate.js';
import { type Counting, countings } from '../../measure/stats/counting.js';
import { countedAsRecorded } from '../../measure/stats/facts.js';
import { estimatedPart, type RecordedPart, recordedPart } from '../../measure/stats/recorded-part.js';
import { sessionTitle } from '../../measure/stats/title.js';
import { modelInfo } from '../../tokens/models.js';
import type { Transcript } from '../../transcript/types.js';
import { type Context, modelOf } from '../context.js';
import { isGroup, type Rows } from './order.js';

export interface TranscriptPosition {
  readonly file: string;
  readonly line: number;
}

export interface StatsSettings extends GatherOptions {
  readonly context: Context;
  /** Use only what recordings say was used: nothing is counted. */
  readonly recorded: boolean;
  /** Fit the factor of each estimated model on recorded usage, and count with it. */
  readonly calibrates: boolean;
  /** Follow each result through the requests that carry it. */
  readonly carries: boolean;
  /** Keep the figures of single messages. */
  readonly keepsMessages: boolean | 'first';
  /** Takes what was counted, in place of the sums: another thread adds it up. */
  readonly handOver?: ((counted: Counted) => void) | undefined;
  /** Called for each transcript that is counted, with its tokens as one request. */
  counted?(transcript: Transcript, place: TranscriptPosition, tokens: number): void;
}

/** All that is known of each transcript, its results followed. */
export const ALL_FIGURES = {
  within: undefined,
  grouping: undefined,
  recorded: false,
  calibrates: false,
  carries: true,
  keepsMessages: true,
} as const;

export interface StatsResult {
  readonly facts: AuditFacts;
  readonly calibrations: readonly Calibration[];
}

export interface Stats {
  add(transcript: Transcript, place: TranscriptPosition): void;
  /** Adds a transcript that another thread has counted. */
  takeOver(counted: Counted): void;
  /** Adds the recorded requests of a transcript that an earlier run read. */
  addRecorded(part: RecordedPart, place: TranscriptPosition): void;
  /** The recorded requests of a transcript; undefined if it has none. */
  recordedPart(transcript: Transcript): RecordedPart | undefined;
  /** The requests of a transcript as `add` estimates them; undefined if it records usage, or has none. */
  estimatedPart(transcript: Transcript): RecordedPart | undefined;
  /** All transcripts were added. */
  close(): StatsResult;
}

export function createStats(settings: StatsSettings): Stats {
  const { context, recorded, calibrates, carries, keepsMessages, counted } = settings;
  const { tokenizer } = context;
  const audit = createAudit({ ...settings, ...context, carries, keepsMessages });
  let countingFor = countings(tokenizer, undefined, false); // most messages are counted once
  const count = (transcript: Transcript, place: TranscriptPosition) => {
    const tokens = audit.add(transcript, place, countingFor(modelOf(context, transcript.model)));
    counted?.(transcript, place, tokens);
  };
  const waiting: (readonly [Transcript, TranscriptPosition])[] = []; // for the factors that a calibration finds
  const isTitled = settings.grouping?.by.includes('title') === true;
  const partOf = (transcript: Transcript) => {
    const part = recordedPart(transcript, context);
    return part && isTitled ? { ...part, title: sessionTitle(transcript) } : part;
  };
  return {
    takeOver: audit.takeOver,
    addRecorded: audit.addRecorded,
    recordedPart: partOf,
    estimatedPart: (transcript) =>
      estimatedPart(transcript, context, () =>
        countedAsRecorded(transcript, countingFor(modelOf(context, transcript.model))),
      ),
    add(transcript, place) {
      if (recorded) {
        const part = partOf(transcript);
        if (part !== undefined) audit.addRecorded(part, place);
      } else if (calibrates) waiting.push([transcript, place]);
      else count(transcript, place);
    },
    close() {
      const calibrations = calibrate(waiting.flatMap(([transcript]) => growthOf(transcript, countingFor, context)));
      if (calibrates) countingFor = countings(tokenizer, fittedFactors(calibrations, countingFor));
      for (const [transcript, place] of waiting) count(transcript, place);
      return { facts: audit.facts(), calibrations };
    },
  };
}

function fittedFactors(
  calibrations: readonly Calibration[],
  countingFor: (model: string) => Counting,
): ReadonlyMap<string, Calibration['fitted']> {
  const estimated = calibrations.filter(({ model }) => countingFor(model).source === 'estimated');
  return new Map(estimated.map(({ model, fitted }) => [model, fitted]));
}

/** How requests are grouped into rows; undefined where a row is no group of requests. */
export function groupingBy(
  by: readonly Rows[],
  dayOf: (time: number) => string,
  projectOf?: (folder: string) => string,
): RowGrouping | undefined {
  if (!by.every(isGroup)) return undefined;
  const windows = new Map<string, number | undefined>(); // a look-up by model takes longer than all else of a request
  const windowOf = (model: string) => {
    if (!windows.has(model)) windows.set(model, modelInfo(model)?.contextWindow);
    return windows.get(model);
  };
  return { by, dayOf, windowOf, ...(projectOf === undefined ? {} : { projectOf }) };
}
