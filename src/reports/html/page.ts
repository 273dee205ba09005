/** A page that is being written: its texts, its folded texts, and the style rules of its boxes. */
import { type HtmlText, html, htmlText, visibleLines } from '../../safe/formats.js';
import { joined, type SafeText } from '../../safe/text.js';
import type { Clean } from '../../transcript/cleaned.js';

export interface Page {
  /** Redacts a text. */
  readonly clean: Clean;
  /** Foreign text, redacted and escaped. */
  text(text: string): HtmlText;
  /** Foreign text, redacted, with invisible characters made visible; not escaped. */
  plain(text: string): SafeText;
  /** Whether addresses in texts are links. By default they are text, since others wrote them. */
  readonly links: boolean;
  /** How much of long texts is shown before they are folded: 1, or less in a session of very much text. */
  scale: number;
  /** Keeps the hidden part of a folded text, and returns its number. */
  keep(text: SafeText): number;
  /** These parts, by number. */
  readonly kept: readonly SafeText[];
  /** Adds a rule to the style sheet: a page with a strict policy allows no style attributes. */
  addRule(rule: HtmlText): void;
  readonly rules: readonly HtmlText[];
}

/** Where a session is written. */
export interface SessionLook {
  /** In front of all its ids; empty on a page of one session. */
  readonly prefix: HtmlText;
  readonly page: Page;
}

/** `clean`: redacts a text. `links`: whether addresses in texts are links. */
export function createPage({ clean, links }: { readonly clean: Clean; readonly links: boolean }): Page {
  const kept: SafeText[] = [];
  const numbers = new Map<SafeText, number>();
  const rules: HtmlText[] = [];
  const plain = (text: string) => visibleLines(clean(text));
  return {
    clean,
    plain,
    links,
    scale: 1,
    text: (text) => htmlText(plain(text)),
    keep(text) {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      numbers.set(text, kept.length);
      return kept.push(text) - 1;
    },
    kept,
    addRule: (rule) => void rules.push(rule),
    rules,
  };
}

export function lines(parts: readonly HtmlText[]): HtmlText {
  return joined(parts, '\n');
}

export function concat(parts: readonly HtmlText[]): HtmlText {
  return joined(parts, '');
}

/** A number with at most `digits` decimals, for CSS and SVG. */
export function short(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

export const NOTHING = html``;
