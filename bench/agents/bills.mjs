// What agents state themselves of what they used: how each runs a prompt, and where it says so afterwards.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TOOL } from './calls.mjs';

/** Most need Node 22. */
export const NODE = 'node@22';

const MODEL = { name: 'here', cost: { input: 1, output: 2 }, limit: { context: 2000000, output: 8000 } };

/** What opencode and Kilo Code, which is made of it, need. `data`: their folder. */
const openedWith = (program, data, config) => ({
  run({ prompt, home, url }) {
    const options = { baseURL: `${url}/v1`, apiKey: 'none' };
    const provider = { here: { npm: '@ai-sdk/openai-compatible', name: 'here', options, models: { here: MODEL } } };
    write(join(home, '.config', data, config), JSON.stringify({ provider }));
    return { command: [program, 'run', '-m', 'here/here', prompt], env: {} };
  },
  states({ home, bin }) {
    const database = join(home, '.local/share', data, `${data}.db`);
    return sumOf(replies(database, bin), ({ tokens: { input, output, reasoning, cache } }) => ({
      ...{ requests: 1, input: input + cache.read + cache.write, cached: cache.read, output: output + reasoning },
    }));
  },
});

/** `run`: the command of a prompt. `states`: the sums of requests, input (all of it), what of it was cached, output. */
export const BILLS = {
  'claude-code': {
    package: '@anthropic-ai/claude-code@2.1.332',
    says: '`--output-format json`',
    run: ({ prompt, url }) => ({
      command: [
        ...['claude', '-p', prompt, '--model', 'claude-opus-4-1', '--output-format', 'json'],
        '--dangerously-skip-permissions',
      ],
      env: {
        ...{ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'none', IS_SANDBOX: '1' },
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
    }),
    states: ({ said }) =>
      sumOf(
        said.flatMap((text) => Object.values(JSON.parse(text).modelUsage)),
        (used) => ({
          input: used.inputTokens + used.cacheReadInputTokens + used.cacheCreationInputTokens,
          cached: used.cacheReadInputTokens,
          output: used.outputTokens,
        }),
      ),
  },
  codex: {
    package: '@openai/codex@0.171.0',
    says: '`turn.completed` of `--json`',
    run: ({ prompt, url }) => ({
      command: [
        ...['codex', 'exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'],
        ...['-m', 'gpt-5.2-codex', '-c', 'model_provider=here', '-c'],
        `model_providers.here={name="here",base_url="${url}/v1",wire_api="responses",env_key="HERE_KEY"}`,
        prompt,
      ],
      env: { HERE_KEY: 'none' },
    }),
    states: ({ said }) =>
      sumOf(
        said.map((text) => eventsIn(text).findLast(({ type }) => type === 'turn.completed').usage),
        (used) => ({ input: used.input_tokens, cached: used.cached_input_tokens, output: used.output_tokens }),
      ),
  },
  'qwen-code': {
    package: '@qwen-code/qwen-code@0.24.4',
    says: '`usage_record.jsonl`',
    run: ({ prompt, url }) => ({
      command: ['qwen', '--auth-type', 'openai', '-y', '-p', prompt],
      env: { OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'qwen3-coder-plus' },
    }),
    states: ({ home }) =>
      sumOf(
        eventsIn(read(home, '.qwen/usage_record.jsonl')).flatMap(({ models }) => Object.values(models)),
        (used) => ({
          ...{ requests: used.requests, input: used.inputTokens, cached: used.cachedTokens },
          output: used.outputTokens,
        }),
      ),
  },
  cline: {
    package: 'cline@3.0.65',
    says: '`metadata.usage`, `metrics` of sub-agents',
    run({ prompt, home, url }) {
      const settings = { provider: 'openai-native', apiKey: 'none', model: 'gpt-5', baseUrl: `${url}/v1` };
      const own = { settings, updatedAt: '2026-11-30T00:00:00.000Z', tokenSource: 'manual' };
      const all = { version: 1, lastUsedProvider: 'openai-native', modes: {}, providers: { 'openai-native': own } };
      write(join(home, '.cline/data/settings/providers.json'), JSON.stringify(all));
      return { command: ['cline', '-P', 'openai-native', '-m', 'gpt-5', prompt], env: {} };
    },
    /** A session states what its main agent used; of its sub-agents, only their replies say it. */
    states: ({ home }) =>
      sumOf(
        [
          ...filesIn(join(home, '.cline/data/sessions'), /\d_\w+(?<!messages)\.json$/).map(
            (text) => JSON.parse(text).metadata.usage,
          ),
          ...filesIn(join(home, '.cline/data/sessions'), /\/agent_\w+\.messages\.json$/).flatMap((text) =>
            JSON.parse(text).messages.flatMap(({ metrics }) => metrics ?? []),
          ),
        ],
        (used) => ({ input: used.inputTokens, cached: used.cacheReadTokens, output: used.outputTokens }),
      ),
  },
  copilot: {
    package: '@github/copilot@1.0.102',
    says: 'its last words',
    run: ({ prompt, url }) => ({
      command: ['copilot', '--allow-all-tools', '-p', prompt],
      env: {
        ...{
          COPILOT_PROVIDER_TYPE: 'openai',
          COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
          COPILOT_PROVIDER_API_KEY: 'none',
        },
        ...{ COPILOT_MODEL: 'gpt-5', COPILOT_OFFLINE: 'true' },
      },
    }),
    states: ({ home }) =>
      sumOf(
        filesIn(join(home, '.copilot/session-state'), /events\.jsonl$/)
          .map((text) => eventsIn(text).findLast(({ type }) => type === 'session.shutdown'))
          .flatMap(({ data }) => Object.values(data.modelMetrics)),
        ({ requests, usage }) => ({
          ...{ requests: requests.count, input: usage.inputTokens, cached: usage.cacheReadTokens },
          output: usage.outputTokens,
        }),
      ),
  },
  pi: {
    package: '@earendil-works/pi-coding-agent@1.6.0',
    says: '`usage` of each reply, as printed',
    run({ prompt, home, url }) {
      const cost = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1.25 };
      const model = {
        id: 'here',
        name: 'here',
        reasoning: false,
        input: ['text'],
        contextWindow: 200000,
        maxTokens: 8000,
      };
      const here = { baseUrl: url, api: 'anthropic-messages', apiKey: 'none', models: [{ ...model, cost }] };
      write(join(home, '.pi/agent/models.json'), JSON.stringify({ providers: { here } }));
      return { command: ['pi', '-p', '--mode', 'json', '--provider', 'here', '--model', 'here', prompt], env: {} };
    },
    states: ({ said }) =>
      sumOf(
        said.flatMap((text) => eventsIn(text).filter(({ type, message }) => type === 'message_end' && message.usage)),
        ({ message: { usage } }) => ({
          ...{ requests: 1, input: usage.input + usage.cacheRead + usage.cacheWrite, cached: usage.cacheRead },
          output: usage.output,
        }),
      ),
  },
  'gemini-cli': {
    package: '@google/gemini-cli@0.61.0',
    says: '`stats` of `-o json`',
    run({ prompt, home, url }) {
      write(join(home, '.gemini/settings.json'), '{"security":{"auth":{"selectedType":"gemini-api-key"}}}');
      return {
        command: ['gemini', '-m', 'gemini-2.5-pro', '--yolo', '-o', 'json', '-p', prompt],
        env: { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
      };
    },
    states: ({ said }) =>
      sumOf(
        said.flatMap((text) => Object.values(JSON.parse(text.slice(text.indexOf('{'))).stats.models)),
        ({ api, tokens }) => ({
          ...{ requests: api.totalRequests, input: tokens.prompt, cached: tokens.cached },
          output: tokens.candidates + tokens.thoughts,
        }),
      ),
  },
  opencode: {
    package: 'opencode-ai@1.18.33',
    says: 'its database',
    ...openedWith('opencode', 'opencode', 'opencode.json'),
  },
  'kilo-code': {
    package: `@kilocode/cli-${process.platform}-${process.arch}@7.7.9`,
    says: 'its database',
    ...openedWith(`../@kilocode/cli-${process.platform}-${process.arch}/bin/kilo`, 'kilo', 'kilo.json'),
  },
  kimi: {
    package: '@moonshot-ai/kimi-code@2.1.0',
    says: '`usage.record` of each agent',
    run({ prompt, home, url }) {
      const provider = `[providers.here]\ntype = "openai"\nbase_url = "${url}/v1"\napi_key = "none"\n`;
      const model = '[models.here]\nprovider = "here"\nmodel = "here"\nmax_context_size = 200000\n';
      write(join(home, '.kimi-code/config.toml'), `default_model = "here"\n${provider}${model}`);
      return { command: ['kimi', '-p', prompt], env: {} };
    },
    states: ({ home }) =>
      sumOf(
        filesIn(join(home, '.kimi-code/sessions'), /wire\.jsonl$/).flatMap((text) =>
          eventsIn(text).filter(({ type }) => type === 'usage.record'),
        ),
        ({ usage: { inputOther, inputCacheRead, inputCacheCreation, output } }) => ({
          ...{ requests: 1, input: inputOther + inputCacheRead + inputCacheCreation, cached: inputCacheRead, output },
        }),
      ),
  },
  continue: {
    package: '@continuedev/cli@1.5.47',
    says: '`usage` of the session',
    /** What compacts the session stands in its sum alone. Sub-agents do not run without a terminal. */
    prompts: [TOOL, '/compact'],
    run({ prompt, home, url }) {
      const config = join(home, '.continue/config.yaml');
      const model = `{name: here, provider: openai, model: here, apiBase: "${url}/v1", apiKey: none}`;
      write(config, `name: here\nversion: 1.0.0\nschema: v1\nmodels: [${model}]\n`);
      return { command: ['cn', '--config', config, '--auto', '--resume', '-p', prompt], env: {} };
    },
    states: ({ home }) =>
      sumOf(
        filesIn(join(home, '.continue/sessions'), /-.*\.json$/).map((text) => JSON.parse(text).usage),
        ({ promptTokens, completionTokens }) => ({ input: promptTokens, output: completionTokens }),
      ),
  },
};

/** What none of them states is undefined. */
function sumOf(all, of) {
  const each = all.map(of);
  const sum = (key) => {
    const values = each.map((one) => one[key]);
    return values.includes(undefined) ? undefined : values.reduce((total, value) => total + value, 0);
  };
  return { requests: sum('requests'), input: sum('input'), cached: sum('cached'), output: sum('output') };
}

function eventsIn(text) {
  return text.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
}

const read = (home, path) => readFileSync(join(home, path), 'utf8');

function filesIn(folder, pattern) {
  const names = readdirSync(folder, { recursive: true });
  return names.filter((name) => pattern.test(name)).map((name) => readFileSync(join(folder, name), 'utf8'));
}

/** By a query of our own: the program's is not asked. */
function replies(database, bin) {
  const script = `const { DatabaseSync } = require('node:sqlite');
    const rows = new DatabaseSync(process.argv[1]).prepare('SELECT data FROM message').all();
    console.log(JSON.stringify(rows.map(({ data }) => JSON.parse(data)).filter(({ tokens }) => tokens)));`;
  return JSON.parse(
    execFileSync(join(bin, 'node'), ['-e', script, database], {
      encoding: 'utf8',
      maxBuffer: 1e9,
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
