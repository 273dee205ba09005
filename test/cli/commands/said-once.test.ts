/** Steps are applied until nothing changes; what they could not do is said once. */
import { expect, it } from 'vitest';
import { runProgram } from '../../shared/program.js';

it('says once that a transcript has no place for a message', () => {
  const { stderr } = runProgram(['strip', '--retry-prompt', 'fixtures/formats/trace-log/hand-mlflow.json']);
  expect(stderr.match(/no place for one/g)).toHaveLength(1);
});
