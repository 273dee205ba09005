// Passes runs on to the server, and its results back, while the test that waits for them blocks its own thread.
const { fork } = require('node:child_process');
const { workerData } = require('node:worker_threads');

const { port, state, root, server } = workerData;
const stdio = ['ignore', 'inherit', 'inherit', 'ipc'];
const child = fork(server, [root], { execArgv: [], serialization: 'advanced', stdio });

port.on('message', (run) => child.send(run));
child.on('message', answer);
child.on('exit', (code, signal) => answer({ crashed: `the program ended its process: ${signal ?? code}` }));

function answer(result) {
  port.postMessage(result);
  Atomics.store(state, 0, 1);
  Atomics.notify(state, 0);
}
