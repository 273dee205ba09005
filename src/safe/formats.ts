/** The text of others inside of what reports are written in: as `shown` has it, and never more than text there. */
import { joined, type SafeIn, type SafeText, safe, shown, type Template } from './text.js';

// --- CSV

/** A cell of RFC 4180 that no spreadsheet takes for a formula. */
export function csvCell(value: string | number | undefined): SafeText {
  if (value === undefined) return safe``;
  const text =
    (typeof value === 'string' && FORMULA.test(value) && !NUMBER.test(value) ? "'" : '') + shown(String(value));
  return (/[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text) as SafeText;
}

/** What a cell begins with that is run; the wide forms count in Japanese. */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

// --- markdown

/** Text that is safe inside markdown, too. */
export type MarkdownText = SafeIn<'markdown'>;
export const markdown = safe as unknown as Template<MarkdownText>;

/** Text of others in markdown: no HTML, no code, no link of it is active, and a table's cell stays one. */
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

/** A sentence in which names stand between backticks: those become code, and whatever else is in it text. */
export function markdownProse(text: string): MarkdownText {
  const parts = text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? markdownCode : markdownText)(part));
  return joined(parts, '');
}

// --- XML

/** Text that is safe inside XML, too. */
export type XmlText = SafeIn<'xml'>;
export const xml = safe as unknown as Template<XmlText>;

/** Text of others in XML, which has no place at all for most control characters. */
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

// --- workflow commands of GitHub

/** Text of others as the message of a workflow command. */
export function commandMessage(text: string): SafeText {
  return shown(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'));
}

/** The same as a property of one. */
export function commandProperty(text: string): SafeText {
  return commandMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C') as SafeText;
}
