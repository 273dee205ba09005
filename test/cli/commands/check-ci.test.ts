/** check as CI runs it: what the config says of some files, what a consumer of a report takes, and git's index. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, describe, expect, it } from 'vitest';
import { findingsFor } from '../../../src/cli/outputs/findings-for.js';
import type { Terminal } from '../../../src/cli/terminal/terminal.js';
import type { Finding, FindingsReport } from '../../../src/findings.js';
import { findingsJunit } from '../../../src/reports/findings/junit.js';
import { findingsMarkdown } from '../../../src/reports/findings/markdown.js';
import { jenkinsFaults } from '../../shared/junit-schema.js';
import { runProgram } from '../../shared/program.js';

const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-ci-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let worlds = 0;

function world(files: Readonly<Record<string, unknown>>): string {
  const cwd = join(folder, String(worlds++));
  for (const [name, value] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), typeof value === 'string' ? value : JSON.stringify(value));
  }
  return cwd;
}

function run(cwd: string, line: string, env: Readonly<Record<string, string>> = {}) {
  const own = { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_GLOBAL: '/dev/null' };
  return runProgram(line.split(' '), { cwd, env: { ...own, ...env } });
}

const RULE = 'chat/tool-call-unanswered';
const OPEN = {
  model: 'gpt-4o',
  messages: [
    { role: 'user', content: 'hi' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'user', content: 'go on' },
  ],
};
const GOOD = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }] };
const CONFIG = 'ctx-trim.config.json';
interface Json {
  readonly findings: readonly { rule: string; severity: string; file: string }[];
  readonly summary: Readonly<Record<string, number>>;
}
const json = (told: { readonly stdout: string }) => JSON.parse(told.stdout) as Json;
const seen = (told: { readonly stdout: string }) =>
  json(told).findings.map(({ file, severity }) => `${file} ${severity}`);

describe('the config', () => {
  it('has other rules for some files, and flags win', () => {
    const cwd = world({
      'a.json': OPEN,
      'old/b.json': OPEN,
      'old/c.json': OPEN,
      'old/d.json': OPEN,
      [CONFIG]: {
        check: {
          rules: { [RULE]: 'error' },
          overrides: [
            { files: ['old/'], rules: { [RULE]: 'off' } },
            { files: 'old/b.json', rules: { 'chat/tool-call-*': 'warning' } },
            { files: '/old/d.json', provider: 'anthropic', rules: { 'anthropic/*': 'warning' } },
          ],
        },
      },
    });
    const told = run(cwd, 'check --format json a.json old/b.json old/c.json');
    expect(seen(told)).toEqual(['a.json error', 'old/b.json warning']);
    expect(seen(run(join(cwd, 'old'), 'check --format json b.json c.json'))).toEqual(['b.json warning']);
    expect(
      seen(run(cwd, `check --format json --severity ${RULE}=error old`)).filter((row) => /[bc]\.json/.test(row)),
    ).toEqual(['old/b.json error', 'old/c.json error']);
    const other = json(run(cwd, 'check --format json old/d.json'));
    expect(new Set(other.findings.map(({ rule, severity }) => `${rule.split('/')[0]} ${severity}`))).toEqual(
      new Set(['anthropic warning']),
    );
  });

  it.each([
    [{ overrides: [{ files: '*', rules: { 'chat/no-such': 'off' } }] }, /no rule `chat\/no-such`/],
    [{ overrides: [{ rules: {} }] }, /`check.overrides\[0\].files`/],
    [{ suppress: [{ rule: RULE }] }, /`check.suppress\[0\].reason`/],
    [{ suppress: [{ rule: RULE, reason: 'x', until: '2026-13-01' }] }, /`check.suppress\[0\].until`/],
    [{ rules: { [RULE]: 'fatal' } }, /`check.rules/],
  ])('that is wrong is refused: %j', (check, said) => {
    const told = run(world({ 'a.json': GOOD, [CONFIG]: { check } }), 'check a.json');
    expect([told.status, told.stdout]).toEqual([2, '']);
    expect(told.stderr).toMatch(said);
  });

  it('leaves files out, wherever the program runs; one that is named is read', () => {
    const cwd = world({ 'logs/a.json': OPEN, 'logs/b.json': GOOD, [CONFIG]: { check: { ignore: ['/logs/a.json'] } } });
    expect(run(cwd, 'check logs')).toMatchObject({ status: 0 });
    expect(run(join(cwd, 'logs'), 'check .')).toMatchObject({ status: 0 });
    expect(run(cwd, 'check logs/*.json')).toMatchObject({ status: 0 });
    expect(run(cwd, 'check logs/a.json')).toMatchObject({ status: 1 });
    expect(run(cwd, 'check --force-exclude logs/a.json')).toMatchObject({ status: 0 });
    expect(run(cwd, 'check --exclude b.json logs').stderr).toContain('is left out');
  });

  it('suppresses with a reason and for a time', () => {
    const suppress = (until?: string, path = 'logs/') => ({
      check: { suppress: [{ rule: RULE, path, reason: 'old agent', until }] },
    });
    const cwd = world({ 'logs/a.json': OPEN, 'b.json': GOOD, [CONFIG]: suppress('2999-12-31') });
    const told = run(cwd, 'check logs');
    expect(told).toMatchObject({ status: 0, stderr: '' });
    expect(told.stdout).toContain('1 finding suppressed by the config\nAll checks passed');
    expect(json(run(cwd, 'check --format json logs')).summary).toMatchObject({ errors: 0, suppressed: 1 });
    writeFileSync(join(cwd, CONFIG), JSON.stringify(suppress('2020-02-29')));
    expect(run(cwd, 'check logs')).toMatchObject({
      status: 1,
      stderr:
        `ctx-trim: ${CONFIG}: \`check.suppress[0]\` expired on 2020-02-29 ` +
        `and no longer hides 1 finding (${RULE} in logs/: old agent)\n`,
    });
    writeFileSync(join(cwd, CONFIG), JSON.stringify(suppress(undefined, 'b.json')));
    expect(run(cwd, 'check b.json').stderr).toContain('`check.suppress[0]` matches no finding any more');
    expect(run(cwd, 'check logs')).toMatchObject({ status: 1, stderr: '' });
  });
});

describe('a baseline', () => {
  it('means the same from every folder', () => {
    const cwd = world({ 'logs/a.json': OPEN, 'ci/x': '' });
    run(cwd, 'check --write-baseline ci/known.json logs');
    expect(readFileSync(join(cwd, 'ci/known.json'), 'utf8')).toContain('"../logs/a.json#0"');
    expect(run(cwd, 'check --baseline ci/known.json logs')).toMatchObject({ status: 0, stderr: '' });
    expect(run(join(cwd, 'logs'), 'check --baseline ../ci/known.json a.json')).toMatchObject({ status: 0, stderr: '' });
    expect(run(join(cwd, 'ci'), `check --baseline known.json ${cwd}/logs`)).toMatchObject({ status: 0, stderr: '' });
  });

  it('has reasons and a last day, and says nothing of files that were not read', () => {
    const entry = { rule: RULE, transcript: 'a.json#0', call_id: 'c1', reason: 'old agent', until: '2020-01-31' };
    const cwd = world({ 'a.json': OPEN, 'b.json': GOOD, 'known.json': { version: 1, findings: [entry] } });
    expect(run(cwd, 'check --baseline known.json a.json')).toMatchObject({
      status: 1,
      stderr: `ctx-trim: known.json: ${RULE} a.json#0 c1 (old agent) expired on 2020-01-31\n`,
    });
    expect(run(cwd, 'check --baseline known.json b.json')).toMatchObject({ status: 0, stderr: '' });
    writeFileSync(join(cwd, 'known.json'), JSON.stringify({ findings: [{ ...entry, until: '2999-01-31' }] }));
    expect(run(cwd, 'check --baseline known.json a.json')).toMatchObject({ status: 0, stderr: '' });
    writeFileSync(join(cwd, 'known.json'), JSON.stringify({ findings: [{ ...entry, until: 'soon' }] }));
    expect(run(cwd, 'check --baseline known.json a.json')).toMatchObject({ status: 2 });
  });
});

describe('what is said', () => {
  it('with --quiet: errors, or nothing', () => {
    const cwd = world({ 'a.json': OPEN, 'b.json': GOOD, 'package.json': {}, 'tsconfig.json': {} });
    expect(run(cwd, 'check --quiet b.json')).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(run(cwd, `check --quiet --severity ${RULE}=warning .`)).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(run(cwd, 'check -q .')).toMatchObject({ status: 1, stderr: '', stdout: expect.stringContaining('1 error') });
    const told = run(cwd, `check --quiet --max-warnings 0 --severity ${RULE}=warning --format json a.json`);
    expect(told.status).toBe(1);
    expect(json(told).findings.map(({ rule }) => rule)).toEqual(['check/max-warnings']);
  });

  it('of files that are not transcripts: one line, of folders and patterns alike', () => {
    const foreign = Object.fromEntries(
      Array.from({ length: 336 }, (_, index) => [`x${100 + index}.json`, { a: index }]),
    );
    const cwd = world({ 'b.json': GOOD, ...foreign });
    for (const word of ['.', '*.json']) {
      expect(run(cwd, `check ${word}`)).toMatchObject({
        status: 0,
        stderr: 'ctx-trim: 336 files skipped: no transcripts (x100.json, x101.json and 334 more; --verbose says why)\n',
      });
    }
    expect(run(cwd, 'check --verbose x?0?.json').stderr.match(/: skipped: the JSON holds no messages/g)).toHaveLength(
      40,
    );
    expect(run(cwd, 'check x*.json')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('ctx-trim: x*.json: no transcripts match this pattern'),
    });
    expect(run(cwd, 'check x100.json')).toMatchObject({ status: 2 });
    expect(run(cwd, 'check --force-exclude x100.json')).toMatchObject({ status: 0 });
  });

  it('where all reports are in files: a line on stderr', () => {
    const cwd = world({ 'a.json': OPEN, 'bad.json': '{"messages": [' });
    const line = (told: { readonly stderr: string }) => told.stderr.split('\n').at(-2);
    expect(line(run(cwd, `check --rule ${RULE} --reporter json=o --reporter junit=x a.json`))).toBe(
      `ctx-trim: 1 error, 0 warnings (1 file, 1 transcript, 1 rule): 1 × ${RULE}`,
    );
    expect(line(run(cwd, `check --rule ${RULE} --reporter json=o a.json bad.json`))).toBe(
      `ctx-trim: 1 error, 0 warnings, 1 unreadable file (1 file, 1 transcript, 1 rule): 1 × ${RULE}`,
    );
    expect(run(cwd, 'check --quiet --reporter json=o a.json').stderr).toBe('');
    expect(run(cwd, 'audit --policy query-history --reporter json=o a.json').stderr).toMatch(
      /^ctx-trim: 0 errors, 0 warnings \(1 file, /,
    );
  });

  it('with --fix --diff: what would be fixed', () => {
    const cwd = world({ 'a.json': OPEN });
    expect(run(cwd, 'check --fix=synthetic --diff a.json').stderr).toContain('1 finding would be fixed\n');
    const told = run(cwd, 'check --fix=synthetic --diff --reporter json=o a.json');
    expect(told.status).toBe(0);
    const { summary } = JSON.parse(readFileSync(join(cwd, 'o'), 'utf8')) as Json;
    expect(summary).toMatchObject({ fixed: 0, would_fix: 1 });
  });
});

// --- what the consumers of reports take

const row = (index: number, severity: Finding['severity'], more: Partial<Finding> = {}): Finding => ({
  rule: `x/${severity}`,
  severity,
  message: `no | \`${index}\` <b>&`,
  file: 'a|b.json',
  path: 'a|b.json',
  line: index + 1,
  column: 1,
  transcript: { index: 0, id: undefined },
  index,
  callId: undefined,
  excerpt: undefined,
  fix: undefined,
  ...more,
});
const report = (findings: readonly Finding[], more: Partial<FindingsReport> = {}): FindingsReport => ({
  findings,
  files: [{ file: 'a|b.json', path: 'a|b.json' }],
  unreadable: [],
  transcripts: 1,
  fixed: 0,
  checks: 3,
  wordsOf: (id) => ({ id, summary: 'x', severity: 'error' }),
  ...more,
});
const UNREADABLE = { file: 'c.json', path: 'c.json', line: 4, column: 2, message: 'not JSON' };

async function consumed(name: 'sarif' | 'github', about: FindingsReport, env: Readonly<Record<string, string>> = {}) {
  const said: string[] = [];
  const terminal = { env, stderr: { write: (text: string) => said.push(text) } } as unknown as Terminal;
  return { text: (await findingsFor(name, about, terminal)) as string, said: said.join('') };
}

describe('SARIF', () => {
  it('holds 25,000 results, errors first, and says so', async () => {
    const many = Array.from({ length: 30_000 }, (_, index) => row(index, index < 24_000 ? 'warning' : 'error'));
    const { text, said } = await consumed('sarif', report(many));
    const { runs } = JSON.parse(text) as {
      runs: [
        {
          results: { level: string }[];
          invocations: [{ toolExecutionNotifications: { message: { text: string } }[] }];
        },
      ];
    };
    expect(runs[0].results).toHaveLength(25_000);
    expect(runs[0].results.filter(({ level }) => level === 'error')).toHaveLength(6000);
    expect(said).toMatch(/the SARIF report holds 25000 of 30000 findings/);
    expect(runs[0].invocations[0].toolExecutionNotifications[0]!.message.text).toContain('25000 of 30000');
    expect((await consumed('sarif', report(many.slice(0, 25_000)))).said).toBe('');
    const schema = 'test/sarif-2.1.0.json';
    if (existsSync(schema))
      expect(
        addFormats
          .default(new Ajv({ strict: false }))
          .validate(JSON.parse(readFileSync(schema, 'utf8')) as object, JSON.parse(text)),
      ).toBe(true);
  });
});

describe('GitHub', () => {
  const mixed = [
    ...Array.from({ length: 13 }, (_, index) => row(index, 'warning')),
    ...Array.from({ length: 9 }, (_, index) => row(index, 'error')),
    ...Array.from({ length: 12 }, (_, index) => row(index, 'info')),
  ];

  it('shows ten annotations of a kind, and the summary holds the others', async () => {
    const file = join(folder, 'summary.md');
    writeFileSync(file, 'of a step before\n');
    const about = report(mixed, { unreadable: [UNREADABLE, UNREADABLE] });
    const { text, said } = await consumed('github', about, { GITHUB_STEP_SUMMARY: file });
    for (const kind of ['error', 'warning', 'notice'])
      expect(text.match(new RegExp(`^::${kind} `, 'gm'))).toHaveLength(10);
    expect(said).toMatch(
      /^ctx-trim: 6 more findings without an annotation: GitHub shows 10 of a kind; the step summary lists them$/m,
    );
    const summary = readFileSync(file, 'utf8');
    expect(summary).toMatch(/^of a step before\n### ctx-trim: 9 errors, 13 warnings, 12 notes, 2 unreadable files \(/);
    const rows = summary.match(/^\| (?!severity|---).*\|$/gm)!;
    expect(rows).toHaveLength(36);
    for (const cells of rows) expect(cells.match(/(?<!\\)\|/g)).toHaveLength(5);
    expect((await consumed('github', about)).said).toMatch(/GitHub shows 10 of a kind$/m);
    expect((await consumed('github', report([row(1, 'error')]))).said).toBe('');
  });

  it('takes no more than 1 MiB of summary from a step', async () => {
    const file = join(folder, 'full.md');
    const many = Array.from({ length: 20_000 }, (_, index) => row(index, 'error', { message: `é${'x'.repeat(80)}` }));
    for (const before of [0, 1_000_000, 1_048_000, 1_048_576]) {
      writeFileSync(file, 'x'.repeat(before));
      await consumed('github', report(many), { GITHUB_STEP_SUMMARY: file });
      const text = readFileSync(file);
      expect(text.length).toBeLessThanOrEqual(1_048_576);
      if (before <= 1_000_000) {
        expect(text.length).toBeGreaterThan(1_047_000);
        expect(text.toString()).toMatch(/\nand [\d,]+ more findings\n/);
      }
    }
    expect(findingsMarkdown(report(many), 100)).toBe('');
  });

  it('goes on where the summary cannot be written', async () => {
    const { said } = await consumed('github', report(mixed), { GITHUB_STEP_SUMMARY: join(folder, 'no/such/file') });
    expect(said).toMatch(/^ctx-trim: warning: cannot write the step summary/);
    expect(said).toMatch(/GitHub shows 10 of a kind$/m);
  });
});

describe('JUnit', () => {
  it('is valid by the schema of Jenkins', () => {
    const odd = row(1, 'error', { message: 'a\u0000\ud83d]]>\n"<&\'', rule: '<r>' });
    for (const about of [report([odd, row(2, 'warning')], { unreadable: [UNREADABLE] }), report([])])
      expect(jenkinsFaults(findingsJunit(about))).toEqual([]);
    expect(jenkinsFaults('<testsuites><testsuite name="x" tests="1" failures="0"/></testsuites>')).toEqual([
      'testsuite lacks errors',
    ]);
    expect(jenkinsFaults('<testsuites skipped="0"/>')).toEqual(['testsuites has skipped']);
  });
});

it('rules as JSON are read by jq 1.6, which takes no half characters', () => {
  const { stdout } = run(world({ x: '' }), 'rules --format json');
  expect(stdout).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]/);
  const jq = spawnSync('jq', ['.rules | length'], { input: stdout, encoding: 'utf8' });
  if (jq.error === undefined)
    expect([jq.stdout, jq.stderr]).toEqual([`${(JSON.parse(stdout) as { rules: [] }).rules.length}\n`, '']);
});
