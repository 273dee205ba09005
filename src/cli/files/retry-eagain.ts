const clock = new Int32Array(new SharedArrayBuffer(4));
const PAUSE_MS = 2;

/** Repeats a system call while a non-blocking descriptor is not ready. */
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
