/** Calls of agents as calls of other agents, by the tables of their tools. */
import { describe, expect, it } from 'vitest';
import { callFor, doingOf } from '../../src/conversion/actions.js';
import { SESSION_TARGETS } from '../../src/conversion/session-targets.js';
import type { ToolAction } from '../../src/formats/agent-tool.js';

type Tools = readonly ToolAction[];

const TOOLS = new Map(
  SESSION_TARGETS.flatMap(({ format, tools }) => (tools === undefined ? [] : [[format.id, tools]])),
);
const [claude, codex, pi, opencode, gemini] = [...TOOLS.values()] as [Tools, Tools, Tools, Tools, Tools];

function between(from: Tools, to: Tools, tool: string, input: unknown) {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const doing = doingOf(tool, text, from);
  const call = doing && callFor(doing, to, '/work');
  if (call === undefined) return undefined;
  const { tool: named, input: written, isFreeText, lost } = call;
  return [named, isFreeText ? written : JSON.parse(written), ...(lost.length === 0 ? [] : [lost])];
}

const PATCH = '*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+two\n*** End Patch';
const EDIT = { file_path: 'a.ts', old_string: 'one', new_string: 'two' };

it.each([
  [
    claude,
    gemini,
    'Read',
    { file_path: 'a.ts', offset: 5, limit: 10 },
    'read_file',
    { file_path: 'a.ts', start_line: 5, end_line: 14 },
  ],
  [gemini, claude, 'read_file', { file_path: 'a.ts', end_line: 14 }, 'Read', { file_path: 'a.ts', limit: 14 }],
  [claude, codex, 'Read', { file_path: "it's.ts" }, 'exec_command', { cmd: "cat 'it'\\''s.ts'" }],
  [codex, claude, 'exec_command', { cmd: "cat 'it'\\''s.ts'" }, 'Read', { file_path: "it's.ts" }],
  [claude, codex, 'Read', { file_path: 'a.ts', offset: 5, limit: 10 }, 'exec_command', { cmd: "sed -n '5,14p' a.ts" }],
  [
    codex,
    pi,
    'shell',
    { command: ['bash', '-lc', "sed -n '5,14p' a.ts | wc"], workdir: '/work' },
    'bash',
    { command: "sed -n '5,14p' a.ts | wc" },
    ['the words of a command, which are one text'],
  ],
  [codex, pi, 'exec_command', { cmd: 'ls', workdir: '/other' }, 'bash', { command: 'cd /other && ls' }],
  [claude, codex, 'Edit', EDIT, 'apply_patch', PATCH],
  [codex, claude, 'apply_patch', PATCH, 'Edit', EDIT],
  [codex, claude, 'apply_patch', { arguments: PATCH }, 'Edit', EDIT],
  [codex, claude, 'apply_patch', { input: PATCH }, 'Edit', EDIT],
  [codex, opencode, 'apply_patch', { input: PATCH }, 'apply_patch', { patchText: PATCH }],
  [
    gemini,
    claude,
    'read_file',
    { file_path: 'a.ts', start_line: 3, end_line: '14' },
    'Read',
    { file_path: 'a.ts', offset: 3 },
    ['end_line'],
  ],
  [gemini, claude, 'read_file', { file_path: 'a.ts', end_line: null }, 'Read', { file_path: 'a.ts' }],
  [
    codex,
    claude,
    'shell',
    { command: ['rm', '-r', 'my folder'] },
    'Bash',
    { command: "rm -r 'my folder'" },
    ['the words of a command, which are one text'],
  ],
  [
    codex,
    claude,
    'shell',
    { command: ['bash', '-c', 'ls $0', 'src'] },
    'Bash',
    { command: "bash -c 'ls $0' src" },
    ['the words of a command, which are one text'],
  ],
  [codex, opencode, 'apply_patch', PATCH, 'apply_patch', { patchText: PATCH }],
  [claude, pi, 'Edit', EDIT, 'edit', { path: 'a.ts', edits: [{ oldText: 'one', newText: 'two' }] }],
  [pi, claude, 'edit', { path: 'a.ts', edits: [{ oldText: 'one', newText: 'two' }] }, 'Edit', EDIT],
  [
    codex,
    gemini,
    'apply_patch',
    '*** Begin Patch\n*** Add File: a.ts\n+x\n+\n*** End Patch',
    'write_file',
    { file_path: 'a.ts', content: 'x\n\n' },
  ],
  [
    claude,
    codex,
    'Write',
    { file_path: 'a.ts', content: 'x\n\n' },
    'apply_patch',
    '*** Begin Patch\n*** Add File: a.ts\n+x\n+\n*** End Patch',
  ],
  [
    claude,
    codex,
    'TodoWrite',
    { todos: [{ content: 'a', status: 'pending', activeForm: 'a' }] },
    'update_plan',
    { plan: [{ step: 'a', status: 'pending' }] },
  ],
  [
    claude,
    opencode,
    'Task',
    { description: 'find it', prompt: 'Where is it?', subagent_type: 'Explore' },
    'task',
    { description: 'find it', prompt: 'Where is it?', subagent_type: 'explore' },
  ],
  [
    claude,
    gemini,
    'Agent',
    { description: 'find it', prompt: 'Where is it?', model: 'opus' },
    'invoke_agent',
    { agent_name: 'generalist', prompt: 'Where is it?' },
    ['model', 'title'],
  ],
  [
    gemini,
    claude,
    'invoke_agent',
    { agent_name: 'codebase_investigator', prompt: 'Where is it?' },
    'Agent',
    { description: 'Explore', prompt: 'Where is it?', subagent_type: 'Explore' },
  ],
  [
    opencode,
    claude,
    'task',
    { description: 'find it', prompt: 'Where is it?', subagent_type: 'mine' },
    'Agent',
    { description: 'find it', prompt: 'Where is it?', subagent_type: 'mine' },
  ],
  [
    claude,
    opencode,
    'AskUserQuestion',
    {
      questions: [
        { question: 'A or B?', header: 'Way', options: [{ label: 'A', description: 'a' }], multiSelect: true },
      ],
    },
    'question',
    {
      questions: [{ question: 'A or B?', header: 'Way', options: [{ label: 'A', description: 'a' }], multiple: true }],
    },
  ],
  [
    opencode,
    gemini,
    'question',
    { questions: [{ question: 'A or B?', header: 'Way', options: [] }] },
    'ask_user',
    { questions: [{ question: 'A or B?', header: 'Way', options: [], type: 'choice' }] },
  ],
  [
    gemini,
    claude,
    'ask_user',
    { questions: [{ question: 'Why?', header: 'Why', type: 'text' }] },
    'AskUserQuestion',
    { questions: [{ question: 'Why?', header: 'Why' }] },
    ['type'],
  ],
  [claude, gemini, 'Skill', { skill: 'pdf' }, 'activate_skill', { name: 'pdf' }],
  [gemini, opencode, 'activate_skill', { name: 'pdf' }, 'skill', { name: 'pdf' }],
  [
    codex,
    opencode,
    'update_plan',
    { plan: [{ step: 'a', status: 'pending' }] },
    'todowrite',
    { todos: [{ content: 'a', status: 'pending', priority: 'medium' }] },
  ],
  [
    claude,
    opencode,
    'Grep',
    { pattern: 'x', path: 'src', glob: '*.ts', output_mode: 'content' },
    'grep',
    { pattern: 'x', path: 'src', include: '*.ts' },
    ['output_mode'],
  ],
  [
    claude,
    codex,
    'Bash',
    { command: 'ls', description: 'Lists' },
    'exec_command',
    { cmd: 'ls', justification: 'Lists' },
  ],
  [pi, claude, 'find', { pattern: '*.ts', path: 'src' }, 'Glob', { pattern: '*.ts', path: 'src' }],
  [
    opencode,
    claude,
    'todowrite',
    { todos: [{ content: 'a', status: 'pending', priority: 'medium' }] },
    'TodoWrite',
    { todos: [{ content: 'a', status: 'pending', activeForm: 'a' }] },
  ],
  [gemini, claude, 'list_directory', { dir_path: 'src' }, 'Bash', { command: 'ls src' }],
  [claude, pi, 'Read', { file_path: 'a.ts', offset: null, limit: null }, 'read', { path: 'a.ts' }],
  [claude, codex, 'Read', { file_path: 'a.ts', limit: 10 }, 'exec_command', { cmd: "sed -n '1,10p' a.ts" }],
  [claude, codex, 'Read', { file_path: 'a.ts', offset: 5 }, 'exec_command', { cmd: 'cat a.ts' }, ['from']],
  [codex, claude, 'exec_command', { cmd: "sed -n '5,14p' a.ts" }, 'Read', { file_path: 'a.ts', offset: 5, limit: 10 }],
  [codex, claude, 'exec_command', { cmd: 'cat a.ts', tty: true }, 'Bash', { command: 'cat a.ts' }, ['tty']],
  [codex, pi, 'exec_command', { cmd: 'cat a.ts', workdir: '/my b' }, 'bash', { command: "cd '/my b' && cat a.ts" }],
  [codex, opencode, 'exec_command', { cmd: 'ls', workdir: '/b' }, 'bash', { command: 'ls', workdir: '/b' }],
  [claude, opencode, 'Bash', { command: 'cat a.ts' }, 'bash', { command: 'cat a.ts' }],
  [claude, codex, 'Grep', { pattern: 'x', path: 'b', glob: '*.ts' }, 'exec_command', { cmd: 'rg -n x b' }, ['include']],
  [
    claude,
    gemini,
    'MultiEdit',
    { file_path: 'a.ts', edits: [{ old_string: 'one', new_string: 'two' }] },
    'replace',
    EDIT,
  ],
  [
    claude,
    opencode,
    'MultiEdit',
    { file_path: 'a.ts', edits: ['one', 'two'].map((old_string) => ({ old_string, new_string: 'x' })) },
    'apply_patch',
    { patchText: '*** Begin Patch\n*** Update File: a.ts\n@@\n-one\n+x\n@@\n-two\n+x\n*** End Patch' },
  ],
  [codex, claude, 'apply_patch', PATCH.replace('@@', '@@ class A'), 'Edit', EDIT, ['@@ class A']],
  [codex, opencode, 'apply_patch', '{"arguments":"a","b":1}', 'apply_patch', { patchText: '{"arguments":"a","b":1}' }],
  [codex, opencode, 'apply_patch', '{"b":"x"}', 'apply_patch', { patchText: '{"b":"x"}' }],
  [codex, opencode, 'apply_patch', '{"arguments":5}', 'apply_patch', { patchText: '{"arguments":5}' }],
  [
    opencode,
    claude,
    'todowrite',
    { todos: ['a', 'b'].map((content) => ({ content, status: 'pending', priority: 'high' })) },
    'TodoWrite',
    { todos: ['a', 'b'].map((content) => ({ content, status: 'pending', activeForm: content })) },
    ['priority'],
  ],
  [
    codex,
    claude,
    'update_plan',
    { plan: [{ status: 'pending' }] },
    'TodoWrite',
    { todos: [{ status: 'pending', activeForm: '' }] },
  ],
  [
    gemini,
    claude,
    'invoke_agent',
    { agent_name: 'mine', prompt: 'x' },
    'Agent',
    { description: 'mine', prompt: 'x', subagent_type: 'mine' },
  ],
  [
    gemini,
    claude,
    'invoke_agent',
    { prompt: 'x' },
    'Agent',
    { description: 'general-purpose', prompt: 'x', subagent_type: 'general-purpose' },
  ],
])('%#: one call of another agent', (from, to, tool, input, ...expected: unknown[]) => {
  expect(between(from, to, tool, input)).toEqual(expected);
});

it.each([
  [claude, pi, 'TodoWrite', { todos: [] }],
  [claude, codex, 'Task', { prompt: 'x' }],
  [codex, claude, 'apply_patch', '*** Begin Patch\n*** Delete File: a.ts\n*** End Patch'],
  [claude, codex, 'Read', { file_path: 5 }],
  [claude, codex, 'Read', 'no JSON'],
  [claude, codex, 'Edit', { file_path: 'a.ts' }],
  [claude, codex, 'Read', 'null'],
  [claude, codex, 'TodoWrite', { todos: 'a' }],
  [pi, claude, 'edit', { path: 'a.ts', edits: [{ oldText: 'one' }] }],
  [pi, claude, 'edit', { path: 'a.ts', edits: [{ newText: 'two' }] }],
  [pi, claude, 'edit', { path: 'a.ts', edits: [null] }],
  [pi, claude, 'edit', { path: 'a.ts', edits: ['one', 'two'].map((oldText) => ({ oldText, newText: 'x' })) }],
])('%#: no call of another agent', (from, to, tool, input) => {
  expect(between(from, to, tool, input)).toBeUndefined();
});

it.each([
  'cat a.ts b.ts',
  'cat a.ts > b.ts',
  'cat $(ls)',
  "cat 'a' 'b'",
  'cat  a.ts',
  "sed -n '1,2p' a.ts; ls",
  'sed -n 1,2p a.ts',
])('%s stays a command', (cmd) => {
  expect(between(codex, claude, 'exec_command', { cmd })).toEqual(['Bash', { command: cmd }]);
});

it.each([
  [['sh', '-c', 'ls src'], 'ls src'],
  [['/bin/zsh', '-lc', 'ls src'], 'ls src'],
  [['/usr/bin/dash', '-c', 'ls src'], 'ls src'],
  [['fish', '-c', 'ls'], 'fish -c ls'],
  [['bash', '-x', 'ls'], 'bash -x ls'],
  [['bash', '-c'], 'bash -c'],
  [['head', '-n', 5], 'head -n 5'],
])('the words %j are the command %s', (command, text) => {
  expect(between(codex, claude, 'shell', { command })?.[1]).toEqual({ command: text });
});

it('a command of an agent that is not known stays a command', () => {
  const command = 'cat a.ts';
  expect(doingOf('Bash', JSON.stringify({ command }), undefined)).toEqual({
    does: 'shell',
    values: { command },
    others: [],
  });
});

it.each([...TOOLS])('each tool of %s has a name, and each of its arguments one of its own', (_, tools) => {
  expect(tools.filter(({ tool }) => !/^[A-Za-z][\w.]+$/.test(tool))).toEqual([]);
  for (const { args, item = {} } of tools)
    for (const keys of [Object.values(args), Object.values(item)]) {
      expect(keys.length > 1 ? keys.filter((key) => !/^[A-Za-z]\w*$/.test(key)) : []).toEqual([]);
      expect(new Set(keys).size).toBe(keys.length);
    }
});

describe.each([...TOOLS])('each tool of %s reads what it writes', (_, tools) => {
  it.each(tools.filter(({ isOld }) => isOld !== true))('$does', ({ tool, args, item = {}, filled = {} }) => {
    const texts = (at: number) => Object.fromEntries(Object.values(item).map((key) => [key, `${key} ${at}`]));
    const filling = (at: number) =>
      Object.fromEntries(
        Object.entries(filled).map(([key, text]) => [key, text.replace('{text}', `${item.text} ${at}`)]),
      );
    const values: Record<string, unknown> = { from: 3, count: 4, to: 6, timeout: 10, all: true, patch: PATCH };
    for (const list of ['edits', 'todos', 'questions'])
      values[list] = [1, 2].map((at) => ({ ...texts(at), ...filling(at) }));
    const input = Object.fromEntries(Object.entries(args).map(([said, key]) => [key, values[said] ?? `some ${said}`]));
    expect(between(tools, tools, tool, args.patch === '' ? PATCH : input)).toEqual([
      tool,
      args.patch === '' ? PATCH : input,
    ]);
  });
});
