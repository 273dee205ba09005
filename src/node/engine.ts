/** Settings of V8 for this kind of program. */
import { createRequire } from 'node:module';

/** The newest Node version whose V8 is known to have the flags: another one might print a warning about them. */
const NEWEST = 24;
const MAJOR = Number(process.versions.node.split('.')[0]);
/** From Node 22 on, V8 has no such flag for when it optimizes. */
const HAS_MAGLEV = MAJOR >= 22;

/**
 * Keeps V8's young generation at its initial size instead of up to three times 16 MB, because most values are read
 * once. Saves a third of the memory of a long run, at almost no cost of time.
 */
export function keepYoungSpaceSmall(): void {
  setFlag('--semi-space-growth-factor=1');
}

/**
 * Lets V8 put all new objects into the young generation. In a worker thread it saw the first records live long and then
 * put the next ones into the old one, where each kept its texts until all was collected: four times the time for
 * garbage (bench/NOTES.md, 2026-11-27).
 */
export function startYoung(): void {
  setFlag('--no-allocation-site-pretenuring');
}

/**
 * Lets V8 collect the old generation when it holds twice what was live, not up to four times: less memory for more
 * time where much is kept. What it does alone was not measured.
 */
export function keepOldSpaceSmall(): void {
  setFlag('--heap-growing-percent=100');
}

/**
 * Collects what nobody holds any more: between two readings of a long file, whose nodes would wait for more of them.
 * From then on, V8 collects the old generation early. Node's documentation gets at `gc` in the same way:
 * https://nodejs.org/api/v8.html#v8setflagsfromstringflags (2026-11-26).
 */
export function collectGarbage(): void {
  setFlag('--expose-gc');
  const { runInNewContext } = createRequire(import.meta.url)('node:vm') as typeof import('node:vm');
  const collect = runInNewContext('globalThis.gc') as (() => void) | undefined;
  collect?.();
  keepOldSpaceSmall();
}

/**
 * Lets V8 inline at most 200 bytes of bytecode into a function instead of 920, and before Node 22 optimize one after
 * three times as much work. A command spreads its work over hundreds of functions, so a tenth to a third of its CPU
 * time was V8's compiler: bench/NOTES.md, "Compiling less".
 */
export function compileLess(): void {
  setFlag('--max-inlined-bytecode-size-cumulative=200');
  if (!HAS_MAGLEV) setFlag('--interrupt-budget=400000');
}

/**
 * Applies settings once so many messages have come in all: with other flags, V8 refuses the compiled code that was kept
 * of earlier runs (cli/code-cache.ts), which makes short runs half as long again.
 */
export function forLongWork(settings: () => void): (messages: number) => void {
  let sum = 0;
  return (messages) => {
    const before = sum;
    sum += messages;
    if (before <= MUCH && sum > MUCH) settings();
  };
}

const MUCH = 2000;

/** What keeps the code that V8 compiled (cli/code-cache.ts): it is a program of its own. */
export interface KeepsCode {
  ctxTrimKeepCode?: () => void;
}

/**
 * https://nodejs.org/api/v8.html#v8setflagsfromstringflags. What V8 compiled before is kept first: code of a run with
 * other flags would be refused by the next one.
 */
function setFlag(flag: string): void {
  (globalThis as KeepsCode).ctxTrimKeepCode?.();
  if (MAJOR <= NEWEST) (createRequire(import.meta.url)('node:v8') as typeof import('node:v8')).setFlagsFromString(flag);
}
