/**
 * The one way out for the text of others. What a transcript, a config or a file name says may steer a terminal, run as a command
 * of a CI log, or run in a spreadsheet: only text that went through here can be written, and the compiler holds it.
 *
 * `shown` leaves what is harmless as it is. Line breaks become `⏎`, tabs spaces, and whatever cannot be seen an escape such as `\x1b` or
 * `\u202e`: control characters, bidi controls, line separators, unpaired surrogates, noncharacters and all that is ignored by default.
 * Of the latter stay: joiners between pictographs and between letters of scripts that need them, variation selectors of
 * emoji and ideographs, tags of a flag.
 */

declare const context: unique symbol;

/** Text that is safe to print. Made only here. */
export type SafeText = string & { readonly [context]: { readonly shown: true } };
/** Text that is safe inside of a language, too. */
export type SafeIn<Language extends string> = SafeText & { readonly [context]: { readonly [name in Language]: true } };

/** A string that is known when the program is written: its type is not just `string`. */
type Literal<Text extends string> = string extends Text ? never : Text;
export type Template<Text extends SafeText> = (
  fixed: TemplateStringsArray,
  ...holes: readonly (Text | number | bigint)[]
) => Text;

/** A template of our own words, with holes for safe text and figures. */
export const safe: Template<SafeText> = (fixed, ...holes) => filled(fixed, holes);

/** Text of others on one line. */
export function shown(text: string): SafeText {
  return (PRINTABLE.test(text) ? text : text.replace(unseenPattern(), visible)).replace(COMMAND, '#\\x23') as SafeText;
}

/** Text of others whose lines are its own. */
export function shownLines(text: string): SafeText {
  return joined(text.split('\n').map(shown), '\n');
}

const PRINTABLE = /^[ -~]*$/;
/** Letters and marks that a joiner may stand between, and viramas, which it may follow anywhere. */
const JOINED = `[${['Arab', 'Syrc', 'Mong', 'Nkoo', 'Mand', 'Deva', 'Beng', 'Guru', 'Gujr', 'Orya', 'Taml', 'Telu', 'Knda', 'Mlym', 'Sinh', 'Khmr', 'Mymr', 'Tibt'].map((script) => `\\p{Script=${script}}`).join('')}]`;
const VIRAMA = '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca]';
const PICTOGRAPH = '\\p{Extended_Pictographic}';
/** What cannot be seen and yet has its place. */
const KEPT = [
  `(?<=${PICTOGRAPH}[\\ufe0f\\u{1f3fb}-\\u{1f3ff}]?)\\u200d(?=${PICTOGRAPH})`,
  `(?<=${JOINED})[\\u200c\\u200d](?=${JOINED})|(?<=${VIRAMA})[\\u200c\\u200d]`,
  '(?<=\\p{Emoji})[\\ufe0e\\ufe0f]|(?<=\\p{Ideographic})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]',
  '(?<=\\p{Script=Mong})[\\u180b-\\u180f]',
  '\\u{1f3f4}[\\u{e0030}-\\u{e0039}\\u{e0061}-\\u{e007a}]{3,6}\\u{e007f}',
].join('|');
let pattern: RegExp | undefined; // making it takes two milliseconds

/** What cannot be seen; in its first group what of that has its place. */
export function unseenPattern(): RegExp {
  pattern ??= new RegExp(
    `(${KEPT})|\\r?\\n|[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{DI}\\p{Bidi_C}\\p{NChar}\\ufff9-\\ufffb]`,
    'gu',
  );
  return pattern;
}

/** Azure takes a command anywhere in a line, and GitHub its older ones. */
export const COMMAND = /##(?=[a-z]*\[)/gi;

function visible(unseen: string, kept: string | undefined): string {
  if (kept !== undefined) return kept;
  if (unseen.endsWith('\n')) return '⏎';
  return unseen === '\t' ? ' ' : escaped(unseen);
}

function escaped(character: string): string {
  const hex = character.codePointAt(0)!.toString(16);
  return hex.length <= 2
    ? `\\x${hex.padStart(2, '0')}`
    : hex.length <= 4
      ? `\\u${hex.padStart(4, '0')}`
      : `\\u{${hex}}`;
}

// --- lines: none begins with a workflow command

/** What is no more than space and colour before. */
const INDENT = '(?:\\s|\\x1b\\[[\\d;]*m)*';
const LEADING = new RegExp(`^(${INDENT}):(?=:|$)`);
const NOTHING = new RegExp(`^${INDENT}$`);

function filled(fixed: readonly string[], holes: readonly (SafeText | number | bigint)[]): SafeText {
  let text = fixed[0]!;
  holes.forEach((hole, index) => {
    const part = String(hole);
    text +=
      (LEADING.test(part) && NOTHING.test(text.slice(text.lastIndexOf('\n') + 1)) ? begun(part) : part) +
      fixed[index + 1]!;
  });
  return text as SafeText;
}

function begun(line: string): string {
  return line.replace(LEADING, '$1\\x3a');
}

/** Parts one after the other, with something of ours between them. */
export function joined<Text extends SafeText, Separator extends string>(
  parts: readonly Text[],
  separator: Literal<Separator>,
): Text {
  return (separator === '\n' ? parts.map(begun) : parts).join(separator) as Text;
}

// --- what is made of a safe text is safe

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

/** As a library for colours makes it. */
export function painted(paint: (text: string) => string): (text: SafeText) => SafeText {
  return (text) => paint(text) as SafeText;
}
