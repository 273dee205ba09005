/** `run`: applies steps to a text or to a list of messages. */

import { TranscriptError } from '../../errors.js';
import { parse } from '../../json/node.js';
import { listIn } from '../../lists.js';
import { createCounting } from '../../measure/stats/counting.js';
import { withAttached } from '../../measure/stats/with-attached.js';
import { isObject, RUNNING, rejectWrongOptions } from '../../options/arguments.js';
import { openPlainRow } from '../../source/containers/plain-row.js';
import type { DetectOptions } from '../../source/detect/detection.js';
import { open, save } from '../../source/recording.js';
import type { Transcript } from '../../transcript/types.js';
import { loadAuto } from '../../transforms/auto.js';
import { rewriteBy, type Step } from '../../transforms/pipeline.js';
import type { CountTokens } from '../../transforms/transform.js';
import { spelledMessages } from '../spelled.js';
import { stepsOf } from '../steps.js';
import { blamed } from '../unwritable.js';
import type { Pipelines, StepName } from '../written-steps.js';
import { isChanged, settle } from './settle.js';

export interface RunOptions extends DetectOptions {
  /** Counts tokens, for steps that are limited in tokens. */
  readonly countTokens?: CountTokens;
  /** Names that stand for several steps: the `pipelines` of a config. */
  readonly pipelines?: Pipelines;
  /** Hears what a step could not do, such as to fit a transcript into a budget. */
  readonly onShortfall?: (text: string, transcript: Transcript) => void;
}

/**
 * Applies steps. A text (JSON or JSON Lines) gives a text; a list of plain messages of any supported format gives a
 * list, in which
 * every message that no step touched is the very same object.
 */
export function run(input: string, steps: readonly StepName[], options?: RunOptions): string;
export function run<M extends object>(input: readonly M[], steps: readonly StepName[], options?: RunOptions): M[];
export function run(
  input: string | readonly object[],
  steps: readonly StepName[],
  options: RunOptions = {},
): string | object[] {
  rejectWrongOptions(options, RUNNING);
  loadAuto();
  return typeof input === 'string'
    ? runText(input, stepsOf(steps, options.pipelines), options)
    : runMessages(input, stepsOf(steps, options.pipelines), options);
}

function runText(text: string, steps: readonly Step[], options: RunOptions): string {
  const recording = open(text, options);
  const settled = recording.pieces.map((piece) =>
    'type' in piece ? settle(piece, ({ transcripts }) => apply(transcripts, steps, options) ?? transcripts) : piece,
  );
  if (settled.every((one, index) => !('after' in one) || (one.piece === recording.pieces[index] && !isChanged(one))))
    return text;
  const pieces = settled.map((one) => ('after' in one ? one.piece : one));
  const before = { ...recording, pieces, transcripts: pieces.flatMap((one) => ('type' in one ? one.transcripts : [])) };
  const after = settled.flatMap((one) => ('after' in one ? one.after : []));
  return save(before, after).toString();
}

function runMessages(messages: readonly object[], steps: readonly Step[], options: RunOptions): object[] {
  try {
    return runPlain(messages, steps, options);
  } catch (error) {
    throw blamed(error, messages);
  }
}

function runPlain(messages: readonly object[], steps: readonly Step[], options: RunOptions): object[] {
  const isList = Array.isArray(messages) && messages.findIndex((message) => !isObject(message)) < 0; // also no holes
  const row = isList ? openPlainRow(messages, options) : undefined;
  if (row === undefined) return runSpelled(messages, steps, options);
  const after = apply(row.transcripts, steps, options);
  return after === undefined ? [...messages] : row.save(after);
}

/** Values that hold messages, or that are messages only as JSON. */
function runSpelled(values: readonly object[], steps: readonly Step[], options: RunOptions): object[] {
  const texts = spelledMessages(values);
  const recording = open(`[${texts.join(',\n')}]`, options);
  const after = apply(recording.transcripts, steps, options);
  if (after === undefined) return [...values];
  const untouched = new Map<string, object[]>();
  texts.forEach((text, index) => {
    listIn(untouched, text).push(values[index]!);
  });
  const written = parse(save(recording, after)).items();
  return written.map(({ text }) => untouched.get(text)?.shift() ?? (JSON.parse(text) as object));
}

/** The transcripts after the steps; undefined where nothing changed. */
function apply(
  transcripts: readonly Transcript[],
  steps: readonly Step[],
  { countTokens, onShortfall }: RunOptions,
): Transcript[] | undefined {
  const after = transcripts.map((transcript) =>
    rewriteBy(
      transcript,
      steps,
      withAttached(
        createCounting(transcript.model, () => countTokens ?? missingCounter, 1),
        transcript,
      ),
      onShortfall && ((text) => onShortfall(text, transcript)),
    ),
  );
  return after.every((transcript, index) => transcript === transcripts[index]) ? undefined : after;
}

function missingCounter(): number {
  throw new TranscriptError('usage', 'a step counts tokens: give `countTokens`');
}
