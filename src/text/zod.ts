/** What the program uses of zod, so that the rest of it is neither bundled nor compiled. */

export type { infer, output, ZodObject, ZodType } from 'zod';
export {
  array,
  boolean,
  discriminatedUnion,
  enum,
  int,
  literal,
  looseObject,
  null,
  number,
  object,
  partialRecord,
  record,
  strictObject,
  string,
  union,
  unknown,
} from 'zod';

/** Passed to functions that make schemas, because it is loaded only to read a file that has one. */
export type Zod = typeof import('./zod.js');
