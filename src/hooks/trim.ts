/** The core of all adapters: a policy as a function over the messages of one format. */

import type { CheckFinding } from '../engine/check/findings.js';
import { type Pipelines, type StepName, writtenSteps } from '../engine/written-steps.js';
import { TranscriptError } from '../errors.js';
import type { Format } from '../formats/format.js';
import { warn } from '../node/warn.js';
import { rejectOthers, rejectWrongOptions, type Shape } from '../options/arguments.js';
import { openPlainList } from '../source/containers/plain-list.js';
import { textOf } from '../transcript/text.js';
import type { Transcript } from '../transcript/types.js';
import { declarations } from '../transforms/declarations.static.js';
import { namedIn } from '../transforms/declared.js';
import type { Every } from '../transforms/every.js';
import { type Counts, type CountTokens, NO_COUNTS } from '../transforms/transform.js';
import { blaming } from './blaming.js';
import { deltaSteps, rejectWhole } from './server-history.js';

/** Options of `trim` of every adapter. */
export interface TrimOptions {
  /**
   * For all steps that have this option: history is shortened only in whole groups (`20`, `'20 calls'`, `'20 rounds'`),
   * or (`auto`) when it pays under the prompt cache of the model.
   */
  readonly every?: Every;
  /** For all steps that have this option: `history` leaves all after the last user message alone. */
  readonly scope?: 'all' | 'history';
  /**
   * Checks the messages that are sent by the rules of `ctx-trim check`. `warn` prints each finding once, `throw` throws
   * TranscriptError. Default: `off`.
   */
  readonly check?: 'off' | 'warn' | 'throw';
  /** Whose rules `check` applies, such as `anthropic`. Default: the provider of the messages' format. */
  readonly provider?: string;
  /** Hears of each list of messages that the steps changed. */
  readonly onChange?: (change: TrimChange) => void;
  /** Names that stand for several steps: the `pipelines` of a config. */
  readonly pipelines?: Pipelines;
  /** Counts the tokens of a text, in place of the built-in exact counter. */
  readonly countTokens?: CountTokens;
  /**
   * The model whose tokens are counted, and whose prompt cache decides when it pays to trim. Default: the model that
   * the framework calls, where it says which.
   */
  readonly model?: string;
  /**
   * Prints a warning: what `check` finds, and what a step could not do, such as `fit` to keep within its budget, once a
   * step. Default: `console.warn`.
   */
  readonly warn?: (text: string) => void;
}

/** What the steps changed. Messages that they did not touch are the same objects in both lists. */
export interface TrimChange {
  readonly before: readonly object[];
  readonly after: readonly object[];
  /** Tool calls. */
  readonly calls: { readonly before: number; readonly after: number };
  /** Characters of all tool results together. */
  readonly resultLength: { readonly before: number; readonly after: number };
}

/** The steps of a policy, or the name of a pipeline or step. */
export type Steps = readonly StepName[] | string;

/**
 * Trims messages. Returns the same list if nothing changes. `model`: the model that is about to be called. `delta`:
 * where they continue a history on the server, they are only cut, and not checked.
 * Rejects with TranscriptError if a message cannot be read, or if `check: 'throw'` finds an error.
 */
export type Trimmer = <M extends object>(messages: readonly M[], model?: string, delta?: Delta) => Promise<M[]>;

/** The setting by which messages continue a history on the server, or what says so by the messages. */
type Delta = string | ((messages: readonly object[]) => string | undefined);

const TRIMMING: Shape = {
  every: 'every',
  scope: ['all', 'history'],
  check: ['off', 'warn', 'throw'],
  provider: 'text',
  onChange: 'function',
  pipelines: 'object',
  countTokens: 'function',
  model: 'text',
  warn: 'function',
};

/** What a list needs beyond the steps, given the list before them. */
export type Mend = <M extends object>(before: readonly M[], after: M[]) => M[];

const asIs: Mend = (_, after) => after;

/** What differs from one framework to another. */
interface Kind {
  readonly mend?: Mend;
  /** The name of an option whose steps only ever get a part of a history. */
  readonly parts?: string;
  /** Whether the messages may go to APIs that refuse calls whose reasoning was removed. */
  readonly needsReasoning?: boolean;
}

let applied: typeof import('./applied.js') | undefined;

/** Throws TranscriptError for a step or an option that does not exist or has a wrong value. */
export function createTrimmer(
  format: Format,
  steps: Steps,
  options: TrimOptions = {},
  { mend = asIs, parts, needsReasoning }: Kind = {},
): Trimmer {
  rejectWrongOptions(options, TRIMMING);
  const { every = 'auto', scope, pipelines, onChange, check = 'off' } = options;
  const named = (id: string) => namedIn(declarations, id);
  const whole = writtenSteps(typeof steps === 'string' ? [steps] : steps, named, pipelines, {
    every,
    scope,
    unit: 'auto',
  });
  if (parts !== undefined) rejectWhole(whole, parts);
  const ofDelta = deltaSteps(whole, options.warn ?? warn);
  const judge = check === 'off' ? undefined : judgeOf(format, options);
  const tell = onceAStep(options.warn ?? warn);

  let resume: ReturnType<typeof import('./applied.js').resuming> | undefined;

  return (messages, model, delta) => blaming(messages, 'messages', () => trimmed(messages, model, delta));

  async function trimmed<M extends object>(messages: readonly M[], model?: string, delta?: Delta): Promise<M[]> {
    rejectOthers(messages);
    const row = openPlainList(messages, format);
    const name = options.model ?? model;
    const continues = typeof delta === 'function' ? delta(messages) : delta;
    applied ??= await import('./applied.js');
    const { countsTokens, loadAuto, policyOf, requested, rewriteBy } = applied;
    loadAuto();
    const policy = policyOf(continues === undefined ? whole : ofDelta(continues));
    const counts = countsTokens(policy) ? await countsFor(options.countTokens, name) : NO_COUNTS;
    const transcripts = requested(row.transcripts, name, needsReasoning);
    resume ??= applied.resuming();
    const applier = continues === undefined ? resume : undefined;
    const after = transcripts.map((one) => rewriteBy(one, policy, counts, tell, applier?.(one)));
    const isSame = after.every((transcript, index) => transcript === transcripts[index]);
    const sent = isSame ? (messages as M[]) : mend(messages, row.save(after) as M[]);
    if (!isSame) onChange?.({ before: messages, after: sent, ...figures(transcripts, after) });
    if (continues === undefined) await judge?.(sent);
    return sent;
  }
}

/** Loads the counter when it is first needed: most policies count no tokens. */
async function countsFor(countTokens: CountTokens | undefined, model: string | undefined): Promise<Counts> {
  const { contextOf } = await import('../engine/settings.js');
  return contextOf({ countTokens }).countingFor(model);
}

/** The figures in what a step could not do differ with each request. */
function onceAStep(print: (text: string) => void): (shortfall: string) => void {
  const said = new Set<string>();
  return (shortfall) => {
    const step = shortfall.slice(0, shortfall.indexOf(':'));
    if (!said.has(step)) print(shortfall);
    said.add(step);
  };
}

/** Loads the rules when they are first needed. */
function judgeOf(format: Format, { check: level, provider, warn: print = warn }: TrimOptions) {
  const known = new Set<string>();
  return async (messages: readonly object[]): Promise<void> => {
    const { check } = await import('../engine/check/findings.js');
    const findings = check(messages, { from: format.id, asRequest: true, provider });
    const errors = findings.filter(({ severity }) => severity === 'error');
    if (level === 'throw' && errors.length > 0)
      throw new TranscriptError('message', errors.map(findingText).join('; '), {
        path: `messages[${errors[0]!.index}]`,
      });
    for (const finding of findings) {
      const text = findingText(finding);
      if (!known.has(text)) print(text);
      known.add(text);
    }
  };
}

function findingText({ rule, message }: CheckFinding): string {
  return `${message} (${rule})`;
}

function figures(before: readonly Transcript[], after: readonly Transcript[]) {
  const [one, other] = [figuresOf(before), figuresOf(after)];
  return {
    calls: { before: one.calls, after: other.calls },
    resultLength: { before: one.resultLength, after: other.resultLength },
  };
}

function figuresOf(transcripts: readonly Transcript[]) {
  const parts = transcripts.flatMap(({ messages }) => messages.flatMap((message) => message.parts));
  const texts = parts.flatMap((part) => (part.type === 'result' ? part.content : []));
  return {
    calls: parts.filter(({ type }) => type === 'call').length,
    resultLength: texts.reduce((sum, part) => sum + ('text' in part ? textOf(part.text ?? '').length : 0), 0),
  };
}
