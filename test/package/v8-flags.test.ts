/** V8 prints an error about a flag that it does not know: the Node that runs the tests knows all that it is given. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import * as engine from '../../src/node/engine.js';

/** What sets flags. */
const SETTINGS = ['keepYoungSpaceSmall', 'startYoung', 'keepOldSpaceSmall', 'collectGarbage', 'compileLess'] as const;

it('sets no flag that V8 does not know', () => {
  const others = Object.keys(engine).filter((name) => !(SETTINGS as readonly string[]).includes(name));
  expect(others.sort()).toEqual(['forLongWork']);
  const calls = SETTINGS.map((name) => `engine.${name}();`).join(' ');
  const script = `import('./sources.tmp/node/engine.js').then((engine) => { ${calls} console.log('done'); });`;
  const words = ['--import', './test/shared/native/defined.mjs', '-e', script];
  const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  expect([stdout, stderr]).toEqual(['done\n', '']);
});
