/**
 * Makes foreign text safe to print. Text from a transcript, a config or a file name could control a terminal, run as a
 * command of a CI log, or run in a spreadsheet. The type SafeText makes the compiler check that all output went through
 * here. `shown` does not change harmless text. Line breaks become `⏎`, tabs spaces, and invisible characters escapes
 * such as `\x1b` or `\u202e`: control characters, bidi controls, line separators, unpaired surrogates, noncharacters,
 * and default-ignorable code points except joiners between pictographs and between letters of scripts that need them,
 * variation selectors of emoji and ideographs, and tags of flags.
 */

declare const context: unique symbol;

/** Text that is safe to print. Only this folder creates it. */
export type SafeText = string & { readonly [context]: { readonly shown: true } };
/** Text that is also safe inside of a language. */
export type SafeIn<Language extends string> = SafeText & { readonly [context]: { readonly [name in Language]: true } };

/** A string literal: its type is not just `string`. */
type Literal<Text extends string> = string extends Text ? never : Text;
export type Template<Text extends SafeText> = (
  fixed: TemplateStringsArray,
  ...holes: readonly (Text | number | bigint)[]
) => Text;

/** A template of fixed text, with safe text and numbers in it. */
export const safe: Template<SafeText> = (fixed, ...holes) => filled(fixed, holes);

/** Foreign text on one line. */
export function shown(text: string): SafeText {
  return visibleIn(text).replace(COMMAND, '#\\x23') as SafeText;
}

/** Foreign text that keeps its lines. */
export function shownLines(text: string): SafeText {
  return joined(text.split('\n').map(shown), '\n');
}

function visibleIn(text: string): string {
  if (PRINTABLE.test(text)) return text;
  return PLAIN.test(text) ? text.replaceAll('\n', '⏎').replaceAll('\t', ' ') : text.replace(unseenPattern(), visible);
}

const PRINTABLE = /^[ -~]*$/;
/**
 * Most texts of several lines need no more than this, and the pattern for all takes twenty times as long. None of these
 * characters is invisible: letters of Latin, punctuation, arrows, mathematical signs, kana, ideographs, Hangul.
 */
export const PLAIN = new RegExp(
  '^[\\n\\t -~\\u00a1-\\u00ac\\u00ae-\\u024f\\u2010-\\u2027\\u2030-\\u205e\\u2190-\\u22ff' +
    '\\u3001-\\u303d\\u3041-\\u3096\\u30a0-\\u30ff\\u4e00-\\u9fff\\uac00-\\ud7a3]*$',
);
/** Scripts with joiners between their letters, and viramas, which a joiner may follow anywhere. */
const SCRIPTS = 'Arab Syrc Mong Nkoo Mand Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt';
const JOINED = `[${SCRIPTS.replace(/(\w+) ?/g, '\\p{Script=$1}')}]`;
const VIRAMA = '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca]';
const PICTOGRAPH = '\\p{Extended_Pictographic}';
/** Invisible characters that are kept. */
const KEPT = [
  `(?<=${PICTOGRAPH}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=${PICTOGRAPH})`,
  `(?<=${JOINED})[\\u200c\\u200d](?=${JOINED})|(?<=${VIRAMA})[\\u200c\\u200d]`,
  '(?<=\\p{Emoji})[\\ufe0e\\ufe0f]|(?<=\\p{Ideographic})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '(?<=\\p{Script=Mong})[\\u180b-\\u180f]',
  '\\u{1f3f4}[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{3,6}\\u{e007f}',
].join('|');
let pattern: RegExp | undefined; // making it takes two milliseconds

/** Invisible characters; the first group holds those that are kept. */
export function unseenPattern(): RegExp {
  pattern ??= new RegExp(
    `(${KEPT})|\\r?\\n|[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{DI}\\p{Bidi_C}\\p{NChar}\\ufff9-\\ufffb]`,
    'gu',
  );
  return pattern;
}

/** Azure runs commands anywhere in a line, and GitHub its older ones. */
export const COMMAND = /##(?=[a-z]*\[)/gi;

function visible(unseen: string, kept: string | undefined): string {
  if (kept !== undefined) return kept;
  if (unseen.endsWith('\n')) return '⏎';
  return unseen === '\t' ? ' ' : escaped(unseen);
}

function escaped(character: string): string {
  const hex = character.codePointAt(0)!.toString(16);
  if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`;
  return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\u{${hex}}`;
}

// --- no line starts with a workflow command

/** White space and colors. */
const INDENT = '(?:\\s|\\x1b\\[[\\d;]*m)*';
const LEADING = new RegExp(`^(${INDENT}):(?=:|$)`);
const NOTHING = new RegExp(`^${INDENT}$`);

function filled(fixed: readonly string[], holes: readonly (SafeText | number | bigint)[]): SafeText {
  let text = fixed[0]!;
  holes.forEach((hole, index) => {
    const part = String(hole);
    text +=
      (part.includes(':') && LEADING.test(part) && NOTHING.test(text.slice(text.lastIndexOf('\n') + 1))
        ? begun(part)
        : part) + fixed[index + 1]!;
  });
  return text as SafeText;
}

function begun(line: string): string {
  return line.replace(LEADING, '$1\\x3a');
}

/** Joins parts with a fixed separator. */
export function joined<Text extends SafeText, Separator extends string>(
  parts: readonly Text[],
  separator: Literal<Separator>,
): Text {
  return (separator === '\n' ? parts.map(begun) : parts).join(separator) as Text;
}

// --- operations that keep a text safe

export function pieces(text: SafeText, separator: string | RegExp): SafeText[] {
  return text.split(separator) as SafeText[];
}

export function sliced(text: SafeText, start: number, end?: number): SafeText {
  return text.slice(start, end) as SafeText;
}

export function trimmed(text: SafeText): SafeText {
  return text.trimEnd() as SafeText;
}

export function spaces(count: number): SafeText {
  return ' '.repeat(Math.max(0, count)) as SafeText;
}

/** Adds colors. */
export function painted(paint: (text: string) => string): (text: SafeText) => SafeText {
  return (text) => paint(text) as SafeText;
}

/** Lines in which a library has laid out safe texts. The beginning of each is made safe again. */
export function fromLibrary(lines: string): SafeText {
  return joined(pieces(lines as SafeText, '\n'), '\n');
}
