/** The diff for pull requests. */
import type { Difference, Side, TranscriptDifference } from '../measure/stats/differences.js';
import { type MarkdownText, markdown, markdownCode, markdownText } from '../safe/formats.js';
import { joined } from '../safe/text.js';
import { fitted, grouped } from '../text/words.js';
import { besideLine, titleOf, totalsLine, unshownLines } from './diff-layout.js';
import { renderMarkdown } from './rows.js';

export function diffMarkdown(transcripts: readonly TranscriptDifference[]): MarkdownText {
  return joined(transcripts.map(transcriptMarkdown), '\n');
}

function transcriptMarkdown({
  file,
  line,
  id,
  beside,
  differences,
  before,
  after,
}: TranscriptDifference): MarkdownText {
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
  const fields = beside.map((one) => markdown`- ${markdownCode(besideLine(one))}\n`);
  const list = fields.length === 0 ? markdown`` : markdown`${joined(fields, '')}\n`;
  const nothing = fields.length === 0 ? markdown`Nothing changes.\n` : markdown`No message changes.\n`;
  const body = changes.length === 0 ? nothing : table;
  const totals = markdownText(totalsLine(before, after));
  return markdown`### ${markdownText(file)}:${line}${name}\n\n${totals}\n\n${list}${body}`;
}

function textOf(difference: Difference) {
  const text = fitted((difference.after ?? difference.before)!.text, 80);
  return joined([...unshownLines(difference), text], '; ');
}
