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

/** What opens recordings has no folder of tests: these see most of it. */
const OF_SOURCE = [
  'test/formats/{api-calls,branches,cases-read,duplicates,encoded-lists,spans,threads}.test.ts',
  'test/laws/{unread,messages,trust,names,reading}.test.ts',
  'test/library/library.test.ts',
];

/** The tests of the folder, or of the nearest one around it that has some: never all there are. */
function testsBelow(folder) {
  const found = globSync(`${folder}/**/*.test.ts`, { ignore: SLOW }).sort();
  if (found.length > 0) return found;
  const around = dirname(folder);
  return around === 'test' ? OF_SOURCE.flatMap((pattern) => globSync(pattern).sort()) : testsBelow(around);
}
