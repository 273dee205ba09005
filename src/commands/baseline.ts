/** Findings that are known and passed over, in a file of their own. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { configError } from '../errors.js';
import { unreadable } from '../io/input.js';
import type { Terminal } from '../io/terminal.js';
import { type FindingRow, findingKey, transcriptName } from '../reports/findings.js';
import { safeJson } from '../safe/json.js';
import { type SafeText, safe } from '../safe/text.js';
import { parseJson } from './parse-json.js';

interface Entry {
  readonly rule: string;
  readonly transcript: string;
  readonly call_id?: string;
  /** Of the message, where there is no call. */
  readonly index?: number;
}

export interface Baseline {
  /** The findings that it does not list. */
  without(findings: readonly FindingRow[]): FindingRow[];
  /** Entries that no finding matched. */
  stale(): string[];
}

export function readBaseline(file: string, terminal: Terminal): Baseline {
  const entries = entriesIn(file, terminal);
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
        const key = findingKey(finding);
        if (byKey.has(key)) matched.add(key);
        return !byKey.has(key);
      }),
    stale: () =>
      [...byKey].flatMap(([key, { rule, transcript, call_id, index }]) =>
        matched.has(key)
          ? []
          : [
              [rule, transcript, call_id ?? (index === undefined ? '' : `message ${index}`)]
                .filter((word) => word !== '')
                .join(' '),
            ],
      ),
  };
}

function entriesIn(file: string, terminal: Terminal): readonly Entry[] {
  let text: string;
  try {
    text = readFileSync(resolve(terminal.cwd, file), 'utf8');
  } catch (error) {
    throw unreadable(file, error);
  }
  const { findings } = (parseJson(text, file) ?? {}) as { findings?: unknown };
  if (!Array.isArray(findings))
    throw configError(file, 'findings', 'expected a list; `ctx-trim check --write-baseline` writes such a file');
  findings.forEach((entry: Partial<Entry> | null, index) => {
    if (typeof entry?.rule !== 'string' || typeof entry.transcript !== 'string')
      throw configError(file, `findings[${index}]`, 'expected `rule` and `transcript`');
  });
  return findings as Entry[];
}

export function baselineText(findings: readonly FindingRow[]): SafeText {
  const byKey = new Map(findings.map((finding) => [findingKey(finding), finding]));
  const entries = [...byKey.values()].map(
    (finding): Entry => ({
      rule: finding.rule,
      transcript: transcriptName(finding),
      ...(finding.callId !== undefined
        ? { call_id: finding.callId }
        : finding.index === undefined
          ? {}
          : { index: finding.index }),
    }),
  );
  return safe`${safeJson({ version: 1, findings: entries }, 2)}\n`;
}
