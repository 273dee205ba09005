/** The diff for programs (JSON) and for pull requests (markdown). */
import { toNumber } from '../decimals.js';
import type { Difference, Side, TranscriptDifference } from '../measure/stats/differences.js';
import type { Totals } from '../measure/stats/facts.js';
import { type Omissions, omissionsJson } from '../omissions.js';
import { type MarkdownText, markdown, markdownText } from '../safe/formats.js';
import { safeJson } from '../safe/json.js';
import { joined, type SafeText, safe } from '../safe/text.js';
import { fitted, grouped } from '../text/words.js';
import { titleOf, totalsLine } from './diff-layout.js';
import { renderMarkdown } from './rows.js';

/**
 * `{version, transcripts: [{file, line, id, model, changes, totals: {before, after}}]}`; kept messages are only
 * counted.
 */
export function diffJson(transcripts: readonly TranscriptDifference[], omissions?: Omissions): SafeText {
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
    changes: differences
      .filter(({ kind }) => kind !== 'kept')
      .map((difference) => ({
        kind: difference.kind,
        before: difference.before ? side(difference.before) : null,
        after: difference.after ? side(difference.after) : null,
      })),
    totals: { before: totals(before), after: totals(after) },
  }));
  return safe`${safeJson({ version: 1, transcripts: listed, ...omissionsJson(omissions) }, 2)}\n`;
}

export function diffMarkdown(transcripts: readonly TranscriptDifference[]): MarkdownText {
  return joined(transcripts.map(transcriptMarkdown), '\n');
}

function transcriptMarkdown({ file, line, id, differences, before, after }: TranscriptDifference): MarkdownText {
  const changes = differences.filter(({ kind }) => kind !== 'kept');
  const tokens = (side: Side | undefined) => (side === undefined ? '' : grouped(side.tokens));
  const table = renderMarkdown<Difference>(
    [
      { title: 'change', text: ({ kind }) => kind },
      { title: 'message', text: (difference) => titleOf((difference.before ?? difference.after)!) },
      { title: 'tokens before', align: 'right', text: (difference) => tokens(difference.before) },
      { title: 'tokens after', align: 'right', text: (difference) => tokens(difference.after) },
      { title: 'text', text: (difference) => fitted((difference.after ?? difference.before)!.text, 80) },
    ],
    changes,
  );
  const name = id === undefined ? markdown`` : markdown` ${markdownText(id)}`;
  const body = changes.length === 0 ? markdown`Nothing changes.\n` : table;
  return markdown`### ${markdownText(file)}:${line}${name}\n\n${markdownText(totalsLine(before, after))}\n\n${body}`;
}
