/** `stats --recorded`: takes the recorded requests of inputs, and keeps those of unchanged files for later runs. */
import { type PlacedPart, partsOf, textOfParts } from '../../../engine/stats/known-parts.js';
import type { Stats } from '../../../engine/stats/stats.js';
import { readLedger } from '../../../source/ledger.js';
import { type Input, type NamedInput, pathOf, shownName } from '../../files/input.js';
import { openKnownFiles } from '../../files/known-files.js';
import { openCounted } from '../../inputs/long-run.js';
import type { OmissionsCollector } from '../../inputs/omissions.js';
import { openTranscripts } from '../../inputs/reading.js';
import { usageBeside } from '../../inputs/usage-file.js';
import type { ReadingOptions } from '../../options/options.js';
import type { Terminal } from '../../terminal/terminal.js';
import type { StatsOptions } from './options.js';

declare const __BUILD__: string;

/** How files are read, and whether anything of them is kept. */
export type RecordedOptions = ReadingOptions & Pick<StatsOptions, 'noCache'> & { readonly by?: string | undefined };

export interface RecordedTaker {
  /** Takes the requests that an earlier run kept of an input. Returns false if none were kept. */
  isKnown(input: NamedInput): boolean;
  take(input: Input): void;
  /** All inputs were taken. */
  close(): void;
}

export function recordedTaker(
  stats: Stats,
  options: RecordedOptions,
  terminal: Terminal,
  omissions: OmissionsCollector,
): RecordedTaker {
  const partOf: PartOf = (transcript) => stats.recordedPart(transcript);
  const isPlain = isPlainReading(options);
  const known = isPlain && options.noCache !== true ? openKnownFiles('recorded', __BUILD__, terminal) : undefined;
  const read = (input: Input): Parts =>
    (isPlain ? ledgerParts(input, partOf) : undefined) ?? readParts(input, partOf, { ...options, omissions }, terminal);
  const add = ({ name }: NamedInput, parts: readonly PlacedPart[]) => {
    for (const { part, line } of parts) stats.addRecorded(part, { file: shownName(name), line });
  };
  return {
    isKnown(input) {
      const path = pathOf(input, terminal);
      const kept = path === undefined || usageBeside(path) !== undefined ? undefined : known?.get(path);
      const parts = kept === undefined ? undefined : partsOf(kept);
      if (parts !== undefined) add(input, parts);
      return parts !== undefined;
    },
    take(input) {
      const { parts, hasWarned } = read(input);
      add(input, parts);
      const isShared = usageBeside(input.path) !== undefined; // what is beside it can change alone
      const text = known === undefined || hasWarned || isShared ? undefined : textOfParts(parts);
      if (text !== undefined && input.path !== undefined) known!.put(input.path, text);
    },
    close: () => known?.close(),
  };
}

/** Takes a file, or what an earlier run kept of it. Throws TranscriptError for one that is no session. */
export async function takeFile(taker: RecordedTaker, path: string, terminal: Terminal): Promise<void> {
  if (taker.isKnown({ name: path })) return;
  const input = await openCounted({ name: path }, terminal);
  try {
    taker.take(input);
  } finally {
    input.close();
  }
}

/** Whether no option changes how files are read, and what of them: else nothing is kept of them. */
function isPlainReading({ from, messages, skipBadLines, maxUnpacked, verbose, by }: RecordedOptions): boolean {
  const options = [from, messages, skipBadLines, maxUnpacked, verbose];
  return !isByTitle(by) && options.every((value) => value === undefined || value === false);
}

/** Titles may be prompts, which lines without usage hold. */
function isByTitle(by: string | undefined): boolean {
  return by?.split(',').includes('title') === true;
}

type PartOf = Stats['recordedPart'];

interface Parts {
  readonly parts: readonly PlacedPart[];
  readonly hasWarned: boolean;
}

/** The parts of a log whose requests can be read without its content. */
function ledgerParts({ reread, allowance }: Input, partOf: PartOf): Parts | undefined {
  const log = reread === undefined || allowance !== undefined ? undefined : readLedger(reread);
  if (log === undefined) return undefined;
  const parts = log.transcripts.flatMap((transcript) => partOf(transcript) ?? []);
  return { parts: parts.map((part) => ({ line: log.line, part })), hasWarned: false };
}

type Reading = RecordedOptions & { readonly omissions: OmissionsCollector };

function readParts(input: Input, partOf: PartOf, { omissions, ...options }: Reading, terminal: Terminal): Parts {
  const parts: PlacedPart[] = [];
  let hasWarned = false;
  const warned = () => {
    hasWarned = true;
  };
  for (const { transcript, place } of openTranscripts(input, options, terminal, {
    ...(isByTitle(options.by) ? {} : { onlyWith: 'usage' }),
    warned,
    omissions,
  })) {
    const part = partOf(transcript);
    if (part !== undefined) parts.push({ line: place.line, part });
  }
  return { parts, hasWarned };
}
