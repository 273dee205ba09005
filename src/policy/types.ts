/** The types of policies. A policy is data: a file checked by schema.ts, or a value made by a program. */

import type { Language } from '../options/language.js';
import type { Prompts } from '../options/prompt.js';
import type { Text } from '../transcript/types.js';

export type { Prompt, Prompts } from '../options/prompt.js';
export type { Language };
export type Severity = 'error' | 'warning' | 'info' | 'off';

export interface Policy {
  readonly version: 1;
  readonly name?: string;
  /** ISO 4217, the currency of the costs below: USD where nothing is said. */
  readonly currency?: string;
  /** Names for tools: each stands for the names and globs of its list. */
  readonly aliases?: Readonly<Record<string, readonly string[] | CallKind>>;
  readonly words?: Readonly<Record<string, WordList>>;
  readonly tools?: Readonly<Record<string, ToolSpec>>;
  /** Which words of the user mean which tool. */
  readonly intents?: readonly Intent[];
  readonly rules: readonly AnyRule[];
  readonly examples?: Examples;
  /** What a prompt gets, for `inject`. */
  readonly prompt?: Prompts;
}

export interface WordList {
  /** Words and phrases. */
  readonly any?: readonly string[];
  /** Regular expressions over the text in lower case. */
  readonly regex?: readonly string[];
}

export interface ToolSpec {
  /** Of one call: a figure, or the usual one with the range it lies in. */
  readonly cost?: number | { readonly usual: number; readonly min?: number; readonly max?: number };
  /** JSON Schema of its arguments. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** What to use where it should not be used. */
  readonly instead?: readonly string[];
}

export interface Intent {
  readonly intent: string;
  /** Names of word lists. */
  readonly words: readonly string[];
  /** Names of word lists: where one has a word, it decides before `words` do; of several, the one that comes first. */
  readonly verbs?: readonly string[];
  readonly tool: string;
}

/** What all rules have. */
export interface RuleBase {
  readonly id: string;
  readonly type: string;
  readonly severity?: Severity;
  /** Said instead of the built-in sentence; `{tool}` and the others of message.ts stand for what was found. */
  readonly message?: string;
  readonly when?: Condition;
  /** Only calls whose arguments are so are judged. */
  readonly args?: ArgConditions;
  /** Only calls whose result is so are judged. */
  readonly result?: ResultCondition;
  /** The rule holds for each value of this argument by itself; of several tools, by tool. */
  readonly same_arg?: string | Readonly<Record<string, string>>;
}

/** A rule of any type: its own fields are known to the file of its type. */
export type AnyRule = RuleBase & Readonly<Record<string, unknown>>;

export interface TextCondition {
  /** Names of word lists. */
  readonly matches?: readonly string[];
  readonly not_matches?: readonly string[];
  readonly pattern?: string;
  readonly not_pattern?: string;
}

export interface ResultCondition extends TextCondition {
  /** Whether it failed. */
  readonly error?: boolean;
}

/** Of one argument: all that is given has to hold. */
export interface ArgCondition {
  readonly equals?: unknown;
  readonly pattern?: string;
  readonly not_pattern?: string;
  readonly schema?: unknown;
  /** Its value occurs in an earlier result, or in what the user said before the call. */
  readonly from?: Source;
  readonly not_from?: Source;
}

/** Where a value may come from. */
export type Source = 'result' | 'user' | 'any';

/** By the argument's name; `options.path` is a member of an object, `*` is any argument. */
export type ArgConditions = Readonly<Record<string, ArgCondition>>;

/** Calls of a tool, a name or a glob, that are made so. */
export interface CallKind {
  readonly tool: string | readonly string[];
  readonly args?: ArgConditions;
  readonly result?: ResultCondition;
}

/** A rule with one applies only where it holds. */
export interface Condition {
  readonly last_user?: TextCondition;
  /** On the last text of the assistant before the last user text: what the user answered to. */
  readonly last_assistant?: TextCondition;
  readonly called?: string;
  readonly not_called?: string;
}

export interface Examples {
  readonly allow?: readonly Example[];
  readonly deny?: readonly Example[];
  readonly transcripts?: readonly TranscriptExample[];
}

/** A recording, and the rules that find fault with it: these and no others; with figures, so often. */
export interface TranscriptExample {
  /** Beside the policy. */
  readonly file: string;
  /** Of several in the file, from 0; else all of them. */
  readonly index?: number;
  readonly findings: readonly string[] | Readonly<Record<string, number>>;
}

/** A user's message, or a call with what the user said before it. */
export type Example = string | { readonly text: string; readonly tool?: string; readonly args?: unknown };

// --- what rules look at

export interface Call {
  readonly tool: string;
  readonly callId: string | undefined;
  /** The arguments; the text of a tool that takes text, undefined where else they are no JSON. */
  readonly args: unknown;
  /** The same as they were written down: a value has lost digits of large numbers. */
  readonly input?: Text;
  /** By index in the transcript. */
  readonly message: number;
  /** Calls of one message of the model have the same step, and no order among themselves. */
  readonly step: number;
  /** 0 for what stands before the first text of the user. */
  readonly turn: number;
  /** The last user text before the call. */
  readonly lastUserText: string;
  /** The last text of the assistant before that; undefined where it is not known. */
  readonly lastAssistantText?: string | undefined;
  readonly result: CallResult | undefined;
  /** When its message was written, in milliseconds since 1970. */
  readonly time?: number | undefined;
  /** The value that it was read from. */
  readonly raw?: unknown;
}

export interface CallResult {
  readonly text: string;
  /** Undefined where no flag says it: then the text decides. */
  readonly isError: boolean | undefined;
  readonly time?: number | undefined;
}

/** What a rule finds of a call, or of a transcript as a whole. */
export interface RuleResult {
  /** Undefined where it is of the transcript. */
  readonly call: Call | undefined;
  /** What is wrong; undefined where the rule applied and was kept. */
  readonly wrong?: string;
  /** It is not certain: a warning, whatever the severity. */
  readonly unsure?: boolean;
  /** Tools to use instead. */
  readonly instead?: readonly string[];
  /** Of a decision by words. */
  readonly decision?: {
    readonly confidence: number;
    readonly reason: string;
    readonly words: readonly string[];
    readonly isAmbiguous: boolean;
  };
}
