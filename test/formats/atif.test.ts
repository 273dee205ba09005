/** ATIF beyond the laws: step numbers, nested trajectories, recorded usage. */
import { describe, expect, it } from 'vitest';
import { type Step as Kept, trajectory } from '../../src/formats/atif/atif-document.js';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import { fixture } from '../shared/fixture.js';
import { openText } from '../shared/opened.js';
import { rewriteText } from '../shared/rewrite-text.js';

const STEPS = fixture('atif/hand-steps.json');
const FAULTS = fixture('atif/hand-faults.jsonl');
const TERMINUS = fixture('atif/terminus-2-linear-history.json');

interface Step {
  readonly step_id: number;
  readonly timestamp?: string;
  readonly tool_calls?: readonly { readonly tool_call_id: string }[];
  readonly observation?: { readonly results: readonly { readonly source_call_id?: string | null }[] };
}
type Trajectory = { readonly steps: readonly Step[]; readonly subagent_trajectories: readonly Trajectory[] };

describe('ATIF', () => {
  it('reads recorded model, time, usage and cost', () => {
    const [main] = openText(STEPS).transcripts;
    expect([main!.id, main!.model, main!.tools?.text.length]).toEqual(['run-1', 'claude-sonnet-4-5', 91]);
    const recorded = main!.messages.map((message) => main!.recorded!(message));
    expect(recorded[2]).toEqual({
      model: 'claude-sonnet-4-5-20250929',
      time: Date.UTC(2025, 9, 11, 10, 30, 5, 250),
      usage: { input: 200, cacheRead: 700, cacheWrite5m: 300, cacheWrite1h: 0, output: 80, reasoning: 12 },
      cost: '0.00450',
    });
    expect(recorded[7]?.cost).toBe('1.1e-3');
    expect(recorded[4]).toBeUndefined(); // copied from another trajectory
    const [terminus] = openText(TERMINUS).transcripts;
    expect(terminus!.recorded!(terminus!.messages[1]!)).toEqual({
      model: 'gpt-4o',
      time: undefined,
      usage: { input: 682, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 60, reasoning: 0 },
      cost: '0.002305',
    });
  });

  it('opens the trajectories of subagents', () => {
    expect(openText(STEPS).transcripts.map(({ messages }) => messages.length)).toEqual([8, 3]);
  });

  it('states the number of steps that are left, if it stated that of all', () => {
    const step = (step_id: number, source: string, more = {}) => ({ step_id, source, message: 'Well.', ...more });
    const tool_calls = [{ tool_call_id: 'a', function_name: 'read', arguments: {} }];
    const observation = { results: [{ source_call_id: 'a', content: 'read' }] };
    const steps = [step(1, 'user'), step(2, 'agent', { message: '', tool_calls, observation }), step(3, 'agent')];
    const run = (total_steps: number) =>
      JSON.stringify({
        schema_version: 'ATIF-v1.6',
        agent: {},
        steps,
        final_metrics: { total_steps, total_cost_usd: 1 },
      });
    const left = (total_steps: number) => JSON.parse(rewriteText(run(total_steps), 'filter', { maxToolCalls: 0 }));
    expect(left(3)).toMatchObject({ steps: { length: 2 }, final_metrics: { total_steps: 2, total_cost_usd: 1 } });
    expect(left(7)).toMatchObject({ steps: { length: 2 }, final_metrics: { total_steps: 7 } });
    expect(rewriteText(run(3), 'filter', { maxToolCalls: 1 })).toBe(run(3));
  });

  it.each(['filter', 'strip'])('renumbers steps without gaps after %s', (id) => {
    const after = JSON.parse(
      rewriteText(STEPS, id, { maxToolCalls: 0, keepToolNames: true, retryPrompt: true }),
    ) as Trajectory;
    const all = [after, ...after.subagent_trajectories];
    for (const { steps } of all)
      expect(steps.map(({ step_id }) => step_id)).toEqual(steps.map((_, index) => index + 1));
    expect(all.map(({ steps }) => steps.length)).not.toEqual([8, 3]);
  });

  it('gives an added step the time of the step before', () => {
    const after = JSON.parse(rewriteText(STEPS, 'strip', { keepToolNames: true })) as Trajectory;
    expect(after.steps[2]).toEqual({
      step_id: 3,
      timestamp: '2025-10-11T10:30:01Z',
      source: 'agent',
      message: 'Tools used: read_file, shell, delegate',
    });
  });

  it('does not renumber steps that had gaps', () => {
    expect(rewriteText(FAULTS, 'strip', {}).split('\n')[1]).toContain('"step_id":5,');
  });

  it('moves a result back into the step of its call, and keeps observations without a call', () => {
    const [first, second] = rewriteText(FAULTS, 'patch', {})
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Trajectory);
    const pairs = ({ steps }: Trajectory) =>
      steps.map((step) => [
        step.tool_calls?.map((call) => call.tool_call_id) ?? [],
        step.observation?.results.map((result) => result.source_call_id) ?? [],
      ]);
    expect(pairs(first!)).toEqual([
      [[], []],
      [
        ['c1', 'c1_2'],
        ['c1', 'c1_2'],
      ],
      [['c3'], ['c3']],
      [[], []],
    ]);
    expect(pairs(second!)).toEqual([
      [[], []],
      [['c1'], ['c1']],
      [[], []],
      [[], []],
    ]);
    expect(rewriteText(TERMINUS, 'patch', {})).toBe(TERMINUS);
  });

  it('pairs results without ids in order', () => {
    const step = (JSON.parse(rewriteText(STEPS, 'patch', {})) as Trajectory).steps[3]!;
    expect(step.observation!.results.map((result) => result.source_call_id)).toEqual([undefined, 'call_d']);
  });
});

describe('the trajectory of a session that is kept in a database', () => {
  const NONE = { id: 's', agent: 'goose', model: undefined, time: undefined, totals: {} };
  const steps = (...kept: readonly Kept[]) =>
    (JSON.parse(printed(trajectory({ ...NONE, steps: kept }))) as { steps: readonly unknown[] }).steps;

  it('holds all that a step says, and nothing where it says nothing', () => {
    const call = { id: 'c', tool: 'f', input: parse('{"a":1}'), result: 'r' };
    const full = { isUser: false, time: 0, model: 'm', text: 'x', thinking: 'hm', calls: [call] };
    expect(steps({ isUser: true, text: 'Hi' }, { ...full, metrics: { cost_usd: 1 }, unread: [parse('5')] })).toEqual([
      { step_id: 1, source: 'user', message: 'Hi' },
      {
        ...{ step_id: 2, timestamp: '1970-01-01T00:00:00.000Z', source: 'agent', model_name: 'm', message: 'x' },
        reasoning_content: 'hm',
        tool_calls: [{ tool_call_id: 'c', function_name: 'f', arguments: { a: 1 } }],
        observation: { results: [{ source_call_id: 'c', content: 'r' }] },
        ...{ metrics: { cost_usd: 1 }, extra: { unread: [5] } },
      },
    ]);
    expect(steps({ isUser: false, text: 'x', thinking: '', calls: [], unread: [] })).toEqual([
      { step_id: 1, source: 'agent', message: 'x' },
    ]);
  });

  it('holds calls without an input or a result, and an empty result', () => {
    const call = (id: string, result?: string) => ({ id, tool: 'f', input: undefined, result });
    const [none, one] = steps(
      { isUser: false, text: '', calls: [call('a')] },
      { isUser: false, text: '', calls: [call('b'), call('c', '')] },
    );
    const told = (id: string) => ({ tool_call_id: id, function_name: 'f', arguments: {} });
    expect(none).toEqual({ step_id: 1, source: 'agent', message: '', tool_calls: [told('a')] });
    expect(one).toMatchObject({
      tool_calls: [told('b'), told('c')],
      observation: { results: [{ source_call_id: 'c', content: '' }] },
    });
  });

  it('tells requests beside the steps, and no time that is none', () => {
    const requests = [
      { time: 1, model: 'm', metrics: { prompt_tokens: 5 } },
      { time: Number.NaN, model: undefined, metrics: {} },
    ];
    const written = JSON.parse(printed(trajectory({ ...NONE, time: 1e20, model: 'm', steps: [], requests })));
    expect(written).toEqual({
      ...{ schema_version: 'ATIF-v1.7', session_id: 's', final_metrics: {} },
      agent: { name: 'goose', version: 'unknown', model_name: 'm' },
      steps: [{ step_id: 1, source: 'agent', message: '' }],
      extra: {
        requests: [
          { timestamp: '1970-01-01T00:00:00.001Z', model_name: 'm', metrics: { prompt_tokens: 5 } },
          { metrics: {} },
        ],
      },
    });
    expect(JSON.parse(printed(trajectory({ ...NONE, steps: [] })))).not.toHaveProperty('extra');
  });
});
