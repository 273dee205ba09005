/** What a transform is: one pure step, described by data from which flags, help, config keys and README tables follow. */
import type { Options, Values } from '../options/option.js';
import type { Message, Transcript } from '../transcript/types.js';

/** What a length of a text is given in. */
export type Unit = 'chars' | 'bytes' | 'tokens';

/** Counts the tokens of a text with the transcript's own encoding. */
export type CountTokens = (text: string) => number;

/** Tokens as they count in a request of the transcript's model. */
export interface Counts {
  readonly text: CountTokens;
  /** A whole message, with what stands around its texts; 0 for a record. */
  message(message: Message): number;
  /** The transcript's tool definitions. */
  definitions(transcript: Transcript): number;
  /** What every request has on top of its messages and tools. */
  readonly perRequest: number;
}

/** For steps that count nothing. */
export const NO_COUNTS: Counts = { text: () => 0, message: () => 0, definitions: () => 0, perRequest: 0 };

export interface Transform<O extends Options = Options, Id extends string = string> {
  /** A verb: the command, the step in a pipeline, the file. */
  readonly id: Id;
  readonly summary: string;
  /** A paragraph for `--help`. */
  readonly description: string;
  readonly options: O;
  /** One of these options has to be given: without any of them there is nothing to do. */
  readonly needs?: readonly (keyof O & string)[];
  /** Whether `apply` leaves every transcript alone that has no call and no result. */
  onlyTraffic?(options: Values<O>): boolean;
  /** Whether `apply` will count tokens with these options: only then a tokenizer is loaded. */
  countsTokens?(options: Values<O>): boolean;
  /** The unit in which these options limit a result: what was cut is told in it. */
  limitUnit?(options: Values<O>): Unit;
  /** Whether it is there to make transcripts fit their model: what still does not is warned about. */
  readonly minded?: 'context';
  /** What a user should know about these options: an unusual value that was replaced (warnings), what is in force (notes). */
  remarks?(options: Values<O>): { readonly warnings: readonly string[]; readonly notes: readonly string[] };
  /** Whether each message is changed by itself, and none is dropped or added: what was done to one need not be done again. */
  readonly perMessage?: boolean;
  /** The transcript after this step: the very same one where there is nothing to do. */
  apply(transcript: Transcript, options: Values<O>, counts: Counts): Transcript;
  /** What a transcript that comes out of this step still is not, though these options ask for it. */
  shortfall?(after: Transcript, options: Values<O>, counts: Counts): string | undefined;
}

/** Types a transform by its options: `export default defineTransform({...})`. */
export function defineTransform<const O extends Options, const Id extends string>(
  transform: Transform<O, Id>,
): Transform<O, Id> {
  return transform;
}
