/** Where a new session goes, and the commands that go on with it and remove it. */
import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { SessionConversion } from '../../../conversion/session.js';
import type { Agent } from '../../../formats/agent.js';
import type { SessionTarget } from '../../../formats/session.js';
import { isoTime } from '../../../formats/session.js';
import { quoted } from '../../../text/shell.js';
import { foldersOf } from '../../sessions/sessions.js';
import type { Terminal } from '../../terminal/terminal.js';

export interface Place {
  readonly file: string;
  /** In a shell, in any folder. */
  readonly resume: string | undefined;
  readonly remove: string;
}

export function placeOf(
  made: SessionConversion,
  target: SessionTarget,
  agent: Agent | undefined,
  output: string | undefined,
  terminal: Terminal,
): Place {
  const { id } = made;
  const file = output === undefined ? ownPlace(made, target, agent, terminal) : resolve(terminal.cwd, output);
  const told = (words: readonly string[]) =>
    words.map((word) => quoted(word.replace('{id}', id).replace('{file}', file))).join(' ');
  const { takesOver } = target;
  const isElsewhere = output !== undefined && takesOver?.path !== undefined;
  const resume = takesOver?.resume.map(told) ?? [];
  return {
    file,
    resume: resume.length === 0 || isElsewhere ? undefined : [`cd ${quoted(made.project)}`, ...resume].join(' && '),
    remove: [told(['rm', '{file}']), ...(takesOver?.remove === undefined ? [] : [told(takesOver.remove)])].join(' && '),
  };
}

function ownPlace(
  { id, project, started }: SessionConversion,
  { format, takesOver }: SessionTarget,
  agent: Agent | undefined,
  terminal: Terminal,
): string {
  const [folder] = agent?.stores?.[0] === undefined ? [] : foldersOf(agent.stores[0], terminal.env);
  const path = takesOver?.path;
  if (folder === undefined || path === undefined) return join(terminal.cwd, `${format.id}-${id}.json`);
  const read = (name: string) => contentOf(join(dirname(folder), name));
  return join(folder, path({ id, project: realFolder(project), started: isoTime(started), read }));
}

/** Agents name their folders by where links lead. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
