/** `check --merge`: adds up reports of `check --format json`, such as those of the parts of a parallel job. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { z } from 'zod';
import { checkSchema } from '../../../documents/schemas/findings.js';
import { TranscriptError } from '../../../errors.js';
import type { Finding, FindingsReport, RuleWords } from '../../../findings.js';
import { unreadable } from '../../files/input.js';
import { portable } from '../../inputs/reading.js';

type Part = z.output<typeof checkSchema>;

/** In the order of the parts. Throws TranscriptError if a file is no such report: nothing is merged then. */
export function mergedReport(
  names: readonly string[],
  cwd: string,
  words: (rule: string) => RuleWords | undefined,
): FindingsReport {
  if (names.length === 0)
    throw new TranscriptError('usage', '--merge needs files written by `ctx-trim check --format json`');
  const once = new Map(names.map((name) => [name === '-' ? name : resolve(cwd, name), name]));
  const parts = [...once.values()].map((name) => readPart(name, cwd));
  const sum = (count: (summary: Part['summary']) => number | undefined) =>
    parts.reduce((all, { summary }) => all + (count(summary) ?? 0), 0);
  const placed = <T extends { readonly file: string }>(one: T) => ({ ...one, path: portable(one.file, cwd) });
  const findings = parts.flatMap((part) => part.findings).map((one): Finding => placed(findingFrom(one)));
  const severities = new Map(findings.map(({ rule, severity }) => [rule, severity]));
  return {
    findings,
    files: Array.from({ length: sum(({ files }) => files) }, () => ({ file: '', path: '' })), // parts only count them
    unreadable: parts
      .flatMap((part) => part.unreadable ?? [])
      .map(({ line, column, ...rest }) => placed({ ...rest, line: line ?? undefined, column: column ?? undefined })),
    omissions: {
      unread: parts.flatMap(({ unread }) => unread.map((rows) => ({ ...rows, isPart: false }))),
      badLines: parts.flatMap((part) => part.bad_lines),
    },
    transcripts: sum(({ transcripts }) => transcripts),
    fixed: sum(({ fixed, would_fix: wouldFix }) => fixed + (wouldFix ?? 0)),
    isPreview: parts.some(({ summary }) => summary.would_fix !== undefined),
    suppressed: sum(({ suppressed }) => suppressed),
    checks: undefined,
    wordsOf: (id) => words(id) ?? { id, summary: id, severity: severities.get(id)! },
  };
}

function findingFrom({ call_id: callId, index, transcript, fix, ...rest }: Part['findings'][number]) {
  return {
    ...rest,
    transcript: transcript === null ? undefined : { index: transcript.index, id: transcript.id ?? undefined },
    index: index ?? undefined,
    callId: callId ?? undefined,
    excerpt: undefined,
    fix: fix ?? undefined,
  };
}

function readPart(name: string, cwd: string): Part {
  let text: string;
  try {
    text = readFileSync(name === '-' ? 0 : resolve(cwd, name), 'utf8');
  } catch (error) {
    throw unreadable(name, error);
  }
  const read = checkSchema.safeParse(jsonIn(text));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const what = issue!.path.length === 0 ? '' : ` (\`${issue!.path.join('.')}\`: ${issue!.message})`;
  const takes = '--merge takes files written by `ctx-trim check --format json`';
  throw new TranscriptError('usage', `it is not a report of this version of ctx-trim${what}; ${takes}`, { file: name });
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
