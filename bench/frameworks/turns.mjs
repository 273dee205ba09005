/**
 * Random conversations of an agent, in no framework's shape: `{ who: 'user', text }` and `{ who: 'assistant', text,
 * calls: [{ id, tool, args, result }] }`. Some results are long enough for `every=auto` to drop them.
 */
export function randomFrom(seed) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  return (below) => Math.floor(next() * below);
}

export const TOOLS = ['search', 'read', 'run'];
const TEXTS = ['Go on.', 'actually stop', '日本語 "x"\n', '{"a":1}', 'Error: no such file', 'line\n'.repeat(90)];

export function callFrom(random, id, text) {
  const tool = TOOLS[random(TOOLS.length)];
  return { id, tool, args: { q: ['a', 'b', 'x'.repeat(300)][random(3)] }, result: text };
}

/** From the first user message to the next question. Some calls have no result, as if the run had ended there. */
export function randomHistory(random) {
  const turns = [{ who: 'user', text: 'Begin.' }];
  let calls = 0;
  for (let left = random(14); left > 0; left--) {
    const text = random(3) === 0 ? '' : TEXTS[random(TEXTS.length)];
    if (random(4) === 0) turns.push({ who: 'user', text: text || 'And?' });
    const made = Array.from({ length: random(5) }, () => {
      const result = random(3) === 0 ? `${'word '.repeat(random(2000))}end` : TEXTS[random(TEXTS.length)];
      return callFrom(random, `call_${++calls}`, random(7) === 0 ? undefined : result);
    });
    if (text !== '' || made.length > 0) turns.push({ who: 'assistant', text, calls: made });
  }
  return turns;
}

/** What a model answers request by request. The last answer has no call. */
export function script(length, seed, prefix = 'call') {
  const random = randomFrom(seed);
  const turns = Array.from({ length: length - 1 }, (_, at) => ({
    who: 'assistant',
    text: at % 3 === 0 ? `step ${at}` : '',
    calls: Array.from({ length: 1 + (random(3) === 0 ? 1 : 0) }, (_, nth) =>
      callFrom(random, `${prefix}_${at}_${nth}`, `${at} ${'result '.repeat(random(600))}`),
    ),
  }));
  return [...turns, { who: 'assistant', text: 'Done.', calls: [] }];
}

/** Results by the ids of their calls. */
export function resultsOf(turns) {
  return new Map(turns.flatMap(({ calls = [] }) => calls.map(({ id, result }) => [id, result])));
}
