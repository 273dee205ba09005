/** Inside of a line of markdown: strong and emphasized text, code, addresses and links. */
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { concat, NOTHING, type Page } from './page.js';

/** A mark of markdown: on the page, but hidden. */
export function mark(text: string): HtmlText {
  return text === '' ? NOTHING : html`<i class="md">${htmlText(text)}</i>`;
}

/** Limits keep each search short in a text that never ends what it begins. */
const INLINE = new RegExp(
  [
    '`[^`\\n]{1,1000}`',
    '\\*\\*[^*\\n]{1,1000}\\*\\*',
    '~~[^~\\n]{1,1000}~~',
    '(?<![\\w*])\\*[^\\s*](?:[^*\\n]{0,500}[^\\s*])?\\*(?![\\w*])',
    '(?<![\\w_])_[^\\s_](?:[^_\\n]{0,500}[^\\s_])?_(?![\\w_])',
    '!?\\[[^\\]\\n]{1,300}\\]\\([^()\\s]{1,1000}\\)',
    'https?:\\/\\/[^\\s<>"\'`)\\]}]+',
  ]
    .map((pattern) => `(?:${pattern})`)
    .join('|')
    .replace(/^.*$/, '($&)'),
);
const LINK = /^(!?\[)([^\]]+)(\]\()(.*)\)$/;
const ADDRESS = /^https?:\/\/\w[^\s<>"'`]*$/;

export function inlineHtml(line: string, page: Page): HtmlText {
  return concat(line.split(INLINE).map((part, index) => (index % 2 === 0 ? htmlText(part) : markedHtml(part, page))));
}

function markedHtml(text: string, page: Page): HtmlText {
  const link = LINK.exec(text);
  if (link !== null) return linkHtml(link, page);
  if (ADDRESS.test(text)) return addressHtml(text, page);
  const size = text.startsWith('**') || text.startsWith('~~') ? 2 : 1;
  const [start, inside, end] = [text.slice(0, size), text.slice(size, -size), text.slice(-size)];
  if (start === '`') return html`<code>${mark(start)}${htmlText(inside)}${mark(end)}</code>`;
  const content = html`${mark(start)}${inlineHtml(inside, page)}${mark(end)}`;
  if (start === '**') return html`<b>${content}</b>`;
  return start === '~~' ? html`<s>${content}</s>` : html`<em>${content}</em>`;
}

/** The address stays in sight: a name could promise another one. */
function linkHtml([, start = '', name = '', middle = '', address = '']: RegExpExecArray, page: Page): HtmlText {
  const shown = ADDRESS.test(address) ? addressHtml(address, page) : htmlText(address);
  return html`${mark(start)}${inlineHtml(name, page)}${mark(middle.slice(0, 1))}<span class="url">(${shown})</span>`;
}

function addressHtml(address: string, { links }: Page): HtmlText {
  const shown = htmlText(address);
  if (!links) return shown;
  return html`<a class="out" href="${shown}" target="_blank" rel="noopener noreferrer nofollow">${shown}</a>`;
}
