/** What git is about to commit: its index, not the work tree. Loaded only where it is asked for. */
import { spawnSync } from 'node:child_process';
import { posix } from 'node:path';
import { TranscriptError } from '../errors.js';
import { isTranscriptName, spelledOut } from './files.js';
import type { NamedInput } from './input.js';
import type { Terminal } from './terminal.js';

/** The staged files that may be transcripts, or of them those that the words name: files, folders or globs. */
export function stagedInputs(words: readonly string[], { cwd, env }: Terminal): NamedInput[] {
  const git = (...args: readonly string[]): Buffer => {
    // no program of the repository's own is to run: neither a monitor of files nor another diff
    const { status, stdout, stderr, error } = spawnSync('git', ['-c', 'core.fsmonitor=false', ...args], {
      cwd,
      env: { ...env, GIT_OPTIONAL_LOCKS: '0' },
      maxBuffer: Number.POSITIVE_INFINITY,
    });
    if (error !== undefined) throw failure(`git cannot be run: ${error.message}`);
    if (status !== 0) throw failure(`git ${args[0]}: ${stderr.toString().trim().split('\n')[0]}`);
    return stdout;
  };
  const prefix = git('rev-parse', '--show-prefix').subarray(0, -1);
  const listed = git(
    ...['diff', '--cached', '--raw', '-z', '--no-abbrev', '--no-renames', '--no-ext-diff', '--diff-filter=AMT'],
    ...['--ignore-submodules', '--', ...words.map((word) => `:(glob)${word}`)],
  );
  return entriesIn(listed).flatMap(({ mode, id, path }): NamedInput[] => {
    if (!mode.startsWith('100') || !isTranscriptName(path.latin1Slice())) return []; // a link or a submodule
    const name = posix.relative(`/${spelledOut(prefix)}`, `/${spelledOut(path)}`);
    return [{ name, isOptional: true, content: () => git('cat-file', 'blob', id) }];
  });
}

function failure(message: string): TranscriptError {
  return new TranscriptError('file', `--staged: ${message}`);
}

interface Entry {
  readonly mode: string;
  readonly id: string;
  readonly path: Buffer;
}

/** `:<mode> <mode> <id> <id> <status>`, and the path, each with a NUL behind. */
function entriesIn(listed: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let at = 0; at < listed.length; ) {
    const end = listed.indexOf(0, at);
    const [, mode = '', , id = ''] = listed.latin1Slice(at, end).split(' ');
    const last = listed.indexOf(0, end + 1);
    entries.push({ mode, id, path: listed.subarray(end + 1, last) });
    at = last + 1;
  }
  return entries;
}
