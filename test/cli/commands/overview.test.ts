/** What `overview` says of costs. */
import { expect, it } from 'vitest';
import { runProgram } from '../../shared/program.js';

it.each([
  ['pi-session/coding-agent.jsonl', '(recorded usage)'],
  ['atif/hand-steps.json', '(partly recorded usage)'],
  ['openai-chat/tau-bench-retail.json', '(replayed)'],
])('says how much of the usage of %s is recorded', (name, how) => {
  const { stdout } = runProgram(['overview', '--model', 'gpt-4o', `fixtures/formats/${name}`]);
  expect(/^ +cost .*/m.exec(stdout)![0]).toContain(how);
});

it('finds what keeps the agent from loading a session, as check does', () => {
  const { stdout } = runProgram(['overview', 'fixtures/resume/parent-missing.jsonl']);
  expect(stdout).toMatch(/^ +problems +1 error; 1 fixable\n +1 × resume\/parent-missing$/m);
});
