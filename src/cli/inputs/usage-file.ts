/** The files beside a session in which its agent keeps what its requests used, and its project, if there are some. */
import { existsSync } from 'node:fs';
import type { UsageFile } from '../../formats/agent.js';
import { storedFile, WITH_STORE } from '../../formats/agents.js';
import type { Transcript } from '../../transcript/types.js';
import { projectIn, type Warn, withUsageIn } from './beside-file.js';

const kindsOf = <K extends 'usage' | 'project'>(kind: K) =>
  WITH_STORE.flatMap(({ id, stores }) =>
    stores.flatMap(({ [kind]: file }) => (file === undefined ? [] : [{ agent: id, ...file }])),
  );
const USAGE = kindsOf('usage');
const PROJECTS = kindsOf('project');

export interface UsageBeside {
  readonly path: string;
  readonly kind: UsageFile;
}

/** Undefined for a path beside which there is none. */
export function usageBeside(path: string | undefined): UsageBeside | undefined {
  return fileBeside(path, USAGE);
}

function fileBeside<K extends { readonly agent: string; readonly of: RegExp; readonly is: string }>(
  path: string | undefined,
  kinds: readonly K[],
) {
  if (path === undefined) return undefined;
  const stored = storedFile(path)?.agent;
  const kind = kinds.find(({ agent, of }) => agent === (stored ?? agent) && of.test(path));
  const beside = kind && path.replace(kind.of, kind.is);
  return beside !== undefined && existsSync(beside) ? { path: beside, kind: kind! } : undefined;
}

/**
 * The transcripts of a file get the project beside it, and the first of them the requests. `warn` hears which file
 * cannot be read.
 */
export function usageTaker(path: string | undefined, warn: Warn): (transcript: Transcript) => Transcript {
  let beside = usageBeside(path);
  const project = projectBeside(path, warn);
  return (transcript) => {
    const named = project === undefined ? transcript : { ...transcript, project: transcript.project ?? project };
    if (beside === undefined) return named;
    const { path: file, kind } = beside;
    beside = undefined;
    return withUsageIn(named, file, kind, warn);
  };
}

function projectBeside(path: string | undefined, warn: Warn): string | undefined {
  const beside = fileBeside(path, PROJECTS);
  return beside && projectIn(beside.path, beside.kind, warn);
}
