// How each agent is run on a folder of its own, with our adapters and with a provider on this machine.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The rules of the guard of all agents. */
const POLICY = JSON.stringify({ version: 1, rules: [{ id: 'once', type: 'no_repeat', tool: '*' }] });
/** Of the models: no agent compacts a session here. */
const WINDOW = 10_000_000;

/**
 * `types` is compiled with the agent's own declarations. `run(folder, url, library, steps)` runs the agent to its end,
 * without our adapters if there are no steps. `trims`: the requests of one run are trimmed.
 */
export const programs = [
  {
    name: 'pi',
    packages: ['@earendil-works/pi-coding-agent@1.5.2'],
    types: `import type { ExtensionAPI } from '@earendil-works/pi-coding-agent';
import { guard, trim } from 'ctx-trim/pi';
export const extensions: ((pi: ExtensionAPI) => void)[] = [trim(['patch']).extension, guard(policy).extension];`,
    tool: 'bash',
    trims: true,
    run(folder, url, library, steps) {
      const models = [{ id: 'm', contextWindow: WINDOW }];
      const provider = { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: 'none', models };
      mkdirSync(join(folder, '.pi/agent'), { recursive: true });
      writeFileSync(join(folder, '.pi/agent/models.json'), JSON.stringify({ providers: { fake: provider } }));
      const extension = join(folder, 'extension.mjs');
      writeFileSync(
        extension,
        `import { guard, trim } from '${library}/dist/lib/adapters/pi.js';
export default (pi) => {
  guard(${POLICY}).extension(pi);
  trim(${JSON.stringify(steps)}).extension(pi);
};`,
      );
      const pi = join(library, 'node_modules/@earendil-works/pi-coding-agent/dist/cli.js');
      const options = ['-p', 'Run the commands.', '--provider', 'fake', '--model', 'm'];
      const own = steps === undefined ? [] : ['-e', extension];
      return runs(process.execPath, [pi, ...options, ...own], folder, { PI_OFFLINE: '1' });
    },
  },
  {
    name: 'opencode',
    packages: ['opencode-ai@1.18.33', '@opencode-ai/plugin@1.18.33'],
    types: `import type { Plugin } from '@opencode-ai/plugin';
import { guard, trim } from 'ctx-trim/opencode';
export const plugins: Plugin[] = [async () => trim(['patch']), async () => guard(policy)];`,
    tool: 'bash',
    trims: true,
    run(folder, url, library, steps) {
      const models = { m: { name: 'm', tool_call: true, limit: { context: WINDOW, output: 1000 } } };
      const fake = { npm: '@ai-sdk/openai-compatible', options: { baseURL: `${url}/v1`, apiKey: 'none' }, models };
      const config = { provider: { fake }, model: 'fake/m', small_model: 'fake/m', permission: 'allow' };
      const file = join(folder, 'ctx-trim.js');
      const plugin = steps === undefined ? [] : [pathToFileURL(file).href];
      writeFileSync(join(folder, 'opencode.json'), JSON.stringify({ ...config, plugin, autoupdate: false }));
      writeFileSync(
        file,
        `import { guard, trim } from '${library}/dist/lib/adapters/opencode.js';
export const Guard = async () => guard(${POLICY});
export const Trim = async () => trim(${JSON.stringify(steps)});`,
      );
      const opencode = join(library, 'node_modules/.bin/opencode');
      const places = ['DATA', 'CONFIG', 'STATE', 'CACHE'].map((name) => [
        `XDG_${name}_HOME`,
        join(folder, '.xdg', name),
      ]);
      return runs(opencode, ['run', 'Run the commands.', '-m', 'fake/m'], folder, Object.fromEntries(places));
    },
  },
  {
    name: 'Claude Agent SDK',
    packages: ['@anthropic-ai/claude-agent-sdk@0.3.332', '@anthropic-ai/sdk', '@modelcontextprotocol/sdk', 'zod'],
    types: `import { query, type SessionStore } from '@anthropic-ai/claude-agent-sdk';
import { guard, trim } from 'ctx-trim/claude-agent-sdk';
export const run = (store: SessionStore) =>
  query({ prompt: '', options: { hooks: guard(policy).hooks, sessionStore: trim(['patch']).sessionStore(store) } });`,
    tool: 'Bash',
    trims: false, // sessions are trimmed when they are loaded
    run(folder, url, library, steps) {
      const program = join(folder, 'agent.mjs');
      writeFileSync(
        program,
        `import { writeFileSync } from 'node:fs';
import { query } from '${library}/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs';
import { guard, trim } from '${library}/dist/lib/adapters/claude-agent-sdk.js';
const kept = new Map();
const store = {
  append: async ({ sessionId }, entries) => void kept.set(sessionId, [...(kept.get(sessionId) ?? []), ...entries]),
  load: async ({ sessionId }) => kept.get(sessionId) ?? null,
};
const trimmed = trim(${JSON.stringify(steps)}).sessionStore(store);
const ask = async (prompt, options) => {
  const { hooks } = guard(${POLICY});
  const env = { ...process.env, ANTHROPIC_BASE_URL: '${url}', ANTHROPIC_API_KEY: 'none' };
  let session;
  const run = query({ prompt, options: { cwd: '${folder}', hooks, allowedTools: ['Bash'], env, ...options } });
  for await (const message of run) session = message.session_id ?? session;
  return session;
};
const resume = await ask('Run the commands.', { sessionStore: trimmed });
// As after a crash: the results of the last reply are lost, and all that came later.
const entries = kept.get(resume);
const last = entries.findLastIndex((entry) => JSON.stringify(entry.message?.content ?? '').includes('"tool_result"'));
kept.set(resume, entries.slice(0, last));
const before = JSON.stringify(kept.get(resume));
writeFileSync('${join(folder, 'kept.json')}', before);
await ask('Go on.', { sessionStore: trimmed, resume });
if (!JSON.stringify(kept.get(resume)).startsWith(before.slice(0, -1))) throw new Error('the stored session changed');
`,
      );
      const quiet = { DISABLE_TELEMETRY: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' };
      return runs(process.execPath, [program], folder, { CLAUDE_CONFIG_DIR: join(folder, '.claude'), ...quiet });
    },
  },
];

/** Runs a program in a home folder of its own. Throws an Error with what it printed if it fails. */
async function runs(program, args, folder, env) {
  const own = { PATH: process.env.PATH, HOME: folder, PWD: folder, ...env };
  const child = spawn(program, args, { cwd: folder, env: own, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const status = await new Promise((exit) => child.on('exit', exit));
  if (status !== 0) throw new Error(`${program} ended with ${status}:\n${output}`);
}
