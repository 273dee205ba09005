import { main } from './cli.js';
import type { WorkerData } from './inputs/threads.js';

const { ctxTrimWorker } = globalThis as { ctxTrimWorker?: WorkerData };
if (ctxTrimWorker === undefined) start();
else void import('./worker.js').then(({ work }) => work(ctxTrimWorker));

function start(): void {
  process.on('exit', endEarly);
  main(process.argv.slice(2)).then((code) => {
    process.off('exit', endEarly).exitCode = code;
  });
}

/** A module that is loaded, such as a generator, can end the process: silence and exit 0 would look like success. */
function endEarly(): void {
  console.error('ctx-trim: a module ended the program before it was done');
  process.exitCode = 2;
}
