// npm run bench:libraries [histories] [turns]: our adapters in the frameworks that are libraries, in their newest
// versions, through all scenarios of scenarios.mjs: random histories, 200 turns as `simulate` says, streams, aborts,
// approvals, sub-agents, two runs with one `trim`, and memory. The defaults take an hour of CPU time.
//
// Installs them into a temporary folder (400 MB), so no test does it. Needs Node 22.13, as Mastra does. Exits with 1
// if a request differs or is refused, if a history is stored otherwise, or if memory grows by half.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [histories = '10000', turns = '10000'] = process.argv.slice(2);
const PACKAGES = [
  ...['ai-5@npm:ai@5', 'ai-6@npm:ai@6', 'ai-7@npm:ai@7', '@mastra/core', '@openai/agents-core', 'zod'],
  ...['langchain', '@langchain/core', '@langchain/langgraph', 'openai', '@anthropic-ai/sdk'],
];
const NAMES = [
  ...['ai-sdk-5', 'ai-sdk-6', 'ai-sdk-7'].flatMap((name) => [`${name}/prepareStep`, `${name}/middleware`]),
  ...['langchain', 'openai-agents/model', 'openai-agents/callModelInputFilter', 'mastra'],
  ...['openai/chat', 'openai/responses', 'anthropic'],
];

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-trim-libraries-')));
let isGood = true;
try {
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const options = ['install', '--no-audit', '--no-fund', '--legacy-peer-deps'];
  const { status, stderr } = spawnSync('npm', [...options, ...PACKAGES], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  cpSync('bench/frameworks', folder, { recursive: true });
  cpSync('package.json', join(folder, 'ctx-trim/package.json'));
  cpSync('dist', join(folder, 'ctx-trim/dist'), { recursive: true });
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  console.log(JSON.stringify(dependencies));
  for (const name of NAMES) if (!(await ran(name))) isGood = false;
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exitCode = isGood ? 0 : 1;

/** Whether nothing is wrong in what it prints. */
async function ran(name) {
  const program = resolve(folder, 'library.mjs');
  const child = spawn(process.execPath, ['--expose-gc', '--no-warnings', program, name, histories, turns], {
    ...{ cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  });
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
    process.stdout.write(data);
  });
  const status = await new Promise((exit) => child.on('exit', exit));
  const found = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line.slice(line.indexOf('{'))));
  return status === 0 && found.every(isRight);
}

function isRight({ requests, histories: tried, turns: made, trimmed, 'with fewer calls': fewer, ...wrong }) {
  if (made !== undefined) return wrong['MB at the end'] < 1.5 * wrong['MB after 10 %'];
  return (tried === undefined ? fewer > 0 : trimmed > 0) && Object.values(wrong).every((count) => count === 0);
}
