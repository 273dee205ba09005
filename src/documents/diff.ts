/** `diff --format json`, and `--diff --format json` of transforms. */
import type { z } from 'zod';
import { toNumber } from '../decimals.js';
import type { Side, TranscriptDifference } from '../measure/stats/differences.js';
import type { Totals } from '../measure/stats/facts.js';
import { type Omissions, omissionsJson } from '../omissions.js';
import type { Exact } from './print.js';
import type { diffSchema } from './schemas/diff.js';

/** Kept messages are only counted. */
export function diffDocument(
  transcripts: readonly TranscriptDifference[],
  omissions?: Omissions,
): Exact<z.output<typeof diffSchema>> {
  const side = ({ index, role, tools, tokens, text }: Side) => ({ index, role, tools, tokens, text });
  const totals = ({ messages, toolCalls, toolResults, tokens, cost, tokensSource }: Totals) => ({
    messages,
    tool_calls: toolCalls,
    tool_results: toolResults,
    tokens,
    cost_usd: cost === undefined ? null : toNumber(cost),
    tokens_source: tokensSource,
  });
  const listed = transcripts.map(({ file, line, id, model, differences, before, after }) => ({
    file,
    line,
    id: id ?? null,
    model: model ?? null,
    kept: differences.filter(({ kind }) => kind === 'kept').length,
    changes: differences.flatMap(({ kind, before: left, after: right }) =>
      kind === 'kept' ? [] : [{ kind, before: left ? side(left) : null, after: right ? side(right) : null }],
    ),
    totals: { before: totals(before), after: totals(after) },
  }));
  return { version: 1, transcripts: listed, ...omissionsJson(omissions) };
}
