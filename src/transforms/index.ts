/**
 * All transforms, in the order in which they are best combined.
 * To add one: a file in this folder, a line here, a folder of cases in fixtures/transforms.
 */

import type { Values } from '../options/option.js';
import clear from './clear.js';
import { namedIn } from './declared.js';
import dedupe from './dedupe.js';
import filter from './filter.js';
import fit from './fit.js';
import guard from './guard.js';
import inject from './inject.js';
import offload from './offload.js';
import patch from './patch.js';
import prune from './prune.js';
import retries from './retries.js';
import stale from './stale.js';
import strip from './strip.js';
import stripNoise from './strip-noise.js';
import type { Transform } from './transform.js';
import truncate from './truncate.js';

const all = [
  ...[patch, filter, truncate, clear, dedupe, stale, retries, prune, fit, strip, inject, guard],
  ...[offload, stripNoise],
] as const;

export const transforms: readonly Transform[] = all as unknown as readonly Transform[];

/** A transform with its options: `{ transform: 'filter', maxToolCalls: 3 }`. Missing options have their defaults. */
export type StepObject = StepOf<(typeof all)[number]>;
type StepOf<T> =
  T extends Transform<infer O, infer Id>
    ? { readonly transform: Id } & { readonly [K in keyof O]?: Values<O>[K] }
    : never;

/** Throws TranscriptError if there is no transform with this id. */
export function transformNamed(id: string): Transform {
  return namedIn(transforms, id);
}
