// The tests of a source file: those with its name first, then the others of its folder.
import { basename, dirname } from 'node:path';
import { globSync } from 'tinyglobby';

/** Tests of a folder that read files, run the built program, or take long. */
const SLOW = [
  '**/hostile-*',
  '**/leaks.test.ts',
  '**/grid.test.ts',
  '**/together.test.ts',
  '**/bills.test.ts',
  '**/rows.test.ts',
];

export function near(file) {
  const name = basename(file, '.ts');
  const own = globSync(`test/**/${name}*.test.ts`).sort();
  return [...own, ...testsBelow(dirname(file).replace('src', 'test'))];
}

/** The tests of the folder, or of the nearest one around it that has some. */
function testsBelow(folder) {
  const found = globSync(`${folder}/**/*.test.ts`, { ignore: SLOW }).sort();
  return found.length > 0 || !folder.includes('/') ? found : testsBelow(dirname(folder));
}
