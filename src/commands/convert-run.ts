import { type Conversion, conversionText, convert, type Finding, targetNamed } from '../conversion/convert.js';
import { TranscriptError } from '../errors.js';
import { formatNamed } from '../formats/index.js';
import { shownName } from '../io/input.js';
import type { BufferedSink } from '../io/output.js';
import type { Terminal } from '../io/terminal.js';
import { safeJson } from '../safe/json.js';
import { safe } from '../safe/text.js';
import type { ExitCode } from './command.js';
import type { ConvertOptions } from './options.js';
import { forEachInput, openPieces, say } from './reading.js';

/** What could not be carried over from one transcript. */
interface Lost {
  readonly file: string;
  readonly line: number;
  readonly findings: readonly Finding[];
}

export async function runConvert(
  words: readonly string[],
  options: ConvertOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options.to === undefined)
    throw new TranscriptError('usage', 'convert needs --to <format>; `ctx-trim formats` lists them');
  const lost: Lost[] = [];
  const produce = (sink: BufferedSink) => convertAll(words, options, terminal, sink, lost);
  const { intoFile } = await import('./into-file.js');
  const good = await intoFile(options.output ?? '-', terminal, produce);
  if (options.format === 'json') terminal.stderr.write(safe`${safeJson({ version: 1, transcripts: lost })}\n`);
  else for (const line of linesOf(lost)) say(terminal, `ctx-trim: ${line}`);
  if (!good) return 2;
  return lost.length > 0 ? 1 : 0;
}

async function convertAll(
  words: readonly string[],
  options: ConvertOptions,
  terminal: Terminal,
  sink: BufferedSink,
  lost: Lost[],
): Promise<boolean> {
  const target = targetNamed(options.to!);
  let first: Conversion | undefined; // the only transcript is laid out: whether it is the only one shows with the next
  let count = 0;
  const put = (conversion: Conversion) => {
    count++;
    if (count === 1) {
      first = conversion;
      return;
    }
    if (first !== undefined) sink.text(conversionText(first, true));
    first = undefined;
    sink.text(conversionText(conversion, true));
  };
  const good = await forEachInput(
    words,
    terminal,
    (input) => {
      const file = shownName(input.name);
      for (const piece of openPieces(input, options, terminal, () => {})) {
        if (piece.type !== 'opened') continue;
        for (const transcript of piece.transcripts) {
          const source = formatNamed(transcript.format);
          const conversion = convert(transcript, source, target, piece.record);
          put(conversion);
          if (conversion.findings.length > 0) lost.push({ file, line: piece.line, findings: conversion.findings });
        }
      }
    },
    options,
  );
  if (first !== undefined) sink.text(conversionText(first, false));
  return good;
}

/** A line for each finding of a file; what several transcripts have in common is said once. */
function linesOf(lost: readonly Lost[]): string[] {
  const byFinding = new Map<
    string,
    { readonly file: string; readonly line: number; readonly finding: Finding; count: number }
  >();
  for (const { file, line, findings } of lost) {
    for (const finding of findings) {
      const known = byFinding.get(`${file}\n${finding.what}`);
      if (known !== undefined) known.count++;
      else byFinding.set(`${file}\n${finding.what}`, { file, line, finding, count: 1 });
    }
  }
  return [...byFinding.values()].map(
    ({ file, line, finding, count }) =>
      `${file}:${line}: not carried over: ${count === 1 ? sentence(finding) : `${finding.what} (${count} transcripts)`}`,
  );
}

const SHOWN = 5;

function sentence({ what, messages }: Finding): string {
  if (messages.length === 0) return what;
  const rest = messages.length - SHOWN;
  return `${what} (${messages.length === 1 ? 'message' : 'messages'} ${messages.slice(0, SHOWN).join(', ')}${rest > 0 ? ` and ${rest} more` : ''})`;
}
