/** The file beside a session in which its agent keeps what its requests used, if there is one. */
import { existsSync } from 'node:fs';
import { withRequests } from '../../engine/sessions/requests-beside.js';
import { storedFile, WITH_STORE } from '../../formats/agents.js';
import type { Transcript } from '../../transcript/types.js';
import { requestsOf, type UsageBeside } from './usage-requests.js';

const KINDS = WITH_STORE.flatMap(({ id, stores }) =>
  stores.flatMap(({ usage }) => (usage ? [{ agent: id, ...usage }] : [])),
);

type Warn = (text: string) => void;

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
