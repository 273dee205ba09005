/** What is known of a transform before it runs: enough to check a step. */
import { TranscriptError } from '../errors.js';
import type { Option, Options, Values } from '../options/option.js';
import type { Transform } from './transform.js';

export type Declared = Pick<Transform, 'id' | 'options' | 'needs' | 'perMessage'>;

/** A transform with the values of its options. */
export interface StepOf<T extends Declared> {
  readonly transform: T;
  readonly values: Values<Options>;
}

/** Throws TranscriptError if there is no transform with this id. */
export function namedIn<T extends Declared>(transforms: readonly T[], id: string): T {
  const transform = transforms.find((candidate) => candidate.id === id);
  if (transform !== undefined) return transform;
  const ids = transforms.map((candidate) => candidate.id);
  throw new TranscriptError('usage', `no step \`${id}\`; there are ${ids.join(', ')}`);
}

/** The error if a transform gets none of the options that it needs. `spell`: the option's name as the user knows it. */
export function missingOption(
  { id, needs }: Declared,
  values: Readonly<Record<string, unknown>>,
  spell: (key: string) => string,
): string | undefined {
  const isGiven = (value: unknown) =>
    value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
  if (needs === undefined || needs.some((key) => isGiven(values[key]))) return undefined;
  const names = needs.map(spell);
  return `${id} needs ${[names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ')}`;
}

/** The given options of a step with those values that an option of it takes, and no own value. */
export function withShared(options: Options, given: Given, shared: Given): Given {
  const fitting = Object.entries(shared).filter(([key, value]) => value !== undefined && takes(options[key], value));
  return fitting.length === 0 ? given : { ...Object.fromEntries(fitting), ...given };
}
type Given = Readonly<Record<string, unknown>>;

function takes(option: Option | undefined, value: unknown): boolean {
  return option !== undefined && (option.type !== 'choice' || option.choices.includes(value as string));
}
