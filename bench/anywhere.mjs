// npm run anywhere: the packed package in Node (as a module and by require), Bun, Deno and Cloudflare's workerd.
//
// Installs the runtimes from npm into a temporary folder (about 400 MB), so no test does it. Each runs the same
// program; what it prints has to be what Node prints. Exits with 1 if one differs.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

/** A worker has no tables to count tokens with. */
const PROGRAM = `
const call = (id) => ({ type: 'tool_use', id, name: 'look', input: { at: id } });
const result = (id) => ({ type: 'tool_result', tool_use_id: id, content: 'seen '.repeat(400) });
const rounds = Array.from({ length: 20 }, (_, at) => [
  { role: 'assistant', content: [call('t' + at)] },
  { role: 'user', content: [result('t' + at)] },
]);
const messages = [{ role: 'user', content: 'Go.' }, ...rounds.flat(), { role: 'assistant', content: [call('open')] }];
const text = JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 100, messages });
const countTokens = (part) => part.length;

async function program({ run, check, convert, diff, redact }, adapters) {
  const body = { model: 'claude-sonnet-4-5', max_tokens: 100, messages, cache_control: { type: 'ephemeral' } };
  const steps = ['patch', 'clear:trigger=0,keep=3,every=5'];
  const sent = await adapters.anthropic.trim(steps, { countTokens }).request(body);
  const fitted = await adapters.openai
    .trim(['fit:max-tokens=3000'], { countTokens })
    .request({ model: 'gpt-5', messages: ['a'.repeat(5000), 'b'].map((content) => ({ role: 'user', content })) });
  const trimmed = run(text, ['patch', 'filter:max-tool-calls=3']);
  return JSON.stringify([
    check(messages),
    run(messages, ['patch', 'filter:max-tool-calls=3']),
    trimmed,
    convert(text, 'openai-chat'),
    diff(text, trimmed),
    redact('{"role":"user","content":"my key is sk-ant-api03-' + 'x'.repeat(93) + 'AA"}'),
    sent,
    fitted,
  ]);
}
`;
const ADAPTERS = ['anthropic', 'openai'];
const ESM = `import * as library from 'ctx-trim';
${ADAPTERS.map((name) => `import * as ${name} from 'ctx-trim/${name}';`).join('\n')}
${PROGRAM}
const output = () => program(library, { ${ADAPTERS.join(', ')} });
`;
const CJS = `const library = require('ctx-trim');
${ADAPTERS.map((name) => `const ${name} = require('ctx-trim/${name}');`).join('\n')}
${PROGRAM}
program(library, { ${ADAPTERS.join(', ')} }).then(console.log);
`;
const PRINTED = `${ESM}console.log(await output());\n`;
const WORKER = `${ESM}
export default { fetch: async () => {
  try { return new Response(await output()); } catch (error) { return new Response(error.stack, { status: 500 }); }
} };
`;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-trim-anywhere-')));
const binary = (name) => join(folder, 'node_modules/.bin', name);
try {
  install();
  writeFileSync(join(folder, 'program.mjs'), PRINTED);
  writeFileSync(join(folder, 'program.cjs'), CJS);
  const expected = ran(process.execPath, ['program.mjs']);
  const cli = ['node_modules/ctx-trim/bin/ctx-trim.js', 'check', '--format', 'json', 'chat.json'];
  writeFileSync(
    join(folder, 'chat.json'),
    '[{"role":"user","content":"Hi"},{"role":"tool","tool_call_id":"a","content":"?"}]',
  );
  const found = ran(process.execPath, cli);
  const outcomes = [
    ['Node, require', ran(process.execPath, ['program.cjs']) === expected],
    ['Bun', ran(binary('bun'), ['program.mjs']) === expected],
    ['Bun, command line', ran(binary('bun'), cli) === found],
    ['Deno', ran(binary('deno'), ['run', '-A', 'program.mjs']) === expected],
    ['Deno, command line', ran(binary('deno'), ['run', '-A', ...cli]) === found],
    ["Cloudflare's workerd", (await worker()) === expected.trimEnd()],
  ];
  process.stdout.write(`Node printed ${expected.length} characters\n`);
  for (const [name, isSame] of outcomes) process.stdout.write(`${name}: ${isSame ? 'the same' : 'DIFFERENT'}\n`);
  process.exitCode = outcomes.every(([, isSame]) => isSame) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function install() {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const packed = JSON.parse(ran('npm', ['pack', '--json', '--pack-destination', folder, resolve('.')]));
  const [{ filename }] = Array.isArray(packed) ? packed : Object.values(packed);
  ran('npm', ['install', '--no-audit', '--no-fund', join(folder, filename), 'bun', 'deno', 'workerd']);
}

function ran(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8', maxBuffer: 1e9 });
  if (status === 0 || status === 1) return stdout;
  process.stderr.write(`${command} ${args.join(' ')}\n${error ?? stderr}\n`);
  return stderr;
}

/** What a worker without a Node module answers. */
async function worker() {
  const input = join(folder, 'worker.mjs');
  writeFileSync(input, WORKER);
  const bundle = await rolldown({ input, platform: 'browser', resolve: { conditionNames: ['workerd', 'import'] } });
  await bundle.write({ file: join(folder, 'bundle.mjs'), format: 'esm', codeSplitting: false });
  const port = await freePort();
  writeFileSync(
    join(folder, 'worker.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
const main :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "bundle.mjs")],
  compatibilityDate = "2026-11-01",
);
`,
  );
  const served = spawn(binary('workerd'), ['serve', 'worker.capnp'], { cwd: folder, stdio: ['ignore', 2, 2] });
  try {
    return await answered(`http://127.0.0.1:${port}/`);
  } finally {
    served.kill();
  }
}

async function answered(url, tries = 100) {
  try {
    const response = await fetch(url);
    const text = await response.text();
    if (!response.ok) process.stderr.write(`${text}\n`);
    return text;
  } catch (error) {
    if (tries === 0) throw error;
    await new Promise((done) => setTimeout(done, 100));
    return answered(url, tries - 1);
  }
}

function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}
