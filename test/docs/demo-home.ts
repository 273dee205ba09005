/** A made-up home with a few sessions of two agents, for the pages that show what is on a machine. */
import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** When the pages are printed. */
export const NOW = Date.parse('2026-11-20T16:00:00Z');

const CLAUDE = [
  { id: '3f2a9c1e-7d41-4c5b-9a0e-5b1c2d3e4f50', at: '2026-11-20T13:10:00Z', calls: 34, isCut: true, prompt: TITLES(0) },
  {
    id: '8b61d0aa-02c7-4f3d-8a57-1f9e6c7d8b92',
    at: '2026-11-18T09:05:00Z',
    calls: 58,
    isCut: false,
    prompt: TITLES(1),
  },
  {
    id: 'c47e5f13-9b20-4e8a-b6d1-0a2b3c4d5e6f',
    at: '2026-11-03T14:30:00Z',
    calls: 21,
    isCut: false,
    prompt: TITLES(2),
  },
];
const CODEX = { id: '019a8d2e-5c11-7f30-a1b2-c3d4e5f60718', at: '2026-11-19T11:00:00Z', calls: 26, prompt: TITLES(3) };

/** The sessions that it holds. */
export const DEMO_IDS: readonly string[] = [...CLAUDE, CODEX].map(({ id }) => id);

function TITLES(at: number): string {
  return [
    'The checkout test fails once in ten runs. Find out why.',
    'Add pagination to the orders API',
    'Why is the first page so slow?',
    'Move the build to Node 24',
  ][at]!;
}

/** A request every 20 seconds. */
const timeOf = (start: string, step: number) => new Date(Date.parse(start) + step * 20_000).toISOString();

function claudeLines({ id, at, calls, isCut, prompt }: (typeof CLAUDE)[number]): object[] {
  let parent: string | null = null;
  const line = (step: number, type: string, message: object, more: object = {}) => {
    const uuid = `${id.slice(0, 8)}-0000-4000-8000-${String(step).padStart(12, '0')}`;
    const base = { parentUuid: parent, isSidechain: false, userType: 'external', cwd: '/home/ada/shop', sessionId: id };
    parent = uuid;
    const rest = { version: '2.1.40', gitBranch: 'main', type, message, uuid, timestamp: timeOf(at, step) };
    return { ...base, ...rest, ...more };
  };
  const rows = [line(0, 'user', { role: 'user', content: prompt })];
  for (let call = 1; call <= calls; call++) {
    const use = {
      type: 'tool_use',
      id: `toolu_${id.slice(0, 4)}${call}`,
      name: 'Read',
      input: { file_path: `/home/ada/shop/${call}.ts` },
    };
    const usage = {
      input_tokens: 4,
      output_tokens: 160,
      cache_read_input_tokens: 14_000 + 1900 * call,
      cache_creation_input_tokens: 1900,
    };
    const reply = {
      id: `msg_${id.slice(0, 4)}${call}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5-20250929',
      content: [use],
      usage,
    };
    rows.push(line(2 * call - 1, 'assistant', reply, { requestId: `req_${id.slice(0, 4)}${call}` }));
    if (isCut && call === calls) break; // interrupted
    const content = [
      { type: 'tool_result', tool_use_id: use.id, content: `export const value${call} = ${call};\n`.repeat(40) },
    ];
    rows.push(line(2 * call, 'user', { role: 'user', content }));
  }
  if (isCut)
    rows.push(line(2 * calls, 'user', { role: 'user', content: 'Stop. Look at the seed of the random numbers.' }));
  return rows;
}

function codexLines({ id, at, calls, prompt }: typeof CODEX): object[] {
  const row = (step: number, type: string, payload: object) => ({ timestamp: timeOf(at, step), type, payload });
  const rows = [
    row(0, 'session_meta', {
      id,
      timestamp: at,
      cwd: '/home/ada/site',
      originator: 'codex_cli_rs',
      cli_version: '0.60.1',
      instructions: null,
    }),
    row(0, 'turn_context', {
      cwd: '/home/ada/site',
      model: 'gpt-5-codex',
      approval_policy: 'on-request',
      summary: 'auto',
    }),
    row(1, 'response_item', { type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] }),
  ];
  const total = {
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
    reasoning_output_tokens: 0,
    total_tokens: 0,
  };
  for (let call = 1; call <= calls; call++) {
    const arguments_ = JSON.stringify({ command: ['bash', '-lc', `sed -n '1,80p' src/${call}.ts`] });
    rows.push(
      row(2 * call, 'response_item', {
        type: 'function_call',
        name: 'shell',
        arguments: arguments_,
        call_id: `call_${call}`,
      }),
    );
    const used = {
      input_tokens: 9000 + 1500 * call,
      cached_input_tokens: 8000 + 1500 * (call - 1),
      output_tokens: 220,
      reasoning_output_tokens: 90,
      total_tokens: 9220 + 1500 * call,
    };
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += used[key];
    rows.push(
      row(2 * call, 'event_msg', {
        type: 'token_count',
        info: { total_token_usage: { ...total }, last_token_usage: used, model_context_window: 272_000 },
      }),
    );
    const output = JSON.stringify({
      output: `const line${call} = ${call};\n`.repeat(40),
      metadata: { exit_code: 0, duration_seconds: 0.1 },
    });
    rows.push(row(2 * call + 1, 'response_item', { type: 'function_call_output', call_id: `call_${call}`, output }));
  }
  rows.push(
    row(2 * calls + 2, 'response_item', {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Done.' }],
    }),
  );
  return rows;
}

/** Returns its folder. */
export function createDemoHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'ctx-trim-demo-home-'));
  const write = (path: string, rows: readonly object[]) => {
    const file = join(home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const { timestamp } = rows.at(-1) as { readonly timestamp: string };
    utimesSync(file, new Date(timestamp), new Date(timestamp));
  };
  for (const session of CLAUDE) write(`.claude/projects/-home-ada-shop/${session.id}.jsonl`, claudeLines(session));
  write(`.codex/sessions/2026/11/19/rollout-2026-11-19T11-00-00-${CODEX.id}.jsonl`, codexLines(CODEX));
  return home;
}
