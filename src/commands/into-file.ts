import { resolve } from 'node:path';
import { createAtomic } from '../io/atomic.js';
import type { BufferedSink } from '../io/output.js';
import type { Terminal } from '../io/terminal.js';
import { sayError } from './reading.js';

/** Writes a file as a whole or not at all: `produce` says whether all went well. Returns whether it was written. */
export async function intoFile(
  output: string,
  terminal: Terminal,
  produce: (sink: BufferedSink) => Promise<boolean>,
): Promise<boolean> {
  const file = createAtomic(resolve(terminal.cwd, output), output);
  let good = false;
  try {
    good = await produce(file.sink);
  } finally {
    if (!good) file.discard();
  }
  if (!good) return false;
  try {
    file.commit();
  } catch (error) {
    sayError(terminal, error, output);
    return false;
  }
  return true;
}
