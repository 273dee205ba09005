const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Does what must not leave anything behind. A signal undoes it, then ends the program as it would have without us: its exit code is
 * 128 plus the signal's number. `work` lets the event loop turn wherever it takes long; a signal is heard only then.
 */
export async function undoneBySignals<T>(undo: () => void, work: () => Promise<T>): Promise<T> {
  const end = (signal: NodeJS.Signals) => {
    undo();
    release();
    process.kill(process.pid, signal);
  };
  const release = () => SIGNALS.forEach((signal) => void process.off(signal, end));
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    return await work();
  } finally {
    await turn(); // to the end of this round of the event loop,
    await turn(); // and through one in which a signal that came meanwhile is heard
    release();
  }
}

/** A turn of the event loop. */
export function turn(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
