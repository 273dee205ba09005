/** Parses steps of the command line and the config: `filter:max-tool-calls=3`, or the name of a pipeline. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { configError, isTranscriptError, TranscriptError } from '../../../errors.js';
import { addAll } from '../../../lists.js';
import { kebab } from '../../../options/parse.js';
import { missingOption, withShared } from '../../../transforms/declared.js';
import type { Every } from '../../../transforms/every.js';
import { transformNamed, transforms } from '../../../transforms/index.js';
import type { Step } from '../../../transforms/pipeline.js';
import { parseStepText } from '../../../transforms/step-text.js';
import type { Transform } from '../../../transforms/transform.js';
import type { Config, Pipeline } from '../../config/config.js';
import { pickValues } from '../../context/values.js';
import type { Terminal } from '../../terminal/terminal.js';

interface Extras {
  /** What `--every` gives to all steps that have this option. */
  readonly every?: Every | undefined;
  /** Steps besides the transforms. */
  readonly more?: readonly Transform[];
}

/** The steps at the start of the arguments, and the remaining arguments. */
export async function stepsFirst(
  words: readonly string[],
  config: Config,
  terminal: Terminal,
  { every, more = [] }: Extras = {},
): Promise<{ readonly steps: readonly Step[]; readonly rest: readonly string[] }> {
  const firstFile = words.findIndex((word) => !isStep(word, config, terminal, more));
  const count = firstFile < 0 ? words.length : firstFile;
  const steps: Step[] = [];
  for (const word of words.slice(0, count)) {
    const pipeline = pipelineNamed(word, config, terminal);
    if (pipeline === undefined) steps.push(await parseStep({ text: word, every, more }, config, terminal));
    else addAll(steps, await pipelineSteps(word, pipeline, { every, more, config, terminal }));
  }
  return { steps, rest: words.slice(count) };
}

interface Given {
  readonly every: Every | undefined;
  readonly more: readonly Transform[];
  readonly config: Config;
  readonly terminal: Terminal;
}

async function pipelineSteps(
  name: string,
  pipeline: Pipeline,
  { every, more, config, terminal }: Given,
): Promise<Step[]> {
  const { steps: texts, every: own } = 'steps' in pipeline ? pipeline : { steps: pipeline };
  const steps: Step[] = [];
  for (const text of texts)
    steps.push(await parseStep({ text, pipeline: name, every: every ?? own, more }, config, terminal));
  if (own !== undefined && !steps.some(hasEvery))
    throw configError(config.file!, `pipelines.${name}.every`, `no step has this option: ${withEvery()}`);
  return steps;
}

/** Throws TranscriptError if `--every` was given and has no effect on any step. */
export function rejectIdleEvery(every: Every | undefined, steps: readonly Step[]): void {
  if (every === undefined || steps.some(({ values }) => values['every'] === every)) return;
  const reason = steps.some(hasEvery) ? 'each step has its own value' : `no step has this option: ${withEvery()}`;
  throw new TranscriptError('usage', `--every ${every} has no effect: ${reason}`);
}

const hasEvery = ({ transform }: Step) => Object.hasOwn(transform.options, 'every');
const withEvery = () =>
  `${transforms
    .filter(({ options }) => Object.hasOwn(options, 'every'))
    .map(({ id }) => id)
    .join(', ')} have it`;

/** For error messages: the known steps and pipelines. */
export function stepNames({ pipelines }: Config): string {
  const names = Object.keys(pipelines);
  const steps = `the steps are ${transforms.map(({ id }) => id).join(', ')}`;
  return names.length === 0 ? steps : `${steps}; the pipelines are ${names.join(', ')}`;
}

function isStep(word: string, { pipelines }: Config, terminal: Terminal, more: readonly Transform[]): boolean {
  const [id] = word.split(':');
  if (Object.hasOwn(pipelines, word) || [...transforms, ...more].some((known) => known.id === id)) return true;
  return /^[a-z]+:/.test(word) && !existsSync(resolve(terminal.cwd, word));
}

/** A pipeline must not have the name of a step or, if the config was found and not named, of a file. */
function pipelineNamed(word: string, { pipelines, file, isFound }: Config, { cwd }: Terminal): Pipeline | undefined {
  if (!Object.hasOwn(pipelines, word)) return undefined;
  const wrong = (message: string) => configError(file!, `pipelines.${word}`, message);
  if (transforms.some(({ id }) => id === word.split(':')[0])) throw wrong('a step has this name; rename the pipeline');
  if (isFound && existsSync(resolve(cwd, word)))
    throw wrong(`a file has this name; use ./${word} for the file, or --config ${file} for the pipeline`);
  return pipelines[word];
}

interface WrittenStep {
  readonly text: string;
  /** The pipeline that names it. */
  readonly pipeline?: string;
  readonly every?: Every | undefined;
  readonly more?: readonly Transform[];
  /** Whether required options may be missing, because a sweep adds them. */
  readonly isPart?: boolean;
}

export async function parseStep(
  { text, pipeline, every, more = [], isPart }: WrittenStep,
  config: Config,
  terminal: Terminal,
): Promise<Step> {
  try {
    const { transform, given } = parseStepText(text, (id) => more.find((step) => step.id === id) ?? transformNamed(id));
    const { options } = transform;
    const values = await pickValues(options, withShared(options, given, { every }), config, terminal);
    const missing = isPart === true ? undefined : missingOption(transform, values, kebab);
    if (missing !== undefined) throw new TranscriptError('usage', `step \`${text}\`: ${missing}`);
    return { transform, values };
  } catch (error) {
    throw pipeline !== undefined && isTranscriptError(error)
      ? configError(config.file!, `pipelines.${pipeline}`, error.message)
      : error;
  }
}
