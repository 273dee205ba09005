/** Reads staged files from git's index, not from the work tree. */
import { spawnSync } from 'node:child_process';
import { posix } from 'node:path';
import { TranscriptError } from '../../errors.js';
import type { Terminal } from '../terminal/terminal.js';
import { isTranscriptName, spelledOut } from './files.js';
import type { NamedInput } from './input.js';

/** The staged files that may be transcripts, restricted to the arguments (files, folders or globs) if there are any. */
export function stagedInputs(words: readonly string[], { cwd, env }: Terminal): NamedInput[] {
  const git = (...args: readonly string[]): Buffer => {
    // do not run programs of the repository's config, such as a file monitor or an external diff
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

/** `:<mode> <mode> <id> <id> <status>` and the path, each followed by NUL. */
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
