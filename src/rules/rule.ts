/**
 * The type of a rule: one reason why a provider's API rejects a history, and its fix. Beside the rule's file stands its
 * example, as JSON: a history with the fault (`bad`), and the same history fixed (`repaired`).
 */
import type { Safety, Severity } from '../findings.js';
import type { Json } from '../json/edit.js';
import type { JsonNode } from '../json/node.js';
import type { Addition } from '../json/replace.js';
import type { Pairing } from '../transcript/pairs.js';
import type { Message, Part, Transcript } from '../transcript/types.js';
import type { Provider } from './providers.js';

/** Stands between several errors. */
export const OR = ' | ';

export interface Rule {
  /** Family and fault, which is also the file's path: `anthropic/tool-use-unanswered`. */
  readonly id: string;
  /** What is wrong, in a few words. */
  readonly summary: string;
  readonly severity: Exclude<Severity, 'info'>;
  /** Ids of the providers that reject it, and with them the providers that are `like` them; `any` is all providers. */
  readonly providers: readonly string[];
  /** Excludes the providers that are `like` those in `providers`. */
  readonly alone?: boolean;
  /**
   * The literal text of the API's error, ` | ` between several. Where providers differ, the texts by ids of providers
   * with spaces between: a provider gets those of all keys that name it, and none if no key does.
   */
  readonly error: string | Readonly<Record<string, string>>;
  /** How histories come to have this fault. */
  readonly cause: string;
  /** Ids of rules that report the same fault in other words: where this rule finds something, they are suppressed. */
  readonly covers?: readonly string[];
  /** Checked only for a history that is about to be sent, not for a recording. */
  readonly asRequest?: boolean;
  /** Agents repair this before they send their log: in a log it is a note, unless the log is about to be sent. */
  readonly cleaned?: boolean;
  readonly fix?: Fix;
  /** Of a plugin's rule, which has no file beside it that we know: its example. */
  readonly example?: { readonly bad: unknown; readonly repaired: unknown };
  /** Issues that report it: `owner/repository#number`. */
  readonly reported: readonly string[];
  check(context: RuleContext): Iterable<Problem>;
}

export interface Fix {
  readonly safety: Safety;
  /** Whether all that it would do to this history is to move what is there, which is safe. */
  onlyMoves?(context: RuleContext): boolean;
  /** What it does, in the imperative: `Add a result for each unanswered call.` */
  readonly summary: string;
  /**
   * Whether it can fix this problem; by default it can fix all of them. `check` offers, and `--fix` makes, only
   * these.
   */
  reaches?(context: RuleContext, problem: Problem): boolean;
  /** The transcript without these problems, which are all of one rule in one transcript. */
  apply(context: RuleContext, problems: readonly Problem[]): Transcript;
}

/** What a rule sees of a transcript. */
export interface RuleContext {
  readonly transcript: Transcript;
  readonly provider: Provider;
  /** Whether the history is about to be sent, so that rules about the next request apply too. */
  readonly asRequest: boolean;
  /** Which result answers which call; computed once. */
  readonly pairing: Pairing;
  /**
   * The JSON of a message as the provider's API gets it. Undefined where the recording is in another format, or the
   * message was added.
   */
  wire(message: Message): JsonNode | undefined;
  /** The JSON that holds the messages (a request body), where there is one in the provider's format. */
  readonly request: JsonNode | undefined;
  /** The message read again with this JSON in place of its `wire`: for faults in fields that belong to no part. */
  rewire(message: Message, wire: Json): Message;
  /** Tokens of the whole history as one request, and the model's context window; undefined if the window is unknown. */
  contextUse(): ContextUse;
}

export interface ContextUse {
  readonly tokens: number;
  /** By default estimated. */
  readonly source?: 'exact' | 'estimated';
  readonly window: number | undefined;
}

export interface Problem {
  /** The message, by index in the transcript; undefined where the fault is outside of the messages. */
  readonly message: number | undefined;
  /** The part that has the fault. */
  readonly part?: Part;
  readonly callId?: string;
  /** The JSON value that has the fault, where that is more exact than the part. */
  readonly node?: JsonNode;
  /** One sentence that says what is wrong here. */
  readonly text: string;
  /** Of a fault in the request's own fields: what its fix changes of them. */
  readonly changes?: readonly Addition[];
  /** Information only: not a fault of what was sent. */
  readonly isNote?: boolean;
}

type Errors = Pick<Rule, 'error'>;

/** What a provider says of a fault; undefined if that is not known. */
export function errorOf({ error }: Errors, { id }: Provider): string | undefined {
  if (typeof error === 'string') return error;
  const own = Object.entries(error).flatMap(([ids, text]) => (ids.split(' ').includes(id) ? [text] : []));
  return own.length === 0 ? undefined : own.join(OR);
}

/** What all providers say of a fault. */
export function errorsOf({ error }: Errors): string {
  return typeof error === 'string' ? error : Object.values(error).join(OR);
}

/** Types a rule: `export default defineRule({...})`. */
export function defineRule(rule: Rule): Rule {
  return rule;
}

/** A rule whose findings are errors, as those of nearly all of ours are. */
export function errorRule(rule: Omit<Rule, 'severity'>): Rule {
  return { severity: 'error', ...rule };
}
