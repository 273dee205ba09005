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

export interface Redacted {
  readonly files: readonly { readonly name: string; readonly secrets: number }[];
  readonly kinds: readonly SecretKind[];
  /** How many images, PDF files and so on were not searched. */
  readonly unsearched: ReadonlyMap<string, number>;
}

export function redactDocument({ files, kinds, unsearched }: Redacted): Exact<z.output<typeof redactSchema>> {
  return {
    version: 1,
    files: files.map(({ name, secrets }) => ({ file: name, secrets })),
    kinds: kinds.map(({ rule, title, marks, places }) => ({ rule, title, marks, places })),
    unsearched: Array.from(unsearched, ([kind, count]) => ({ kind, count })),
  };
}
