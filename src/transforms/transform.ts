/** What a transform is: one pure step, described by data from which flags, help, config keys and README tables follow. */
import type { Message, ResultPart, Transcript } from '../transcript/types.js';
import type { Language } from './languages.js';
import type { Prompts } from './prompt.js';

/** What an option does beyond the recording. A config that was merely found must not set such an option. */
export type Reach = 'writes' | 'reads' | 'runs' | 'lifts';

/** An option as data. Its name is the key in camelCase; the flag is the same in kebab-case. */
export type Option = {
  readonly summary: string;
  /** Whether it writes files, reads files other than the recording, runs code, or lifts a limit that protects the machine. */
  readonly reach?: Reach;
  /** It has an effect only where one of these conditions holds; commands/relations.ts says how they are written. */
  readonly needs?: readonly string[];
  /** It has no effect, or contradicts, where one of these conditions holds. */
  readonly excludes?: readonly string[];
  /** Shown as the value in help: `--max-length <n>`. */
  readonly value?: string;
  /** May be given more than once. */
  readonly many?: boolean;
} /** `least`: the least value that makes sense; what is below it is refused. */ & (
  | { readonly type: 'integer'; readonly least: number; readonly default?: number }
  /** Bytes: `300MB`. */
  | { readonly type: 'size'; readonly reach: 'lifts' }
  | { readonly type: 'text'; readonly default?: string }
  | { readonly type: 'flag' }
  | { readonly type: 'choice'; readonly choices: readonly string[]; readonly default?: string }
  /** A text that may be left out: `--retry-prompt` alone is true. On the command line it follows an equals sign. */
  | { readonly type: 'optional-text' }
  /** `name=number`. */
  | { readonly type: 'limits'; readonly least: number }
  /** A JavaScript module, whose default export is the value. */
  | { readonly type: 'module'; readonly reach: 'runs' }
  /** A file, whose text is the value. */
  | { readonly type: 'file'; readonly reach: 'reads' }
  /** `name=file`: the name and the text of the file. */
  | { readonly type: 'named-file'; readonly reach: 'reads' }
  /** A file of messages in any format. */
  | { readonly type: 'messages'; readonly reach: 'reads' }
  /** A policy file, or the name of a built-in policy: what it puts into a prompt. */
  | { readonly type: 'policy'; readonly reach: 'reads' }
  /** The same as what it answers denied calls with. */
  | { readonly type: 'guard'; readonly reach: 'reads' }
);

/** What to answer the denied calls of a transcript with, by their results. */
export type Guard = (transcript: Transcript, language: Language) => ReadonlyMap<ResultPart, string>;

export type Options = Readonly<Record<string, Option>>;

/** The values of options, as a transform gets them. */
export type Values<O extends Options> = { readonly [K in keyof O]: ValueOf<O[K]> };

type ValueOf<O extends Option> = O extends { many: true }
  ? readonly Single<O>[]
  : O extends { default: infer D }
    ? D extends string
      ? Choice<O>
      : number
    : Single<O> | undefined;
type Choice<O extends Option> = O extends { choices: readonly (infer C)[] } ? C : string;
type Single<O extends Option> = O extends { type: 'integer' | 'size' }
  ? number
  : O extends { type: 'flag' }
    ? boolean
    : O extends { type: 'choice' }
      ? Choice<O>
      : O extends { type: 'optional-text' }
        ? string | true
        : O extends { type: 'limits' }
          ? readonly [name: string, limit: number]
          : O extends { type: 'module' }
            ? (...args: string[]) => unknown
            : O extends { type: 'named-file' }
              ? readonly [name: string, text: string]
              : O extends { type: 'messages' }
                ? readonly Message[]
                : O extends { type: 'policy' }
                  ? Prompts
                  : O extends { type: 'guard' }
                    ? Guard
                    : string;

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

/** Every option's value where none is given. */
export function defaultsOf<O extends Options>(options: O): Values<O> {
  return Object.fromEntries(
    Object.entries(options).map(([key, option]) => [
      key,
      option.many ? [] : 'default' in option ? option.default : undefined,
    ]),
  ) as Values<O>;
}
