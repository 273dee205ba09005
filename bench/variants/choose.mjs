// Those that reach the most that others do not reach, one after the other.

/** What it is worth to reach a part that none, one, two or three chosen ones reach. */
const WORTH = [1, 0.25, 0.08, 0.03];
/** The second one of a file is worth so much less, so that each file has some. */
const SAME_FILE = 0.02;

/** The lines of the chosen ones, in the order of their files. Each file has one, even where it reaches nothing new. */
export function chosenFrom(tried, most) {
  const times = new Uint16Array(1 + greatestPart(tried));
  const byFile = new Map();
  const worth = ({ file, reached }) => {
    let sum = 0;
    for (const part of reached) sum += WORTH[times[part]] ?? 0;
    return sum * (1 - SAME_FILE * (byFile.get(file) ?? 0));
  };
  const chosen = [];
  const choose = (one) => {
    chosen.push(one);
    byFile.set(one.file, (byFile.get(one.file) ?? 0) + 1);
    for (const part of one.reached) times[part]++;
  };
  let left = tried.map((one) => ({ one, worth: worth(one) })).sort((a, b) => b.worth - a.worth);
  while (chosen.length < most && left.length > 0) {
    // what one is worth only falls: the first whose worth, counted anew, is not below the next one's is the best
    const [first, second] = left;
    first.worth = worth(first.one);
    if (second === undefined || first.worth >= second.worth) choose(left.shift().one);
    else left = sunk(left);
  }
  for (const one of tried) if (!byFile.has(one.file)) choose(one);
  return chosen.map(({ line }) => line).sort();
}

/** The first one in the place that its worth has now. */
function sunk([first, ...others]) {
  const at = others.findIndex(({ worth }) => worth <= first.worth);
  others.splice(at < 0 ? others.length : at, 0, first);
  return others;
}

const greatestPart = (tried) => tried.reduce((most, { reached }) => reached.reduce((a, b) => Math.max(a, b), most), 0);
