/** Steps as they are written on the command line and in the config: `filter:max-tool-calls=3`, or the name of a pipeline. */
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

/** The steps with which the words begin, and the words behind them. */
export async function stepsFirst(
  words: readonly string[],
  config: Config,
  terminal: Terminal,
): Promise<{ readonly steps: readonly Step[]; readonly rest: readonly string[] }> {
  const named = words.findIndex((word) => !isStep(word, config, terminal));
  const count = named < 0 ? words.length : named;
  const steps: Step[] = [];
  for (const word of words.slice(0, count))
    for (const step of pipelineNamed(word, config, terminal) ?? [word])
      steps.push(await parseStep(step, word, config, terminal));
  return { steps, rest: words.slice(count) };
}

/** What could have been written in place of a word that is no step. */
export function stepNames({ pipelines }: Config): string {
  const names = Object.keys(pipelines);
  return `the steps are ${transforms.map(({ id }) => id).join(', ')}${names.length === 0 ? '' : `, the pipelines ${names.join(', ')}`}`;
}

function isStep(word: string, { pipelines }: Config, terminal: Terminal): boolean {
  const [id] = word.split(':');
  if (Object.hasOwn(pipelines, word) || transforms.some((transform) => transform.id === id)) return true;
  return /^[a-z]+:/.test(word) && !existsSync(resolve(terminal.cwd, word));
}

/** A pipeline must not decide what a word means that is a step's, or, where nobody named the config, a file's. */
function pipelineNamed(
  word: string,
  { pipelines, file, isFound }: Config,
  { cwd }: Terminal,
): readonly string[] | undefined {
  if (!Object.hasOwn(pipelines, word)) return undefined;
  const wrong = (message: string) => configError(file!, `pipelines.${word}`, message);
  if (transforms.some(({ id }) => id === word.split(':')[0])) throw wrong('a step has this name; name it otherwise');
  if (isFound && existsSync(resolve(cwd, word)))
    throw wrong(`a file has this name; write ./${word} for the file, or --config ${file} for the pipeline`);
  return pipelines[word];
}

/** `word` is what the user wrote: the step, or the pipeline that holds it. `isPart`: options that it needs are still to come. */
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
