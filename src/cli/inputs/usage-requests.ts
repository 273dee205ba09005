/** Reads the file beside a session in which its agent keeps what its requests used. */
import { readFileSync } from 'node:fs';
import { requestsIn } from '../../engine/sessions/requests-beside.js';
import { isTranscriptError } from '../../errors.js';
import type { UsageFile } from '../../formats/agent.js';
import type { Recorded } from '../../transcript/types.js';

export interface UsageBeside {
  readonly path: string;
  readonly kind: UsageFile;
}

/** `warn` hears why it cannot be read: then there are none. */
export function requestsOf({ path, kind }: UsageBeside, warn: (text: string) => void): readonly Recorded[] {
  try {
    return requestsIn(readFileSync(path), kind, path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isOurs = isTranscriptError(error) || error instanceof SyntaxError;
    if (!isOurs && code === undefined) throw error;
    warn(`${path} is left out: ${isOurs ? message : `it cannot be read (${code})`}`);
    return [];
  }
}
