/** How the files of sessions are read, of which some are none. */
import { isTranscriptError } from '../../../errors.js';
import type { LeftOut, SessionFile } from '../../sessions/sessions.js';

/** Leaves a file out that is no session. */
export async function orLeave<T>({ agent, path }: SessionFile, leftOut: LeftOut[], read: () => Promise<T>) {
  try {
    return await read();
  } catch (error) {
    if (!isTranscriptError(error)) throw error;
    if (!leftOut.some((one) => one.path === path)) leftOut.push({ agent, path, why: error.message });
    return undefined;
  }
}

export const READING = {
  from: undefined,
  messages: undefined,
  skipBadLines: undefined,
  maxUnpacked: undefined,
  config: undefined,
  plugin: [],
  verbose: undefined,
} as const;

/** Warnings about single lines belong to the commands that read a session. */
export const QUIET = { stderr: { isTerminal: false, columns: 80, write: () => {}, data: () => {} } } as const;
