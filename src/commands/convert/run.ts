import {
  type Conversion,
  conversionText,
  convert,
  type Finding,
  type Repair,
  type Target,
  targetNamed,
} from '../../conversion/convert.js';
import { TranscriptError } from '../../errors.js';
import { formatNamed } from '../../formats/index.js';
import { shownName } from '../../io/input.js';
import type { BufferedSink } from '../../io/output.js';
import type { Terminal } from '../../io/terminal.js';
import { safeJson } from '../../safe/json.js';
import { safe } from '../../safe/text.js';
import { grouped } from '../../text/words.js';
import type { ExitCode } from '../command.js';
import type { ConvertOptions } from '../shared/options.js';
import { forEachInput, namesLines, openPieces, say } from '../shared/reading.js';

/** What could not be carried over from one transcript, and what was mended in it. */
interface Told {
  readonly file: string;
  readonly line: number;
  readonly findings: readonly Finding[];
  readonly repairs: readonly Repair[];
}

export async function runConvert(
  words: readonly string[],
  options: ConvertOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options.to === undefined)
    throw new TranscriptError('usage', 'convert needs --to <format>; `ctx-trim formats` lists them');
  const target = targetNamed(options.to);
  const told: Told[] = [];
  const produce = (sink: BufferedSink) => convertAll(words, target, options, terminal, sink, told);
  const { intoFile } = await import('../shared/into-file.js');
  const good = await intoFile(options.output ?? '-', terminal, produce);
  if (!good && options.output !== undefined && options.output !== '-') return 2; // nothing was written
  if (options.format === 'json') terminal.stderr.write(safe`${safeJson({ version: 1, transcripts: told })}\n`);
  else for (const line of [...linesOf(told), ...repairLines(told, target)]) say(terminal, `ctx-trim: ${line}`);
  if (!good) return 2;
  return told.some(({ findings }) => findings.some(({ loss }) => loss)) ? 1 : 0;
}

async function convertAll(
  words: readonly string[],
  target: Target,
  options: ConvertOptions,
  terminal: Terminal,
  sink: BufferedSink,
  told: Told[],
): Promise<boolean> {
  const isLines = namesLines(options.output);
  let first: Conversion | undefined; // the only transcript is laid out: whether it is the only one shows with the next
  let count = 0;
  const putLine = ({ record }: Conversion) => sink.text(conversionText({ json: record }, true)); // all lines are objects
  const put = (conversion: Conversion) => {
    count++;
    if (count === 1 && !isLines) {
      first = conversion;
      return;
    }
    if (first !== undefined) putLine(first);
    first = undefined;
    putLine(conversion);
  };
  const good = await forEachInput(
    words,
    terminal,
    (input) => {
      const file = shownName(input.name);
      for (const piece of openPieces(input, options, terminal, () => {})) {
        if (piece.type !== 'opened') continue;
        for (const transcript of piece.transcripts) {
          const conversion = convert(transcript, formatNamed(transcript.format), target, piece.record);
          put(conversion);
          const { findings, repairs } = conversion;
          if (findings.length > 0 || repairs.length > 0) told.push({ file, line: piece.line, findings, repairs });
        }
      }
    },
    options,
  );
  if (first !== undefined) sink.text(conversionText(first, false));
  return good;
}

/** A line for each finding of a file; what several transcripts have in common is said once. */
function linesOf(told: readonly Told[]): string[] {
  const byFinding = new Map<
    string,
    { readonly file: string; readonly line: number; readonly finding: Finding; count: number }
  >();
  for (const { file, line, findings } of told) {
    for (const finding of findings) {
      const known = byFinding.get(`${file}\n${finding.what}`);
      if (known !== undefined) known.count++;
      else byFinding.set(`${file}\n${finding.what}`, { file, line, finding, count: 1 });
    }
  }
  return [...byFinding.values()].map(
    ({ file, line, finding, count }) =>
      `${file}:${line}: ${finding.loss ? '' : 'note: '}not carried over: ${count === 1 ? sentence(finding) : `${finding.what} (${count} transcripts)`}`,
  );
}

/** A line for each rule of the target that mended something: how often, in all transcripts. */
function repairLines(told: readonly Told[], { id, provider }: Target): string[] {
  const counts = new Map<string, { readonly summary: string; count: number }>();
  for (const { rule, summary, count } of told.flatMap(({ repairs }) => repairs)) {
    const known = counts.get(rule);
    if (known !== undefined) known.count += count;
    else counts.set(rule, { summary, count });
  }
  return [...counts].map(
    ([rule, { summary, count }]) => `mended for ${provider?.title ?? id}: ${summary}, ${times(count)} (${rule})`,
  );
}

function times(count: number): string {
  return count === 1 ? 'once' : `${grouped(count)} times`;
}

const SHOWN = 5;

function sentence({ what, messages }: Finding): string {
  if (messages.length === 0) return what;
  const rest = messages.length - SHOWN;
  return `${what} (${messages.length === 1 ? 'message' : 'messages'} ${messages.slice(0, SHOWN).join(', ')}${rest > 0 ? ` and ${rest} more` : ''})`;
}
