// In each thread that runs tests: which mutants are on, and how often each was met.
const met = new Uint32Array(Number(process.env.MUTANT_COUNT) + 1);
/** How often those that are on may be met: a loop that a mutant keeps from ending asks again and again. */
const limits = new Float64Array(met.length);

globalThis.__met = met;
globalThis.__mutant = (id) => {
  met[id] += 1;
  if (limits[id] === 0) return false;
  if (met[id] > limits[id]) throw new Error('The mutant is met without end');
  return true;
};
globalThis.__tryMutants = (on) => {
  limits.fill(0);
  met.fill(0);
  for (const { id, limit } of on) limits[id] = limit;
};
__tryMutants(JSON.parse(process.env.MUTANTS_ON));
