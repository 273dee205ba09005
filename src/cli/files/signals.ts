const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `work`, and cleans up after a signal before the program ends with its usual exit code: 128 plus the signal's
 * number. Long work must yield to the event loop, because signals are handled only then.
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
    await turn(); // the rest of this round of the event loop
    await turn(); // one more, which handles pending signals
    release();
  }
}

/** Runs short work whole, without the event loop: a signal meanwhile ends the program after it. */
export function uninterrupted(work: () => void): void {
  const done = undoneBySignals(
    () => {},
    async () => work(),
  );
  done.catch(() => {}); // the work handles its own errors
}

/** One round of the event loop. */
export function turn(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}
