// In each thread that runs tests: which mutant is tried, and how often each was met.
import { register } from 'node:module';

register('./loader.mjs', import.meta.url);

let active = Number(process.env.MUTANT);
/** A loop that the mutant keeps from ending asks again and again. */
let limit = Number(process.env.MUTANT_LIMIT);
const met = new Uint32Array(Number(process.env.MUTANT_COUNT) + 1);

globalThis.__met = met;
globalThis.__mutant = (id) => {
  met[id] += 1;
  if (id !== active) return false;
  if (met[id] > limit) throw new Error('The mutant is met without end');
  return true;
};
globalThis.__tryMutant = (next) => {
  [active, limit] = [next.id, next.limit];
  met.fill(0);
};
