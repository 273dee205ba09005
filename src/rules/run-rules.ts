/** Rules over one transcript: what is wrong with it, and the transcript mended. */

import type { Safety, Severity } from '../findings.js';
import type { Format } from '../formats/format.js';
import { type Json, patch } from '../json/edit.js';
import { JsonNode, parse } from '../json/node.js';
import { printed } from '../json/print.js';
import { styleOf } from '../json/style.js';
import { mapMessages } from '../transcript/edit.js';
import { type Pairing, pair } from '../transcript/pairs.js';
import type { Message, Transcript } from '../transcript/types.js';
import { familyOf, type Provider } from './providers.js';
import type { Problem, Rule, RuleContext } from './rule.js';
import { isLog } from './shared/own-format.js';

export interface Finding extends Problem {
  readonly rule: Rule;
  /** Whether the fix of its rule mends it. */
  readonly isFixable: boolean;
}

/** How much a finding weighs: that of its rule, or `info` for a note. */
export function severityOf({ rule, isNote }: Finding): Severity | 'info' {
  return isNote ? 'info' : rule.severity;
}

export interface LintOptions {
  readonly provider: Provider;
  readonly asRequest: boolean;
  /** The format that the transcript was read in. */
  readonly format: Format;
  /** The value that held it, where one did. */
  readonly record: JsonNode | undefined;
  contextUse(transcript: Transcript): { readonly tokens: number; readonly window: number | undefined };
}

/** Which of the rules a history for this provider has to keep. */
export function rulesFor(rules: readonly Rule[], provider: Provider, asRequest: boolean): Rule[] {
  const family = familyOf(provider);
  const holds = ({ providers, alone }: Rule) =>
    providers.some((id) => id === 'any' || (alone ? id === provider.id : family.has(id)));
  return rules.filter((rule) => holds(rule) && (asRequest || rule.asRequest !== true));
}

export function runRules(transcript: Transcript, rules: readonly Rule[], options: LintOptions): Finding[] {
  const subject = subjectOf(transcript, options);
  const found = rules.flatMap((rule) =>
    [...rule.check(subject)].map((problem): Finding => {
      const { fix } = rule;
      const isFixable = fix !== undefined && (fix.reaches?.(subject, problem) ?? true);
      return { ...problem, ...noteOf(subject, rule, problem), rule, isFixable };
    }),
  );
  return toldOnce(found).sort((a, b) => (a.message ?? -1) - (b.message ?? -1));
}

/** In a log, what an agent leaves out or mends before it sends is a note: of some rules all, of a turn that was cut off everything. */
function noteOf(
  { transcript, asRequest }: RuleContext,
  { cleaned }: Rule,
  { isNote, message }: Problem,
): { readonly isNote?: true } {
  if (asRequest) return {};
  const isCutOff = message !== undefined && transcript.messages[message]!.cutOff === true;
  return isNote || isCutOff || (cleaned && isLog(transcript)) ? { isNote: true } : {};
}

/** The findings without those of the same place that others cover. */
function toldOnce(found: readonly Finding[]): Finding[] {
  const covering = new Map<string, Finding[]>(); // by the rule that is covered, and the message
  const keyOf = (id: string, { message }: Finding) => `${id} ${message}`;
  for (const finding of found) {
    for (const id of finding.rule.covers ?? []) {
      const others = covering.get(keyOf(id, finding));
      if (others === undefined) covering.set(keyOf(id, finding), [finding]);
      else others.push(finding);
    }
  }
  const isSamePlace = (a: Finding, b: Finding) => a.part === undefined || b.part === undefined || a.part === b.part;
  return found.filter(
    (finding) => !covering.get(keyOf(finding.rule.id, finding))?.some((other) => isSamePlace(other, finding)),
  );
}

/** How often the rules are gone through again: mending one fault may uncover another. */
const ROUNDS = 8;

/** The transcript with all faults mended whose fix is of one of these kinds. What is left is what `lint` finds in it. `tell` hears what each rule mended. */
export function applyFixes(
  transcript: Transcript,
  rules: readonly Rule[],
  allowed: ReadonlySet<Safety>,
  options: LintOptions,
  tell?: (rule: Rule, problems: readonly Problem[]) => void,
): Transcript {
  let subject = subjectOf(transcript, options);
  for (let round = 0; round < ROUNDS; round++) {
    const before = subject;
    for (const rule of rules) {
      if (rule.fix === undefined || !allowed.has(rule.fix.safety)) continue;
      const problems = [...rule.check(subject)].filter((problem) => !noteOf(subject, rule, problem).isNote);
      if (problems.length === 0) continue;
      const mended = settled(rule.fix.apply(subject, problems), subject.transcript, options);
      if (mended === subject.transcript) continue;
      tell?.(rule, problems);
      subject = subjectOf(mended, options);
    }
    if (subject === before) break;
  }
  return subject.transcript;
}

/** What a rule changed is as it will be written: `wire` shows the next rule what came of it, and nothing that was mended is lost. */
function settled(after: Transcript, before: Transcript, { provider, format }: LintOptions): Transcript {
  if (after === before || !isOwnFormat(format, provider)) return after;
  const known = new Set(before.messages);
  return mapMessages(after, (message) => {
    if (known.has(message) || !(message.raw instanceof JsonNode)) return message;
    const written = format.write(message);
    return written === message.raw ? message : readAgain(message, written, format);
  });
}

function isOwnFormat(format: Format, provider: Provider): boolean {
  return (format.wraps?.format ?? format.id) === provider.format;
}

export function subjectOf(
  transcript: Transcript,
  { provider, asRequest, format, record, contextUse }: LintOptions,
): RuleContext {
  const own = isOwnFormat(format, provider);
  let pairing: Pairing | undefined;
  const wire = ({ raw }: Message) =>
    own && raw instanceof JsonNode && raw.isObject
      ? format.wraps === undefined
        ? raw
        : format.wraps.inner(raw)
      : undefined;
  return {
    transcript,
    provider,
    asRequest,
    get pairing() {
      pairing ??= pair(transcript.messages);
      return pairing;
    },
    wire,
    request: own ? record : undefined,
    rewire: (message, json) => reread(message, json, format, wire(message)),
    contextUse: () => contextUse(transcript),
  };
}

/** The message read again from edited JSON. It still stands where it stood. */
function reread(message: Message, json: Json, format: Format, wire: JsonNode | undefined): Message {
  const raw = message.raw as JsonNode;
  return readAgain(message, wire === undefined || wire.is(raw) ? json : replaced(raw, wire, json), format);
}

function readAgain(message: Message, whole: Json, format: Format): Message {
  const raw = message.raw as JsonNode;
  const again = format.read(parse(printed(whole, () => styleOf(raw))), message.role === 'system');
  return { ...again, ...(message.group === undefined ? {} : { group: message.group }), origin: message.origin ?? raw };
}

/** A line of a log with another message in the member that held it. */
function replaced(raw: JsonNode, wire: JsonNode, json: Json): Json {
  const member = raw.members().find(({ value }) => value.is(wire));
  return member === undefined ? json : patch(raw, { [member.key.text]: json });
}
