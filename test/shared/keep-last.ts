/** Whether `npm run mutants` tries faults: what was read with one is not what is read with the next. */
const isTrying = '__mutant' in globalThis;

/**
 * The answers for the last few arguments, found once for each. Texts are compared whole; a buffer is the same only as
 * long as it is the same object, so nobody may write into it.
 */
export function keepLast<Argument, Answer>(
  find: (argument: Argument) => Answer,
  most = 2,
): (argument: Argument) => Answer {
  if (isTrying) return find;
  const kept = new Map<Argument, Answer>();
  return (argument) => {
    const answer = kept.has(argument) ? kept.get(argument)! : find(argument);
    kept.delete(argument);
    kept.set(argument, answer); // now the last to go
    if (kept.size > most) kept.delete(kept.keys().next().value!);
    return answer;
  };
}
