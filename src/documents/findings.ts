/** `check --format json`, and the findings of `audit`. */
import type { z } from 'zod';
import { countOf, type Finding, type FindingsReport } from '../findings.js';
import { omissionsJson } from './omissions.js';
import type { Exact } from './print.js';
import type { checkSchema } from './schemas/findings.js';

export function checkDocument(report: FindingsReport): Exact<z.output<typeof checkSchema>> {
  const { findings, files, unreadable, transcripts, fixed, isPreview = false, suppressed = 0, omissions } = report;
  const summary = {
    files: files.length,
    transcripts,
    errors: countOf(report, 'error'),
    warnings: countOf(report, 'warning'),
    fixed: isPreview ? 0 : fixed,
    ...(isPreview ? { would_fix: fixed } : {}),
    ...(suppressed > 0 ? { suppressed } : {}),
  };
  const failures =
    unreadable.length === 0
      ? {}
      : {
          unreadable: unreadable.map(({ file, line, column, message }) => ({
            file,
            line: line ?? null,
            column: column ?? null,
            message,
          })),
        };
  const { unreadable: _, ...missing } = omissionsJson(omissions);
  const found = { findings: findings.map(findingJson), ...failures, ...missing };
  return { version: 1, ...found, summary };
}

function findingJson({ rule, severity, message, file, line, column, transcript, index, callId, fix }: Finding) {
  const of = transcript === undefined ? null : { index: transcript.index, id: transcript.id ?? null };
  return {
    rule,
    severity,
    message,
    file,
    line,
    column,
    transcript: of,
    index: index ?? null,
    call_id: callId ?? null,
    fix: fix ?? null,
  };
}
