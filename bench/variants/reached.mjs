// What code a call reaches: functions, and blocks within them, by V8's own counts.
import { Session } from 'node:inspector';

const session = new Session();
session.connect();
post('Profiler.enable');
post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** A number for each function and each block that some run did not reach. */
const numbers = new Map();
/** The blocks of each function, as ranges. */
const blocks = new Map();

/** The numbers of what `call` reaches. A block counts from the first run on that calls its function and misses it. */
export function reachedBy(call) {
  post('Profiler.takePreciseCoverage');
  call();
  const { result } = post('Profiler.takePreciseCoverage');
  const own = result.filter(({ url }) => /\/src\/.*\.ts$/.test(url));
  return Uint32Array.from(own.flatMap(({ url, functions }) => functions.flatMap((one) => [...partsOf(url, one)])));
}

function* partsOf(url, { ranges: [whole, ...parts] }) {
  if (whole.count === 0) return;
  const name = `${url}:${whole.startOffset}-${whole.endOffset}`;
  const known = blocks.get(name) ?? new Map();
  blocks.set(name, known);
  const missed = parts.filter(({ count }) => count === 0);
  for (const block of missed) known.set(`${block.startOffset}-${block.endOffset}`, block);
  yield numberOf(name);
  for (const [range, block] of known) if (!missed.some((one) => contains(one, block))) yield numberOf(name + range);
}

function numberOf(name) {
  if (!numbers.has(name)) numbers.set(name, numbers.size);
  return numbers.get(name);
}

const contains = (one, other) => one.startOffset <= other.startOffset && other.endOffset <= one.endOffset;

function post(method, parameters) {
  let answer;
  session.post(method, parameters, (error, result) => {
    if (error) throw new Error(error.message);
    answer = result;
  });
  return answer;
}
