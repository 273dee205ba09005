/** Options as data: flags, help, config keys, checks and README tables follow from them. */
import type { Message, ResultPart, Transcript } from '../transcript/types.js';
import type { Language } from './language.js';
import type { Prompts } from './prompt.js';

/**
 * What an option does besides changing the recording. A config file that was found, not named, cannot set such an
 * option.
 */
export type Reach = 'writes' | 'reads' | 'runs' | 'lifts';

/** Its name is the key in camelCase; the flag is the key in kebab-case. */
export type Option = {
  readonly summary: string;
  /** It writes files, reads other files than the recording, runs code, or lifts a limit that protects the machine. */
  readonly reach?: Reach;
  /** It has an effect only if one of these conditions holds; see cli/options/relations.ts for their syntax. */
  readonly needs?: readonly string[];
  /** It cannot be combined with these conditions. */
  readonly excludes?: readonly string[];
  /** Shown as the value in help: `--max-length <n>`. */
  readonly value?: string;
  /** May be given more than once. */
  readonly many?: boolean;
  /** Only the command line sets it: a config default with its name is for the steps. */
  readonly isTyped?: boolean;
} /** `least`: the smallest valid value. `words`: values besides numbers. */ /** `units`: `20 rounds`. */ & (
  | {
      readonly type: 'integer';
      readonly least: number;
      readonly default?: number;
      readonly words?: readonly string[];
      readonly units?: readonly string[];
    }
  /** A number above `above`, and at most `most`. */
  | { readonly type: 'number'; readonly above: number; readonly most: number }
  /** Bytes: `300MB`. */
  | { readonly type: 'size'; readonly reach: 'lifts' }
  | { readonly type: 'text'; readonly default?: string }
  | { readonly type: 'flag' }
  | { readonly type: 'choice'; readonly choices: readonly string[]; readonly default?: string }
  /** A text that may be left out: `--retry-prompt` alone is true. On the command line, the text follows `=`. */
  | { readonly type: 'optional-text' }
  /** `name=number`. */
  | { readonly type: 'limits'; readonly least: number }
  /** A JavaScript module; its default export is the value. */
  | { readonly type: 'module'; readonly reach: 'runs' }
  /** A file; its text is the value. */
  | { readonly type: 'file'; readonly reach: 'reads' }
  /** `name=file`: the name and the text of the file. */
  | { readonly type: 'named-file'; readonly reach: 'reads' }
  /** A file of messages in any format. */
  | { readonly type: 'messages'; readonly reach: 'reads' }
  /** A policy file, or the name of a built-in policy; the value is what the policy adds to a prompt. */
  | { readonly type: 'policy'; readonly reach: 'reads' }
  /** The same; the value is the policy's guard. */
  | { readonly type: 'guard'; readonly reach: 'reads' }
);

/** The answers to the denied calls of a transcript, by the results that they replace. */
export type Guard = (transcript: Transcript, language: Language) => ReadonlyMap<ResultPart, string>;

export type Options = Readonly<Record<string, Option>>;

/** The values of options by their keys. */
export type Values<O extends Options> = { readonly [K in keyof O]: ValueOf<O[K]> };

type ValueOf<O extends Option> = O extends { many: true }
  ? readonly Single<O>[]
  : O extends { default: infer D }
    ? D extends string
      ? Choice<O>
      : number | Word<O>
    : Single<O> | undefined;
type Word<O extends Option> =
  | (O extends { words: readonly (infer W)[] } ? W : never)
  | (O extends { units: readonly (infer U extends string)[] } ? `${number} ${U}` : never);
type Choice<O extends Option> = O extends { choices: readonly (infer C)[] } ? C : string;
type Single<O extends Option> = O extends { type: 'integer' | 'number' | 'size' }
  ? number | Word<O>
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

/** The values of options that are not given. */
export function defaultsOf<O extends Options>(options: O): Values<O> {
  return Object.fromEntries(
    Object.entries(options).map(([key, option]) => [
      key,
      option.many ? [] : 'default' in option ? option.default : undefined,
    ]),
  ) as Values<O>;
}
