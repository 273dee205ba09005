/** Parses steps of the command line and the config: `filter:max-tool-calls=3`, or the name of a pipeline. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { configError, isTranscriptError, TranscriptError } from '../../errors.js';
import type { Terminal } from '../../io/terminal.js';
import { kebab } from '../../options/parse.js';
import { transforms } from '../../transforms/index.js';
import { missingOption, type Step } from '../../transforms/pipeline.js';
import { parseStepText } from '../../transforms/step-text.js';
import type { Config } from '../shared/config.js';
import { pickValues } from '../shared/values.js';

/** The steps at the start of the arguments, and the remaining arguments. */
export async function stepsFirst(
  words: readonly string[],
  config: Config,
  terminal: Terminal,
): Promise<{ readonly steps: readonly Step[]; readonly rest: readonly string[] }> {
  const firstFile = words.findIndex((word) => !isStep(word, config, terminal));
  const count = firstFile < 0 ? words.length : firstFile;
  const steps: Step[] = [];
  for (const word of words.slice(0, count))
    for (const step of pipelineNamed(word, config, terminal) ?? [word])
      steps.push(await parseStep(step, word, config, terminal));
  return { steps, rest: words.slice(count) };
}

/** For error messages: the known steps and pipelines. */
export function stepNames({ pipelines }: Config): string {
  const names = Object.keys(pipelines);
  const steps = `the steps are ${transforms.map(({ id }) => id).join(', ')}`;
  return names.length === 0 ? steps : `${steps}; the pipelines are ${names.join(', ')}`;
}

function isStep(word: string, { pipelines }: Config, terminal: Terminal): boolean {
  const [id] = word.split(':');
  if (Object.hasOwn(pipelines, word) || transforms.some((transform) => transform.id === id)) return true;
  return /^[a-z]+:/.test(word) && !existsSync(resolve(terminal.cwd, word));
}

/** A pipeline must not have the name of a step or, if the config was found and not named, of a file. */
function pipelineNamed(
  word: string,
  { pipelines, file, isFound }: Config,
  { cwd }: Terminal,
): readonly string[] | undefined {
  if (!Object.hasOwn(pipelines, word)) return undefined;
  const wrong = (message: string) => configError(file!, `pipelines.${word}`, message);
  if (transforms.some(({ id }) => id === word.split(':')[0])) throw wrong('a step has this name; rename the pipeline');
  if (isFound && existsSync(resolve(cwd, word)))
    throw wrong(`a file has this name; use ./${word} for the file, or --config ${file} for the pipeline`);
  return pipelines[word];
}

/** `word`: the step or the pipeline as the user wrote it. `isPart`: required options may be missing, because a sweep adds them. */
export async function parseStep(
  step: string,
  word: string,
  config: Config,
  terminal: Terminal,
  isPart = false,
): Promise<Step> {
  try {
    const { transform, given } = parseStepText(step);
    const values = await pickValues(transform.options, given, config, terminal);
    const missing = isPart ? undefined : missingOption(transform, values, kebab);
    if (missing !== undefined) throw new TranscriptError('usage', `step \`${step}\`: ${missing}`);
    return { transform, values };
  } catch (error) {
    throw step !== word && isTranscriptError(error)
      ? configError(config.file!, `pipelines.${word}`, error.message)
      : error;
  }
}
