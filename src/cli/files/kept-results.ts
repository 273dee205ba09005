/** The files of `offload`: one for each result, which is never overwritten. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { reasonOf, TranscriptError } from '../../errors.js';
import { safe, shown } from '../../safe/text.js';
import { grouped } from '../../transcript/text.js';
import type { Store } from '../../transforms/offload.js';
import type { Terminal } from '../terminal/terminal.js';

export interface KeptResults {
  readonly store: Store;
  /** Says what is where. */
  done(): void;
}

export function createKeptResults({ cwd, stderr }: Terminal): KeptResults {
  const folders = new Map<string, { files: number; characters: number }>();
  return {
    store(path, text) {
      keep(resolve(cwd, path), path, text);
      const { files, characters } = folders.get(dirname(path)) ?? { files: 0, characters: 0 };
      folders.set(dirname(path), { files: files + 1, characters: characters + text.length });
    },
    done() {
      for (const [folder, { files, characters }] of folders) {
        const results = files === 1 ? '1 result is a file' : `${grouped(files)} results are files`;
        stderr.write(safe`ctx-trim: ${shown(`${results} in ${folder} (${grouped(characters)} characters)`)}\n`);
      }
    },
  };
}

function keep(file: string, path: string, text: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
      throw new TranscriptError('file', `offload cannot write it: ${reasonOf(error)}`, { file: path });
    if (readFileSync(file, 'utf8') !== text)
      throw new TranscriptError('file', 'offload does not overwrite it: it has another text', { file: path });
  }
}
