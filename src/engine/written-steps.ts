/** Steps as programs write them, validated. */

import { TranscriptError } from '../errors.js';
import { rejectWrongOptions, rejectWrongValues, wrong } from '../options/arguments.js';
import { defaultsOf } from '../options/option.js';
import { kebab, rejectOutOfRange } from '../options/parse.js';
import { type Declared, missingOption, type StepOf, withShared } from '../transforms/declared.js';
import type { Every } from '../transforms/every.js';
import type { StepObject } from '../transforms/index.js';
import { parseStepText } from '../transforms/step-text.js';

/**
 * A step as text (`'filter:max-tool-calls=3'`), as an object (`{ transform: 'filter', maxToolCalls: 3 }`), or the name
 * of a pipeline. A list of steps in a variable needs this type: `const steps: StepName[] = […]`.
 */
export type StepName = string | StepObject;

/** Steps by the name of their pipeline, as a config has them. `every`: for all steps that have this option. */
export type Pipelines = Readonly<
  Record<string, readonly StepName[] | { readonly steps: readonly StepName[]; readonly every?: Every }>
>;

/** Values for all steps that have such an option and no value of their own. */
export interface SharedValues {
  readonly every?: Every | undefined;
  readonly scope?: 'all' | 'history' | undefined;
  readonly unit?: 'auto';
}

/**
 * The steps, each with its transform, which `named` finds.
 * Throws TranscriptError for a step or an option that does not exist.
 */
export function writtenSteps<T extends Declared>(
  names: readonly StepName[],
  named: (id: string) => T,
  pipelines: Pipelines = {},
  shared: SharedValues = {},
): StepOf<T>[] {
  if (!Array.isArray(names)) throw wrong('steps', names, 'a list of steps');
  const written = names.flatMap((name: StepName, index): readonly Written[] =>
    typeof name === 'string' && Object.hasOwn(pipelines, name)
      ? pipelineSteps(name, pipelines[name]!)
      : [{ name, path: `steps[${index}]` }],
  );
  return written.map(({ name, path, every }) => {
    if (typeof name !== 'string' && (typeof name !== 'object' || name === null || Array.isArray(name)))
      throw wrong(path, name, "a step such as 'patch' or { transform: 'filter', maxToolCalls: 3 }");
    const { transform, given: own } = typeof name === 'string' ? parseStepText(name, named) : fromObject(name, named);
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
    return { transform, values: { ...defaultsOf(transform.options), ...given } as StepOf<T>['values'] };
  });
}

interface Written {
  readonly name: StepName;
  readonly path: string;
  readonly every?: Every | undefined;
}

function pipelineSteps(pipeline: string, given: Pipelines[string]): Written[] {
  const path = `options.pipelines.${pipeline}`;
  if (typeof given !== 'object' || given === null) throw wrong(path, given, 'a list of steps, or { steps, every }');
  const { steps, every } = 'steps' in given ? given : { steps: given };
  if ('steps' in given) rejectWrongOptions(given, { steps: 'list', every: 'every' }, path);
  if (!Array.isArray(steps)) throw wrong(path, steps, 'a list of steps');
  const at = 'steps' in given ? `${path}.steps` : path;
  return steps.map((name: StepName, index) => ({ name, path: `${at}[${index}]`, every }));
}

/** Options whose value is what a file holds. */
const FILES: ReadonlySet<string> = new Set(['module', 'file', 'named-file', 'messages', 'policy', 'guard']);

function fromObject<T extends Declared>(
  { transform: id, ...given }: { readonly transform: string } & Readonly<Record<string, unknown>>,
  named: (id: string) => T,
) {
  const transform = named(id);
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
