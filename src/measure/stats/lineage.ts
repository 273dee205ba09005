/** Which session was forked from which: a request that both hold counts with the first of them. */
import { storedFile } from '../../formats/agents.js';
import { addAll } from '../../lists.js';
import { sessionKey } from './group-keys.js';

/** A transcript that may hold requests of another one. */
export interface Relative {
  readonly file: string;
  readonly line: number;
  readonly id?: string | undefined;
  /** The sub-agent, if the recording has several agents. */
  readonly agent?: string | undefined;
  /** The id or the file of the session that it was forked from. */
  readonly forkOf?: string | undefined;
}

export interface Lineage {
  add(of: Relative): void;
  /** Which of them the others repeat: no fork of another one, else the first. */
  originAmong<T>(all: readonly T[], relativeOf: (one: T) => Relative): T;
}

export function createLineage(): Lineage {
  const forks = new Map<string, readonly string[]>(); // by the names of forks: those of what they were forked from
  const isForkOf = (one: Relative, other: Relative) => {
    const wanted = new Set([...namesOf(other), ownId(other)]);
    const seen = new Set<string>();
    const next = [...parentsOf(one), ...namesOf(one).flatMap((name) => forks.get(name) ?? [])];
    for (const name of next) {
      if (wanted.has(name)) return sessionKey(one) !== sessionKey(other);
      if (!seen.has(name)) addAll(next, forks.get(name) ?? []);
      seen.add(name);
    }
    return false;
  };
  return {
    add(of) {
      const parents = parentsOf(of);
      if (parents.length > 0) for (const name of namesOf(of)) forks.set(name, parents);
    },
    originAmong(all, relativeOf) {
      const isFork = (one: Relative) => all.some((other) => isForkOf(one, relativeOf(other)));
      return all.find((one) => !isFork(relativeOf(one))) ?? all[0]!;
    },
  };
}

/** A sub-agent's file has the names of its session, so that it is a fork where that is one. */
function namesOf(of: Relative): string[] {
  const name = storedFile(of.file)?.session ?? ownId(of);
  return name === undefined ? [of.file] : [name, of.file];
}

/** That of its session. */
function ownId({ id, agent }: Relative): string | undefined {
  return agent === undefined ? id : id?.slice(0, -agent.length - 1);
}

/** pi names the file, which may lie elsewhere. Early versions of Claude Code copied lines with the id that they had. */
function parentsOf({ forkOf, ...of }: Relative): string[] {
  const [own, id] = [storedFile(of.file)?.session, ownId(of)];
  const copied = own === undefined || own === id ? undefined : id;
  const names = forkOf === undefined ? [copied] : [forkOf, storedFile(forkOf)?.session, idIn(forkOf)];
  return names.filter((name) => name !== undefined);
}

function idIn(path: string): string | undefined {
  return /_([^_\\/]+)\.jsonl$/.exec(path)?.[1];
}
