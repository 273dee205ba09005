/** The plugin of examples/plugin, installed beside the package: its own test, commands, configs; what is refused. */
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
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runProgram } from '../shared/program.js';

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'ctx-trim-plugin-')));
const plugin = join(cwd, 'node_modules/ctx-trim-ferry');
const LOG = 'import.jsonl';

beforeAll(() => {
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(resolve('.'), join(cwd, 'node_modules/ctx-trim'), 'junction');
  cpSync('examples/plugin', plugin, { recursive: true });
  cpSync(join(plugin, 'recordings', LOG), join(cwd, LOG));
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

const run = (...words: readonly string[]) => runProgram(words, { cwd, env: { ...process.env, NO_COLOR: '1' } });
const withPlugin = (...words: readonly string[]) => run(...words, '--plugin', 'ctx-trim-ferry');

it('keeps the laws, by its own test', () => {
  const { stdout, status } = spawnSync(process.execPath, ['--test', '--test-reporter=tap'], {
    cwd: plugin,
    encoding: 'utf8',
  });
  expect(stdout).toMatch(/^# pass 3$/m);
  expect(status).toBe(0);
});

it.each<[line: string, said: RegExp]>([
  [`formats ${LOG}`, /ferry-log \(100 %\), 1 × rows, 8 messages/],
  ['formats', /^ferry-log +Ferry: logs of runs/m],
  [`stats ${LOG}`, /r-81 {2}ferry-log, claude-sonnet-4-5[\s\S]*2 {2}assistant {2}read_file read_file/],
  [`show --from ferry-log ${LOG}`, /→ read_file\n +path: log\/import\.log/],
  [`check --secrets ${LOG}`, /secret\/ferry-token, message 4[\s\S]*ferry\/question-blank, message 7/],
  [`check --fix=lossy --diff ${LOG}`, /- #7 user/],
  [`redact ${LOG}`, /"gave": "RATES_URL=https:\/\/rates\.example\/v2\\nFERRY=\[secret:ferry-token:1\]\\n"/],
  [`filter --max-tool-calls 1 ${LOG}`, /"say": "I look at its log and its settings\.", "engine"/],
  [`convert --to anthropic ${LOG}`, /"type": "tool_use",\s+"id": "u1",\s+"name": "read_file"/],
  [`diff ${LOG} ${LOG}`, /./],
  [LOG, /Ferry: logs of runs \(ferry-log\)/],
  ['rules ferry/question-blank', /ferry-gateway: 422 question must not be blank/],
])('serves `ctx-trim %s`', (line, said) => {
  const { stdout, stderr } = withPlugin(...line.split(' '));
  expect(stdout + stderr).toMatch(said);
});

it('is gone without it, and comes by a config that is named', () => {
  expect(run('formats', LOG)).toMatchObject({ status: 2, stdout: '' });
  const config = join(cwd, 'ferry.config.json');
  writeFileSync(config, JSON.stringify({ defaults: { plugin: 'ctx-trim-ferry' } }));
  expect(run('formats', LOG, '--config', 'ferry.config.json').stdout).toContain('ferry-log');
  cpSync(config, join(cwd, 'ctx-trim.config.json'));
  const found = run('formats', LOG);
  rmSync(join(cwd, 'ctx-trim.config.json'));
  expect(found).toMatchObject({ status: 2, stdout: '' });
  expect(found.stderr).toMatch(/`defaults\.plugin`: this option may run code, so a found config must not set it;/);
});

it('is the plugin that the documentation shows', () => {
  const sources = ['index', 'ferry-log', 'question-blank', 'ferry-token'].map((name) =>
    readFileSync(join(plugin, `${name}.js`), 'utf8'),
  );
  const blocks = [...readFileSync('docs/plugins.md', 'utf8').matchAll(/```js\n([\s\S]*?)```/g)].map(
    ([, code]) => code!,
  );
  expect(blocks.length).toBe(4);
  for (const block of blocks) expect(sources.some((source) => source.includes(block))).toBe(true);
});

it.each<[code: string, said: string]>([
  ['export const a = 1;', 'x.mjs: not a plugin: it needs a default export: an object with `formats`, `rules`'],
  ['export default { format: [] };', '`format` is none of `formats`, `rules` and `secrets`'],
  ['export default { rules: {} };', '`rules` is not a list'],
  ["export default { formats: [{ id: 'Acme' }] };", '`formats[0].id` is wrong; expected an id in kebab-case'],
  ["export default { secrets: [{ id: 'a', title: 'A' }] };", '`secrets[0].anchors` is missing; expected a list'],
  ["throw new Error('no luck');", 'x.mjs: the plugin cannot be loaded: no luck'],
  ["import 'ctx-trim/other';", 'x.mjs: the plugin cannot be loaded: Package subpath'],
  [
    "import { formatNamed } from 'ctx-trim/plugin';\nexport default { formats: [{ ...formatNamed('openai-chat') }] };",
    'x.mjs: there is a format `openai-chat` already; a plugin needs an id of its own',
  ],
])('refuses a module that is none: %s', (code, said) => {
  const file = `${code.length}x.mjs`;
  writeFileSync(join(cwd, file), code);
  const { status, stdout, stderr } = run('formats', LOG, '--plugin', file);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain(said);
  expect(stderr.trim()).not.toContain('\n');
});

it.each(['ctx-trim-none', 'a\u0000b', 'x'.repeat(5000), './none.mjs'])('says where it looked for %j', (name) => {
  const { status, stderr } = run('formats', LOG, `--plugin=${name}`);
  expect(status).toBe(2);
  expect(stderr).toMatch(/^ctx-trim: .*: there is no such file, and no package of this name is installed/);
});

it('does not take for known what another version of it read', () => {
  const env = { ...process.env, XDG_CACHE_HOME: join(cwd, 'cache'), CTX_TRIM_CACHE: '' };
  const words = ['stats', '--recorded', '--by', 'model', '--format', 'json', '--plugin', 'ctx-trim-ferry', LOG];
  const output = () => {
    const { stdout } = spawnSync(process.execPath, [resolve('bin/ctx-trim.js'), ...words], { cwd, env });
    return (JSON.parse(stdout.toString()) as { totals: { output: number } }).totals.output;
  };
  expect(output()).toBe(175);
  const file = join(plugin, 'ferry-log.js');
  writeFileSync(file, readFileSync(file, 'utf8').replace("tokens(spent, 'made')", '7'));
  expect(output()).toBe(21);
});
