/** What an agent keeps beside a session: what a fork takes along, and what stays with the old session. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Forkable } from '../../../engine/sessions/fork.js';
import type { ForkOf } from '../../../formats/fork.js';
import { plural } from '../../../text/words.js';
import type { ForkOptions } from './options.js';

export interface Part {
  readonly kind: string;
  readonly path: string;
  readonly to: string;
}

interface Made extends Pick<ForkOptions, 'output' | 'until' | 'turn'> {
  readonly target: string;
  readonly bytes: Buffer;
}

/** A file that no agent looks for is alone. */
export function besideOf(
  { fork, lines }: Forkable,
  of: ForkOf,
  { target, bytes, output, until, turn }: Made,
): { readonly copied: readonly Part[]; readonly left: readonly string[] } {
  const [parts, others] = partsOf(fork.beside?.(of.path), fork.beside?.(target), bytes);
  const ends = (fork.atItsEnd?.(of) ?? []).flatMap(filesAt);
  // with an earlier message, a todo list would be of what has not happened
  const isWhole = output === undefined && until === undefined && turn === undefined;
  const copied = output === undefined ? [...parts, ...(isWhole ? ends : [])] : [];
  const stays = (fork.stays?.(of, lines) ?? []).filter(([, path]) => existsSync(path));
  const left = [
    ...(isWhole || ends.length === 0 ? [] : ['the todo list, which is that of its end']),
    ...(output === undefined ? others : [...parts.map(({ path }) => basename(path)), ...others]),
    ...stays.map(([what, path]) => `${what} (${path})`),
  ];
  return { copied, left };
}

export function countsOf(parts: readonly Part[]): string {
  const kinds = [...new Set(parts.map(({ kind }) => kind))];
  return kinds.map((each) => plural(parts.filter(({ kind }) => kind === each).length, each)).join(', ');
}

/** The sub-agents that the kept messages name, and the others. */
function partsOf(
  old: string | undefined,
  now: string | undefined,
  bytes: Buffer,
): readonly [copied: readonly Part[], left: readonly string[]] {
  const folder = old === undefined ? '' : join(old, 'subagents');
  if (now === undefined || !existsSync(folder)) return [[], []];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !isFolder(join(folder, name)),
  );
  const isNamed = (name: string) => bytes.includes(basename(name).replace(/^agent-|\..*$/g, ''));
  const others = names.filter((name) => !isNamed(name)).length;
  const toPart = (name: string): Part => ({
    ...{ kind: 'sub-agent file', path: join(folder, name), to: join(now, 'subagents', name) },
  });
  return [
    names.filter(isNamed).map(toPart),
    others === 0 ? [] : [`${plural(others, 'file')} of sub-agents that no kept message names`],
  ];
}

function filesAt([path, to]: readonly [from: string, to: string]): Part[] {
  const kind = 'todo file';
  if (!existsSync(path)) return [];
  if (!isFolder(path)) return [{ kind, path, to }];
  return readdirSync(path).map((name) => ({ kind, path: join(path, name), to: join(to, name) }));
}

const isFolder = (path: string) => statSync(path).isDirectory();
