// The last tries of what survived. All of a group are on at once: only the test files that then fail can notice one of
// them. Each is tried alone by the nearest of these, and what still survives is a group again: until the group passes
// all test files but those that each of it passed alone.

/** Of the files that a group failed, how many a mutant is tried by before the rest of the group is run again. */
const NEAREST = 6;

/**
 * `suspected(mutant)`: the files that may notice it, the nearest first; `failing(mutants, files)`: those that fail with
 * all of them on; `alone(mutant, files)`: `{ ended, by }`. Tells `answer` what came of each: nothing where it survived.
 */
export async function triedAsGroup(mutants, { suspected, failing, alone, jobs, deadline, answer }) {
  const tried = new Map(mutants.map((mutant) => [mutant, new Set()]));
  const filesOf = (group) => [...new Set(group.flatMap(suspected))];
  const nextOf = (mutant, failed) =>
    suspected(mutant)
      .filter((path) => failed.has(path) && !tried.get(mutant).has(path))
      .slice(0, NEAREST);
  let group = mutants;
  let some; // the files that failed before, or all
  while (group.length > 0 && Date.now() < deadline) {
    const failed = new Set(await failing(group, some ?? filesOf(group)));
    const trials = group.map((mutant) => ({ mutant, files: nextOf(mutant, failed) }));
    const open = trials.filter(({ files }) => files.length > 0);
    console.log(
      `${group.length} as a group fail ${failed.size} files, ${open.length} are tried alone:`,
      [...failed].join(' '),
    );
    if (open.length === 0 && some === undefined) break;
    some = open.length === 0 ? undefined : [...failed];
    const dead = new Set();
    await inTurn(open, jobs, async ({ mutant, files }, job) => {
      if (Date.now() > deadline) return;
      const found = await alone(mutant, files, job);
      for (const path of files) tried.get(mutant).add(path);
      if (!found.ended && found.by === undefined) return;
      dead.add(mutant);
      answer(mutant, found);
    });
    group = group.filter((mutant) => !dead.has(mutant));
  }
  if (Date.now() < deadline) for (const mutant of group) answer(mutant, {});
}

/** What fails with all of them on; where they end the process, each half is tried. */
export async function failingOf(mutants, files, run) {
  const { ended, failed } = await run(mutants, files);
  if (!ended) return failed;
  if (mutants.length === 1) return files; // it ends alone, too
  const half = Math.ceil(mutants.length / 2);
  const [first, second] = [mutants.slice(0, half), mutants.slice(half)];
  return [...(await failingOf(first, files, run)), ...(await failingOf(second, files, run))];
}

/** Does the work for each of the list, `jobs` at a time. */
export async function inTurn(list, jobs, work) {
  const queue = [...list];
  const one = async (_, job) => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) await work(next, job);
  };
  await Promise.all(Array.from({ length: jobs }, one));
}
