/** What `check` and `audit` find: one shape for rules, budgets, policies and schemas. */

import type { Omissions } from './omissions.js';

/** `info` is worth knowing and never fails a check. */
export type Severity = 'error' | 'warning' | 'info';

/** `safe` loses and invents nothing, `lossy` removes something, `synthetic` adds something that nobody said. */
export type Safety = 'safe' | 'lossy' | 'synthetic';

export interface Finding {
  readonly rule: string;
  readonly severity: Severity;
  /** A sentence that says what is wrong here. */
  readonly message: string;
  /** As the user named it; `stdin`. */
  readonly file: string;
  /** The same for programs: relative to the working directory where it is below that, with slashes. */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /**
   * Its place among those of the file, from 0, and its id in the recording. Undefined for what concerns all together.
   */
  readonly transcript: { readonly index: number; readonly id: string | undefined } | undefined;
  /** The message, by index in the transcript. */
  readonly index: number | undefined;
  readonly callId: string | undefined;
  /** The beginning of the JSON that has the fault, on one line. */
  readonly excerpt: string | undefined;
  readonly fix: { readonly safety: Safety; readonly summary: string } | undefined;
  /** The API's error as it would name this message; of findings of rules. */
  readonly error?: string | undefined;
}

/** What is said of a rule, once for all its findings. */
export interface RuleWords {
  readonly id: string;
  readonly summary: string;
  readonly severity: Severity;
  /** The literal text of the provider's error; a budget has none. */
  readonly error?: string;
  readonly cause?: string;
  readonly fix?: { readonly safety: Safety; readonly summary: string };
  /** `owner/repository#number`. */
  readonly reported?: readonly string[];
}

export interface Unreadable {
  readonly file: string;
  readonly path: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly message: string;
}

export interface FindingsReport {
  /** By file, in the order of the inputs, then by line and column. */
  readonly findings: readonly Finding[];
  /** Every file that was read to its end, by its name and path. */
  readonly files: readonly { readonly file: string; readonly path: string }[];
  readonly unreadable: readonly Unreadable[];
  /** What was not read of the files that could be. */
  readonly omissions?: Omissions | undefined;
  readonly transcripts: number;
  /** How many findings were mended. */
  readonly fixed: number;
  /** Nothing is written: so many would be mended. */
  readonly isPreview?: boolean | undefined;
  /** How many findings the config hides. */
  readonly suppressed?: number | undefined;
  /** The number of rules applied; undefined where reports are added up, which do not tell. */
  readonly checks: number | undefined;
  wordsOf(rule: string): RuleWords;
}

export function countOf({ findings }: FindingsReport, severity: Severity): number {
  return findings.filter((finding) => finding.severity === severity).length;
}

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'info'];

/** Errors first. */
export function bySeverity(a: Pick<Finding, 'severity'>, b: Pick<Finding, 'severity'>): number {
  return SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
}

/** Where a transcript stands. */
export type TranscriptPlace = Pick<Finding, 'file' | 'path' | 'transcript'>;

/** What names a transcript from one run to the next. */
export function transcriptName({ path, transcript }: Omit<TranscriptPlace, 'file'>): string {
  return transcript?.id ?? (transcript === undefined ? '' : `${path}#${transcript.index}`);
}

/** What names a finding from one run to the next: its line may change. */
export function findingKey(finding: Pick<Finding, 'rule' | 'path' | 'transcript' | 'callId' | 'index'>): string {
  return JSON.stringify([finding.rule, transcriptName(finding), finding.callId ?? finding.index ?? null]);
}

/** A fingerprint for each finding, in their order: 32 hexadecimal digits that stay the same while the finding does. */
export function fingerprintsOf(findings: readonly Finding[]): string[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const key = `${finding.path} ${findingKey(finding)}`;
    const times = seen.get(key) ?? 0;
    seen.set(key, times + 1);
    return hash(`${key} ${times}`);
  });
}

/** Four FNV-1a hashes. */
function hash(text: string): string {
  return [0x811c9dc5, 0x9e3779b9, 0x85ebca6b, 0xc2b2ae35]
    .map((seed) => {
      let value = seed;
      for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193) >>> 0;
      return value.toString(16).padStart(8, '0');
    })
    .join('');
}

/** Where a rule's fault was reported first. */
export function helpUriOf({ reported }: RuleWords): string {
  const [, repository, number] = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(reported?.[0] ?? '') ?? [];
  return repository === undefined ? HOME : `https://github.com/${repository}/issues/${number}`;
}

export const HOME = 'https://www.npmjs.com/package/ctx-trim';
