/** Judges the converted messages by the rules of the target: fixes what can be fixed, and names what is left. */

import type { Safety } from '../findings.js';
import { EditedText } from '../json/edit.js';
import { JsonNode } from '../json/node.js';
import { reparsed } from '../json/print.js';
import { type Addition, type NodeChange, replaceWithin } from '../json/replace.js';
import { rulesOf } from '../rules/index.js';
import { ownProvider } from '../rules/own-provider.js';
import type { Rule } from '../rules/rule.js';
import { applyFixes, brokenRules, type RuleOptions, rulesFor, runRules, severityOf } from '../rules/run-rules.js';
import { inGroups } from '../transcript/edit.js';
import type { Message, Transcript } from '../transcript/types.js';
import { withoutToolNames } from './shape.js';
import type { Target } from './targets.js';

/** How often a rule of the target fixed something. */
export interface Repair {
  readonly rule: string;
  /** The problem, in a few words. */
  readonly summary: string;
  readonly count: number;
  /** Something was removed: a result without a call, an image that is too large. */
  readonly lossy: boolean;
}

/** What the target still rejects. */
export interface Fault {
  readonly rule: string;
  /** What is wrong, as a sentence. */
  readonly what: string;
  /** The message, by index in the converted transcript; undefined if it is outside the messages. */
  readonly message: number | undefined;
}

export interface Judged {
  /** The record with the fixes; the same one if nothing was fixed. */
  readonly record: JsonNode;
  readonly repairs: readonly Repair[];
  readonly faults: readonly Fault[];
}

/** Fixes that lose no content; `synthetic` ones may add some, such as a result for a call without one. */
const SAFE: ReadonlySet<Safety> = new Set<Safety>(['safe', 'synthetic']);
const ALL: ReadonlySet<Safety> = new Set<Safety>([...SAFE, 'lossy']);

/** What a fix writes may read otherwise than what it made, so that it is judged again, at most so many times. */
const ROUNDS = 4;

/** A record by the rules of its provider, as `check` finds them: what no other fix can mend, a lossy one does. */
export function keepRules(record: JsonNode, target: Target): Judged {
  const counts = new Map<Rule, number>();
  const count = (rule: Rule, problems: readonly unknown[]) =>
    counts.set(rule, (counts.get(rule) ?? 0) + problems.length);
  let current = record;
  let judged = judge(current, target, count);
  for (let round = 1; round < ROUNDS && judged.record !== current; round++) {
    current = judged.record;
    judged = judge(current, target, count);
  }
  const repairs = [...counts].map(([{ id, summary, fix }, times]) => ({
    rule: id,
    summary,
    count: times,
    lossy: fix!.safety === 'lossy',
  }));
  return { ...judged, repairs };
}

function judge(
  record: JsonNode,
  target: Target,
  onFix: (rule: Rule, problems: readonly unknown[]) => void,
): Pick<Judged, 'record' | 'faults'> {
  const transcript = readBack(record, target);
  const provider = target.provider ?? ownProvider(transcript);
  const contextUse = () => ({ tokens: 0, window: undefined });
  const options: RuleOptions = { provider, asRequest: false, format: target, record, contextUse };
  const own = rulesFor(rulesOf(provider), provider, false);
  const broken = brokenRules(transcript, own, options);
  if (broken.length === 0) return { record, faults: [] }; // what most are: no rule is asked twice
  const errors = own.filter(({ severity }) => severity === 'error');
  const mended = applyFixes(transcript, own, SAFE, options, onFix);
  const after =
    faultsOf(mended, errors, options).length === 0 ? mended : applyFixes(mended, errors, ALL, options, onFix);
  const { system } = target.encode;
  const hasSystem = after.messages[0]?.role === 'system' && system !== undefined;
  return {
    record: after === transcript ? record : rewritten(record, after, target, toolChange(transcript, after)),
    faults: faultsOf(after, errors, options).map(({ rule, text, message }) => ({
      rule: rule.id,
      what: text,
      message: message === undefined || !hasSystem ? message : message - 1,
    })),
  };
}

/** The definitions that a fix wrote, in place of those in the record. */
function toolChange({ tools: before }: Transcript, { tools: after }: Transcript): readonly NodeChange[] {
  if (after === before || !(before instanceof JsonNode)) return [];
  return [
    { node: before, value: after instanceof EditedText ? after.json : after instanceof JsonNode ? after : undefined },
  ];
}

function rewritten(
  record: JsonNode,
  { messages }: Transcript,
  { encode, write }: Target,
  tools: readonly NodeChange[],
): JsonNode {
  const hasSystem = messages[0]?.role === 'system' && encode.system !== undefined;
  const written = messages.map((message) => {
    const isNew = message.raw === undefined && encode.resultHasNoToolName === true;
    return write(isNew ? withoutToolNames([message])[0]! : message);
  });
  const list = { holder: record, key: encode.messages, value: hasSystem ? written.slice(1) : written };
  const system = encode.system && { holder: record, key: encode.system.key, value: hasSystem ? written[0] : undefined };
  return reparsed(replaceWithin(record, tools, [...(system === undefined ? [] : [system]), list] as Addition[]));
}

function faultsOf(transcript: Transcript, errors: readonly Rule[], options: RuleOptions) {
  return runRules(transcript, errors, options).filter((finding) => severityOf(finding) === 'error');
}

/** The transcript that a reader of the record finds. */
function readBack(record: JsonNode, target: Target): Transcript {
  const { encode, traits, describe } = target;
  const beside = encode.system === undefined ? undefined : record.get(encode.system.key);
  const list = record.get(encode.messages)!.items();
  const read: Message[] = [
    ...(beside === undefined ? [] : [target.read(beside, true)]),
    ...list.map((message) => target.read(message)),
  ];
  return {
    format: target.id,
    traits,
    ...describe?.(record),
    messages: traits.piecesStandAlone ? inGroups(read, '') : read,
  };
}
