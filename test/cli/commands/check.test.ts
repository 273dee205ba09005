/** check: where findings are, how they are reported, mended, passed over, and what exit code they give. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { afterAll, describe, expect, it } from 'vitest';
import { examples } from '../../../src/cli/commands/rules/examples.static.js';
import { checkDocument } from '../../../src/documents/findings.js';
import { planOf } from '../../../src/engine/check/plan.js';
import { atMost } from '../../../src/engine/check/token-bounds.js';
import { type Finding, type FindingsReport, fingerprintsOf } from '../../../src/findings.js';
import { JsonNode } from '../../../src/json/node.js';
import { createCounting } from '../../../src/measure/stats/counting.js';
import { countedOf, totalsOf } from '../../../src/measure/stats/facts.js';
import { findingsGithub } from '../../../src/reports/findings/github.js';
import { findingsGitlab } from '../../../src/reports/findings/gitlab.js';
import { findingsJunit } from '../../../src/reports/findings/junit.js';
import { findingsPretty } from '../../../src/reports/findings/pretty.js';
import { findingsSarif } from '../../../src/reports/findings/sarif.js';
import { PLAIN } from '../../../src/reports/report.js';
import { ruleText } from '../../../src/reports/rules.js';
import { allRules } from '../../../src/rules/index.js';
import { RESUME_RULES } from '../../../src/rules/resume-rules.js';
import { openText } from '../../shared/opened.js';
import { runProgram } from '../../shared/program.js';
import { fixtures } from '../../shared/recordings.js';

// --- the built program in a folder of its own

const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-check-'));
afterAll(() => rmSync(folder, { recursive: true }));
let folders = 0;

interface World {
  readonly files?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

function world({ files = {} }: World): string {
  const cwd = join(folder, String(folders++));
  mkdirSync(cwd);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text);
  return cwd;
}

function runIn(cwd: string, words: readonly string[], { input = '', env = {} }: World = {}) {
  return runProgram(words, { cwd, input, env: { PATH: process.env['PATH'], ...env } });
}

/** `check` with these words on one file. */
function check(words: string, text: string, more: World = {}) {
  const cwd = world({ files: { 'a.json': text, ...more.files } });
  const ran = runIn(cwd, ['check', ...words.split(' ').filter((word) => word !== ''), 'a.json'], more);
  return { ...ran, cwd, mended: () => readFileSync(join(cwd, 'a.json'), 'utf8') };
}

interface Json {
  readonly findings: readonly {
    rule: string;
    severity: string;
    message: string;
    line: number;
    column: number;
    index: number | null;
    call_id: string | null;
    transcript: { index: number; id: string | null } | null;
    fix: { safety: string } | null;
  }[];
  readonly summary: Readonly<Record<string, number>>;
}

const json = (words: string, text: string, more?: World) =>
  JSON.parse(check(`--format json ${words}`, text, more).stdout) as Json;

const call = (id: string, name = 'look', input = '{}') => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name, arguments: input } }],
});
const result = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });
const user = (content: string) => ({ role: 'user', content });

const OPEN = { model: 'gpt-4o', messages: [user('hi'), call('call_1'), user('go on')] };
const EMPTY = {
  model: 'gpt-4o',
  messages: [user('hi'), { role: 'assistant', content: 'hello', tool_calls: [] }, user('bye')],
};
const GOOD = {
  model: 'gpt-4o',
  messages: [user('hi'), call('call_1'), result('call_1', 'a cat'), { role: 'assistant', content: 'A cat.' }],
};
const text = (value: unknown) => JSON.stringify(value);

// --- where

describe('a position', () => {
  it.each(fixtures().map(({ name, bytes }) => [name, bytes] as const))('is where the value stands: %s', (_, bytes) => {
    const lines = bytes.toString('utf8').split('\n');
    for (const chunk of [undefined, 61]) {
      for (const piece of openText(bytes, { chunk }).pieces) {
        const positions = piece.positions();
        for (const { raw } of piece.transcripts.flatMap(({ messages }) => messages)) {
          const position = raw instanceof JsonNode ? positions(raw) : undefined;
          if (position === undefined) continue;
          const start = (raw as JsonNode).source.bytes
            .utf8Slice((raw as JsonNode).start, (raw as JsonNode).end)
            .split('\n')[0]!;
          expect(lines[position.line - 1]!.startsWith(start, position.column - 1)).toBe(true);
        }
      }
    }
  });

  it('is found in one long line, whatever was read at once', () => {
    const line = text(Array.from({ length: 40 }, (_, index) => user(`日本 ${index}`)));
    for (const chunk of [16, 100, 1 << 16]) {
      const [piece] = openText(line, { chunk }).pieces;
      const positions = piece!.positions();
      const columns = piece!.transcripts[0]!.messages.map(({ raw }) => positions(raw as JsonNode)!.column);
      expect(columns).toEqual([...line.matchAll(/\{/g)].map(({ index }) => index + 1));
    }
  });

  it.each([
    ['one line', text(OPEN), 1, text(OPEN).indexOf('{"id":"call_1"') + 1],
    ['laid out', JSON.stringify(OPEN, null, 2), 12, 9],
    ['the second line of a dataset', `${text(GOOD)}\n${text(OPEN)}\n`, 2, text(OPEN).indexOf('{"id":"call_1"') + 1],
    ['a list', JSON.stringify(OPEN.messages, null, 1), 10, 4],
    [
      'lines of messages',
      OPEN.messages.map(text).join('\r\n'),
      2,
      text(OPEN.messages[1]).indexOf('{"id":"call_1"') + 1,
    ],
  ])('of a finding: %s', (_, input, line, column) => {
    const { findings } = json('', input);
    expect(findings).toMatchObject([{ rule: 'chat/tool-call-unanswered', line, column, index: 1, call_id: 'call_1' }]);
  });
});

// --- reporters

const row = (over: Partial<Finding>): Finding => ({
  rule: 'chat/x',
  severity: 'error',
  message: 'the call of look (call_1) has no result',
  file: 'logs/a.jsonl',
  path: 'logs/a.jsonl',
  line: 2,
  column: 5,
  transcript: { index: 0, id: 's1' },
  index: 1,
  callId: 'call_1',
  excerpt: '{"id":"call_1"}',
  fix: { safety: 'synthetic', summary: 'Give it one.' },
  ...over,
});
const ROWS = [
  row({}),
  row({
    severity: 'warning',
    rule: 'chat/y',
    message: '50% <b>"x"</b>,\nnot: good\u0007',
    line: 3,
    callId: undefined,
    index: 2,
    transcript: { index: 0, id: undefined },
    excerpt: undefined,
    fix: undefined,
  }),
];
const REPORT: FindingsReport = {
  findings: ROWS,
  files: ['logs/a.jsonl', 'b c%.json'].map((file) => ({ file, path: file })),
  unreadable: [],
  transcripts: 3,
  fixed: 0,
  checks: 7,
  wordsOf: (id) => ({
    id,
    summary: 'a call without a result',
    severity: 'error',
    error: 'No tool output found',
    cause: 'It was cut.',
    fix: { safety: 'synthetic', summary: 'Give it one.' },
    reported: ['owner/repo#12'],
  }),
};
const BROKEN: FindingsReport = {
  ...REPORT,
  unreadable: [{ file: 'c.json', path: 'c.json', line: 4, column: 2, message: 'not JSON' }],
};

describe('reporters', () => {
  it('pretty: 80 columns, and what is said of a rule is said once', () => {
    const layout = { style: PLAIN, width: 80, most: 20 };
    const shown = findingsPretty(
      { ...REPORT, findings: [...ROWS, row({ line: 9, message: 'x '.repeat(100) })] },
      layout,
    );
    for (const line of shown.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(shown.match(/API error/g)).toHaveLength(2);
    expect(shown.split('\n').slice(0, 6)).toEqual([
      'logs/a.jsonl',
      '  2:5  error  the call of look (call_1) has no result',
      '    chat/x, message 1',
      '    {"id":"call_1"}',
      '    API error: No tool output found',
      '    fix: Give it one. (--fix=synthetic)',
    ]);
    expect(shown).toContain('2 errors, 1 warning (2 files, 3 transcripts, 7 rules)\n--fix=synthetic fixes 2\n');
    expect(findingsPretty(REPORT, { ...layout, most: 1 })).toContain('… 1 more finding; --max-findings 2 shows all');
    expect(findingsPretty({ ...REPORT, findings: [], fixed: 2 }, layout)).toBe(
      '2 findings fixed\nAll checks passed: 2 files, 3 transcripts, 7 rules\n',
    );
    expect(findingsPretty({ ...BROKEN, findings: [] }, layout)).not.toContain('passed');
    expect(findingsPretty({ ...BROKEN, findings: [], transcripts: 0 }, layout)).toBe('');
  });

  it('json', () => {
    expect(checkDocument(REPORT)).toEqual({
      version: 1,
      findings: [
        {
          rule: 'chat/x',
          severity: 'error',
          message: ROWS[0]!.message,
          file: 'logs/a.jsonl',
          line: 2,
          column: 5,
          transcript: { index: 0, id: 's1' },
          index: 1,
          call_id: 'call_1',
          fix: { safety: 'synthetic', summary: 'Give it one.' },
        },
        {
          rule: 'chat/y',
          severity: 'warning',
          message: ROWS[1]!.message,
          file: 'logs/a.jsonl',
          line: 3,
          column: 5,
          transcript: { index: 0, id: null },
          index: 2,
          call_id: null,
          fix: null,
        },
      ],
      unread: [],
      bad_lines: [],
      summary: { files: 2, transcripts: 3, errors: 1, warnings: 1, fixed: 0 },
    });
  });

  const SCHEMA = '../shared/rules/ci-samples/sarif-schema.json';
  it.skipIf(!existsSync(SCHEMA))('sarif: valid by the schema', () => {
    // draft 4, of which it uses only what newer drafts have too
    const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(SCHEMA, 'utf8')) as Record<string, unknown>;
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const validate = ajv.compile(schema);
    for (const report of [
      REPORT,
      BROKEN,
      { ...REPORT, findings: [] },
      { ...REPORT, findings: [row({ path: '/srv x/a.json' })] },
    ]) {
      validate(JSON.parse(findingsSarif(report, '1.2.3')));
      expect(validate.errors).toBeNull();
    }
    expect(validate({ version: '2.1.0', runs: [{}] })).toBe(false);
  });

  it('sarif: what code scanning wants', () => {
    const { runs } = JSON.parse(
      findingsSarif({ ...BROKEN, findings: [...ROWS, row({ path: 'b c%.json' })] }, '1.2.3'),
    ) as { runs: [{ tool: { driver: { rules: unknown[] } }; results: unknown[]; invocations: unknown[] }] };
    const [run] = runs;
    expect(run.tool.driver.rules[0]).toEqual({
      id: 'chat/x',
      name: 'chat/x',
      shortDescription: { text: 'A call without a result.' },
      fullDescription: { text: 'It was cut.' },
      helpUri: 'https://github.com/owner/repo/issues/12',
      help: {
        text:
          'A call without a result.\n\nThe API says: No tool output found\n\nIt was cut.\n\nGive it one. (ctx-trim ' +
          'check --fix=synthetic)',
        markdown:
          'A call without a result.\n\nThe API says: `No tool output found`\n\nIt was cut.\n\nGive it one. ' +
          '(ctx-trim check --fix=synthetic)',
      },
      defaultConfiguration: { level: 'error' },
      properties: { 'problem.severity': 'error', precision: 'very-high', tags: ['chat'] },
    });
    expect(run.results[0]).toMatchObject({
      ruleId: 'chat/x',
      ruleIndex: 0,
      level: 'error',
      locations: [
        { physicalLocation: { artifactLocation: { uri: 'logs/a.jsonl' }, region: { startLine: 2, startColumn: 5 } } },
      ],
      partialFingerprints: { primaryLocationLineHash: expect.stringMatching(/^[0-9a-f]{32}:1$/) },
    });
    expect(run.results[2]).toMatchObject({
      locations: [{ physicalLocation: { artifactLocation: { uri: 'b%20c%25.json' } } }],
    });
    expect(run.invocations).toMatchObject([
      { executionSuccessful: false, toolExecutionNotifications: [{ level: 'error', message: { text: 'Not JSON.' } }] },
    ]);
  });

  it('junit', () => {
    expect(findingsJunit(BROKEN)).toBe(
      [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<testsuites name="ctx-trim" tests="4" failures="1" errors="1" time="0">',
        '  <testsuite name="logs/a.jsonl" tests="2" failures="1" errors="0" skipped="0" time="0" file="logs/a.jsonl">',
        '    <testcase name="chat/x line 2 message 1" classname="logs/a.jsonl" time="0">',
        '      <failure type="error" message="the call of look (call_1) has no result">the call of look (call_1) ' +
          'has no result&#10;logs/a.jsonl:2:5 chat/x</failure>',
        '    </testcase>',
        '    <testcase name="chat/y line 3 message 2" classname="logs/a.jsonl" time="0">',
        '      <system-out>warning: 50% &lt;b&gt;&quot;x&quot;&lt;/b&gt;,&#10;not: good\\x07&#10;logs/a.jsonl:3:5 ' +
          'chat/y</system-out>',
        '    </testcase>',
        '  </testsuite>',
        '  <testsuite name="b c%.json" tests="1" failures="0" errors="0" skipped="0" time="0" file="b c%.json">',
        '    <testcase name="all checks" classname="b c%.json" time="0"/>',
        '  </testsuite>',
        '  <testsuite name="c.json" tests="1" failures="0" errors="1" skipped="0" time="0" file="c.json">',
        '    <testcase name="can be read" classname="c.json" time="0">',
        '      <error type="unreadable" message="not JSON">c.json:4</error>',
        '    </testcase>',
        '  </testsuite>',
        '</testsuites>',
        '',
      ].join('\n'),
    );
  });

  it('github', () => {
    expect(findingsGithub({ ...BROKEN, findings: [ROWS[1]!, row({ path: 'a,b:c.json' })] })).toBe(
      [
        '::warning file=logs/a.jsonl,line=3,col=5,title=chat/y::50%25 <b>"x"</b>,%0Anot: good\\x07',
        '::error file=a%2Cb%3Ac.json,line=2,col=5,title=chat/x::the call of look (call_1) has no result',
        '::error file=c.json,line=4,col=2,title=unreadable::not JSON',
        '',
      ].join('\n'),
    );
  });

  it('gitlab, with fingerprints that neither a line nor a neighbour changes', () => {
    const twice = [ROWS[0]!, ROWS[0]!, ROWS[1]!];
    const [first, second, third] = fingerprintsOf(twice);
    expect(new Set([first, second, third]).size).toBe(3);
    expect(fingerprintsOf([{ ...ROWS[0]!, line: 99 }])).toEqual([first]);
    expect(fingerprintsOf([ROWS[1]!])).toEqual([third]);
    expect(JSON.parse(findingsGitlab(REPORT))).toEqual([
      {
        description: ROWS[0]!.message,
        check_name: 'chat/x',
        fingerprint: first,
        severity: 'major',
        location: { path: 'logs/a.jsonl', lines: { begin: 2 } },
      },
      {
        description: ROWS[1]!.message,
        check_name: 'chat/y',
        fingerprint: third,
        severity: 'minor',
        location: { path: 'logs/a.jsonl', lines: { begin: 3 } },
      },
    ]);
  });

  it('several at once, to files, and annotations by themselves on GitHub Actions', () => {
    const cwd = world({ files: { 'a.json': text(OPEN) } });
    const { stdout, status } = runIn(
      cwd,
      [
        'check',
        '--reporter',
        'pretty',
        '--reporter',
        'sarif=o.sarif',
        '--reporter',
        'junit=o.xml',
        '--reporter',
        'gitlab=o.json',
        'a.json',
      ],
      { env: { GITHUB_ACTIONS: 'true' } },
    );
    expect(status).toBe(1);
    expect(stdout).toContain('1 error, 0 warnings');
    expect(stdout).toContain('::error file=a.json,line=1,');
    expect(readFileSync(join(cwd, 'o.sarif'), 'utf8')).toContain('"ruleId": "chat/tool-call-unanswered"');
    expect(readFileSync(join(cwd, 'o.xml'), 'utf8')).toContain('failures="1"');
    expect(JSON.parse(readFileSync(join(cwd, 'o.json'), 'utf8'))).toHaveLength(1);
    const machine = runIn(cwd, ['check', '--format', 'json', 'a.json'], { env: { GITHUB_ACTIONS: 'true' } });
    expect(JSON.parse(machine.stdout)).toMatchObject({ summary: { errors: 1 } });
    expect(machine.stderr).toContain('::error ');
    expect(runIn(cwd, ['check', '--reporter', 'xml', 'a.json'])).toMatchObject({ status: 2, stdout: '' });
  });
});

/** Whether a report says that something is wrong, by its format. */
const SAYS_WRONG: Readonly<Record<string, (output: string) => boolean>> = {
  pretty: (output) => output !== '' && !/^All checks passed|^0 errors/m.test(output),
  json: (output) =>
    (JSON.parse(output) as Json).summary['errors']! > 0 || 'unreadable' in (JSON.parse(output) as object),
  sarif: (output) => /"level": "error"\s*,\s*"message"/.test(output) || output.includes('"executionSuccessful": false'),
  junit: (output) => !/<testsuites [^>]* failures="0" errors="0"/.test(output),
  github: (output) => output.includes('::error '),
  gitlab: (output) => /"severity": "(?:major|blocker)"/.test(output),
};

describe.each(Object.entries(SAYS_WRONG))('%s never disagrees with the exit code', (format, saysWrong) => {
  it.each([
    ['', text(GOOD), 0],
    ['', text(OPEN), 1],
    ['--severity chat/tool-call-unanswered=warning', text(OPEN), 0],
    ['--severity chat/tool-call-unanswered=warning --max-warnings 0', text(OPEN), 1],
    ['--max-calls 0', text(GOOD), 1],
    ['', `${text(GOOD)}\n{]\n${text(GOOD)}`, 2],
  ])('%s %#', (words, input, status) => {
    const ran = check(`--format ${format} ${words}`, input);
    expect(ran.status).toBe(status);
    if (format !== 'pretty' || status !== 2) expect(saysWrong(ran.stdout)).toBe(status !== 0);
    else expect(ran.stdout).not.toContain('passed');
  });
});

// --- what is minded

it.each([
  ['claude-code', undefined, 'anthropic'],
  ['openai-chat', 'deepseek-chat', 'deepseek'],
  ['anthropic-messages', 'deepseek-chat', 'anthropic'],
  ['codex-rollout', 'gpt-5', 'openai-responses'],
  ['langchain', 'claude-opus-4-5', 'anthropic'],
  ['langchain', 'google/gemini-2.5-pro', 'gemini'],
  ['sharegpt', undefined, 'openai-chat'],
])('a recording in %s of %s is held to the rules of %s', (format, model, id) => {
  const plan = planOf({ selection: {}, settings: {} });
  expect(plan.providerFor({ format, model, traits: {}, messages: [] }).id).toBe(id);
});

describe('what is minded', () => {
  it.each([
    ['', text(GOOD), 0],
    ['', text(OPEN), 1],
    ['--severity chat/tool-call-unanswered=warning', text(OPEN), 0],
    ['--severity chat/tool-call-unanswered=warning --max-warnings 0', text(OPEN), 1],
    ['--severity chat/tool-call-unanswered=warning --max-warnings 1', text(OPEN), 0],
    ['--severity chat/*=off', text(OPEN), 0],
    ['--disable chat/tool-call-unanswered', text(OPEN), 0],
    ['--rule chat/tool-calls-empty', text(OPEN), 0],
    ['--rule chat/tool-calls-empty', text(EMPTY), 1],
    ['--provider gemini --rule chat/tool-calls-empty', text(EMPTY), 0],
    ['', '{', 2],
    ['--format json', '{', 2],
    ['--rule chat/tool-calls-emty', text(GOOD), 2],
    ['--provider nobody', text(GOOD), 2],
    ['--severity chat/tool-calls-empty=bad', text(GOOD), 2],
    ['--diff', text(GOOD), 2],
    ['--fix=lossi', text(GOOD), 2],
    ['--max-context-share much', text(GOOD), 2],
  ])('%s', (words, input, status) => {
    const ran = check(words, input);
    expect({ ...ran, status: ran.status }).toMatchObject({ status });
    if (status === 2) expect(ran.stderr).toMatch(/^ctx-trim: [^\n]+\n$/);
  });

  it('reporters and exit code agree where warnings are too many', () => {
    const { findings, summary } = json('--severity chat/tool-call-unanswered=warning --max-warnings 0', text(OPEN));
    expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([
      ['chat/tool-call-unanswered', 'warning'],
      ['check/max-warnings', 'error'],
    ]);
    expect(summary).toMatchObject({ errors: 1, warnings: 1 });
  });

  it('goes by the config, and flags win', () => {
    const config = {
      check: { disable: ['chat/tool-calls-empty'], severity: { 'chat/tool-call-unanswered': 'warning' } },
      budgets: { calls: 0, total: { calls: 0 } },
    };
    const files = { 'ctx-trim.config.json': text(config) };
    expect(
      json('', text(OPEN), { files }).findings.map(({ rule, severity, message, transcript }) => [
        rule,
        severity,
        transcript?.index ?? null,
        message,
      ]),
    ).toEqual([
      ['budget/calls', 'error', null, 'all together: 1 tool calls are 1 over the budget of 0'],
      ['chat/tool-call-unanswered', 'warning', 0, 'the call of look (call_1) has no result'],
      ['budget/calls', 'error', 0, '1 tool calls are 1 over the budget of 0'],
    ]);
    expect(
      json('--severity chat/tool-call-unanswered=error --max-calls 1 --max-total-calls 1', text(OPEN), {
        files,
      }).findings.map(({ severity }) => severity),
    ).toEqual(['error']);
    expect(
      check('', text(OPEN), { files: { 'ctx-trim.config.json': text({ budgets: { cost: 'much' } }) } }),
    ).toMatchObject({ status: 2, stderr: expect.stringContaining('`budgets.cost`') });
  });

  it('tells an unreadable file apart from findings', () => {
    const cwd = world({ files: { 'a.json': text(OPEN), 'b.json': '{"messages": [' } });
    const ran = runIn(cwd, ['check', '--format', 'json', 'a.json', 'b.json']);
    expect(ran.status).toBe(2);
    expect(ran.stderr).toMatch(/^ctx-trim: b.json:1:\d+: not JSON/);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      findings: [{ file: 'a.json' }],
      unreadable: [{ file: 'b.json', line: 1 }],
      summary: { files: 1 },
    });
  });
});

// --- the baseline

describe('a baseline', () => {
  it('hides what it lists, and tells what is gone', () => {
    const cwd = world({ files: { 'a.json': text(OPEN) } });
    expect(runIn(cwd, ['check', '--write-baseline', 'known.json', 'a.json'])).toMatchObject({
      status: 0,
      stderr: 'ctx-trim: 1 finding written to known.json\n',
    });
    expect(JSON.parse(readFileSync(join(cwd, 'known.json'), 'utf8'))).toEqual({
      version: 1,
      findings: [{ rule: 'chat/tool-call-unanswered', transcript: 'a.json#0', call_id: 'call_1' }],
    });
    expect(runIn(cwd, ['check', '--baseline', 'known.json', 'a.json'])).toMatchObject({ status: 0, stderr: '' });
    writeFileSync(
      join(cwd, 'a.json'),
      JSON.stringify({ messages: [user('new'), user('lines'), ...OPEN.messages, call('call_2'), user('?')] }, null, 2),
    );
    const { status, stdout } = runIn(cwd, ['check', '--baseline', 'known.json', '--format', 'json', 'a.json']);
    expect(status).toBe(1);
    expect((JSON.parse(stdout) as Json).findings.map(({ call_id }) => call_id)).toEqual(['call_2']);
    writeFileSync(join(cwd, 'a.json'), text(GOOD));
    expect(runIn(cwd, ['check', '--baseline', 'known.json', 'a.json'])).toMatchObject({
      status: 0,
      stderr: expect.stringContaining('no longer found: chat/tool-call-unanswered a.json#0 call_1'),
    });
  });

  it('that is none is refused', () => {
    for (const bad of ['{', '{}', '{"findings":[{}]}', '{"version":2,"findings":[]}'])
      expect(check('--baseline known.json', text(GOOD), { files: { 'known.json': bad } })).toMatchObject({
        status: 2,
        stdout: '',
        stderr: expect.stringMatching(/^ctx-trim: known.json/),
      });
  });
});

// --- mending

describe('mending', () => {
  const both = JSON.stringify(
    { model: 'gpt-4o', x: 1.0, messages: [...EMPTY.messages, ...OPEN.messages] },
    null,
    3,
  ).replace('"x": 1', '"x":  1.0');

  it('mends in place what is safe, and says what is left where it now stands', () => {
    const { status, stdout, mended } = check('--fix', both);
    expect(status).toBe(1);
    expect(mended()).toBe(both.replace(/,\s*"tool_calls": \[\]/, ''));
    expect(stdout).toContain('1 finding fixed');
    const line = mended().slice(0, mended().indexOf('"id": "call_1"')).split('\n').length - 1;
    expect(stdout).toContain(`\n  ${line}:`);
  });

  it('mends with the kinds before it, and once is enough', () => {
    const { status, cwd, mended } = check('--fix=synthetic', both);
    expect(status).toBe(0);
    const once = mended();
    expect(once).toContain('"tool_call_id": "call_1"');
    expect(once).not.toContain('"tool_calls": []');
    expect(once).toContain('"x":  1.0');
    expect(runIn(cwd, ['check', '--fix=synthetic', '--format', 'json', 'a.json']).stdout).toContain('"fixed": 0');
    expect(mended()).toBe(once);
    expect(readdirSync(cwd)).toEqual(['a.json']);
  });

  it('takes the word behind --fix for a file', () => {
    const cwd = world({ files: { 'b.json': text(EMPTY) } });
    expect(runIn(cwd, ['check', '--fix', 'b.json'])).toMatchObject({ status: 0 });
    expect(readFileSync(join(cwd, 'b.json'), 'utf8')).not.toContain('tool_calls');
  });

  it('changes nothing that it need not', () => {
    const { status, mended } = check('--fix=synthetic', ` ${text(GOOD)}\r\n`);
    expect(status).toBe(0);
    expect(mended()).toBe(` ${text(GOOD)}\r\n`);
  });

  it('writes elsewhere, to stdout, or shows a diff', () => {
    const elsewhere = check('--fix -o out.json', text(EMPTY));
    expect(elsewhere.mended()).toBe(text(EMPTY));
    expect(readFileSync(join(elsewhere.cwd, 'out.json'), 'utf8')).toBe(text(EMPTY).replace(',"tool_calls":[]', ''));
    const piped = runIn(world({}), ['check', '--fix'], { input: text(EMPTY) });
    expect(piped.stdout).toBe(text(EMPTY).replace(',"tool_calls":[]', ''));
    expect(piped.stderr).toContain('All checks passed');
    const shown = check('--fix=synthetic --diff', text(OPEN));
    expect(shown.mended()).toBe(text(OPEN));
    expect(shown.stdout).toContain('+ #2 tool (look)');
    expect(shown.status).toBe(0);
    const kept = check('--fix --backup .bak', text(EMPTY));
    expect(readFileSync(join(kept.cwd, 'a.json.bak'), 'utf8')).toBe(text(EMPTY));
  });

  const BRANCHES = readFileSync('fixtures/formats/chatgpt-export/hand-indented.json', 'utf8');
  // a branch that begins with a result: without it, its call stands at the end of another branch
  const UNLINKED = BRANCHES.replace('"parent": "n7"', '"parent": 1');

  it.each(['-o out.json', '--diff', ''])('fixes what a fix uncovers %s', (flags) => {
    const { status, stdout, stderr } = check(`--fix=synthetic --provider azure ${flags}`, UNLINKED);
    expect([status, stdout + stderr]).toEqual([0, expect.stringMatching(/1 finding (?:would be )?fixed/)]);
  });

  it.each(['-o out.json', '--diff', ''])('removes nothing where something else would be found then %s', (flags) => {
    const { status, stdout, stderr, mended } = check(`--fix=lossy --provider azure ${flags}`, UNLINKED);
    expect([status, stdout + stderr]).toEqual([1, expect.stringMatching(/; its fix would not\s+leave fewer errors/)]);
    expect(stdout + stderr).not.toMatch(/fix:|fixes 1|fixed/);
    expect(mended()).toBe(UNLINKED);
  });

  it('mends logs', () => {
    const log = readFileSync('fixtures/formats/claude-code/hand-interrupted.jsonl', 'utf8');
    const { mended, status } = check('--fix=synthetic --rule anthropic/tool-use-unanswered', log);
    expect(status).toBe(0);
    const lines = new Set(mended().split('\n'));
    // the links of those behind what was added
    expect(log.split('\n').filter((line) => !lines.has(line)).length).toBeLessThanOrEqual(2);
  });
});

// --- budgets

describe('budgets', () => {
  const many = {
    model: 'gpt-4o',
    messages: [
      { role: 'system', content: 'Be brief.' },
      user('hi'),
      ...['{"a":1,"b":2}', '{"b":2,"a":1}', '{"a":1, "b":2}'].flatMap((input, index) => [
        call(`c${index}`, 'look', input),
        result(`c${index}`, '日'.repeat(10 + index)),
      ]),
    ],
  };
  const found = (words: string, value: unknown = many) =>
    json(words, text(value)).findings.map(({ rule, index, call_id, message }) => [rule, index, call_id, message]);

  it('are kept where they are kept', () => {
    expect(
      found(
        '--max-tokens 200 --max-calls 3 --max-repeated-calls 2 --max-result-length 12 --max-system-length 9 ' +
          '--max-context-share 0.5 --max-cost 1 --max-total-cost 1 --max-total-tokens 200 --max-total-calls 3',
      ),
    ).toEqual([]);
  });

  it('say by how much, and where', () => {
    expect(found('--max-calls 2')).toEqual([['budget/calls', 6, 'c2', '3 tool calls are 1 over the budget of 2']]);
    expect(found('--max-repeated-calls 1')).toEqual([
      ['budget/repeated-calls', 6, 'c2', 'the same call of look was made again 2 times; the budget is 1'],
    ]);
    expect(found('--max-result-length 10')).toEqual([
      ['budget/result-length', 5, 'c1', 'the result has 11 characters, 1 over the budget of 10'],
      ['budget/result-length', 7, 'c2', 'the result has 12 characters, 2 over the budget of 10'],
    ]);
    expect(found('--max-system-length 8')).toEqual([
      ['budget/system-prompt', 0, null, 'the system prompt has 9 characters, 1 over the budget of 8'],
    ]);
    expect(found('--max-context-share 0.5', { ...many, model: 'nobody-knows-it' })).toEqual([
      ['budget/context-share', null, null, 'the context window of nobody-knows-it is not known; set --model'],
    ]);
    expect(found('--max-cost 1', { ...many, model: 'nobody-knows-it' })).toEqual([
      ['budget/cost', null, null, expect.stringContaining('the cost is not known')],
    ]);
  });

  it('count as stats does', () => {
    const cwd = world({ files: { 'a.json': text(many) } });
    const { totals } = JSON.parse(runIn(cwd, ['stats', '--format', 'json', 'a.json']).stdout) as {
      totals: { prompt_tokens: number };
    };
    const over = (words: string) => runIn(cwd, ['check', ...words.split(' '), 'a.json']).status;
    expect(over(`--max-tokens ${totals.prompt_tokens}`)).toBe(0);
    expect(over(`--max-tokens ${totals.prompt_tokens - 1}`)).toBe(1);
    expect(over(`--max-total-tokens ${totals.prompt_tokens - 1}`)).toBe(1);
    expect(over('--max-context-share 0.0001')).toBe(1);
    for (const cost of ['0.000001', '1'])
      expect(over(`--max-cost ${cost}`)).toBe(runIn(cwd, ['stats', '--max-cost', cost, 'a.json']).status);
  });

  it('are rules like any other', () => {
    expect(check('--max-calls 0 --severity budget/calls=warning', text(GOOD)).status).toBe(0);
    expect(check('--max-calls 0 --disable budget/*', text(GOOD)).stdout).toContain('All checks passed');
  });
});

describe('what surely fits is not counted', () => {
  const bytes = createCounting('gpt-4o', () => (counted) => Buffer.byteLength(counted)); // no token is shorter
  it.each(fixtures().map(({ name, bytes: file }) => [name, file] as const))('%s', (_, file) => {
    for (const transcript of openText(file).transcripts) {
      const { tokens } = totalsOf(transcript, countedOf(transcript, bytes), undefined, undefined);
      expect(atMost(transcript)).toBeGreaterThanOrEqual(tokens);
    }
  });
});

describe('rules', () => {
  it('lists, and explains', () => {
    const cwd = world({});
    const { rules } = JSON.parse(runIn(cwd, ['rules', '--format', 'json']).stdout) as { rules: { id: string }[] };
    expect(rules.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['chat/tool-calls-empty', 'anthropic/tool-use-unanswered']),
    );
    const anthropic = JSON.parse(runIn(cwd, ['rules', '--provider', 'anthropic', '--format', 'json']).stdout) as {
      rules: { id: string }[];
    };
    expect(anthropic.rules.map(({ id }) => id)).not.toContain('chat/tool-calls-empty');
    expect(rules.map(({ id }) => id).sort()).toEqual([...allRules(), ...RESUME_RULES].map(({ id }) => id).sort());
    for (const rule of [...allRules(), ...RESUME_RULES]) {
      const text = ruleText(rule, examples[rule.id]!, PLAIN, 80);
      expect(text).toMatch(/(?:The API says|People see)\n[\s\S]*Cause\n[\s\S]*Fix[\s\S]*Example\n[\s\S]*^- |^\+ /m);
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    }
    for (const rule of allRules().slice(0, 3)) {
      const text = ruleText(rule, examples[rule.id]!, PLAIN, 80);
      expect(runIn(cwd, ['rules', rule.id])).toMatchObject({ status: 0, stdout: text });
    }
    expect(runIn(cwd, ['rules', 'chat/nothing'])).toMatchObject({ status: 2, stdout: '' });
  });
});
