// npm run bench:frameworks: our adapters in the real agents, with a provider on this machine. libraries.mjs has the
// frameworks that are libraries.
//
// Installs the agents into a temporary folder (about 700 MB), so no test does it. Exits with 1 if a request is refused
// by our rules, if the guard lets a repeated call run, if a session is not trimmed or not repaired, or if a request of
// a long run is not what `run` makes of the same request without our hooks.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { check } from '../../dist/lib/index.js';
import { longRun, longSession } from './long.mjs';
import { programs } from './programs.mjs';
import { serve } from './server.mjs';

/** The commands of each reply: `echo 1` comes again in the same reply, and in one that is sent without it. */
const REPLIES = [['echo 1', 'echo 1'], ['echo 2'], ['echo 3'], ['echo 1', 'echo 4']];
const DENIED = 2;
/** So short a run is trimmed only if it need not pay. */
const STEPS = ['patch', 'filter:max-tool-calls=2,every=1'];

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-trim-frameworks-')));
const faults = [];
try {
  const library = join(folder, 'library');
  mkdirSync(library);
  const { imports } = JSON.parse(readFileSync('package.json', 'utf8'));
  writeFileSync(join(library, 'package.json'), JSON.stringify({ type: 'module', imports }));
  cpSync('dist', join(library, 'dist'), { recursive: true });
  install(
    library,
    programs.flatMap(({ packages }) => packages),
  );
  faults.push(...typeErrors(library));
  for (const { name, tool, trims, run } of programs) {
    const home = join(folder, name.replaceAll(' ', '-'));
    mkdirSync(home);
    const provider = await serve(REPLIES, tool);
    await run(home, provider.url, library, STEPS);
    provider.close();
    const { sent } = provider;
    const calls = sent.map((messages) => pairsIn(messages));
    const denied = pairsIn(sent.flat()).filter(({ result }) => result?.includes('\\"success\\":false'));
    const found = {
      requests: sent.length,
      'calls sent': calls.map(({ length }) => length).join(' '),
      denied: new Set(denied.map(({ id }) => id)).size,
      'without a result': calls.flat().filter(({ result }) => result === undefined).length,
      refused: sent.flatMap((messages) => errorsIn(messages)).length,
    };
    console.log(`${name}: ${JSON.stringify(found)}`);
    const fail = (text) => faults.push(`${name}: ${text}`);
    if (sent.length < REPLIES.length + 1) fail('it ended early');
    if (found.denied !== DENIED) fail(`${found.denied} calls are denied, not ${DENIED}`);
    if (found['without a result'] > 0) fail('a call was sent without its result');
    if (found.refused > 0) fail(JSON.stringify(sent.flatMap((messages) => errorsIn(messages))[0]));
    if (trims && calls.some(({ length }) => length > 2)) fail('more than two calls are sent');
    const long = await (trims ? longRun : longSession)({ name, tool, run }, folder, library);
    console.log(`${name}, a long run: ${JSON.stringify(long)}`);
    if (long.different > 0 || !(long['with fewer calls'] > 0)) fail('a long run is not sent as `run` says');
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;

function install(place, packages) {
  const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', ...packages], {
    cwd: place,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}

/** Of our declarations, with those of the agents. */
function typeErrors(library) {
  const own = join(library, 'node_modules/ctx-trim');
  mkdirSync(own);
  cpSync('package.json', join(own, 'package.json'));
  symlinkSync(join(library, 'dist'), join(own, 'dist'), 'junction');
  const files = programs.map(({ name, types }) => {
    const file = `${name.replaceAll(' ', '-')}.ts`;
    const policy = `import type { Policy } from 'ctx-trim';\ndeclare const policy: Policy;\n`;
    writeFileSync(join(library, file), policy + types);
    return file;
  });
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true, noEmit: true },
    ...{ module: 'nodenext', target: 'es2023' },
  };
  writeFileSync(join(library, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const { stdout } = spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', '.'], {
    cwd: library,
    encoding: 'utf8',
  });
  return stdout.split('\n').filter((line) => /error TS/.test(line));
}

/** The calls of a request with their results, as JSON. */
function pairsIn(messages) {
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  const calls = [
    ...messages.flatMap(({ tool_calls: list = [] }) => list),
    ...blocks.filter(({ type }) => type === 'tool_use'),
  ];
  const results = new Map([
    ...messages.filter(({ role }) => role === 'tool').map((message) => [message.tool_call_id, message.content]),
    ...blocks.filter(({ type }) => type === 'tool_result').map((block) => [block.tool_use_id, block.content]),
  ]);
  return calls.map(({ id }) => ({ id, result: results.has(id) ? JSON.stringify(results.get(id)) : undefined }));
}

function errorsIn(messages) {
  return check(JSON.stringify({ messages }), { asRequest: true }).filter(({ severity }) => severity === 'error');
}
