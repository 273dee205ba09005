/** The diff for pull requests. */
import type { Difference, Side, TranscriptDifference } from '../measure/stats/differences.js';
import { type MarkdownText, markdown, markdownText } from '../safe/formats.js';
import { joined } from '../safe/text.js';
import { fitted, grouped } from '../text/words.js';
import { titleOf, totalsLine, unshownLines } from './diff-layout.js';
import { renderMarkdown } from './rows.js';

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
      { title: 'text', text: textOf },
    ],
    changes,
  );
  const name = id === undefined ? markdown`` : markdown` ${markdownText(id)}`;
  const body = changes.length === 0 ? markdown`Nothing changes.\n` : table;
  return markdown`### ${markdownText(file)}:${line}${name}\n\n${markdownText(totalsLine(before, after))}\n\n${body}`;
}

function textOf(difference: Difference) {
  const text = fitted((difference.after ?? difference.before)!.text, 80);
  return joined([...unshownLines(difference), text], '; ');
}
