/**
 * Conditions on arguments and results, rules by the same argument, failures without a flag, and rules that look at
 * more than calls.
 */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { conversationOf } from '../../src/policy/conversation.js';
import { amountOf } from '../../src/policy/costs.js';
import { judge } from '../../src/policy/judge.js';
import type { AnyRule, Policy } from '../../src/policy/types.js';
import { open } from '../../src/source/recording.js';
import { chat, type Turns } from '../shared/policy-chat.js';
import { sharedRecordings } from '../shared/recordings.js';

const ALIASES: Policy['aliases'] = {
  commit: { tool: 'bash', args: { cmd: { pattern: '\\bgit commit\\b' } } },
  failing: { tool: ['bash', 'run_*'], result: { error: true } },
  change: ['edit', 'commit'],
};

function found(rule: Omit<AnyRule, 'id'>, turns: Turns, answer?: string) {
  const policy = { version: 1, aliases: ALIASES, rules: [{ id: 'r', ...rule } as AnyRule] } as const;
  return judge(policy, conversationOf(chat(turns, answer))).findings.map(({ call, text }) => [call?.message, text]);
}

const bash = (cmd: string) => `bash${JSON.stringify({ cmd }).replaceAll('=', '')}`;

describe('conditions', () => {
  it.each([
    ['equals', { cmd: { equals: 'ls' } }, ['ls', 'pwd'], [1]],
    ['pattern', { cmd: { pattern: '^rm\\b' } }, ['ls', 'rm -rf /'], [3]],
    ['not_pattern', { cmd: { not_pattern: '^rm\\b' } }, ['ls', 'rm -rf /'], [1]],
    ['schema', { cmd: { schema: { maxLength: 2 } } }, ['ls', 'pwd'], [1]],
    ['of what is not there', { dir: { pattern: '.' } }, ['ls'], []],
    ['not of what is not there', { dir: { not_pattern: '.' } }, ['ls'], [1]],
  ])('on arguments: %s', (_, args, commands, expected) => {
    const rule = { type: 'denied_tools', tools: ['bash'], args };
    expect(found(rule, [['x', ...commands.map(bash)]]).map(([message]) => message)).toEqual(expected);
  });

  it('on what is no object: the text of a custom tool, and JSON that breaks off', () => {
    const call = { tool: 'exec', callId: undefined, args: undefined, step: 1, turn: 1, lastUserText: '' };
    const ofForce = (more: object, message: number) => ({ ...call, result: undefined, message, ...more });
    const calls = [{ args: 'git push --force' }, { input: '{"cmd":"git push --force' }, { args: 'ls' }, {}].map(
      ofForce,
    );
    const denied = (condition: object) => {
      const rule = { id: 'r', type: 'denied_tools', tools: ['*'], args: { '*': condition } };
      return judge({ version: 1, rules: [rule] }, { calls, lastUserText: '' }).findings.map((one) => one.call?.message);
    };
    expect(denied({ pattern: '--force' })).toEqual([0, 1]);
    expect(denied({ not_pattern: '--force' })).toEqual([2, 3]);
  });

  it('on a member of an argument', () => {
    const rule = { type: 'denied_tools', tools: ['a'], args: { 'o.path': { equals: '/etc' } } };
    expect(found(rule, [['x', 'a{"o":{"path":"/etc"}}', 'a{"o":{"path":"/x"}}']])).toHaveLength(1);
  });

  it('count only the calls that are so', () => {
    const rule = { type: 'max_calls', tool: 'bash', max: 1, args: { cmd: { pattern: '^git' } } };
    expect(found(rule, [['x', bash('git a'), bash('ls'), bash('ls'), bash('git b')]])).toEqual([
      [7, '`bash` is call 2 of its kind in one transcript, where at most 1 are allowed'],
    ]);
  });

  it('in an alias: of the one call, not of the other', () => {
    const rule = { type: 'never_after', trigger: 'commit', forbidden: 'edit' };
    expect(found(rule, [['x', bash('git commit -m a'), 'edit']])).toHaveLength(1);
    expect(found(rule, [['x', bash('git status'), 'edit']])).toEqual([]);
    expect(found({ type: 'denied_tools', tools: ['change'] }, [['x', bash('ls'), bash('git commit')]])).toHaveLength(1);
  });

  it('on results', () => {
    expect(found({ type: 'denied_tools', tools: ['failing'] }, [['x', 'bash=ok', 'run_a=!no']])).toHaveLength(1);
    const rule = { type: 'denied_tools', tools: ['bash'], result: { pattern: 'password', error: false } };
    expect(found(rule, [['x', 'bash=The Password', 'bash=!password', 'bash=fine']])).toHaveLength(1);
  });

  it('in `when`', () => {
    const rule = { type: 'require', tool: 'test', when: { called: 'commit' } };
    expect(found(rule, [['x', bash('ls')]])).toEqual([]);
    expect(found(rule, [['x', bash('git commit')]])).toHaveLength(1);
  });
});

describe('a tool that takes text', () => {
  const item = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c1', name: 'apply_patch', input: '*** Begin Patch' };
  const responses = { input: [{ role: 'user', content: 'x' }, item] };
  const custom = { name: item.name, input: item.input };
  const chats = [
    { role: 'user', content: 'x' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'custom', custom }] },
  ];
  it.each([[responses], [chats]])('is called with a string: %j', (body) => {
    const judged = (args?: Record<string, unknown>) =>
      judge(
        {
          version: 1,
          tools: args === undefined ? {} : { apply_patch: { args } },
          rules: [{ id: 'r', type: 'args_valid', tool: '*' }],
        },
        conversationOf(open(JSON.stringify(body)).transcripts[0]!),
      ).findings.map(({ text }) => text);
    expect(judged()).toEqual([]);
    expect(judged({ type: 'string', pattern: '^[*]{3} Begin' })).toEqual([]);
    expect(judged({ type: 'string', maxLength: 3 })).toEqual([expect.stringContaining('longer than 3')]);
  });
});

describe('what the user says beside results', () => {
  const call = (id: string, name: string) => ({ type: 'tool_use', id, name, input: {} });
  const anthropic = (...said: readonly string[]) => [
    { role: 'user', content: 'clean up' },
    { role: 'assistant', content: [{ type: 'text', text: 'Well.' }, call('t1', 'list')] },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 't1', content: 'a b' },
        ...said.map((text) => ({ type: 'text', text })),
      ],
    },
    { role: 'assistant', content: [call('t2', 'delete')] },
  ];
  const gemini = (said: string) => ({
    contents: [
      { role: 'user', parts: [{ text: 'clean up' }] },
      { role: 'model', parts: [{ text: 'Well.' }, { functionCall: { name: 'list', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'list', response: {} } }, { text: said }] },
      { role: 'model', parts: [{ functionCall: { name: 'delete', args: {} } }] },
    ],
  });
  const seen = (history: unknown) => {
    const { calls, ...said } = conversationOf(open(JSON.stringify(history)).transcripts[0]!);
    return { turns: said.turns, userTexts: said.userTexts, last: calls.at(-1)!.lastUserText };
  };
  const stopped = { turns: 2, userTexts: ['clean up', 'Stop!'], last: 'Stop!' };

  it('begins a turn', () => {
    expect(seen(anthropic('Stop!'))).toEqual(stopped);
    expect(seen(gemini('Stop!'))).toEqual(stopped);
    const { lastAssistantText } = conversationOf(open(JSON.stringify(anthropic('Stop!'))).transcripts[0]!);
    expect(lastAssistantText).toBe('Well.');
  });

  it('is told from what an agent writes there', () => {
    const [reminder, marker] = [
      '<system-reminder>\nx\n</system-reminder>',
      '[Request interrupted by user for tool use]',
    ];
    const without = { turns: 1, userTexts: ['clean up'], last: 'clean up' };
    expect(seen(anthropic())).toEqual(without);
    expect(seen(anthropic(reminder, marker, ' '))).toEqual(without);
    expect(seen(anthropic(reminder, 'Stop!'))).toEqual(stopped);
  });
});

describe('the same argument', () => {
  const before = { type: 'before', first: 'read', then: 'edit', same_arg: { read: 'path', edit: 'file' } };
  it('an edit needs an earlier read of the same path', () => {
    expect(found(before, [['x', 'read{"path":"./a"}', 'edit{"file":"a"}']])).toEqual([]);
    expect(found(before, [['x', 'read{"path":"a"}', 'edit{"file":"b"}']])).toEqual([
      [3, '`edit` is called, but `read` was not called before it in this transcript (file: b)'],
    ]);
  });
  it('a call without it is about nothing', () => expect(found(before, [['x', 'edit{}']])).toEqual([]));
  it('counts each value by itself', () => {
    const rule = { type: 'max_calls', tool: 'edit', max: 2, same_arg: 'path' };
    const edits = ['a', 'b', 'a', 'b', 'a'].map((path) => `edit{"path":"${path}"}`);
    expect(found(rule, [['x', ...edits]]).map(([message]) => message)).toEqual([9]);
  });
});

const SHARED = sharedRecordings();

describe('a failure', () => {
  const NO_FLAG = [
    ['Error: 503 Service Unavailable', true],
    ['\n[ERROR] no such user', true],
    ["ValueError: 'x'", true],
    ['Failed to open a.ts', true],
    ['Traceback (most recent call last):\n  File "a.py"', true],
    ['{"error": "not found"}', true],
    ['{"success": false, "id": 1}', true],
    ['{"output":"","metadata":{"exit_code":1,"duration_seconds":0.2}}', true],
    ['No module named x\n\nCommand exited with code 1', true],
    ['bash: whois: command not found', true],
    ['错误：没有权限', true],
    ['ok', false],
    ['', false],
    ['{"error": null, "rows": []}', false],
    ['{"rows": [{"error": "of yesterday"}]}', false],
    ['{"output":"9 passed","metadata":{"exit_code":0}}', false],
    ['Errors are values, said Rob Pike', false],
    ['The report: no error was found', false],
  ] as const;
  it.each(NO_FLAG)('by what it looks like: %j', (content, failed) => {
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
    const again = (id: string) => [
      { role: 'assistant', content: null, tool_calls: [{ ...call, id }] },
      { role: 'tool', tool_call_id: id, content },
    ];
    const text = JSON.stringify([{ role: 'user', content: 'x' }, ...again('a'), ...again('b')]);
    const rule = { id: 'r', type: 'no_repeat', tool: '*', unless: ['previous_error'] };
    const { findings } = judge({ version: 1, rules: [rule] }, conversationOf(open(text).transcripts[0]!));
    expect(findings).toHaveLength(failed ? 0 : 1);
  });

  it('a flag says more than looks', () => {
    expect(found({ type: 'max_errors', max: 0 }, [['x', 'a=Error: is what the file says']])).toEqual([]);
  });

  it.skipIf(!existsSync('../shared/transcripts'))('as the flags of real recordings say, nearly always', () => {
    const recordings = SHARED.filter(({ name }) => /^(tau2|pi-session|claude-code|kimi)\//.test(name));
    const counts = { flagged: 0, both: 0, unflagged: 0, looks: 0 };
    for (const { bytes } of recordings)
      for (const transcript of open(bytes).transcripts) {
        if (transcript.traits.flagsErrors !== true) continue;
        const { calls } = conversationOf(transcript);
        const blind = calls.map((call) => ({ ...call, result: call.result && { ...call.result, isError: undefined } }));
        const rule = { id: 'r', type: 'max_errors', max: 0 };
        const failing = new Set(
          judge({ version: 1, rules: [rule] }, { calls: blind, lastUserText: '' }).findings.map(({ call }) => call),
        );
        for (const [index, { result }] of calls.entries()) {
          if (result === undefined) continue;
          const looks = failing.has(blind[index]!);
          counts[result.isError === true ? 'flagged' : 'unflagged']++;
          if (looks) counts[result.isError === true ? 'both' : 'looks']++;
        }
      }
    // of what no flag calls a failure, one in two hundred looks like one at most; of failures, half show in the text
    expect(counts.looks * 200).toBeLessThan(counts.unflagged);
    expect(counts.both * 2).toBeGreaterThan(counts.flagged);
  });
});

const TAU = SHARED.filter(({ name }) => name.startsWith('tau-bench/'));

/** These agents call again what answered `Error: …`; their format has no flag for it. */
it.skipIf(TAU.length === 0)(
  'a call that failed may be made again: over the recordings of an agent with a faulty server',
  () => {
    const rules = [{ id: 'r', type: 'no_repeat', tool: '*', unless: ['previous_error'] }];
    let [repeats, wrong] = [0, 0];
    for (const { bytes } of TAU)
      for (const transcript of open(bytes).transcripts) {
        const { calls, lastUserText: said } = conversationOf(transcript);
        const known = new Map(calls.map((call, index) => [call, index]));
        const key = ({ tool, args }: (typeof calls)[number]) => `${tool} ${JSON.stringify(args)}`;
        for (const { call } of judge({ version: 1, rules }, { calls, lastUserText: said }).findings) {
          const before = calls.slice(0, known.get(call!)).findLast((other) => key(other) === key(call!));
          repeats++;
          if (/^Error: /.test(before?.result?.text ?? '')) wrong++;
        }
      }
    expect(wrong).toBe(0); // they were 1,601 of 1,674
    expect(repeats).toBeGreaterThan(50);
  },
);

describe('of a transcript', () => {
  it('what the model says last', () => {
    const rule = { type: 'last_answer', text: { pattern: '\\bdone\\b', not_matches: ['secrets'] } };
    expect(found(rule, [['x', 'a']], 'It is Done.')).toEqual([]);
    expect(found(rule, [['x', 'a']], 'No.')).toEqual([[undefined, 'the last answer does not match \\bdone\\b']]);
    expect(found(rule, [['x', 'a']], `done: sk-ant-${'a'.repeat(30)}`)).toEqual([
      [undefined, 'the last answer matches the word list `secrets`'],
    ]);
  });

  it('what it costs and how long a call takes', () => {
    const call = { tool: 'a', callId: 'a', args: {}, message: 1, step: 1, turn: 1, lastUserText: 'x', time: 1000 };
    const of = (rule: Omit<AnyRule, 'id'>, cost?: number, time?: number) =>
      judge(
        { version: 1, rules: [{ id: 'r', ...rule } as AnyRule] },
        {
          calls: [{ ...call, result: { text: '', isError: false, time } }],
          lastUserText: 'x',
          cost: cost === undefined ? undefined : amountOf(cost),
        },
      ).findings.map(({ text }) => text);
    expect(of({ type: 'max_run_cost', usd: 0.5 }, 0.5)).toEqual([]);
    expect(of({ type: 'max_run_cost', usd: 0.5 }, 0.75)).toEqual(['the run costs $0.75, more than $0.5']);
    expect(of({ type: 'max_run_cost', usd: 0.5 })).toEqual([]);
    expect(of({ type: 'max_latency', seconds: 2 }, undefined, 3000)).toEqual([]);
    expect(of({ type: 'max_latency', seconds: 2 }, undefined, 3500)).toEqual(['`a` takes 2.5 s, more than 2 s']);
    expect(of({ type: 'max_latency', seconds: 2 })).toEqual([]);
  });
});

it('a message says what was found', () => {
  const rule = { type: 'denied_tools', tools: ['bash'], message: '{tool} ran {args.cmd}: {finding} {other} {"a": 1}' };
  expect(found(rule, [['x', bash('ls')]])).toEqual([[1, 'bash ran ls: `bash` must not be called {other} {"a": 1}']]);
});
