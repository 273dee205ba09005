/** `stats --recorded`: takes the recorded requests of inputs, and keeps those of unchanged files for later runs. */
import { type PlacedPart, partsOf, textOfParts } from '../../app/stats/known-parts.js';
import type { Stats } from '../../app/stats/stats.js';
import { type Input, shownName } from '../../io/input.js';
import { type KnownFiles, openKnownFiles } from '../../io/known-files.js';
import type { Terminal } from '../../io/terminal.js';
import { openPieces } from '../shared/reading.js';
import type { StatsOptions } from './options.js';

declare const __BUILD__: string;

export interface RecordedTaker {
  take(input: Input): void;
  /** All inputs were taken. */
  close(): void;
}

export function recordedTaker(stats: Stats, options: StatsOptions, terminal: Terminal): RecordedTaker {
  const known = knownFiles(options, terminal);
  return {
    take(input) {
      const kept = known?.get(input);
      const { parts, hasWarned } =
        kept === undefined ? readParts(input, stats, options, terminal) : { parts: partsOf(kept), hasWarned: true };
      for (const { part, line } of parts) stats.addRecorded(part, { file: shownName(input.name), line });
      const text = known === undefined || hasWarned ? undefined : textOfParts(parts);
      if (text !== undefined) known!.put(input, text);
    },
    close: () => known?.close(),
  };
}

/** What is kept was read without these options. */
function knownFiles(options: StatsOptions, terminal: Terminal): KnownFiles | undefined {
  const { noCache, from, messages, skipBadLines, maxUnpacked, verbose } = options;
  const isSpecial = [noCache, from, messages, skipBadLines, maxUnpacked, verbose].some(
    (value) => value !== undefined && value !== false,
  );
  return isSpecial ? undefined : openKnownFiles('recorded', __BUILD__, terminal);
}

function readParts(input: Input, stats: Stats, options: StatsOptions, terminal: Terminal) {
  const parts: PlacedPart[] = [];
  let hasWarned = false;
  const warned = () => {
    hasWarned = true;
  };
  for (const piece of openPieces(input, options, terminal, { onlyWith: 'usage', warned })) {
    if (piece.type !== 'opened') continue;
    for (const transcript of piece.transcripts) {
      const part = stats.recordedPart(transcript);
      if (part !== undefined) parts.push({ line: piece.line, part });
    }
  }
  return { parts, hasWarned };
}
