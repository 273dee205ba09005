/** What a rule is: one reason for which a provider's API refuses a history, and how it is mended. */
import type { Safety, Severity } from '../findings.js';
import type { Json } from '../json/edit.js';
import type { JsonNode } from '../json/node.js';
import type { Pairing } from '../transcript/pairs.js';
import type { Message, Part, Transcript } from '../transcript/types.js';
import type { Provider } from './providers.js';

export interface Rule {
  /** Family and fault: `anthropic/tool-use-unanswered`. The file stands under that path. */
  readonly id: string;
  /** What is wrong, in a few words. */
  readonly summary: string;
  readonly severity: Exclude<Severity, 'info'>;
  /** Ids of the providers that refuse it; those that are like them do too. `any`: all of them. */
  readonly providers: readonly string[];
  /** Those that are like them do not. */
  readonly alone?: boolean;
  /** The literal text of the error that a user sees. */
  readonly error: string;
  /** How histories come to have this fault. */
  readonly cause: string;
  /** Ids of rules that report the same fault in other words, or one that goes with it: where this rule finds it, they are silent. */
  readonly covers?: readonly string[];
  /** Holds only for a history that is about to be sent, not for a recording of what was. */
  readonly asRequest?: boolean;
  /** Agents that keep a log of their own mend it before they send: there it is a note, unless the log is about to be sent. */
  readonly cleaned?: boolean;
  readonly fix?: Fix;
  /** A history with the fault, and the same one mended, as JSON values in the provider's format. */
  readonly example: { readonly bad: unknown; readonly repaired: unknown };
  /** Where it was reported: `owner/repository#number`. */
  readonly reported: readonly string[];
  check(subject: RuleContext): Iterable<Problem>;
}

export interface Fix {
  readonly safety: Safety;
  /** What it does, as an order: `Give each unanswered call a result.` */
  readonly summary: string;
  /** Whether it mends this problem; without it, all of them. What only a provider's own format has is not added to another. */
  reaches?(subject: RuleContext, problem: Problem): boolean;
  /** The transcript without these problems (all of one rule in one transcript). */
  apply(subject: RuleContext, problems: readonly Problem[]): Transcript;
}

/** A transcript as a rule sees it. */
export interface RuleContext {
  readonly transcript: Transcript;
  readonly provider: Provider;
  /** Whether the history is about to be sent: what only a next request needs counts too. */
  readonly asRequest: boolean;
  /** Which result answers which call; made once. */
  readonly pairing: Pairing;
  /**
   * The JSON of a message as the provider's API has it: its fields can be looked at. Undefined where the recording is in another
   * format, or the message was added.
   */
  wire(message: Message): JsonNode | undefined;
  /** The JSON that holds the messages (a request body), where it is in the provider's format and there is one. */
  readonly request: JsonNode | undefined;
  /**
   * The message with other JSON in the place of what `wire` gave: for faults in fields that no part stands for. Its parts are read
   * again.
   */
  rewire(message: Message, wire: Json): Message;
  /** Tokens of the whole history, as one request, and how many the model can take; undefined where its window is not known. */
  contextUse(): { readonly tokens: number; readonly window: number | undefined };
}

export interface Problem {
  /** The message, by index in the transcript; undefined where the fault is in what stands beside the messages. */
  readonly message: number | undefined;
  /** The part that has the fault. */
  readonly part?: Part;
  readonly callId?: string;
  /** The JSON value that has the fault, where it is more exact than the part. */
  readonly node?: JsonNode;
  /** A sentence that says what is wrong here. */
  readonly text: string;
  /** Worth to know, and no fault of what was sent. */
  readonly isNote?: boolean;
}

/** Types a rule: `export default defineRule({...})`. */
export function defineRule(rule: Rule): Rule {
  return rule;
}
