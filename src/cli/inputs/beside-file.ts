/** Reads a file beside a session. */
import { readFileSync } from 'node:fs';
import { withBeside } from '../../engine/sessions/requests-beside.js';
import { isTranscriptError } from '../../errors.js';
import type { ProjectFile, UsageFile } from '../../formats/agent.js';
import { parse } from '../../json/node.js';
import type { Transcript } from '../../transcript/types.js';

export type Warn = (text: string) => void;

export function withUsageIn(transcript: Transcript, path: string, kind: UsageFile, warn: Warn): Transcript {
  return readOr(transcript, path, warn, (bytes) => withBeside(transcript, bytes, kind, path));
}

export function projectIn(path: string, { member }: ProjectFile, warn: Warn): string | undefined {
  return readOr(undefined, path, warn, (bytes) => parse(bytes).get(member)?.string);
}

function readOr<T>(nothing: T, path: string, warn: Warn, read: (bytes: Buffer) => T): T {
  try {
    return read(readFileSync(path));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isOurs = isTranscriptError(error) || error instanceof SyntaxError;
    if (!isOurs && code === undefined) throw error;
    warn(`${path} is left out: ${isOurs ? message : `it cannot be read (${code})`}`);
    return nothing;
  }
}
