import { expect, it } from 'vitest';
import { fixture } from '../shared/fixture.js';
import { rewriteText } from '../shared/rewrite-text.js';

type Message = Record<string, unknown>;
type Trajectory = {
  readonly history: Message[];
  readonly trajectory: { readonly action: string; readonly observation: string; readonly query: Message[] }[];
};

const text = fixture('swe-agent/hand-steps.traj');
const after = (id: string, options: Readonly<Record<string, unknown>>) =>
  JSON.parse(rewriteText(text, id, options)) as Trajectory;

it('empties the steps of removed calls, and drops those of removed messages', () => {
  const { history, trajectory } = after('filter', { maxToolCalls: 0 });
  expect(history.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'assistant']);
  expect(trajectory.map(({ action, observation, query }) => [action, observation, query.length])).toEqual([
    ['', '', 2],
    ['submit', '', 3],
  ]);
  expect(history[2]!['action']).toBe('');
});

it('cuts observations and requests like the results', () => {
  const { history, trajectory } = after('truncate', { maxLength: 100, noMinimum: true });
  const [{ text: cut }] = history[3]!['content'] as [{ text: string }];
  expect(cut).toContain('[result truncated, original length: 1653 chars]');
  expect(trajectory[0]!.observation).toBe(cut);
  expect(trajectory[1]!.query[3]).toEqual(history[3]);
});

it('adds messages with the usual members', () => {
  const { history } = after('patch', {});
  expect(history.at(-1)).toMatchObject({
    role: 'tool',
    agent: 'main',
    message_type: 'observation',
    tool_call_ids: ['call_c'],
  });
  expect(history.at(-1)).not.toHaveProperty('tool_call_id');
});
