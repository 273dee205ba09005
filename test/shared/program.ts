/**
 * The built program, run again and again in one process: to start a process takes ten times as long as most runs.
 * What only a process of its own shows (signals, pipes, closed descriptors) needs one still.
 */
import { resolve } from 'node:path';
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads';

export interface Told {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

export interface World {
  /** By default the folder of the repository. */
  readonly cwd?: string;
  /** Where the program is: by default there, too. */
  readonly root?: string;
  /** All of the environment; by default that of the tests. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string | Uint8Array;
}

/** What the program says with these words. Blocks until it ended. */
export function runProgram(words: readonly string[], world: World = {}): Told {
  const { stdout, stderr, status } = ran(words, world);
  return { stdout, stderr, status };
}

/** Its stdout and stderr together, in the order in which it wrote them. */
export function printedByProgram(words: readonly string[], world: World = {}): string {
  return ran(words, world).both;
}

/** The words of a command line that is nothing but the program with plain words; undefined: a shell must read it. */
export function plainWords(line: string): string[] | undefined {
  const isPlain = /^ctx-trim(?: +(?:'[^']*'|"[^"$`\\!]*"|[\w./:=,@%+-]#?)+)* *$/.test(line);
  if (!isPlain) return undefined;
  const words = line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [];
  return words.slice(1).map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, '$1$2'));
}

type Answer = (Told & { readonly both: string }) | { readonly crashed: string };

function ran(words: readonly string[], world: World): Told & { both: string } {
  const { cwd = '.', root = '.', env = process.env, input = '' } = world;
  const { port, state } = started.get(root) ?? server(root);
  const given = Object.entries(env).filter(([, value]) => value !== undefined);
  Atomics.store(state, 0, 0);
  port.postMessage({ words, cwd: resolve(cwd), env: Object.fromEntries(given), input });
  Atomics.wait(state, 0, 0, MOST);
  const answer = receiveMessageOnPort(port)?.message as Answer | undefined;
  if (answer !== undefined && 'status' in answer) return answer;
  started.delete(root);
  throw new Error(`ctx-trim ${words.join(' ')}: ${answer?.crashed ?? 'it does not end'}`);
}

/** Milliseconds for a run. */
const MOST = 600_000;

interface Server {
  readonly port: MessagePort;
  /** 1 once a run is answered. */
  readonly state: Int32Array;
}

/** By the folder of the program. */
const started = new Map<string, Server>();

function server(root: string): Server {
  const { port1: port, port2 } = new MessageChannel();
  const state = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(resolve('test/shared/program-worker.cjs'), {
    workerData: { port: port2, state, root: resolve(root), server: resolve('test/shared/program-server.cjs') },
    transferList: [port2],
    execArgv: [],
  });
  worker.unref();
  port.unref();
  started.set(root, { port, state });
  return { port, state };
}
