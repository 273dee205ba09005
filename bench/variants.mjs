// `npm run variants`: chooses the changed recordings that test/formats/variants.test.ts looks at (variants.jsonl).
// Values of all small fixtures are changed at random, many in each, with the words that the code of their format has
// (bench/variants/candidates.mjs). Those that reach code which few others reach are kept, by what V8 counts
// (bench/variants/reached.mjs), and so are chosen ones of before that reach something of their own. 20 to 40 minutes.
// Exit 1: one is an internal error.
// `-- --each 20`: so many changes of each fixture; `--most 400`: so many chosen ones; `--seed 2`: others.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import './variants/register.mjs';
import { chosenFrom } from './variants/choose.mjs';
import { reachedBy } from './variants/reached.mjs';

const { values } = parseArgs({
  options: {
    each: { type: 'string', default: '80' },
    most: { type: 'string', default: '900' },
    seed: { type: 'string', default: '1' },
  },
});
const { CHOSEN, chosenIn, lineOf, toldOf } = await import('../test/shared/variants.ts');
const { candidatesOf, textsIn } = await import('./variants/candidates.mjs');

const texts = textsIn('fixtures/formats');
const before = chosenIn(readFileSync(CHOSEN, 'utf8')).filter(({ file }) => texts.has(file));
const all = [...before, ...candidatesOf(Number(values.each), Number(values.seed), texts)];
const tried = all.flatMap((variant, index) => {
  if (index % 500 === 0) console.log(`${all.length - index} are left to try`);
  let sum;
  const reached = reachedBy(() => {
    try {
      sum = toldOf(variant, texts.get(variant.file));
    } catch (error) {
      process.exitCode = 1;
      console.log(`An internal error: ${lineOf(variant)}\n${error.stack}`);
    }
  });
  return sum === undefined ? [] : [{ file: variant.file, line: lineOf({ ...variant, sum }), reached }];
});
const chosen = chosenFrom(tried, Number(values.most));
writeFileSync(CHOSEN, `${chosen.join('\n')}\n`);
console.log(`${chosen.length} of ${tried.length} are chosen`);
