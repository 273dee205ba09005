/**
 * What is known of agents, by examples from their own documentation and sources (read on 2026-11-23 to 26): where a
 * session lies and which id it has, how to go on with it, and what the calls of their tools do to files.
 */
import { describe, expect, it } from 'vitest';
import { sessionIds, sessionsAmong } from '../../src/formats/agent.js';
import { AGENT_TOOLS } from '../../src/formats/agent-tools.js';
import { agentOf, rememberFile, storedFile, WITH_STORE } from '../../src/formats/agents.js';
import { resumeCommand } from '../../src/formats/resume-command.js';
import { type FileCall, fileCallOf, fileToolsWith } from '../../src/transforms/file-calls.js';

const ID = '0a1b2c3d-1111-4222-8333-444455556666';
const OTHER = '9f8e7d6c-1111-4222-8333-444455556666';

/** A path below home, the variable that moves the folder with what is below it, and the ids of the file. */
const SESSIONS: readonly (readonly [agent: string, path: string, moved: string, id: string, session?: string])[] = [
  ['amp', `.local/share/amp/threads/T-${ID}.json`, 'AMP_DATA_DIR/threads', `T-${ID}`],
  ['claude-code', `.claude/projects/-home-me-app/${ID}.jsonl`, 'CLAUDE_CONFIG_DIR/projects', ID],
  ['claude-code', `.config/claude/projects/-home-me-app/${ID}.jsonl`, 'CLAUDE_CONFIG_DIR/projects', ID],
  ['claude-code', `.claude/projects/-app/${ID}/subagents/agent-a1.jsonl`, 'CLAUDE_CONFIG_DIR/projects', 'agent-a1', ID],
  ['claude-code', '.claude/projects/-app/agent-a1.jsonl', 'CLAUDE_CONFIG_DIR/projects', 'agent-a1'],
  ['codex', `.codex/sessions/2026/11/20/rollout-2026-11-20T10-11-12-${ID}.jsonl`, 'CODEX_HOME/sessions', ID],
  ['codex', `.codex/archived_sessions/rollout-2026-11-20T10-11-12-${ID}.jsonl.zst`, 'CODEX_HOME/archived_sessions', ID],
  ['continue', `.continue/sessions/${ID}.json`, 'CONTINUE_GLOBAL_DIR/sessions', ID],
  ['copilot', `.copilot/session-state/${ID}/events.jsonl`, 'COPILOT_HOME/session-state', ID],
  ['copilot', `.copilot/history-session-state/${ID}.json`, 'COPILOT_HOME/history-session-state', ID],
  ['cursor', `.cursor/projects/app/agent-transcripts/${ID}/${ID}.jsonl`, '', ID],
  ['droid', `.factory/sessions/-app/${ID}.jsonl`, 'DROID_SESSIONS_DIR/', ID],
  ['gemini-cli', '.gemini/tmp/app/chats/session-2026-11-20T10-11-0a1b.json', 'GEMINI_DATA_DIR/tmp', 'inside'],
  ['gemini-cli', `.gemini/tmp/app/chats/${ID}/w1.jsonl`, 'GEMINI_DATA_DIR/tmp', 'w1', ID],
  ['kimi', `.kimi/sessions/0f/${ID}/context.jsonl`, 'KIMI_DATA_DIR/sessions', ID],
  ['kimi', '.kimi-code/sessions/wd_1/session_1/agents/main/wire.jsonl', 'KIMI_CODE_HOME/sessions', 'session_1'],
  [
    'kimi',
    '.kimi-code/sessions/wd_1/session_1/agents/a2/wire.jsonl',
    'KIMI_CODE_HOME/sessions',
    'session_1',
    'session_1',
  ],
  ['openclaw', `.openclaw/agents/main/sessions/${ID}.jsonl`, 'OPENCLAW_DIR/agents', ID],
  ['openclaw', `.openclaw/agents/main/sessions/${ID}.jsonl.reset.2026-11-20`, 'OPENCLAW_DIR/agents', ID],
  ['opencode', '.local/share/opencode/storage/session/p1/ses_1.json', 'OPENCODE_DATA_DIR/storage/session', 'ses_1'],
  ['pi', `.pi/agent/sessions/--app--/2026-11-20T10-11-12-000Z_${ID}.jsonl`, 'PI_CODING_AGENT_DIR/sessions', ID],
  ['qwen-code', `.qwen/tmp/0a1b/chats/${ID}.json`, 'QWEN_DATA_DIR/tmp', ID],
  ['qwen-code', `.qwen/projects/-app/chats/${ID}.jsonl`, 'QWEN_DATA_DIR/projects', ID],
  ['qwen-code', `.qwen/projects/-app/chats/archive/${ID}.jsonl`, 'QWEN_DATA_DIR/projects', ID],
  ['qwen-code', `.qwen/projects/-app/subagents/${ID}/agent-x.jsonl`, 'QWEN_DATA_DIR/projects', 'agent-x', 'inside'],
  ['cline', '.cline/data/sessions/17_xf/17_xf.messages.json', 'CLINE_DATA_DIR/sessions', '17_xf'],
  ['cline', '.cline/data/sessions/17_xf/agent_1.messages.json', 'CLINE_DATA_DIR/sessions', 'agent_1', '17_xf'],
];

/** The store of an agent in whose folder a path is, the deepest one, and the path below that. */
function placeOf(agent: string, path: string) {
  const stores = WITH_STORE.find(({ id }) => id === agent)!.stores;
  const found = stores.flatMap((store) => store.folders.map((folder) => ({ store, folder })));
  const { store, folder } = found.findLast((one) => `~/${path}`.startsWith(`${one.folder}/`))!;
  return { store, name: `~/${path}`.slice(folder.length + 1) };
}

describe('sessions', () => {
  const whole = SESSIONS.map(([agent, path, moved, id, session = id]) => [agent, path, moved, id, session] as const);
  it.each(whole)('%s: %s', (agent, path, moved, id, session) => {
    const { store, name } = placeOf(agent, path);
    expect(sessionsAmong([name, 'notes.txt'], store)).toEqual([name]);
    const ids = sessionIds(name, store, () => 'inside');
    const isPartInside = agent === 'claude-code' && name.split('/').length === 2 && name.includes('/agent-');
    expect([ids.id, ids.session]).toEqual([id, isPartInside ? 'inside' : session]);
    const [variable, ...below] = moved.split('/');
    if (moved === '') expect(store.movedBy).toBeUndefined();
    else expect(store.movedBy).toContain(variable);
    if (below.join('/') !== '') expect(store.below).toContain(below.join('/'));
    expect(agentOf('none', `/home/me/${path}`)).toBe(agent);
  });

  it("of Kilo Code's command line are in a database as opencode has it", () => {
    const { store, name } = placeOf('kilo-code', '.local/share/kilo/kilo.db');
    expect(sessionsAmong([name, 'kilo.db-wal', 'telemetry-id'], store)).toEqual([name]);
    const { sessions, session } = placeOf('opencode', '.local/share/opencode/opencode.db').store.database!;
    expect(store.database).toMatchObject({ sessions, session, instead: expect.stringMatching(/^kilo export /) });
  });

  it('of Qwen Code, Cline and Continue are not what stands beside them', () => {
    const besides = [
      ['qwen-code', '.qwen/projects', `-app/chats/${ID}.worktree.json`],
      ['qwen-code', '.qwen/projects', `-app/subagents/${ID}/agent-x.meta.json`],
      ['cline', '.cline/data/sessions', '17_xf/17_xf.json'],
      ['cline', '.cline/data/sessions', '17_xf/17_xf.compaction.json'],
      ['continue', '.continue/sessions', 'sessions.json'],
    ];
    for (const [agent, folder, name] of besides)
      expect(sessionsAmong([name!], placeOf(agent!, `${folder}/x`).store)).toEqual([]);
  });

  it('that are packed are passed over beside the same file', () => {
    const { store, name } = placeOf('codex', `.codex/sessions/rollout-2026-11-20T10-11-12-${ID}.jsonl`);
    expect(sessionsAmong([name, `${name}.zst`], store)).toEqual([name]);
    expect(sessionsAmong([`${name}.zst`], store)).toEqual([`${name}.zst`]);
  });

  it('have the id in them where their name is none', () => {
    const { store, name } = placeOf('codex', '.codex/sessions/rollout-short.jsonl');
    const first = `{"timestamp":"x","type":"session_meta","payload":{"id":"${OTHER}"}}\n{"type":"other","id":"${ID}"}`;
    const ids = sessionIds(name, store, (id) => id.exec(first)?.[1]);
    expect(ids).toEqual({ id: OTHER, name: 'short', session: OTHER });
    const later = `{"type":"other","id":"${ID}"}\n{"type":"session_meta","id":"${OTHER}"}`;
    expect(sessionIds(name, store, (id) => id.exec(later)?.[1]).id).toBe('short');
  });

  it('are of the agent that was told, else of the folder, else of the format', () => {
    expect(agentOf('claude-code', 'x.jsonl')).toBe('claude-code');
    expect(agentOf('openai-chat', 'x.jsonl')).toBeUndefined();
    expect(agentOf('claude-code', 'C:\\Users\\me\\.codex\\sessions\\x.jsonl')).toBe('codex');
    expect(agentOf('', '/x/User/globalStorage/saoudrizwan.claude-dev/tasks/1/api.json')).toBe('cline');
    expect(agentOf('', '/x/User/globalStorage/rooveterinaryinc.roo-cline/tasks/1/api.json')).toBe('roo-code');
    expect(agentOf('', '/x/User/globalStorage/kilocode.kilo-code/tasks/1/api.json')).toBe('kilo-code');
    expect(agentOf('', '/x/Cursor/User/globalStorage/state.vscdb/1')).toBe('cursor');
    const file = { agent: 'pi', session: ID, folder: '--app--' };
    rememberFile('told.jsonl', file);
    expect([agentOf('claude-code', 'told.jsonl'), storedFile('told.jsonl')]).toEqual(['pi', file]);
  });

  it.each([
    ['amp', 'amp threads continue'],
    ['claude-code', 'claude --resume'],
    ['codex', 'codex resume'],
    ['copilot', 'copilot --resume'],
    ['droid', 'droid --resume'],
    ['gemini-cli', 'gemini --resume'],
    ['goose', 'goose session --resume --session-id'],
    ['kimi', 'kimi --session'],
    ['opencode', 'opencode -s'],
    ['pi', 'pi --session'],
    ['qwen-code', 'qwen --resume'],
  ])('of %s go on with `%s`', (agent, command) => {
    expect(resumeCommand(agent, ID, undefined)).toBe(`${command} ${ID}`);
    expect(resumeCommand(agent, 'a b', "/it's here")).toBe(`cd '/it'\\''s here' && ${command} 'a b'`);
  });

  it('of others do not', () => {
    for (const agent of ['cline', 'cursor', 'nobody']) expect(resumeCommand(agent, ID, '/x')).toBeUndefined();
  });
});

const TOOLS = fileToolsWith({ reads: [], edits: [] });
const PATCH = '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** Delete File: b.ts\n*** End Patch';
const PATH = { path: 'a.ts' };
const FILE = { file_path: 'a.ts' };
const CAMEL = { filePath: 'a.ts' };

/** What a call does: `read a.ts 3-5`, where 5 is the last line. */
function told(call: FileCall | undefined): string {
  if (call === undefined) return 'nothing';
  const { start, end } = call.lines;
  const range =
    start === 1 && end === Number.POSITIVE_INFINITY
      ? ''
      : ` ${start}-${end === Number.POSITIVE_INFINITY ? '' : end - 1}`;
  return `${call.does} ${call.paths.join(' ')}${range}`;
}

describe('calls', () => {
  it.each<[tool: string, input: unknown, does: string]>([
    ['Read', { ...FILE, offset: 3, limit: 3 }, 'read a.ts 3-5'],
    ['Read', { ...FILE, offset: 3 }, 'read a.ts 3-'],
    ['Read', { ...FILE, limit: 3 }, 'read a.ts 1-3'],
    ['Edit', FILE, 'edit a.ts'],
    ['MultiEdit', FILE, 'edit a.ts'],
    ['Write', FILE, 'edit a.ts'],
    ['NotebookRead', { notebook_path: 'a.ipynb' }, 'read a.ipynb'],
    ['NotebookEdit', { notebook_path: 'a.ipynb' }, 'edit a.ipynb'],
    ['str_replace_based_edit_tool', { ...PATH, command: 'view', view_range: [2, 4] }, 'read a.ts 2-4'],
    ['str_replace_based_edit_tool', { ...PATH, command: 'view', view_range: [2, -1] }, 'read a.ts 2-'],
    ['str_replace_editor', { ...PATH, command: 'str_replace' }, 'edit a.ts'],
    ['str_replace_editor', PATH, 'nothing'],
    ['read_file', { ...PATH, start_line: 2, end_line: 4 }, 'read a.ts 2-4'],
    ['read_file', { ...FILE, offset: 2, limit: 2 }, 'read a.ts 3-4'],
    ['read_file', { absolute_path: '/a.ts', start_line: 2 }, 'read /a.ts 2-'],
    ['read_file', { ...CAMEL, startLine: 2, endLine: 4 }, 'read a.ts 2-4'],
    ['read_file', { ...CAMEL, offset: 2, limit: 2 }, 'read a.ts 2-3'],
    ['write_to_file', PATH, 'edit a.ts'],
    ['replace_in_file', PATH, 'edit a.ts'],
    ['read_files', { files: [{ path: 'a.ts' }, { path: 'b.ts' }] }, 'read a.ts b.ts'],
    ['editor', PATH, 'edit a.ts'],
    ['apply_patch', PATCH, 'edit a.ts b.ts'],
    ['apply_patch', { input: PATCH }, 'edit a.ts b.ts'],
    ['apply_patch', { patchText: PATCH }, 'edit a.ts b.ts'],
    ['shell', { command: ['apply_patch', PATCH], workdir: '/w' }, 'edit /w/a.ts /w/b.ts'],
    ['shell_command', { command: `apply_patch <<'EOF'\n${PATCH}\nEOF` }, 'edit a.ts b.ts'],
    ['exec_command', { cmd: `apply_patch <<'EOF'\n${PATCH}\nEOF`, workdir: '/w' }, 'edit /w/a.ts /w/b.ts'],
    ['container.exec', { cmd: ['apply_patch', PATCH] }, 'edit a.ts b.ts'],
    ['local_shell', { command: ['apply_patch', PATCH] }, 'nothing'],
    ['replace', FILE, 'edit a.ts'],
    ['write_file', FILE, 'edit a.ts'],
    ['read_many_files', { include: ['a.ts', 'b.ts'] }, 'read a.ts b.ts'],
    ['read_many_files', { paths: ['a.ts'] }, 'read a.ts'],
    ['edit', FILE, 'edit a.ts'],
    ['ReadFile', { ...PATH, line_offset: 2, n_lines: 3 }, 'read a.ts 2-4'],
    ['Read', { ...PATH, line_offset: 2, n_lines: 3 }, 'read a.ts 2-4'],
    ['WriteFile', PATH, 'edit a.ts'],
    ['StrReplaceFile', PATH, 'edit a.ts'],
    ['Write', PATH, 'edit a.ts'],
    ['Edit', PATH, 'edit a.ts'],
    ['edit_file', FILE, 'edit a.ts'],
    ['edit_file', PATH, 'edit a.ts'],
    ['read', { ...CAMEL, offset: 2, limit: 3 }, 'read a.ts 3-5'],
    ['read', { ...PATH, offset: 2, limit: 3 }, 'read a.ts 2-4'],
    ['edit', CAMEL, 'edit a.ts'],
    ['multiedit', CAMEL, 'edit a.ts'],
    ['write', CAMEL, 'edit a.ts'],
    ['write', PATH, 'edit a.ts'],
    ['patch', { patchText: PATCH }, 'edit a.ts b.ts'],
    ['file_editor', { ...PATH, command: 'view', view_range: [5, 6] }, 'read a.ts 5-6'],
    ['file_editor', { ...PATH, command: 'create' }, 'edit a.ts'],
    ['open', PATH, 'read a.ts'],
    ['create', { filename: 'a.ts' }, 'edit a.ts'],
    ['create', PATH, 'edit a.ts'],
    ['replace_string_in_file', CAMEL, 'edit a.ts'],
    ['insert_edit_into_file', CAMEL, 'edit a.ts'],
    ['create_file', CAMEL, 'edit a.ts'],
    ['edit_notebook_file', CAMEL, 'edit a.ts'],
    ['multi_replace_string_in_file', { replacements: [CAMEL, { filePath: 'b.ts' }] }, 'edit a.ts b.ts'],
    ['view', { ...PATH, view_range: [1, 2] }, 'read a.ts 1-2'],
    ['Read', { file: 'a.ts' }, 'nothing'],
    ['Read', { file_path: '' }, 'nothing'],
    ['look', FILE, 'nothing'],
  ])('%s %o: %s', (tool, input, does) => {
    const text = typeof input === 'string' ? input : JSON.stringify(input);
    expect(told(fileCallOf({ type: 'call', callId: 'c', tool, input: text }, TOOLS, undefined))).toBe(does);
  });

  it('run something else if these arguments differ', () => {
    const runs = AGENT_TOOLS.flatMap(({ runs: own = [] }) => own).map(
      ([tools, args]) => `${tools.join(' ')}: ${args.join(' ')}`,
    );
    expect(runs).toEqual([
      'Bash bash: command cmd',
      'WebFetch: url prompt',
      'shell shell_command exec_command local_shell container.exec: command cmd',
      'bash: command cmd',
      'bash: command cmd',
      'webfetch: url prompt',
      'run_shell_command: command',
      'web_fetch: url prompt',
      'run_in_terminal: command',
      'execute_bash terminal run: command',
      'run_ipython execute_ipython_cell: code',
      'execute_command: command',
      'run_commands: commands',
      'Shell: command',
      'exec: command',
      'run_terminal_command: command cmd',
    ]);
    expect(AGENT_TOOLS.flatMap(({ freshShells = [] }) => freshShells)).toEqual([
      ...['shell', 'shell_command', 'exec_command', 'local_shell', 'container.exec'],
      'run_shell_command',
    ]);
  });
});
