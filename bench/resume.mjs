// What the agents themselves load of sessions that were damaged, and of the same sessions after `ctx-trim check --fix`:
// getSessionMessages of the Claude Agent SDK, pi's SessionManager, loadConversationRecord of Gemini CLI, loadSession of
// Qwen Code, and the requests that Codex and opencode send when they resume, to a provider on this machine. Prints the
// table of bench/NOTES.md. The packages come from npm into a temporary folder, or from CTX_TRIM_AGENTS, a folder with
// node_modules. `node bench/resume.mjs [seeds] [agent] [first seed]`.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AGENTS, BARE, PROMPT } from './agents/programs.mjs';
import { startProvider } from './agents/provider.mjs';
import { saidIn } from './agents/requests.mjs';
import { DAMAGES, isWhole, LINKS, randomFrom } from './damages.mjs';

const SEEDS = Number(process.argv[2] ?? 4);
const CHOSEN = process.argv[3];
const FIRST = Number(process.argv[4] ?? 0);
const PACKAGES = [
  ...['@anthropic-ai/claude-agent-sdk', '@earendil-works/pi-coding-agent@1.5.2', '@openai/codex'],
  ...['@google/gemini-cli-core@0.61.0', 'opencode-ai@1.18.33', '@qwen-code/qwen-code@0.24.4'],
];
const SHARED = '../shared/transcripts';
const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-resume-'));
const given = process.env.CTX_TRIM_AGENTS;

/** Damages the sessions of an agent, has them mended, and lets the agent load all of it. */
async function judge({ id, format, texts = textsOf(format), load, close, least = 4 }) {
  const sessions = [];
  for (const [name, text] of texts) {
    const loaded = await load(text, 'healthy').catch(() => []);
    if (loaded.length >= least) sessions.push({ name, text, loaded });
    else console.error(`${id} ${name}: left out: the agent loads ${loaded.length} of it`);
  }
  const cases = sessions.flatMap(({ name, text, loaded }, at) =>
    Object.entries(DAMAGES).flatMap(([damage, apply]) =>
      Array.from({ length: SEEDS }, (_, index) => FIRST + index).flatMap((seed) => {
        const damaged = apply(text, randomFrom(seed * 7919 + at + 1), LINKS[id]);
        return damaged === undefined ? [] : [{ name, damage, seed, damaged, loaded }];
      }),
    ),
  );
  const mended = mend(
    id,
    cases.map(({ damaged }) => damaged),
  );
  const healthy = mend(
    id,
    sessions.map(({ text }) => text),
  );
  const untouched = healthy.filter((text, at) => text === sessions[at].text).length;
  const rows = new Map();
  for (const [at, { name, damage, seed, damaged, loaded }] of cases.entries()) {
    const row = rows.get(damage) ?? { cases: 0, hurt: 0, good: 0 };
    rows.set(damage, row);
    row.cases++;
    if (!isWhole(await load(damaged, 'damaged').catch(() => []), loaded, damage)) row.hurt++;
    const after = await load(mended[at], 'mended').catch(() => []);
    if (isWhole(recorded(after), recorded(loaded), damage)) row.good++;
    else console.error(`${id} ${name}: ${damage}, seed ${seed}: ${after.length} of ${loaded.length}`);
  }
  for (const [damage, { cases: all, hurt, good }] of rows)
    console.log(`| ${id} | ${damage} | ${all} | ${hurt} | ${good} | ${untouched} of ${sessions.length} |`);
  close?.();
}

/** Codex gives calls without a result one of its own. */
const recorded = (items) => items.filter((item) => !/"output":"aborted"/.test(item));

const textsOf = (format) => sessionsOf(format).map((path) => [basename(path), readFileSync(path, 'utf8')]);

/** The user went back there. */
const WENT_BACK = /hand-(?:order|branch|tree|rewind)/;

function sessionsOf(format) {
  return [`${SHARED}/${format}`, `fixtures/formats/${format}`]
    .filter((path) => existsSync(path))
    .flatMap((path) => readdirSync(path).map((name) => join(path, name)))
    .filter((path) => /\.jsonl?$/.test(path) && !WENT_BACK.test(path));
}

const CODEX_ID = '01996135-afde-7911-97f0-d863511eca56';
const NAMES = {
  codex: (at) => `rollout-2026-01-01T00-00-00-${CODEX_ID.slice(0, -4)}${String(at).padStart(4, '0')}.jsonl`,
};

function mend(id, texts) {
  const place = mkdtempSync(join(folder, 'mend-'));
  const paths = texts.map((text, at) => {
    const path = join(place, NAMES[id]?.(at) ?? `${at}.jsonl`);
    writeFileSync(path, text);
    return path;
  });
  const rules = ['--rule', 'resume/*'];
  try {
    execFileSync(process.execPath, ['bin/ctx-trim.js', 'check', '--fix', ...rules, ...paths], { stdio: 'ignore' });
  } catch {
    // findings that are left, and lines that are no JSON
  }
  return paths.map((path) => readFileSync(path, 'utf8'));
}

// --- agents

async function claudeCode(modules) {
  const home = mkdtempSync(join(folder, 'claude-'));
  process.env.CLAUDE_CONFIG_DIR = home;
  const sdk = await import(pathToFileURL(join(modules, '@anthropic-ai/claude-agent-sdk/sdk.mjs')));
  const project = join(home, 'projects', '-project');
  mkdirSync(project, { recursive: true });
  let sessions = 0;
  const load = async (text) => {
    const id = `00000000-0000-4000-8000-${String(++sessions).padStart(12, '0')}`;
    const path = join(project, `${id}.jsonl`);
    writeFileSync(path, text);
    const messages = await sdk.getSessionMessages(id);
    rmSync(path);
    return messages.map(({ type, message }) => JSON.stringify([type, message.role, message.content]));
  };
  return { id: 'claude-code', format: 'claude-code', load };
}

async function pi(modules) {
  const at = join(modules, '@earendil-works/pi-coding-agent/dist/core/session-manager.js');
  const { SessionManager } = await import(pathToFileURL(at));
  const path = join(folder, 'pi.jsonl');
  const load = async (text) => {
    if (isEndless(text)) return []; // pi would not come back
    writeFileSync(path, text);
    const { messages } = SessionManager.open(path).buildSessionContext();
    return messages.map(({ role, content, summary }) => JSON.stringify([role, content ?? summary]));
  };
  return { id: 'pi', format: 'pi-session', load, least: 3 };
}

function isEndless(text) {
  const records = text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
  const byId = new Map(records.map((record) => [record.id, record]));
  let steps = 0;
  for (let record = records.at(-1); record?.parentId; record = byId.get(record.parentId))
    if (++steps > records.length) return true;
  return false;
}

async function geminiCli(modules) {
  const core = join(modules, '@google/gemini-cli-core/dist/src');
  const { loadConversationRecord } = await import(pathToFileURL(join(core, 'services/chatRecordingService.js')));
  const { convertSessionToClientHistory } = await import(pathToFileURL(join(core, 'utils/sessionUtils.js')));
  const load = async (text) => {
    const path = join(folder, `session-2026-01-01T00-00-00000000.${text.startsWith('{\n') ? 'json' : 'jsonl'}`);
    writeFileSync(path, text);
    const record = await loadConversationRecord(path);
    if (record?.hasResumableContent !== true) return []; // it is not listed, and deleted
    return convertSessionToClientHistory(record.messages).map(({ content }) => JSON.stringify(content));
  };
  return { id: 'gemini-cli', format: 'gemini-cli-session', load };
}

/** It needs Node 22. Its library is one of the pieces that it is bundled into. */
async function qwenCode(modules) {
  const home = mkdtempSync(join(folder, 'qwen-'));
  process.env.HOME = home;
  const chunks = join(modules, '@qwen-code/qwen-code/chunks');
  const isLibrary = (name) => readFileSync(join(chunks, name), 'utf8').includes('SessionService = class');
  const core = await import(pathToFileURL(join(chunks, readdirSync(chunks).find(isLibrary))));
  const service = new core.SessionService(home);
  const chats = service.getChatsDir();
  mkdirSync(chats, { recursive: true });
  const load = async (text) => {
    const id = /"sessionId"\s*:\s*"([^"]+)"/.exec(text)[1];
    const path = join(chats, `${id}.jsonl`);
    writeFileSync(path, text.replace(/"cwd"\s*:\s*"[^"]*"/g, `"cwd":${JSON.stringify(home)}`));
    const session = await service.loadSession(id);
    rmSync(path);
    const { apiHistory } = core.buildSessionHistoryFromConversation(session?.conversation ?? { messages: [] });
    return apiHistory.map((content) => JSON.stringify(content));
  };
  return { id: 'qwen-code', format: 'qwen-session', load };
}

/** By its command `import`, and the request with which it goes on: two sessions, one of them compacted. */
async function opencode(modules) {
  const provider = await startProvider();
  const work = mkdtempSync(join(folder, 'work-'));
  const bin = join(modules, '.bin');
  const load = async (text) => {
    const home = mkdtempSync(join(folder, 'opencode-'));
    const file = join(home, 'session.json');
    writeFileSync(file, text);
    const before = provider.bodies.length;
    const id = /"id":\s*"(ses[^"]+)/.exec(text)[1];
    AGENTS.opencode.place(home, work, file, id, bin);
    const { command, env } = AGENTS.opencode.run(id, provider.url, home);
    const options = { cwd: work, env: { ...BARE, HOME: home, ...env }, stdio: 'ignore' };
    await finished(spawn(join(bin, command[0]), command.slice(1), options));
    rmSync(home, { recursive: true, force: true });
    const body = provider.bodies.slice(before).find((one) => JSON.stringify(one).includes(PROMPT));
    const { texts, results } = saidIn(body);
    return [...texts, ...results].filter((text) => !text.includes(PROMPT)).map((text) => JSON.stringify(text));
  };
  const texts = [false, true].map((isCompacted) => [isCompacted ? 'compacted' : 'plain', openedSession(isCompacted)]);
  return { id: 'opencode', texts, load, close: () => provider.close() };
}

/** A session of opencode as it exports one: eight prompts, each with a reply. */
function openedSession(isCompacted) {
  const session = 'ses_0000000000000000000000000001';
  const messages = [];
  const add = (role, text, part, more) => {
    const number = messages.length + 1;
    const id = `msg_${number.toString(16).padStart(12, '0')}00000000000000`;
    const asked = messages.findLast(({ info }) => info.role === 'user')?.info.id;
    const time = { created: 1767225600000 + number * 1000 };
    const model = { providerID: 'here', modelID: 'here' };
    const reply = { ...model, parentID: asked, mode: 'build', agent: 'build', path: { cwd: '/', root: '/' }, cost: 0 };
    const tokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };
    const own = role === 'user' ? { agent: 'build', model } : { ...reply, tokens, finish: 'stop', ...more };
    const ids = { id: id.replace('msg', 'prt'), sessionID: session, messageID: id };
    const info = {
      id,
      sessionID: session,
      role,
      time: role === 'user' ? time : { ...time, completed: time.created },
      ...own,
    };
    messages.push({ info, parts: [{ ...(part ?? { type: 'text', text }), ...ids }] });
    return id;
  };
  for (let turn = 1; turn <= 8; turn++) {
    const id = add('user', `Prompt ${turn} of the user.`);
    add('assistant', `Reply ${turn} of the model.`);
    if (!isCompacted || turn !== 5) continue;
    add('user', '', { type: 'compaction', auto: false, tail_start_id: id });
    add('assistant', 'The summary of four turns.', undefined, {
      summary: true,
      mode: 'compaction',
      agent: 'compaction',
    });
  }
  const time = { created: 1767225600000, updated: 1767225600000 };
  const info = {
    id: session,
    slug: 'made',
    projectID: 'global',
    directory: '/',
    title: 'Made',
    version: '1.18.33',
    time,
  };
  return `${JSON.stringify({ info, messages }, null, 2)}\n`;
}

async function codex(modules) {
  const bin = join(modules, `@openai/codex-${process.platform}-${process.arch}/vendor`);
  const [target] = readdirSync(bin);
  let input;
  const provider = createServer((request, response) => {
    const pieces = [];
    request.on('data', (piece) => pieces.push(piece));
    request.on('end', () => {
      if (request.url.endsWith('/responses')) input = JSON.parse(Buffer.concat(pieces)).input;
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const reply = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] };
      const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
      for (const event of [
        { type: 'response.created', response: { id: 'r1' } },
        { type: 'response.output_item.done', item: reply },
        { type: 'response.completed', response: { id: 'r1', usage } },
      ])
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      response.end();
    });
  });
  await new Promise((resolved) => provider.listen(0, '127.0.0.1', resolved));
  const load = async (text) => {
    const home = mkdtempSync(join(folder, 'codex-'));
    const day = join(home, 'sessions/2026/01/01');
    mkdirSync(day, { recursive: true });
    writeFileSync(join(home, 'config.toml'), configFor(provider.address().port));
    const header = text.split('\n').find((line) => line.includes('"session_meta"')) ?? '{}';
    const named = text.replaceAll(JSON.stringify(JSON.parse(header).payload?.id), JSON.stringify(CODEX_ID));
    const own = named.replace(/"model_provider":\s*"[^"]*"/g, '"model_provider":"local"'); // it changes none
    writeFileSync(join(day, `rollout-2026-01-01T00-00-00-${CODEX_ID}.jsonl`), own);
    input = [];
    const words = ['exec', 'resume', CODEX_ID, '--skip-git-repo-check', 'the next prompt'];
    await finished(
      spawn(join(bin, target, 'bin/codex'), words, {
        cwd: home,
        env: { ...process.env, CODEX_HOME: home, KEY: 'k' },
        stdio: 'ignore',
      }),
    );
    rmSync(home, { recursive: true, force: true });
    return input
      .filter((item) => !isContext(item))
      .map((item) => JSON.stringify({ ...item, id: undefined, internal_chat_message_metadata_passthrough: undefined }));
  };
  return { id: 'codex', format: 'codex-rollout', least: 1, load, close: () => provider.close() };
}

/** What Codex adds to each request: instructions, and what it tells of the machine. */
const isContext = ({ role, content }) =>
  role === 'developer' || (role === 'user' && /^<(?:environment_context|permissions)/.test(content?.[0]?.text ?? ''));

const finished = (child) => new Promise((resolved) => child.on('exit', resolved).on('error', resolved));

const configFor = (port) => `model = "m"
model_provider = "local"
model_context_window = 100000000
model_auto_compact_token_limit = 90000000
[model_providers.local]
name = "local"
base_url = "http://127.0.0.1:${port}/v1"
wire_api = "responses"
env_key = "KEY"
request_max_retries = 0
stream_max_retries = 0
`;

try {
  if (given === undefined)
    execFileSync('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES]);
  const modules = join(resolve(given ?? folder), 'node_modules');
  const versionOf = (name) =>
    JSON.parse(readFileSync(join(modules, name.replace(/(?<=.)@.*/, ''), 'package.json'), 'utf8')).version;
  for (const name of PACKAGES) console.log(`${name} ${versionOf(name)}`);
  console.log('\n| agent | damage | cases | loads less | after `--fix` as before | healthy, no finding |');
  console.log('| --- | --- | --: | --: | --: | --: |');
  const judges = { 'claude-code': claudeCode, pi, 'gemini-cli': geminiCli, 'qwen-code': qwenCode, opencode, codex };
  for (const [id, agent] of Object.entries(judges))
    if (CHOSEN === undefined || CHOSEN === id) await judge(await agent(modules));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
