/**
 * Markdown of people and models as elements. Nothing of a text is left out: the marks stay on the page, hidden, and the
 * key `m` shows them. Markup and addresses in a text are text.
 */
import { type HtmlText, html, htmlText } from '../../safe/formats.js';
import { inlineHtml, mark } from './inline.js';
import { concat, lines as joinedLines, NOTHING, type Page } from './page.js';

/** Lines of one kind that follow each other. */
interface Block {
  readonly kind: Kind;
  readonly lines: string[];
}

type Kind = 'code' | 'heading' | 'rule' | 'quote' | 'list' | 'table' | 'text' | 'blank';

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^( {0,3}(#{1,6})\s+)\S/;
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^([ \t]*)([-*+]|\d{1,4}[.)])\s+(?=\S)/;
/** Under the heads of a table. */
const DELIMITERS = /^ *\|? *:?-+:? *(?:\| *:?-+:? *)+\|? *$/;

export function markdownHtml(text: string, page: Page): HtmlText {
  const blocks = blocksIn(text.split('\n'));
  const parts = blocks.map((block, index) => {
    const isLast = index === blocks.length - 1;
    return concat([RENDER[block.kind](block.lines, page), isLast ? NOTHING : mark('\n')]);
  });
  return html`<div class="prose">${concat(parts)}</div>`;
}

// --- blocks

function blocksIn(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let fence: string | undefined;
  lines.forEach((line, at) => {
    const last = blocks.at(-1);
    const kind = fence === undefined ? kindOf(line, lines[at + 1], last) : 'code';
    const continues = last?.kind === kind && kind !== 'heading' && kind !== 'rule' && isSameFence(kind, fence);
    if (continues) last.lines.push(line);
    else blocks.push({ kind, lines: [line] });
    if (kind === 'code') fence = fenceAfter(line, fence);
  });
  return blocks;
}

/** A block of code that begins right behind another one is a block of its own. */
function isSameFence(kind: Kind, fence: string | undefined): boolean {
  return kind !== 'code' || fence !== undefined;
}

/** The marks that end the code around the next line; undefined outside of code. */
function fenceAfter(line: string, fence: string | undefined): string | undefined {
  const own = FENCE.exec(line)?.[1];
  if (fence === undefined) return own;
  return own?.startsWith(fence) === true && line.trim() === own ? undefined : fence;
}

function kindOf(line: string, next: string | undefined, last: Block | undefined): Kind {
  if (line.trim() === '') return 'blank';
  if (FENCE.test(line)) return 'code';
  if (last?.kind === 'table' && line.includes('|')) return 'table';
  if (line.includes('|') && next?.includes('|') === true && DELIMITERS.test(next)) return 'table';
  if (HEADING.test(line)) return 'heading';
  if (RULE.test(line)) return 'rule';
  if (QUOTE.test(line)) return 'quote';
  if (ITEM.test(line) || (last?.kind === 'list' && /^\s{2,}/.test(line))) return 'list';
  return 'text';
}

const RENDER: Readonly<Record<Kind, (lines: readonly string[], page: Page) => HtmlText>> = {
  blank: (lines) => mark(lines.join('\n')),
  code: (lines) => html`<pre class="code">${htmlText(lines.join('\n'))}</pre>`,
  rule: ([line = '']) => html`<div class="hr">${mark(line)}</div>`,
  heading: ([line = ''], page) => {
    const [, lead = '', level = ''] = HEADING.exec(line) ?? [];
    return html`<b class="head${level.length}">${mark(lead)}${inlineHtml(line.slice(lead.length), page)}</b>`;
  },
  quote: (lines, page) => html`<blockquote>${perLine(lines, (line) => quoted(line, page))}</blockquote>`,
  text: (lines, page) => html`<p>${joinedLines(lines.map((line) => inlineHtml(line, page)))}</p>`,
  list: (lines, page) => html`<ul class="items">${concat(itemsIn(lines).map((item) => itemHtml(item, page)))}</ul>`,
  table: tableHtml,
};

function quoted(line: string, page: Page): HtmlText {
  const [lead = ''] = QUOTE.exec(line) ?? [];
  return concat([mark(lead), inlineHtml(line.slice(lead.length), page)]);
}

function perLine(lines: readonly string[], of: (line: string) => HtmlText): HtmlText {
  return joinedLines(lines.map(of));
}

// --- lists

/** An item with the lines that go on with it. */
interface Item {
  readonly lines: string[];
  readonly isLast: boolean;
}

function itemsIn(lines: readonly string[]): Item[] {
  const items: string[][] = [];
  for (const line of lines) {
    const last = items.at(-1);
    if (last === undefined || ITEM.test(line)) items.push([line]);
    else last.push(line);
  }
  return items.map((own, index) => ({ lines: own, isLast: index === items.length - 1 }));
}

const DEEPEST = 3;

function itemHtml({ lines, isLast }: Item, page: Page): HtmlText {
  const [first = '', ...more] = lines;
  const [lead = '', indent = '', sign = ''] = ITEM.exec(first) ?? [];
  const depth = Math.min(DEEPEST, Math.floor(indent.replaceAll('\t', '  ').length / 2));
  const isNumbered = /\d/.test(sign);
  const text = inlineHtml(first.slice(lead.length), page);
  const shown = isNumbered ? html`${mark(indent)}<span class="sign">${htmlText(sign)}</span> ` : mark(lead);
  const rest = more.map((line) => concat([html`\n`, continued(line, page)]));
  const end = isLast ? NOTHING : mark('\n');
  return html`<li class="${isNumbered ? html`number` : html`dot`} d${depth}">${shown}${text}${concat(rest)}${end}</li>`;
}

function continued(line: string, page: Page): HtmlText {
  const [space = ''] = /^\s*/.exec(line) ?? [];
  return concat([mark(space), inlineHtml(line.slice(space.length), page)]);
}

// --- tables

function tableHtml([head = '', delimiters = '', ...rows]: readonly string[], page: Page): HtmlText {
  const end = html`${mark(`\n${delimiters}${rows.length === 0 ? '' : '\n'}`)}`;
  const body = rows.map((row, index) => rowHtml(row, 'td', index < rows.length - 1 ? mark('\n') : NOTHING, page));
  const table = html`<thead>${rowHtml(head, 'th', end, page)}</thead><tbody>${concat(body)}</tbody>`;
  const look = html`class="wide" tabindex="0" role="group" aria-label="a table"`;
  return html`<div ${look}><table class="cells">${table}</table></div>`;
}

/** `end`: what the last cell holds besides its text. */
function rowHtml(row: string, name: 'th' | 'td', end: HtmlText, page: Page): HtmlText {
  const cells = cellsIn(row);
  const shown = cells.map(({ lead, text, tail }, index) => {
    const content = concat([
      mark(lead),
      inlineHtml(text, page),
      mark(tail),
      index === cells.length - 1 ? end : NOTHING,
    ]);
    return name === 'th' && text !== '' ? html`<th scope="col">${content}</th>` : html`<td>${content}</td>`;
  });
  return html`<tr>${concat(shown)}</tr>`;
}

interface Cell {
  /** The line between the cells, and spaces. */
  readonly lead: string;
  readonly text: string;
  readonly tail: string;
}

/** A backslash keeps a line in a cell from ending it. */
function cellsIn(row: string): Cell[] {
  const pieces = row.split(/(?<!\\)\|/);
  const hasStart = pieces[0]!.trim() === '' && pieces.length > 1;
  const hasEnd = pieces.at(-1)!.trim() === '' && pieces.length > (hasStart ? 2 : 1);
  const own = pieces.slice(hasStart ? 1 : 0, hasEnd ? -1 : undefined);
  return own.map((piece, index) => {
    const text = piece.trim();
    const from = piece.length - piece.trimStart().length;
    const before = index > 0 ? '|' : hasStart ? `${pieces[0]}|` : '';
    const after = hasEnd && index === own.length - 1 ? `|${pieces.at(-1)}` : '';
    return { lead: before + piece.slice(0, from), text, tail: piece.slice(from + text.length) + after };
  });
}
