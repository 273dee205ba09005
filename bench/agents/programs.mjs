// The real agents, from npm: how each is installed, told of the provider on this machine, and made to resume a session.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const PACKAGES = {
  'claude-code': '@anthropic-ai/claude-code@2.1.332',
  codex: '@openai/codex@0.171.0',
  pi: '@mariozechner/pi-coding-agent@0.73.1',
  opencode: 'opencode-ai@1.18.33',
  'gemini-cli': '@google/gemini-cli@0.61.0',
};
/** What is asked of their JavaScript libraries. */
const LIBRARIES = ['@anthropic-ai/claude-agent-sdk@0.3.332', '@google/gemini-cli-core@0.61.0'];

/** Installs the agents below a folder, unless they are there. */
export function install(folder) {
  mkdirSync(folder, { recursive: true });
  if (existsSync(join(folder, 'node_modules/.bin/codex'))) return;
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const packages = [...Object.values(PACKAGES), ...LIBRARIES];
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: folder, stdio: 'inherit' });
}

export const PROMPT = 'Say done, please.';
const MODEL = { reasoning: false, input: ['text', 'image'], contextWindow: 2000000, maxTokens: 8000 };
const FREE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** `place`: puts a session of the agent itself there, by its id. `run`: the command that resumes it. */
export const AGENTS = {
  'claude-code': {
    place: (home, work, file, id) =>
      copy(file, join(home, '.claude/projects', work.replace(/[^a-zA-Z0-9]/g, '-'), `${id}.jsonl`)),
    idIn: (text) => /"sessionId"\s*:\s*"([^"]+)"/.exec(text)[1],
    run: (id, url) => ({
      command: ['claude', '-p', PROMPT, '--model', 'claude-opus-4-1', '--resume', id],
      env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'none', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
    }),
  },
  codex: {
    place: (home, _, file, id) =>
      copy(file, join(home, '.codex/sessions/2026/01/02', `rollout-2026-01-02T03-04-05-${id}.jsonl`)),
    idIn: (text) => /"session_meta","payload":\{[^}]*?"id":"([^"]+)"/.exec(text)[1],
    run: (id, url) => ({
      command: [
        ...['codex', 'exec', 'resume', id, '--skip-git-repo-check', '-m', 'gpt-5.2-codex', '-c'],
        `model_providers.here={name="here",base_url="${url}/v1",wire_api="responses",env_key="HERE_KEY"}`,
        ...['-c', 'model_provider=here', PROMPT],
      ],
      env: { HERE_KEY: 'none' },
    }),
  },
  pi: {
    place: (home, work, file, id) => {
      const folder = `--${work.slice(1).replaceAll('/', '-')}--`;
      const moved = readFileSync(file, 'utf8').replace(/"cwd":"[^"]*"/, `"cwd":${JSON.stringify(work)}`);
      write(join(home, '.pi/agent/sessions', folder, `2026-01-02T03-04-05-000Z_${id}.jsonl`), moved);
    },
    idIn: (text) => JSON.parse(text.split('\n')[0]).id,
    run(id, url, home) {
      const models = [{ id: 'here', name: 'here', cost: FREE, ...MODEL }];
      const providers = { here: { baseUrl: url, api: 'anthropic-messages', apiKey: 'none', models } };
      write(join(home, '.pi/agent/models.json'), JSON.stringify({ providers }));
      return { command: ['pi', '-p', '--provider', 'here', '--model', 'here', '--session', id, PROMPT], env: {} };
    },
  },
  opencode: {
    place(home, work, file, _id, bin) {
      execFileSync(join(bin, 'opencode'), ['import', file], { cwd: work, env: { ...BARE, HOME: home }, stdio: 'pipe' });
    },
    idIn: (text) => JSON.parse(text).info.id,
    run(id, url, home) {
      const options = { baseURL: `${url}/v1`, apiKey: 'none' };
      const models = { here: { name: 'here', limit: { context: 2000000, output: 8000 } } };
      const provider = { here: { npm: '@ai-sdk/openai-compatible', name: 'here', options, models } };
      write(join(home, '.config/opencode/opencode.json'), JSON.stringify({ provider }));
      return { command: ['opencode', 'run', '-m', 'here/here', '--session', id, PROMPT], env: {} };
    },
  },
  'gemini-cli': {
    place(home, work, file, id, _bin, sha256) {
      const end = file.endsWith('.jsonl') ? 'jsonl' : 'json';
      const name = `session-2026-01-02T03-04-${id.slice(0, 8)}.${end}`;
      copy(file, join(home, '.gemini/tmp', sha256(work), 'chats', name));
    },
    idIn: (text) => /"sessionId"\s*:\s*"([^"]+)"/.exec(text)[1],
    run(id, url, home) {
      write(join(home, '.gemini/settings.json'), '{"security":{"auth":{"selectedType":"gemini-api-key"}}}');
      return {
        command: ['gemini', '-m', 'gemini-2.5-pro', '--resume', id, '-p', PROMPT],
        env: { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
      };
    },
  },
};

export const BARE = { PATH: process.env.PATH, TERM: 'dumb', CI: '1' };

function copy(file, to) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(file, to);
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** The body of the request with which an agent goes on with a session; throws what it said if it sent none. */
export async function resumed(agent, id, { home, work, bin, provider }) {
  const before = provider.bodies.length;
  const { command, env } = AGENTS[agent].run(id, provider.url, home);
  const [program, ...args] = command;
  const child = spawn(join(bin, program), args, { cwd: work, env: { ...BARE, HOME: home, ...env } });
  child.stdin.end();
  let said = '';
  child.stdout.on('data', (data) => (said += data));
  child.stderr.on('data', (data) => (said += data));
  const timer = setTimeout(() => child.kill(), 600_000);
  await new Promise((resolve) => child.on('exit', resolve));
  clearTimeout(timer);
  const bodies = provider.bodies.slice(before).filter((body) => JSON.stringify(body).includes(PROMPT));
  if (bodies.length === 0) throw new Error(`${agent} sent no request: ${said.slice(-400)}`);
  return bodies.toSorted((a, b) => JSON.stringify(b).length - JSON.stringify(a).length)[0];
}

export function readText(path) {
  return readFileSync(path, 'utf8');
}
