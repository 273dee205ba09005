import {
  type Conversion,
  convert,
  type Fault,
  type Finding,
  isConverted,
  isWhole,
  printConversion,
  type Repair,
  type Target,
  targetNamed,
} from '../../../conversion/convert.js';
import { asLine, convertSession, rejectEmpty, sessionText } from '../../../conversion/session.js';
import { sessionTargetNamed } from '../../../conversion/session-targets.js';
import { omissionsJson } from '../../../documents/omissions.js';
import { TranscriptError } from '../../../errors.js';
import { formatNamed } from '../../../formats/index.js';
import type { SessionTarget } from '../../../formats/session.js';
import { addAll } from '../../../lists.js';
import { safeJson } from '../../../safe/json.js';
import { safe } from '../../../safe/text.js';
import { grouped } from '../../../text/words.js';
import type { BufferedSink } from '../../files/output.js';
import { collectOmissions, type OmissionsCollector } from '../../inputs/omissions.js';
import { forEachTranscript, namesLines, openTranscripts, type PlacedTranscript, say } from '../../inputs/reading.js';
import { threadsFor } from '../../inputs/thread-count.js';
import { type DonePart, serveParts } from '../../inputs/threads.js';
import type { ExitCode } from '../../options/command.js';
import type { Terminal } from '../../terminal/terminal.js';
import { lossLinesOf } from './losses.js';
import type { ConvertOptions } from './options.js';

/** What was lost, what was fixed and what is still wrong in one transcript. */
interface Converted {
  readonly file: string;
  readonly line: number;
  readonly findings: readonly Finding[];
  readonly repairs: readonly Repair[];
  readonly faults: readonly Fault[];
}

export async function runConvert(
  words: readonly string[],
  options: ConvertOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (options.to === undefined)
    throw new TranscriptError('usage', 'convert needs --to <format>; `ctx-trim formats` lists the formats');
  const session = sessionTargetNamed(options.to);
  const target = session === undefined ? targetNamed(options.to) : { ...session.format, encode: session.encode };
  const converted: Converted[] = [];
  const omissions = collectOmissions({ countsBadLines: false });
  const produce = (sink: BufferedSink) =>
    session === undefined
      ? convertAll(words, target, { ...options, omissions }, terminal, sink, converted)
      : convertSessions(words, session, { ...options, omissions }, terminal, sink, converted);
  const { intoFile } = await import('../../outputs/into-file.js');
  const good = await intoFile(options.output ?? '-', terminal, produce);
  if (!good && options.output !== undefined && options.output !== '-') return 2; // nothing was written
  if (options.format === 'json')
    terminal.stderr.write(safe`${safeJson({ version: 1, transcripts: converted, ...omissionsJson(omissions) })}\n`);
  else
    for (const line of [...lossLinesOf(converted), ...repairLines(converted, target), ...faultLines(converted, target)])
      say(terminal, `ctx-trim: ${line}`);
  if (!good) return 2;
  return converted.every(isWhole) && omissions.unread.length === 0 ? 0 : 1;
}

async function convertAll(
  words: readonly string[],
  target: Target,
  { omissions, ...options }: ConvertOptions & { readonly omissions: OmissionsCollector },
  terminal: Terminal,
  sink: BufferedSink,
  converted: Converted[],
): Promise<boolean> {
  const isLines = namesLines(options.output);
  let first: Conversion | undefined; // a single transcript is indented, so its output waits for the next one
  let count = 0;
  // every line is an object
  const putLine = ({ record }: Conversion) => printConversion(sink, { json: record }, true);
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
  const convertOne = ({ transcript, place, piece }: PlacedTranscript, take: (conversion: Conversion) => void) => {
    if (!isConverted(transcript)) return;
    const conversion = convert(transcript, formatNamed(transcript.format), target, piece.record);
    take(conversion);
    const { findings, repairs, faults } = conversion;
    if (findings.length + repairs.length + faults.length > 0) converted.push({ ...place, findings, repairs, faults });
  };
  if (terminal.serve !== undefined)
    serveParts(terminal, (input, part) => {
      converted.length = 0;
      for (const placed of openTranscripts(input, options, terminal, { omissions, onReuse: () => {} }))
        convertOne(placed, ({ record }) => printConversion(part, { json: record }, true));
      return converted;
    });
  const threads = threadsFor(words, options.threads, terminal);
  const helping = threads && {
    threads,
    mayBegin: () => isLines || count > 0,
    take({ data, output }: DonePart) {
      if (output.length > 0 && first !== undefined) putLine(first);
      if (output.length > 0) first = undefined;
      sink.slice(output, 0, output.length);
      sink.settle();
      addAll(converted, data as Converted[]);
    },
  };
  const isSilent = (options.output ?? '-') !== '-';
  const reading = { options, omissions, isSilent, onReuse: () => {}, threads: helping };
  const good = await forEachTranscript(terminal.serve === undefined ? words : [], terminal, reading, (placed) =>
    convertOne(placed, put),
  );
  threads?.close();
  if (first !== undefined) printConversion(sink, first, false);
  return good;
}

/** One line for each rule of the target that fixed something, with the count over all transcripts. */
function repairLines(converted: readonly Converted[], { id, provider }: Target): string[] {
  const counts = new Map<string, Repair>();
  for (const repair of converted.flatMap(({ repairs }) => repairs))
    counts.set(repair.rule, { ...repair, count: repair.count + (counts.get(repair.rule)?.count ?? 0) });
  return [...counts].map(
    ([rule, { summary, count, lossy }]) =>
      `fixed for ${provider?.title ?? id}${lossy ? ', with loss' : ''}: ${summary}, ${times(count)} (${rule})`,
  );
}

/** One line for each rule that the output breaks in a file, with its first place. */
function faultLines(converted: readonly Converted[], { id, provider }: Target): string[] {
  return converted.flatMap(({ file, line, faults }) =>
    [...new Set(faults.map(({ rule }) => rule))].map((rule) => {
      const [first, ...rest] = faults.filter((fault) => fault.rule === rule);
      const place = first!.message === undefined ? '' : `message ${first!.message}: `;
      const more = rest.length === 0 ? '' : `, and ${grouped(rest.length)} more`;
      return `${file}:${line}: ${provider?.title ?? id} rejects it: ${place}${first!.what}${more} (${rule})`;
    }),
  );
}

/** The sessions of agents are files of their own; a trajectory is a document. */
async function convertSessions(
  words: readonly string[],
  target: SessionTarget,
  { omissions, ...options }: ConvertOptions & { readonly omissions: OmissionsCollector },
  terminal: Terminal,
  sink: BufferedSink,
  converted: Converted[],
): Promise<boolean> {
  const texts: string[] = [];
  const isSilent = (options.output ?? '-') !== '-';
  const reading = { options, omissions, isSilent, onReuse: () => {} };
  const otherwise = { time: 0, project: terminal.cwd };
  const good = await forEachTranscript(words, terminal, reading, ({ transcript, place }) => {
    if (!isConverted(transcript) || (transcript.agent !== undefined && target.tools !== undefined)) return;
    if (target.tools !== undefined) rejectEmpty(transcript);
    const seed = `${target.format.id} ${transcript.id ?? place.file}`;
    const made = convertSession(transcript, formatNamed(transcript.format), target, { seed, otherwise });
    if (texts.length === 1 && !('document' in made.document))
      throw new TranscriptError('usage', 'a session is one transcript; convert them one by one, or use handover');
    texts.push(sessionText(made.document, namesLines(options.output) || texts.length > 0));
    if (made.findings.length > 0) converted.push({ ...place, findings: made.findings, repairs: [], faults: [] });
  });
  if (texts.length > 1 && texts[0]!.startsWith('{\n')) texts[0] = asLine(texts[0]!);
  for (const text of texts) sink.text(text);
  return good;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${grouped(count)} times`;
}
