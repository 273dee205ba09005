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
