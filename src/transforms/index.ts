/**
 * All transforms, in the order in which they are best combined.
 * To add one: a file in this folder, a line here, a folder of cases in fixtures/transforms.
 */
import { TranscriptError } from '../errors.js';
import clear from './clear.js';
import dedupe from './dedupe.js';
import filter from './filter.js';
import fit from './fit.js';
import guard from './guard.js';
import inject from './inject.js';
import patch from './patch.js';
import prune from './prune.js';
import strip from './strip.js';
import type { Transform } from './transform.js';
import truncate from './truncate.js';

export const transforms: readonly Transform[] = [
  patch,
  filter,
  truncate,
  clear,
  dedupe,
  prune,
  fit,
  strip,
  inject,
  guard,
] as unknown as readonly Transform[];

/** Throws TranscriptError if there is no transform with this id. */
export function transformNamed(id: string): Transform {
  const transform = transforms.find((candidate) => candidate.id === id);
  if (transform === undefined)
    throw new TranscriptError(
      'usage',
      `no step \`${id}\`; there are ${transforms.map((candidate) => candidate.id).join(', ')}`,
    );
  return transform;
}
