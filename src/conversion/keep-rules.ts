/** Applies the target's rules to the converted messages: fixes that lose no content. */

import type { Safety } from '../findings.js';
import type { Json } from '../json/edit.js';
import type { JsonNode } from '../json/node.js';
import { rules } from '../rules/index.js';
import type { Rule } from '../rules/rule.js';
import { applyFixes, type RuleOptions, rulesFor } from '../rules/run-rules.js';
import { inGroups } from '../transcript/edit.js';
import type { Transcript } from '../transcript/types.js';
import type { Target } from './targets.js';

/** How often a rule of the target fixed something. */
export interface Repair {
  readonly rule: string;
  /** The problem, in a few words. */
  readonly summary: string;
  readonly count: number;
}

/** Fixes that lose no content; `synthetic` ones may add some, such as a result for a call without one. */
const SAFE: ReadonlySet<Safety> = new Set<Safety>(['safe', 'synthetic']);

/** The messages of a record after the fixes; undefined if there is nothing to fix. */
export function keepRules(
  record: JsonNode,
  target: Target,
): { readonly messages: readonly Json[]; readonly repairs: readonly Repair[] } | undefined {
  const { encode, provider, traits, describe } = target;
  if (provider === undefined) return undefined;
  const read = record
    .get(encode.messages)!
    .items()
    .map((message) => target.read(message));
  const transcript: Transcript = {
    format: target.id,
    traits,
    ...describe?.(record),
    messages: traits.piecesStandAlone ? inGroups(read, '') : read,
  };
  const contextUse = () => ({ tokens: 0, window: undefined });
  const options: RuleOptions = { provider, asRequest: false, format: target, record, contextUse };
  const counts = new Map<Rule, number>();
  const after = applyFixes(transcript, rulesFor(rules, provider, false), SAFE, options, (rule, problems) =>
    counts.set(rule, (counts.get(rule) ?? 0) + problems.length),
  );
  if (after === transcript) return undefined;
  return {
    messages: after.messages.map((message) => target.write(message)),
    repairs: [...counts].map(([{ id, summary }, count]) => ({ rule: id, summary, count })),
  };
}
