/** `handover --format json`. */
import type { z } from 'zod';
import type { SessionConversion } from '../conversion/session.js';
import type { Exact } from './print.js';
import type { handoverSchema } from './schemas/handover.js';

export interface HandedOver {
  readonly to: string;
  readonly file: string;
  readonly isWritten: boolean;
  readonly resume: string | undefined;
  readonly remove: string;
}

export function handoverDocument(
  { id, project, counts, findings }: SessionConversion,
  { to, file, isWritten, resume, remove }: HandedOver,
): Exact<z.output<typeof handoverSchema>> {
  return {
    version: 1,
    ...{ id, to, project, file, written: isWritten, ...counts },
    ...{ resume: resume ?? null, remove },
    lost: findings.map(({ what, loss, messages }) => ({ what, loss, messages })),
  };
}
