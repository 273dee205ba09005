/** The program, run again and again in one process. */
import { expect, it } from 'vitest';
import { runProgram } from '../shared/program.js';

it('leaves no listeners behind: Node warns of more than ten', () => {
  const said = Array.from({ length: 12 }, () => runProgram(['rules', 'core/unread']).stderr);
  expect(said.filter((text) => text !== '')).toEqual([]);
});
