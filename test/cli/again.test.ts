/** The program, run again and again in one process. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

const AGAIN = `
  const [bin, program] = process.argv.slice(1);
  process.argv.splice(1, 2, bin, 'formats');
  (async () => {
    const left = [];
    for (let run = 0; run < 3; run++) {
      process.exitCode = undefined;
      for (const path of [bin, program]) delete require.cache[path];
      require(bin);
      while (process.exitCode === undefined) await new Promise(setImmediate);
      left.push(process.listenerCount('exit'));
    }
    process.stderr.write(left.join(' '));
  })();`;

it('leaves no listeners behind: Node warns of more than ten', () => {
  const paths = ['bin/ctx-trim.js', 'dist/cli/cli.cjs'].map((path) => resolve(path));
  const { stderr } = spawnSync(process.execPath, ['-e', AGAIN, ...paths], { encoding: 'utf8', timeout: 60_000 });
  expect(stderr).toMatch(/^(\d+) \1 \1$/);
});
