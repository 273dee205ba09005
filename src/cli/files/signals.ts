const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Cleanups for work that is under way. One listener runs them all, because Node warns of more than ten. */
const pending = new Set<{ readonly undo: () => void }>();

/**
 * Runs `work`, and cleans up after a signal before the program ends with its usual exit code: 128 plus the signal's
 * number. Long work must yield to the event loop, because signals are handled only then.
 */
export async function undoneBySignals<T>(undo: () => void, work: () => Promise<T>): Promise<T> {
  const own = { undo };
  if (pending.size === 0) for (const signal of SIGNALS) process.on(signal, end);
  pending.add(own);
  try {
    return await work();
  } finally {
    await turn(); // the rest of this round of the event loop
    await turn(); // one more, which handles pending signals
    pending.delete(own);
    if (pending.size === 0) release();
  }
}

function end(signal: NodeJS.Signals): void {
  for (const { undo } of pending) undo();
  pending.clear();
  release();
  process.kill(process.pid, signal);
}

function release(): void {
  for (const signal of SIGNALS) process.off(signal, end);
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
