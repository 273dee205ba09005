/** How to go on with a session of an agent. */
import { quoted } from '../text/shell.js';
import { AGENTS } from './agents.js';

/** What a shell runs to go on with a session. Undefined for an agent of which nobody knows it. */
export function resumeCommand(agent: string, id: string, folder: string | undefined): string | undefined {
  const resume = AGENTS.find((one) => one.id === agent)?.resume;
  if (resume === undefined) return undefined;
  return `${folder === undefined ? '' : `cd ${quoted(folder)} && `}${resume} ${quoted(id)}`;
}
