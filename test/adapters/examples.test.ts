/** The examples run, with their fake models. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';

const { MODEL: _, ...env } = process.env;

/** Examples of other things than agents have tests of their own. */
const agents = readdirSync('examples').filter((name) => existsSync(`examples/${name}/agent.mjs`));

it('finds the examples', () => expect(agents.length).toBeGreaterThan(2));

it.each(agents)('%s sends the last three calls', (name) => {
  const { stdout, stderr } = spawnSync(process.execPath, [`examples/${name}/agent.mjs`], { encoding: 'utf8', env });
  const lines = ['4 calls, 3 sent', '5 calls, 3 sent', '6 calls, 3 sent', 'It rains everywhere.'];
  expect(stdout.trimEnd().split('\n'), stderr).toEqual(lines);
});
