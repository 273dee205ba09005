/** A transform: one pure step, described by data that flags, help, config keys and documentation are generated from. */
import type { Options, Values } from '../options/option.js';
import type { Message, Transcript } from '../transcript/types.js';

/** The unit of a length of text. */
export type Unit = 'chars' | 'bytes' | 'tokens';

/** Counts the tokens of a text in the encoding of the transcript's model. */
export type CountTokens = (text: string) => number;

/** Counts tokens as a request of the transcript's model does. */
export interface Counts {
  readonly text: CountTokens;
  /** A message with its overhead; 0 for a record. */
  message(message: Message): number;
  /** The transcript's tool definitions. */
  definitions(transcript: Transcript): number;
  /** The overhead of a request, without messages and tools. */
  readonly perRequest: number;
  /** What the agent sends of a record that is no message, such as a file; absent if no recording of its kind tells. */
  attached?(record: Message): number;
}

/** For steps that do not count tokens. */
export const NO_COUNTS: Counts = { text: () => 0, message: () => 0, definitions: () => 0, perRequest: 0 };

/** What a step makes of a longer transcript: the first `same` messages of its output before, then `added`. */
export interface Growth {
  readonly same: number;
  readonly added: readonly Message[];
}

/** The output for the messages before `end`, which never shrinks. Records may be missing. */
export type Grow = (end: number) => Growth;

/** A transcript that goes on: its calls, before and among what was added, all have their results right behind them. */
export interface Longer {
  readonly now: Transcript;
  readonly added: readonly Message[];
  /** What it was before, and what the step made of that. */
  readonly before: Transcript;
  readonly after: Transcript;
  readonly apply: (transcript: Transcript) => Transcript;
  /** What the step keeps of the conversation from one call to the next. */
  readonly memory: { kept?: unknown };
}

export interface Transform<O extends Options = Options, Id extends string = string> {
  /** A verb: the name of the command, of the step in a pipeline, and of the file. */
  readonly id: Id;
  readonly summary: string;
  /** A paragraph for `--help`. */
  readonly description: string;
  readonly options: O;
  /** Command lines for the end of `--help`, each with what it does. */
  readonly examples?: readonly (readonly [line: string, meaning: string])[];
  /** At least one of these options is required. */
  readonly needs?: readonly (keyof O & string)[];
  /** Whether `apply` never changes a transcript without calls and results. */
  onlyTraffic?(options: Values<O>): boolean;
  /** Whether `apply` counts tokens with these options: only then a tokenizer is loaded. */
  countsTokens?(options: Values<O>): boolean;
  /** The unit of the limit of a result, which the summary uses too. */
  limitUnit?(options: Values<O>): Unit;
  /** Its purpose is to fit transcripts into the model's context: the command warns if one still does not fit. */
  readonly minded?: 'context';
  /** Warnings about values that were replaced, and notes on the values in effect. */
  remarks?(options: Values<O>): { readonly warnings: readonly string[]; readonly notes: readonly string[] };
  /**
   * Whether each message is changed independently, and none is added or dropped: so results can be cached by message.
   */
  readonly perMessage?: boolean;
  /**
   * Whether a message that it changes or drops stays so when messages are added: if two growing transcripts have the
   * same output for the messages of the shorter one, all between them have. `isFirst`: no step comes before it.
   */
  isMonotone?(options: Values<O>, transcript: Transcript, isFirst: boolean): boolean;
  /** Whether it makes of its own output and further messages what it makes of all messages at once. */
  continues?(options: Values<O>, transcript: Transcript): boolean;
  /** Whether that holds, too, where other steps changed its output: it counts nothing, and drops no message. */
  continuesBefore?(options: Values<O>, transcript: Transcript): boolean;
  /** The output of `apply` for a transcript that goes on, in less time; undefined if only `apply` finds it. */
  resume?(longer: Longer, options: Values<O>): Transcript | undefined;
  /**
   * The output of `apply` for the first messages of the transcript, call by call for more of them, in less time than
   * `apply` takes for each. `carries`: the step sees its own earlier output, and then the further messages. Undefined
   * if only `apply` finds it.
   */
  grow?(transcript: Transcript, options: Values<O>, counts: Counts, carries: boolean): Grow | undefined;
  /** The transcript after this step; the same object if nothing changes. */
  apply(transcript: Transcript, options: Values<O>, counts: Counts): Transcript;
  /** Why it changes nothing, if its options keep it from that. */
  idle?(transcript: Transcript, options: Values<O>, counts: Counts): string | undefined;
  /** What the step could not do although the options ask for it. */
  shortfall?(after: Transcript, options: Values<O>, counts: Counts): string | undefined;
}

/** Infers the types of option values: `export default defineTransform({...})`. */
export function defineTransform<const O extends Options, const Id extends string>(
  transform: Transform<O, Id>,
): Transform<O, Id> {
  return transform;
}
