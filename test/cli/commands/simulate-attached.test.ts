/** `simulate` replays requests without records: where a limit would count them, it says so. */
import { expect, it } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { memoryTerminal } from '../../shared/terminal.js';

const LOG = 'fixtures/attachments/claude-code.jsonl';
const PLAIN = 'fixtures/formats/claude-code/hand-branch.jsonl';

async function said(...words: readonly string[]) {
  const { terminal, err } = memoryTerminal({ cwd: '.' });
  await runIn(terminal, ['simulate', ...words]);
  return err()
    .split('\n')
    .filter((line) => line.includes('attachments'));
}

it.each([
  ['a budget', ['fit:max-tokens=2000', LOG], 'fit'],
  ['a trigger', ['clear', LOG], 'clear'],
  ['both', ['clear', 'fit:max-tokens=2000', LOG], 'clear and fit'],
  ['what a server does', ['clear_tool_uses_20250919', LOG], 'clear_tool_uses_20250919'],
  ['budgets of a sweep', ['fit:max-tokens=2000', '--sweep', 'max-tokens=1000,2000', LOG], 'fit'],
])('%s', async (_, words, names) => {
  const [line, ...others] = await said(...words);
  expect(line).toMatch(`ctx-trim: warning: the limits of ${names} do not count attachments in a simulation: ~`);
  expect(line).toMatch(/: ~\d[\d,]* tokens in the recordings$/);
  expect(others).toEqual([]);
});

it.each([
  ['a step without a limit', ['filter:max-tool-calls=1', LOG]],
  ['a trigger of none', ['clear:trigger=0', LOG]],
  ['no step', [LOG]],
  ['a log without attachments', ['fit:max-tokens=2000', PLAIN]],
])('not for %s', async (_, words) => {
  expect(await said(...words)).toEqual([]);
});
