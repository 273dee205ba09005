/** The files beside a session in which its agent keeps what its requests used, and its project, if there are some. */
import { existsSync, readFileSync } from 'node:fs';
import { withBeside } from '../../engine/sessions/requests-beside.js';
import { isTranscriptError } from '../../errors.js';
import type { UsageFile } from '../../formats/agent.js';
import { storedFile, WITH_STORE } from '../../formats/agents.js';
import { parse } from '../../json/node.js';
import type { Transcript } from '../../transcript/types.js';

const kindsOf = <K extends 'usage' | 'project'>(kind: K) =>
  WITH_STORE.flatMap(({ id, stores }) =>
    stores.flatMap(({ [kind]: file }) => (file === undefined ? [] : [{ agent: id, ...file }])),
  );
const USAGE = kindsOf('usage');
const PROJECTS = kindsOf('project');

type Warn = (text: string) => void;

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
    return readOr(named, file, warn, (bytes) => withBeside(named, bytes, kind, file));
  };
}

function projectBeside(path: string | undefined, warn: Warn): string | undefined {
  const beside = fileBeside(path, PROJECTS);
  return beside && readOr(undefined, beside.path, warn, (bytes) => parse(bytes).get(beside.kind.member)?.string);
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
