/** `run`: applies steps to a text or to a list of messages. */

import { isChanged, settle } from '../app/rewrite/settle.js';
import { TranscriptError } from '../errors.js';
import { parse } from '../json/node.js';
import { listIn } from '../lists.js';
import { defaultsOf } from '../options/option.js';
import { kebab, rejectOutOfRange } from '../options/parse.js';
import { openPlainRow } from '../source/containers/plain-row.js';
import type { DetectOptions } from '../source/detect/detection.js';
import { open, save } from '../source/recording.js';
import { createCounting } from '../stats/counting.js';
import type { Transcript } from '../transcript/types.js';
import { withShared } from '../transforms/every.js';
import { type StepObject, transformNamed } from '../transforms/index.js';
import { applySteps, missingOption, type Step } from '../transforms/pipeline.js';
import { parseStepText } from '../transforms/step-text.js';
import type { CountTokens, Transform } from '../transforms/transform.js';
import { isObject, RUNNING, rejectWrongOptions, rejectWrongValues, spelledMessages, wrong } from './arguments.js';

/**
 * A step as text (`'filter:max-tool-calls=3'`), as an object (`{ transform: 'filter', maxToolCalls: 3 }`), or the name
 * of a pipeline. A list of steps in a variable needs this type: `const steps: StepName[] = […]`.
 */
export type StepName = string | StepObject;

/** Steps by the name of their pipeline, as a config has them. `every`: for all steps that have this option. */
export type Pipelines = Readonly<
  Record<string, readonly StepName[] | { readonly steps: readonly StepName[]; readonly every?: number }>
>;

export interface RunOptions extends DetectOptions {
  /** Counts tokens, for steps that are limited in tokens. */
  readonly countTokens?: CountTokens;
  /** Names that stand for several steps: the `pipelines` of a config. */
  readonly pipelines?: Pipelines;
  /** Hears what a step could not do, such as to fit a transcript into a budget. */
  readonly onShortfall?: (text: string, transcript: Transcript) => void;
}

/** Values for all steps that have such an option and no value of their own. */
export interface SharedValues {
  readonly every?: number | undefined;
  readonly scope?: 'all' | 'history' | undefined;
}

/**
 * Steps as `applySteps` takes them. `more`: steps besides the transforms.
 * Throws TranscriptError for a step or an option that does not exist.
 */
export function stepsOf(
  names: readonly StepName[],
  pipelines: Pipelines = {},
  more: readonly Transform[] = [],
  shared: SharedValues = {},
): Step[] {
  if (!Array.isArray(names)) throw wrong('steps', names, 'a list of steps');
  const written = names.flatMap((name: StepName, index): readonly Written[] =>
    typeof name === 'string' && Object.hasOwn(pipelines, name)
      ? pipelineSteps(name, pipelines[name]!)
      : [{ name, path: `steps[${index}]` }],
  );
  return written.map(({ name, path, every }) => {
    if (typeof name !== 'string' && (typeof name !== 'object' || name === null || Array.isArray(name)))
      throw wrong(path, name, "a step such as 'patch' or { transform: 'filter', maxToolCalls: 3 }");
    const { transform, given: own } = typeof name === 'string' ? parseStepText(name, more) : named(name);
    const given = withShared(transform.options, own, { ...shared, every: every ?? shared.every });
    const missing = missingOption(transform, given, (key) => `\`${key}\``);
    if (missing !== undefined) throw new TranscriptError('usage', missing);
    const file = Object.keys(given).find((key) => FILES.has(transform.options[key]!.type) && typeof name === 'string');
    if (file !== undefined)
      throw new TranscriptError(
        'usage',
        `step \`${name as string}\`: \`${kebab(file)}\` names a file, which a program reads by itself: ` +
          `give { transform: '${transform.id}', ${file}: … }`,
      );
    rejectWrongValues(transform.options, given, path);
    return { transform, values: { ...defaultsOf(transform.options), ...given } as Step['values'] };
  });
}

interface Written {
  readonly name: StepName;
  readonly path: string;
  readonly every?: number | undefined;
}

function pipelineSteps(pipeline: string, given: Pipelines[string]): Written[] {
  const path = `options.pipelines.${pipeline}`;
  if (typeof given !== 'object' || given === null) throw wrong(path, given, 'a list of steps, or { steps, every }');
  const { steps, every } = 'steps' in given ? given : { steps: given };
  if ('steps' in given) rejectWrongOptions(given, { steps: 'list', every: 'whole' }, path);
  if (!Array.isArray(steps)) throw wrong(path, steps, 'a list of steps');
  if (every === 0) throw wrong(`${path}.every`, every, 'a whole number from 1 on');
  const at = 'steps' in given ? `${path}.steps` : path;
  return steps.map((name: StepName, index) => ({ name, path: `${at}[${index}]`, every }));
}

/** Options whose value is what a file holds. */
const FILES: ReadonlySet<string> = new Set(['module', 'file', 'named-file', 'messages', 'policy', 'guard']);

function named({ transform: id, ...given }: { readonly transform: string } & Readonly<Record<string, unknown>>) {
  const transform = transformNamed(id);
  for (const key of Object.keys(given))
    if (!Object.hasOwn(transform.options, key))
      throw new TranscriptError(
        'usage',
        `${id} has no option \`${key}\`; it has ${Object.keys(transform.options).join(', ')}`,
      );
  for (const [key, value] of Object.entries(given)) {
    try {
      rejectOutOfRange(transform.options[key]!, value);
    } catch (error) {
      throw new TranscriptError('usage', `${id}: \`${key}\`: ${(error as Error).message}, not ${String(value)}`);
    }
  }
  return { transform, given };
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
  const row = Array.isArray(messages) && messages.every(isObject) ? openPlainRow(messages, options) : undefined;
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
    applySteps(
      transcript,
      steps,
      createCounting(transcript.model, () => countTokens ?? missingCounter, 1),
      onShortfall && ((text) => onShortfall(text, transcript)),
    ),
  );
  return after.every((transcript, index) => transcript === transcripts[index]) ? undefined : after;
}

function missingCounter(): number {
  throw new TranscriptError('usage', 'a step counts tokens: give `countTokens`');
}
