/** A baseline: a file of known findings that are not reported. */
import { dirname, relative, resolve, sep } from 'node:path';
import { configError } from '../../../errors.js';
import { type Finding, findingKey, type TranscriptPlace, transcriptName } from '../../../findings.js';
import { safeJson } from '../../../safe/json.js';
import { type SafeText, safe } from '../../../safe/text.js';
import { parseJson } from '../../config/parse-json.js';
import { textFile } from '../../files/text-file.js';
import type { Terminal } from '../../terminal/terminal.js';

/** Of the file. One without a version was written by hand. */
const VERSION = 1;

interface Entry {
  readonly rule: string;
  readonly transcript: string;
  readonly call_id?: string;
  /** Index of the message, if the finding has no call. */
  readonly index?: number;
  /** Why it is accepted, for readers of the file. */
  readonly reason?: string;
  /** The last day on which the entry is valid: 2026-12-31. */
  readonly until?: string;
}

export interface Baseline {
  /** The findings that are not in the baseline. */
  without(findings: readonly Finding[]): Finding[];
  /** Notes about entries of these transcripts that match no finding, and about expired entries. */
  notes(transcripts: readonly TranscriptPlace[]): string[];
}

/** `today` as `2026-01-31`. */
export function readBaseline(file: string, terminal: Terminal, today: string): Baseline {
  const entries = entriesIn(file, terminal);
  const seen = seenFrom(file, terminal);
  const byKey = new Map(
    entries.map((entry) => [
      JSON.stringify([entry.rule, entry.transcript, entry.call_id ?? entry.index ?? null]),
      entry,
    ]),
  );
  const matched = new Set<string>();
  return {
    without: (findings) =>
      findings.filter((finding) => {
        const key = findingKey(seen(finding));
        const entry = byKey.get(key);
        if (entry !== undefined) matched.add(key);
        return entry === undefined || isExpired(entry, today);
      }),
    notes(transcripts) {
      const names = new Set(['', ...transcripts.map((place) => transcriptName(seen(place)))]);
      return [...byKey].flatMap(([key, entry]) => {
        if (!matched.has(key))
          return names.has(entry.transcript)
            ? [`${file}: no longer found: ${entryText(entry)}; update the file with --write-baseline`]
            : [];
        return isExpired(entry, today) ? [`${file}: ${entryText(entry)} expired on ${entry.until}`] : [];
      });
    },
  };
}

function isExpired({ until }: Entry, today: string): boolean {
  return until !== undefined && until < today;
}

function entryText({ rule, transcript, call_id, index, reason }: Entry): string {
  const words = [rule, transcript, call_id ?? (index === undefined ? '' : `message ${index}`)];
  return words.filter((word) => word !== '').join(' ') + (reason === undefined ? '' : ` (${reason})`);
}

/** Makes the path of a place relative to the folder of the baseline. */
function seenFrom(file: string, { cwd }: Terminal): <P extends TranscriptPlace>(place: P) => P {
  const folder = dirname(resolve(cwd, file));
  return (place) =>
    place.file === 'stdin'
      ? place
      : { ...place, path: relative(folder, resolve(cwd, place.file)).split(sep).join('/') };
}

function entriesIn(file: string, terminal: Terminal): readonly Entry[] {
  const text = textFile(file, terminal.cwd);
  const { version = VERSION, findings } = (parseJson(text, file) ?? {}) as { version?: unknown; findings?: unknown };
  if (version !== VERSION)
    throw configError(file, 'version', `expected ${VERSION}; a newer ctx-trim may have written the file`);
  if (!Array.isArray(findings))
    throw configError(file, 'findings', 'expected a list; create the file with `ctx-trim check --write-baseline`');
  findings.forEach((entry: Partial<Entry> | null, index) => {
    if (typeof entry?.rule !== 'string' || typeof entry.transcript !== 'string')
      throw configError(file, `findings[${index}]`, 'expected `rule` and `transcript`');
    if (entry.until !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(entry.until))
      throw configError(file, `findings[${index}].until`, 'expected a day such as 2026-12-31');
  });
  return findings as Entry[];
}

export function baselineText(found: readonly Finding[], file: string, terminal: Terminal): SafeText {
  const findings = found.map(seenFrom(file, terminal));
  const byKey = new Map(findings.map((finding) => [findingKey(finding), finding]));
  const entries = [...byKey.values()].map(
    (finding): Entry => ({ rule: finding.rule, transcript: transcriptName(finding), ...positionOf(finding) }),
  );
  return safe`${safeJson({ version: VERSION, findings: entries }, 2)}\n`;
}

function positionOf({ callId, index }: Finding): Pick<Entry, 'call_id' | 'index'> {
  if (callId !== undefined) return { call_id: callId };
  return index === undefined ? {} : { index };
}
