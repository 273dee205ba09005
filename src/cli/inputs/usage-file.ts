/** The file beside a session in which its agent keeps what its requests used, if there is one. */
import { existsSync, readFileSync } from 'node:fs';
import { requestsIn, withRequests } from '../../engine/sessions/requests-beside.js';
import { isTranscriptError } from '../../errors.js';
import type { UsageFile } from '../../formats/agent.js';
import { storedFile, WITH_STORE } from '../../formats/agents.js';
import type { Recorded, Transcript } from '../../transcript/types.js';

const KINDS = WITH_STORE.flatMap(({ id, stores }) =>
  stores.flatMap(({ usage }) => (usage ? [{ agent: id, ...usage }] : [])),
);

type Warn = (text: string) => void;

export interface UsageBeside {
  readonly path: string;
  readonly kind: UsageFile;
}

/** Undefined for a path beside which there is none. */
export function usageBeside(path: string | undefined): UsageBeside | undefined {
  const stored = path === undefined ? undefined : storedFile(path)?.agent;
  const kind =
    path === undefined ? undefined : KINDS.find(({ agent, of }) => agent === (stored ?? agent) && of.test(path));
  const beside = kind && path!.replace(kind.of, kind.is);
  return beside !== undefined && existsSync(beside) ? { path: beside, kind: kind! } : undefined;
}

/** The first transcript of a file gets the requests beside it. `warn` hears which file cannot be read. */
export function usageTaker(path: string | undefined, warn: Warn): (transcript: Transcript) => Transcript {
  let beside = usageBeside(path);
  return (transcript) => {
    if (beside === undefined) return transcript;
    const requests = requestsOf(beside, warn);
    beside = undefined;
    return withRequests(transcript, requests);
  };
}

function requestsOf({ path, kind }: UsageBeside, warn: Warn): readonly Recorded[] {
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
