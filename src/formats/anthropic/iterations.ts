/**
 * A request to Anthropic's API may run several models, or one several times: `usage.iterations` lists what each run
 * used. Types of @anthropic-ai/sdk 1.12.0 (BetaIterationsUsage), 2026-11-26.
 */
import type { JsonNode } from '../../json/node.js';
import type { Recorded, Usage } from '../../transcript/types.js';
import { addUsage, NO_USAGE, subtractUsage } from '../../transcript/usage.js';
import { anthropicUsage } from '../shared/recorded.js';

/** Runs whose tokens `usage` does not hold: https://platform.claude.com/docs/en/build-with-claude/compaction */
const BESIDE = new Set<string | undefined>(['compaction', 'advisor_message']);

interface Run {
  readonly type: string | undefined;
  readonly model: string | undefined;
  readonly usage: Usage;
}

/** The usage of a response by its own model, and the runs of a compaction, an advisor or a fallback model beside it. */
export function withIterations(
  counts: JsonNode | undefined,
  model: string | undefined,
): Pick<Recorded, 'usage' | 'beside'> {
  const usage = anthropicUsage(counts);
  const iterations = counts?.get('iterations');
  if (usage === undefined || iterations === undefined || iterations.length === 0) return { usage };
  const runs = iterations.items().flatMap((item) => runOf(item) ?? []);
  const own = runs.filter((run) => !BESIDE.has(run.type) && (run.model === undefined || run.model === model));
  const others = own.length === 0 ? [] : runs.filter((run) => !BESIDE.has(run.type) && !own.includes(run));
  const beside = runs.filter((run) => BESIDE.has(run.type) || others.includes(run));
  const isOwnOnly = others.length === 0 || isSame(sum(own), usage);
  return {
    usage: isOwnOnly ? usage : subtractUsage(usage, sum(others)),
    beside: beside.length === 0 ? undefined : beside.map((run) => ({ model: run.model ?? model, usage: run.usage })),
  };
}

function runOf(item: JsonNode): Run | undefined {
  const usage = anthropicUsage(item);
  return usage && { type: item.get('type')?.string, model: item.get('model')?.string, usage };
}

function sum(runs: readonly Run[]): Usage {
  return runs.reduce((total, { usage }) => addUsage(total, usage), NO_USAGE);
}

function isSame(a: Usage, b: Usage): boolean {
  return a.input === b.input && a.output === b.output && a.cacheRead === b.cacheRead;
}
