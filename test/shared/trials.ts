/** Trials of laws over transforms: options that the law chooses, and those of fixture cases for all others. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { policyNamed } from '../../src/policy/built-in.js';
import { guardOf } from '../../src/policy/guard.js';
import type { Policy } from '../../src/policy/types.js';
import { transforms } from '../../src/transforms/index.js';

export const CASES = 'fixtures/transforms';

/** Cases of a transform whose options are tried: more of them would tell little more. */
const ENOUGH = 1;

export type TrialOptions = Readonly<Record<string, unknown>>;
export type Trial = readonly [id: string, options: TrialOptions];

/** The chosen trials, and some for every other transform of the registry: a new one is under the law, too. */
export function forEveryTransform(chosen: readonly Trial[]): readonly Trial[] {
  const ids = new Set(chosen.map(([id]) => id));
  return [...chosen, ...transforms.filter(({ id }) => !ids.has(id)).flatMap(({ id }) => trialsOf(id).slice(0, ENOUGH))];
}

/** A trial of each transform: the next number gives the next ones. */
export function oneOfEach(number: number): readonly Trial[] {
  return transforms.map(({ id }) => {
    const texts = optionTexts(id);
    return [id, parsedOptions(id, texts[number % texts.length]!)];
  });
}

/** The distinct options of the cases of a transform. */
export function trialsOf(id: string): readonly Trial[] {
  return optionTexts(id).map((text) => [id, parsedOptions(id, text)]);
}

export function optionsOfCase(id: string, name: string): TrialOptions {
  return parsedOptions(id, optionsText(id, name));
}

/** By transform: read once, as a law asks for them with each recording. */
const known = new Map<string, readonly string[]>();

function optionTexts(id: string): readonly string[] {
  const texts = known.get(id) ?? [...new Set(readdirSync(join(CASES, id)).map((name) => optionsText(id, name)))];
  known.set(id, texts);
  return texts;
}

function optionsText(id: string, name: string): string {
  return readFileSync(join(CASES, id, name, 'options.json'), 'utf8');
}

/** In a case, a policy is written as in a file, or named, and what goes into files is kept nowhere. */
function parsedOptions(id: string, text: string): TrialOptions {
  const options = JSON.parse(text) as TrialOptions;
  if (id === 'offload') return { ...options, store: () => {} };
  if (id !== 'guard') return options;
  const { policy } = options as { readonly policy: string | Policy };
  return { ...options, policy: guardOf(typeof policy === 'string' ? policyNamed(policy)! : policy) };
}

/** The complaints of a judge that the transform is not meant to cause: `inject` changes the system prompt and tools. */
export function unmeant(id: string, complaints: readonly string[]): readonly string[] {
  return id === 'inject' ? complaints.filter((complaint) => !complaint.startsWith('what stands ')) : complaints;
}
