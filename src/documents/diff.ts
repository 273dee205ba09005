/** `diff --format json`, and `--diff --format json` of transforms. */
import type { z } from 'zod';
import { toNumber } from '../decimals.js';
import { changedUnshown, type Side, type TranscriptDifference } from '../measure/stats/differences.js';
import type { Totals } from '../measure/stats/facts.js';
import type { Omissions } from '../omissions.js';
import { omissionsJson } from './omissions.js';
import type { Exact } from './print.js';
import type { diffSchema, summarySchema } from './schemas/diff.js';

/** Kept messages are only counted. */
export function diffDocument(
  transcripts: readonly TranscriptDifference[],
  omissions?: Omissions,
): Exact<z.output<typeof diffSchema>> {
  const side = ({ index, role, tools, tokens, text }: Side) => ({ index, role, tools, tokens, text });
  const listed = transcripts.map(({ file, line, id, model, beside, notCompared, differences, before, after }) => ({
    file,
    line,
    id: id ?? null,
    model: model ?? null,
    beside: beside.map((one) => ({ name: one.name, before: one.before ?? null, after: one.after ?? null })),
    not_compared: [...notCompared],
    kept: differences.filter(({ kind }) => kind === 'kept').length,
    changes: differences.flatMap((difference) => {
      const { kind, before: left, after: right } = difference;
      if (kind === 'kept') return [];
      const sides = { before: left ? side(left) : null, after: right ? side(right) : null };
      return [{ kind, ...sides, unshown: [...changedUnshown(difference)] }];
    }),
    totals: { before: totalsOf(before), after: totalsOf(after) },
  }));
  return { version: 1, transcripts: listed, ...omissionsJson(omissions) };
}

export interface FileSummary {
  readonly file: string;
  readonly transcripts: number;
  readonly before: Totals;
  readonly after: Totals;
  /** Why steps changed nothing. */
  readonly notes: readonly string[];
}

/** `--summary --format json` of transforms. */
export function summaryDocument(
  files: readonly FileSummary[],
  total: Pick<FileSummary, 'transcripts' | 'before' | 'after'>,
): Exact<z.output<typeof summarySchema>> {
  const sums = ({ transcripts, before, after }: typeof total) => ({
    transcripts,
    before: totalsOf(before),
    after: totalsOf(after),
  });
  return {
    version: 1,
    files: files.map((one) => ({ file: one.file, ...sums(one), notes: [...one.notes] })),
    total: { files: files.length, ...sums(total) },
  };
}

function totalsOf({ messages, toolCalls, toolResults, tokens, cost, tokensSource }: Totals) {
  return {
    messages,
    tool_calls: toolCalls,
    tool_results: toolResults,
    tokens,
    cost_usd: cost === undefined ? null : toNumber(cost),
    tokens_source: tokensSource,
  };
}
