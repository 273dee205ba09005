/** Escapes foreign text for the formats of reports, so that it is only text there. */
import { joined, type SafeIn, type SafeText, safe, shown, type Template, unseenPattern } from './text.js';

// --- CSV

/** A CSV cell (RFC 4180) that spreadsheets do not run as a formula. */
export function csvCell(value: string | number | undefined): SafeText {
  if (value === undefined) return safe``;
  const text =
    (typeof value === 'string' && FORMULA.test(value) && !NUMBER.test(value) ? "'" : '') + shown(String(value));
  return (/[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text) as SafeText;
}

/** The start of a formula; Japanese spreadsheets accept the full-width forms. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

// --- markdown

/** Text that is safe inside markdown, too. */
export type MarkdownText = SafeIn<'markdown'>;
export const markdown = safe as unknown as Template<MarkdownText>;

/** Foreign text in markdown, without active HTML, code or links, and safe in a table cell. */
export function markdownText(text: string): MarkdownText {
  return shown(text)
    .replace(/[\\`|]/g, '\\$&')
    .replace(/&(?=#|\w+;)/g, '&amp;')
    .replace(/<(?=[a-z/!?])/gi, '&lt;')
    .replace(/\](?=[([:])/g, '\\]')
    .replace(/:(?=\/\/)/g, '\\:')
    .replace(/\bwww(?=\.)/gi, '$&\\') as MarkdownText;
}

/** The same as code. */
export function markdownCode(text: string): MarkdownText {
  const code = shown(text);
  const longest = [...code.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 0);
  const fence = '`'.repeat(longest + 1);
  const space = longest > 0 ? ' ' : '';
  return (fence + space + code + space + fence) as MarkdownText;
}

/** A sentence with names in backticks: these become code, the rest text. */
export function markdownProse(text: string): MarkdownText {
  const parts = text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? markdownCode : markdownText)(part));
  return joined(parts, '');
}

// --- XML

/** Text that is safe inside XML, too. */
export type XmlText = SafeIn<'xml'>;
export const xml = safe as unknown as Template<XmlText>;

/** Foreign text in XML, which does not allow most control characters. */
export function xmlText(text: string): XmlText {
  return shown(text.replace(/[&<>"'\n\r\t]/g, (character) => ENTITIES.get(character)!)) as XmlText;
}

const ENTITIES = new Map<string, string>([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
  ['\n', '&#10;'],
  ['\r', '&#13;'],
  ['\t', '&#9;'],
]);

// --- HTML

/** Text that is safe inside HTML, in elements and in quoted attributes. */
export type HtmlText = SafeIn<'html'>;
export const html = safe as unknown as Template<HtmlText>;

/** Foreign text of several lines, with invisible characters made visible. */
export function visibleLines(text: string): SafeText {
  if (PLAIN_LINES.test(text)) return text as SafeText;
  return text
    .replaceAll('\r\n', '\n')
    .replace(unseenPattern(), (unseen, kept) =>
      unseen === '\n' || unseen === '\t' ? unseen : (kept ?? shown(unseen)),
    ) as SafeText;
}

const PLAIN_LINES = /^[ -~\n\t]*$/;

/** The same in HTML. */
export function htmlText(text: string): HtmlText {
  return visibleLines(text).replace(/[&<>"']/g, (character) => ENTITIES.get(character)!) as HtmlText;
}

/** Stands by itself: some compilers call a helper that is not there for templates that hold it. */
export const SCRIPT_ENDS = '</script>' as HtmlText;

/** A style sheet or script of ours inside its element. Throws Error if it would end the element. */
export function htmlSource(source: string): HtmlText {
  if (/<[/!]/.test(source)) throw new Error('the source of a page must not hold `</` or `<!`');
  return source as HtmlText;
}

// --- workflow commands of GitHub

/** Foreign text as the message of a workflow command. */
export function commandMessage(text: string): SafeText {
  return shown(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'));
}

/** The same as a property of the command. */
export function commandProperty(text: string): SafeText {
  return commandMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C') as SafeText;
}
