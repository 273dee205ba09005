/** Texts of messages: markdown, and long texts folded to their first and last lines. */
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { type SafeText, sliced } from '../../safe/text.js';
import { grouped, plural } from '../../text/words.js';
import { markdownHtml } from './markdown.js';
import { concat, NOTHING, type Page } from './page.js';

/** Lines and characters of a long text that are shown before the rest is folded, and lines at its end. */
interface Fold {
  readonly lines: number;
  readonly characters: number;
  readonly last: number;
}

export const RESULT: Fold = { lines: 10, characters: 900, last: 3 };
export const ARGUMENT: Fold = { lines: 8, characters: 500, last: 2 };
export const REASONING: Fold = { lines: 4, characters: 400, last: 0 };
export const PROMPT: Fold = { lines: 14, characters: 1500, last: 2 };
const PROSE: Fold = { lines: 120, characters: 8000, last: 0 };
/** The last lines have at most this share of the characters of the first ones. */
const LAST_SHARE = 1 / 3;
/** Less is not worth a fold. */
const LEAST_HIDDEN = 300;

/** A text as it is, long ones folded. */
export function codeOf(text: string, fold: Fold, page: Page): HtmlText {
  const plain = page.plain(text.replace(SEQUENCE, '').replace(/\s+$/, ''));
  if (plain === '') return NOTHING;
  const parts = foldedParts(plain, scaled(fold, page));
  if (parts === undefined) return html`<pre>${htmlText(plain)}</pre>`;
  return folded(plain, parts, page);
}

/** Escape sequences for colors and the cursor, which a terminal recorded. ECMA-48, section 5.4. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const SEQUENCE = /\x1b\[[0-?]*[ -/]*[@-~]/g;

/** The least that is shown of a text. */
const LEAST = { lines: 2, characters: 160 } as const;

function scaled({ lines, characters, last }: Fold, { scale }: Page): Fold {
  return {
    lines: Math.max(LEAST.lines, Math.round(lines * scale)),
    characters: Math.max(LEAST.characters, Math.round(characters * scale)),
    last: Math.ceil(last * scale),
  };
}

interface Parts {
  readonly head: SafeText;
  readonly tail: SafeText;
}

function foldedParts(text: SafeText, { lines, characters, last }: Fold): Parts | undefined {
  const headEnd = Math.min(characters, endOfLine(text, lines));
  const most = Math.round(characters * LAST_SHARE);
  const tailStart = last === 0 ? text.length : Math.max(startOfLast(text, last), text.length - most);
  if (tailStart - headEnd < LEAST_HIDDEN) return undefined;
  return { head: sliced(text, 0, whole(text, headEnd)), tail: sliced(text, whole(text, tailStart)) };
}

/** The offset at which so many lines end. */
function endOfLine(text: string, count: number): number {
  let at = -1;
  for (let line = 0; line < count; line++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) return text.length;
  }
  return at;
}

function startOfLast(text: string, count: number): number {
  let at = text.length;
  for (let line = 0; line < count && at > 0; line++) at = text.lastIndexOf('\n', at - 1);
  return at + 1;
}

/** An offset that splits no surrogate pair. */
function whole(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}

function folded(text: SafeText, { head, tail }: Parts, page: Page): HtmlText {
  const hidden = sliced(text, head.length, text.length - tail.length);
  const lines = hidden.split('\n').length - 1;
  const more = lines > 1 ? plural(lines, 'more line') : plural(hidden.length, 'more character');
  const size = lines > 1 ? html`, ${htmlText(grouped(hidden.length))} characters` : NOTHING;
  const end = tail === '' ? NOTHING : html`<pre>${htmlText(tail)}</pre>`;
  const number = page.keep(hidden);
  const button = html`<button type="button" class="more" data-text="${number}">${htmlText(more)}${size}</button>`;
  return html`<div class="fold"><pre>${htmlText(head)}</pre>${button}${end}</div>`;
}

/** What people and models write. */
export function proseOf(text: string, page: Page): HtmlText {
  const plain = page.plain(text.replace(/\s+$/, ''));
  if (plain === '') return NOTHING;
  const fold = scaled(PROSE, page);
  const parts = foldedParts(plain, fold);
  if (parts === undefined) return markdownHtml(plain, page);
  const end = endOfBlock(plain, parts.head.length);
  if (end > 2 * fold.characters) return folded(plain, parts, page); // a block that long is no prose
  if (plain.length - end < LEAST_HIDDEN) return markdownHtml(plain, page);
  const [head, rest] = [sliced(plain, 0, end), sliced(plain, end)];
  const size = html`${htmlText(grouped(rest.length))} more characters`;
  const more = html`<details class="rest"><summary>${size}</summary>${markdownHtml(rest, page)}</details>`;
  return concat([markdownHtml(head, page), more]);
}

/** The end of the block at this offset: behind an empty line that is in no code. */
function endOfBlock(text: string, offset: number): number {
  for (let at = text.indexOf('\n\n', offset - 1); at >= 0; at = text.indexOf('\n\n', at + 1)) {
    const fences = text.slice(0, at).match(/^ {0,3}(?:```|~~~)/gm)?.length ?? 0;
    if (fences % 2 === 0) return at + 2;
  }
  return text.length;
}
