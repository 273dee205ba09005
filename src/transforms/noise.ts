/** What stands in results and says nothing: how it is found, and what is left. Each is its own function of a text. */
import { argumentsIn } from './file-calls.js';
import { OUTPUT_HEADER } from './shell-reads.js';

export const NOISE = ['ansi', 'progress', 'gutters', 'headers', 'base64'] as const;
export type Noise = (typeof NOISE)[number];

/** Escape sequences of terminals (ECMA-48): colors and movements, and titles and links. */
const [ESC, BELL] = ['\x1b', '\x07'];
const ESCAPES = new RegExp(
  `${ESC}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BELL}${ESC}]*(?:${BELL}|${ESC}\\\\)|[ -/]*[0-~])`,
  'g',
);

export const withoutEscapes = (text: string) => (text.includes('\x1b') ? text.replace(ESCAPES, '') : text);

/** What a terminal shows at last of lines that were printed over: progress bars. */
export function withoutProgress(text: string): string {
  return text.includes('\r') ? text.replace(/[^\r\n]*\r(?!\r*(?:\n|$))/g, '') : text;
}

/** Less is no gutter, but a list. */
const LEAST_NUMBERED = 3;
/**
 * Before the text of a line: `12→` of Claude Code, six columns and a tab of `cat -n` and `nl`, `00012| ` of opencode.
 * A number and a tab alone are a table, unless a tool writes them before each line.
 */
const NUMBERED = /^(?: *(\d+)→|(?=[ \d]{6}\t) *(\d+)\t|(\d{5})\| )/;
const TIGHT = /^(\d+)\t/;
/** Newer versions of Claude Code: https://github.com/letta-ai/letta-code/pull/3816, read 2026-11-26 */
export const NUMBERS_LINES: ReadonlySet<string | undefined> = new Set(['Read']);

/**
 * The numbers of lines before what a read shows. The first number stays where the lines do not begin with 1. A text
 * that has numbers of its own behind them does not change.
 */
export function withoutGutters(text: string, isTight: boolean): string {
  const bare = ungutted(text, isTight);
  return bare === text || ungutted(bare, isTight) === bare ? bare : text;
}

function ungutted(text: string, isTight: boolean): string {
  const numberOf = (line: string | undefined): number => {
    const found = line === undefined ? undefined : (NUMBERED.exec(line) ?? (isTight ? TIGHT.exec(line) : undefined));
    return Number(found?.slice(1).find((digits) => digits !== undefined));
  };
  const lines = text.split('\n');
  const numbers = lines.map(numberOf);
  let start = 0;
  for (let end = 1; end <= lines.length; end++) {
    if (numbers[end] === numbers[end - 1]! + 1) continue;
    if (end - start >= LEAST_NUMBERED)
      for (let at = numbers[start] === 1 ? start : start + 1; at < end; at++)
        lines[at] = lines[at]!.replace(NUMBERED.test(lines[at]!) ? NUMBERED : TIGHT, '');
    start = end;
  }
  return lines.join('\n');
}

/** The header of Codex above an output, and its wrapping in JSON, if the command worked. */
export function withoutHeader(text: string): string {
  if (text.startsWith('{"output":')) {
    const { output, metadata } = argumentsIn(text);
    const worked = typeof metadata === 'object' && metadata !== null && 'exit_code' in metadata && !metadata.exit_code;
    return typeof output === 'string' && worked ? output : text;
  }
  const header = OUTPUT_HEADER.exec(text)?.[0];
  return header === undefined || FAILED.test(header) ? text : text.slice(header.length);
}

const FAILED = /^(?:Exit code: *-?[1-9]|Process (?!exited with code 0$))/m;

/** So long a run without a space or another sign is data, not words. */
const BASE64 = /[A-Za-z\d+/]{200,}={0,2}/g;

/** Runs of base64 say nothing to a model. Those of letters or digits alone may be something else. */
export function withoutBase64(text: string): string {
  return text.replace(BASE64, (run) =>
    /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run) ? `[base64: ${run.length} characters]` : run,
  );
}
