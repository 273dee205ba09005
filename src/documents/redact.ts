/** `redact --format json`. */
import type { z } from 'zod';
import type { Exact } from './print.js';
import type { redactSchema } from './schemas/diff.js';

export interface SecretKind {
  readonly rule: string;
  readonly title: string;
  readonly marks: number;
  readonly places: number;
}

export function redactDocument(
  files: readonly { readonly name: string; readonly secrets: number }[],
  kinds: readonly SecretKind[],
): Exact<z.output<typeof redactSchema>> {
  return {
    version: 1,
    files: files.map(({ name, secrets }) => ({ file: name, secrets })),
    kinds: kinds.map(({ rule, title, marks, places }) => ({ rule, title, marks, places })),
  };
}
