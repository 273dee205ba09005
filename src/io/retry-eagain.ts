const clock = new Int32Array(new SharedArrayBuffer(4));
const PAUSE_MS = 2;

/** Does a system call again for as long as the other side of a pipe is not ready (a descriptor that somebody made non-blocking). */
export function patiently<T>(call: () => T): T {
  for (;;) {
    try {
      return call();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(clock, 0, 0, PAUSE_MS);
    }
  }
}
