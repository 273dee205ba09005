/** action.yml: its script under an environment as GitHub makes it. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, string>>;
}
const action = parse(readFileSync('action.yml', 'utf8')) as {
  name: string;
  inputs: Record<string, { description: string; default: string }>;
  outputs: Record<string, { value: string }>;
  runs: { using: string; steps: Step[] };
};
const [check, upload, ...more] = action.runs.steps as [Step, Step, ...Step[]];

const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-action-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const tools = join(folder, 'tools');
mkdirSync(tools);
writeFileSync(
  join(tools, 'npx'),
  `#!/bin/sh\n[ "$1 $2" = "--yes ctx-trim@${version}" ] || exit 99\nshift 2\n` +
    `exec '${process.execPath}' '${resolve('bin/ctx-trim.js')}' "$@"\n`,
);
chmodSync(join(tools, 'npx'), 0o755);

const BAD = 'fixtures/transforms/patch/interrupted-pair/input.json';
const GOOD = 'fixtures/transforms/patch/interrupted-pair/output.json';
let runs = 0;

/** The step as the runner runs it: `bash` with these flags, inputs in its environment. */
function act(
  inputs: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = { 'recordings/é a.json': BAD },
) {
  const workspace = join(folder, String(runs++));
  mkdirSync(join(workspace, 'recordings'), { recursive: true });
  for (const [name, from] of Object.entries(files)) cpSync(from, join(workspace, name));
  const file = (name: string) => join(folder, `${runs}-${name}`);
  const given = Object.fromEntries(
    Object.entries(check.env!).map(([name, text]) => [
      name,
      text.replace(
        /^\$\{\{ inputs\.([\w-]+) \}\}$/,
        (_, input: string) => inputs[input] ?? action.inputs[input]!.default,
      ),
    ]),
  );
  writeFileSync(file('script.sh'), check.run!);
  for (const name of ['output', 'summary']) writeFileSync(file(name), '');
  const { status, stdout, stderr } = spawnSync(
    'bash',
    ['--noprofile', '--norc', '-e', '-o', 'pipefail', file('script.sh')],
    {
      cwd: workspace,
      encoding: 'utf8',
      env: {
        PATH: [tools, resolve(process.execPath, '..'), process.env['PATH']].join(delimiter),
        HOME: folder,
        GITHUB_ACTIONS: 'true',
        GITHUB_WORKSPACE: workspace,
        GITHUB_OUTPUT: file('output'),
        GITHUB_STEP_SUMMARY: file('summary'),
        ...given,
      },
    },
  );
  const [output, summary] = ['output', 'summary'].map((name) => readFileSync(file(name), 'utf8')) as [string, string];
  return { status, stdout, stderr, output, summary, workspace };
}

describe('the action', () => {
  it('is of the shape that GitHub takes', () => {
    expect(action.runs.using).toBe('composite');
    expect(more).toEqual([]);
    for (const { uses, run, shell } of action.runs.steps) {
      expect((run === undefined) !== (uses === undefined)).toBe(true);
      if (run === undefined) expect(uses).toMatch(/^[\w-]+\/[\w/-]+@v\d+$/);
      else expect(shell).toBe('bash');
      expect(run ?? '').not.toContain('${{'); // what an input says is never part of the script
    }
    const text = readFileSync('action.yml', 'utf8');
    const named = [...text.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name!);
    expect([...new Set(named)].sort()).toEqual(Object.keys(action.inputs).sort());
    for (const { description } of Object.values(action.inputs)) expect(description).not.toBe('');
    expect(action.inputs['version']!.default).toBe(version);
    expect(upload.with!['sarif_file']).toBe(action.outputs['sarif']!.value);
    expect(upload.if).toContain('always()');
  });

  it('annotates, writes the summary and the report, and fails', () => {
    const { status, stdout, output, summary, workspace } = act({ paths: 'recordings/' });
    expect(status).toBe(1);
    expect(stdout).toMatch(/^::error file=recordings\/é a\.json,line=22,/m);
    expect(output).toBe('sarif=ctx-trim.sarif\nexit-code=1\n');
    expect(JSON.parse(readFileSync(join(workspace, 'ctx-trim.sarif'), 'utf8'))).toMatchObject({
      runs: [{ results: [{ ruleId: 'chat/tool-call-unanswered' }] }],
    });
    expect(summary).toMatch(/^### ctx-trim: 1 error, 0 warnings \(1 file, /);
    expect(summary).toContain('| error | recordings/é a.json:22:7 | chat/tool-call-unanswered |');
  });

  it('says what the recorded requests cost', () => {
    const { output } = act({}, { 'recordings/a.jsonl': 'fixtures/formats/claude-code/short.jsonl' });
    const told = Object.fromEntries(
      output
        .trim()
        .split('\n')
        .map((line) => line.split('=') as [string, string]),
    );
    expect(Number(told['cost-usd'])).toBeGreaterThan(0);
    expect(Number(told['tokens'])).toBeGreaterThan(Number(told['requests']));
    expect(told['unpriced-requests']).toBe('0');
    expect(told['cost-is-partial']).toBe('false');
    for (const name of Object.keys(told)) expect(action.outputs[name]!.value).toContain(`outputs.${name} `);
  });

  it('says that the cost is partial where a file cannot be read', () => {
    const files = { 'recordings/a.jsonl': 'fixtures/formats/claude-code/short.jsonl', 'recordings/b.json': 'LICENSE' };
    const { status, output } = act({ paths: 'recordings/a.jsonl\nrecordings/b.json' }, files);
    expect(status).toBe(2);
    expect(output).toMatch(/^cost-usd=0\.\d+\ncost-is-partial=true$/m);
  });

  it.each([
    ['passes what is good', {}, { 'recordings/a.json': GOOD }, 0],
    ['may never fail', { 'fail-on': 'never' }, undefined, 0],
    ['fails by a budget', { budgets: ' total-calls=1\n\n tokens=100000 \n' }, { 'recordings/a.json': GOOD }, 1],
    ['takes another provider', { provider: 'anthropic' }, { 'recordings/a.json': GOOD }, 0],
    [
      'takes several paths',
      { paths: 'recordings/a.json\n  recordings/b c.json\n' },
      { 'recordings/a.json': GOOD, 'recordings/b c.json': BAD },
      1,
    ],
    ['takes a pattern', { paths: 'recordings/*.json' }, { 'recordings/a.json': GOOD }, 0],
    ['fails where there is nothing', { paths: 'elsewhere', 'fail-on': 'never' }, undefined, 2],
    ['knows no such budget', { budgets: 'budget=1' }, undefined, 2],
    ['takes no option for a budget', { budgets: 'tokens=1 --fix' }, undefined, 2],
    ['takes no budget without a name', { budgets: '5' }, undefined, 2],
    ['takes no other way to fail', { 'fail-on': 'info' }, undefined, 2],
    ['takes no option for a path', { paths: '--fix' }, undefined, 2],
    ['needs a path', { paths: ' ' }, undefined, 2],
  ] as const)('%s', (_, inputs, files, code) => {
    const { status, stdout, stderr } = act(inputs, files);
    expect(status, stdout + stderr).toBe(code);
    if (code === 2) expect(stdout + stderr).toMatch(/::error|ctx-trim: /);
  });

  it('fails on a warning where it is to', () => {
    const config = join(folder, 'ctx-trim.config.json');
    writeFileSync(config, JSON.stringify({ check: { rules: { 'chat/tool-call-unanswered': 'warning' } } }));
    const files = { 'recordings/a.json': BAD, 'ctx-trim.config.json': config };
    expect(act({}, files).status).toBe(0);
    expect(act({ 'fail-on': 'warning' }, files).status).toBe(1);
    rmSync(config);
  });

  it('goes by a baseline', () => {
    const known = join(folder, 'known.json');
    const entry = { rule: 'chat/tool-call-unanswered', transcript: 'recordings/a.json#0', call_id: 'call_2' };
    writeFileSync(known, JSON.stringify({ version: 1, findings: [entry] }));
    const files = { 'recordings/a.json': BAD, 'known.json': known };
    expect(act({ baseline: 'known.json', paths: 'recordings' }, files).status).toBe(0);
  });

  it('runs nothing that an input says', () => {
    const evil = '$(touch RAN)`touch RAN`; touch RAN #"\'';
    for (const name of Object.keys(action.inputs).filter((input) => input !== 'upload-sarif')) {
      const { workspace, status } = act({ [name]: evil });
      if (name !== 'sarif') expect(status, name).not.toBe(0);
      expect(existsSync(join(workspace, 'RAN')), name).toBe(false);
    }
  });
});
