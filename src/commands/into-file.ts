/** What writes files. Most runs do not: it is bundled apart. */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { createAtomic } from '../io/atomic.js';
import { openedAs } from '../io/input.js';
import { BufferedSink } from '../io/output.js';
import { unwritable } from '../io/target.js';
import type { Terminal } from '../io/terminal.js';
import { sayError } from './reading.js';

export { createAtomic } from '../io/atomic.js';
export { rejectBackup, rejectStreams } from '../io/target.js';

/** Writes a file (`-` is stdout) as a whole or not at all: `produce` says whether all went well. Returns whether it was written. */
export async function intoFile(
  output: string,
  terminal: Terminal,
  produce: (sink: BufferedSink) => Promise<boolean>,
): Promise<boolean> {
  if (output === '-') return ontoStdout(terminal, produce);
  const path = resolve(terminal.cwd, output);
  const file = createAtomic(path, output);
  try {
    file.verify();
    if (!(await produce(file.sink))) return false;
    rejectInput(path, output);
    await file.commit();
    return true;
  } catch (error) {
    sayError(terminal, error, output);
    return false;
  } finally {
    file.discard();
  }
}

async function ontoStdout(terminal: Terminal, produce: (sink: BufferedSink) => Promise<boolean>): Promise<boolean> {
  const sink = new BufferedSink((bytes, start, end) => terminal.stdout.data(bytes.subarray(start, end)));
  try {
    return await produce(sink);
  } finally {
    sink.flush();
  }
}

/** Inputs are never touched by what is written elsewhere. */
function rejectInput(path: string, name: string): void {
  const input = openedAs(path);
  if (input !== undefined && realpathSync(input) === realpathSync(path))
    throw unwritable(name, 'it is one of the inputs; --write rewrites files in place');
}
