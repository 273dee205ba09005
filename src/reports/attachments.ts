/** What an agent sends beside messages, for the totals of tables. */
import type { AttachmentFacts } from '../measure/stats/attachments.js';
import type { Totals } from '../measure/stats/facts.js';
import { joined, type SafeText, safe, shown, spaces } from '../safe/text.js';
import { plural, tokensText, wrapped } from '../text/words.js';
import type { Style } from './report.js';

type Source = Totals['tokensSource'];

/** The rest is in the JSON. */
const MOST_KINDS = 6;
/** That of the labels of totals. */
const INDENT = 13;
const WIDTH = 80;

/** A line for what is sent, and one for what may be. */
export function attachmentLines(attachments: readonly AttachmentFacts[], source: Source, style: Style): SafeText[] {
  const [sent, others] = [true, false].map((known) => attachments.filter((each) => each.known === known));
  const texts = [
    ...(sent!.length === 0 ? [] : [safe`${sumText(sent!, source)} are sent, too: ${kindsText(sent!, source)}`]),
    ...(others!.length === 0
      ? []
      : [safe`${sumText(others!, source)} may be sent, too: ${kindsText(others!, source)}`]),
  ];
  const lines = texts.flatMap((text) => wrapped(text, WIDTH, INDENT));
  return lines.map((line, at) => safe`${at === 0 ? style.bold(safe`attachments  `) : spaces(INDENT)}${line}`);
}

/** For a line of figures: `, attachments with ~13,230 tokens`; nothing where none are known to be sent. */
export function besideText(attachments: readonly AttachmentFacts[], source: Source): SafeText {
  const sent = attachments.filter(({ known }) => known);
  const tokens = sent.reduce((sum, kind) => sum + kind.tokens, 0);
  return tokens === 0 ? safe`` : safe`, attachments with ${tokensText(tokens, source)} tokens`;
}

/** `~13,230 tokens in 3 records` */
function sumText(kinds: readonly AttachmentFacts[], source: Source): SafeText {
  const sum = (key: 'records' | 'tokens' | 'media') => kinds.reduce((total, kind) => total + kind[key], 0);
  const media = sum('media') === 0 ? safe`` : safe` (without ${plural(sum('media'), 'media file')})`;
  return safe`${tokensText(sum('tokens'), source)} tokens in ${plural(sum('records'), 'record')}${media}`;
}

/** `file ~13,000, nested_memory ~200, 3 other kinds` */
function kindsText(kinds: readonly AttachmentFacts[], source: Source): SafeText {
  const named = kinds
    .slice(0, MOST_KINDS)
    .map(({ kind, tokens }) => safe`${shown(kind)} ${tokensText(tokens, source)}`);
  const rest = kinds.length - named.length;
  return joined([...named, ...(rest === 0 ? [] : [plural(rest, 'other kind')])], ', ');
}
