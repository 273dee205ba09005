/** Runs rules over one transcript: finds its faults and fixes them. */

import type { Safety, Severity } from '../findings.js';
import type { Format } from '../formats/format.js';
import { type Json, patch } from '../json/edit.js';
import { JsonNode } from '../json/node.js';
import { reparsed } from '../json/print.js';
import { styleOf } from '../json/style.js';
import { mapMessages } from '../transcript/edit.js';
import { pair } from '../transcript/pairs.js';
import type { Message, Transcript } from '../transcript/types.js';
import { familyOf, type Provider } from './providers.js';
import type { ContextUse, Problem, Rule, RuleContext } from './rule.js';
import { holdsOnlyReplies, isLog } from './shared/own-format.js';

export interface RuleFinding extends Problem {
  readonly rule: Rule;
  /** Whether the rule's fix can fix it. */
  readonly isFixable: boolean;
  /** How safe that fix is here. */
  readonly safety: Safety | undefined;
}

/** The rule's severity, or `info` for a note. */
export function severityOf({ rule, isNote }: RuleFinding): Severity | 'info' {
  return isNote ? 'info' : rule.severity;
}

export interface RuleOptions {
  readonly provider: Provider;
  readonly asRequest: boolean;
  /** The format that the transcript was read in. */
  readonly format: Format;
  /** The JSON value that held the transcript, if one did. */
  readonly record: JsonNode | undefined;
  contextUse(transcript: Transcript): ContextUse;
}

/** The rules that apply to a history for this provider. */
export function rulesFor(rules: readonly Rule[], provider: Provider, asRequest: boolean): Rule[] {
  const family = familyOf(provider);
  const applies = ({ providers, alone }: Rule) =>
    providers.some((id) => id === 'any' || (alone ? id === provider.id : family.has(id)));
  return rules.filter((rule) => applies(rule) && (asRequest || rule.asRequest !== true));
}

/** All findings, in the order of the messages. None in an abandoned branch, which is not sent again. */
export function runRules(transcript: Transcript, rules: readonly Rule[], options: RuleOptions): RuleFinding[] {
  if (transcript.abandoned !== undefined) return [];
  const context = contextFor(transcript, options);
  const found: RuleFinding[] = [];
  for (const rule of rules) {
    let safety: Safety | undefined;
    let areNotes: boolean | undefined;
    for (const problem of rule.check(context)) {
      // the same for all of a rule's problems
      areNotes ??= areAllNotes(context, rule);
      safety ??= safetyOf(context, rule);
      const isNote = areNotes || isNoteAlone(context, problem);
      const isFixable = canFix(context, rule, problem);
      found.push({ ...problem, ...(isNote ? { isNote } : {}), rule, isFixable, safety });
    }
  }
  return found.length === 0 ? found : withoutCovered(found).sort((a, b) => (a.message ?? -1) - (b.message ?? -1));
}

/** The rules that find something, be it a note. */
export function brokenRules(transcript: Transcript, rules: readonly Rule[], options: RuleOptions): Rule[] {
  const context = contextFor(transcript, options);
  return rules.filter((rule) => rule.check(context)[Symbol.iterator]().next().done !== true);
}

function canFix(context: RuleContext, { fix }: Rule, problem: Problem): boolean {
  return fix !== undefined && (fix.reaches?.(context, problem) ?? true);
}

function safetyOf(context: RuleContext, { fix }: Rule): Safety | undefined {
  return fix?.onlyMoves?.(context) ? 'safe' : fix?.safety;
}

/**
 * In a log, faults that the agent repairs before it sends are notes; so are all faults of a turn that was cut off, and
 * of replies that stand alone: these are no history that was sent.
 */
function areAllNotes(context: RuleContext, { cleaned }: Rule): boolean {
  const { transcript, asRequest } = context;
  return !asRequest && ((cleaned === true && isLog(transcript)) || holdsOnlyReplies(context));
}

function isNoteAlone({ transcript, asRequest }: RuleContext, { isNote, message }: Problem): boolean {
  return !asRequest && (isNote === true || (message !== undefined && transcript.messages[message]!.cutOff === true));
}

/** The findings without those that another rule's finding at the same place covers. */
function withoutCovered(found: readonly RuleFinding[]): RuleFinding[] {
  const covering = new Map<string, Set<unknown>>(); // parts, by the covered rule and the message
  const coverKey = (id: string, { message }: RuleFinding) => `${id} ${message}`;
  for (const finding of found)
    for (const id of finding.rule.covers ?? []) {
      const key = coverKey(id, finding);
      covering.set(key, (covering.get(key) ?? new Set()).add(finding.part));
    }
  return found.filter((finding) => {
    const parts = covering.get(coverKey(finding.rule.id, finding));
    const { part } = finding;
    return parts === undefined || !(part === undefined || parts.has(undefined) || parts.has(part));
  });
}

/** Fixing one fault may uncover another, so the rules run again, at most this many times. */
const ROUNDS = 8;

/**
 * Fixes every fault whose fix has an allowed safety. `onFix` is called with the problems that each rule fixed. What is
 * left is what `runRules` finds in the returned transcript.
 */
export function applyFixes(
  transcript: Transcript,
  rules: readonly Rule[],
  allowed: ReadonlySet<Safety>,
  options: RuleOptions,
  onFix?: (rule: Rule, problems: readonly Problem[]) => void,
): Transcript {
  if (transcript.abandoned !== undefined) return transcript;
  let context = contextFor(transcript, options);
  for (let round = 0; round < ROUNDS; round++) {
    const before = context;
    for (const rule of rules) {
      if (rule.fix === undefined || !allowed.has(safetyOf(context, rule)!)) continue;
      const found = [...rule.check(context)];
      if (found.length === 0 || areAllNotes(context, rule)) continue;
      const problems = found.filter((problem) => !isNoteAlone(context, problem) && canFix(context, rule, problem));
      if (problems.length === 0) continue;
      const fixed = reread(rule.fix.apply(context, problems), context.transcript, options);
      if (fixed === context.transcript) continue;
      onFix?.(rule, problems);
      context = contextFor(fixed, options);
    }
    if (context === before) break;
  }
  return context.transcript;
}

/** Changed messages are written and read again, so that `wire` shows the next rule what the last fix changed. */
function reread(after: Transcript, before: Transcript, { provider, format }: RuleOptions): Transcript {
  if (after === before || !isOwnFormat(format, provider)) return after;
  const known = new Set(before.messages);
  return mapMessages(after, (message) => {
    if (known.has(message) || !(message.raw instanceof JsonNode)) return message;
    const written = format.write(message);
    return written === message.raw ? message : readFrom(written, message, format);
  });
}

function isOwnFormat(format: Format, provider: Provider): boolean {
  const id = format.wraps?.format ?? format.id;
  return id === provider.format || id === provider.also;
}

function contextFor(
  transcript: Transcript,
  { provider, asRequest, format, record, contextUse }: RuleOptions,
): RuleContext {
  const own = isOwnFormat(format, provider);
  const wire = ({ raw }: Message) => {
    if (!own || !(raw instanceof JsonNode) || !raw.isObject) return undefined;
    return format.wraps === undefined ? raw : format.wraps.inner(raw);
  };
  return {
    transcript,
    provider,
    asRequest,
    pairing: pair(transcript.messages), // no getters: V8 would link each context to the one before
    wire,
    request:
      own || (asRequest && transcript.messages.every((message) => isPlain(message, format))) ? record : undefined,
    rewire: (message, json) => withWire(message, wire(message), json, format),
    contextUse: () => contextUse(transcript),
  };
}

/**
 * Whether a message is a role and a text, as many formats have it: nothing tells for which API it was written. Judged
 * by what is written, because fixes may make a message plain.
 */
function isPlain(message: Message, format: Format): boolean {
  if (message.parts.some(({ type }) => type !== 'text')) return false;
  const json = format.write(message);
  const written = json instanceof JsonNode ? json : reparsed(json);
  return written.get('role') !== undefined && written.get('content')?.isString === true;
}

/** The message read again with other JSON in place of its `wire`. */
function withWire(message: Message, wire: JsonNode | undefined, json: Json, format: Format): Message {
  const raw = message.raw as JsonNode;
  return readFrom(wire === undefined || wire.is(raw) ? json : replaced(raw, wire, json), message, format);
}

/** A message read from JSON, at the position of `message` and printed in its style. */
function readFrom(json: Json, message: Message, format: Format): Message {
  const raw = message.raw as JsonNode;
  const again = format.read(
    reparsed(json, () => styleOf(raw)),
    message.role === 'system',
  );
  return { ...again, ...(message.group === undefined ? {} : { group: message.group }), origin: message.origin ?? raw };
}

/** A log line with other JSON in the field that held the message. */
function replaced(raw: JsonNode, wire: JsonNode, json: Json): Json {
  const member = raw.members().find(({ value }) => value.is(wire));
  return member === undefined ? json : patch(raw, { [member.key.text]: json });
}
