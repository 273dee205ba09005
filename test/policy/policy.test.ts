/** Policies: words, the decision table of the built-in one, what its figures come to. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Policy, run } from '../../src/index.js';
import { createAudit, projected, rateOf } from '../../src/policy/audit.js';
import { conversationOf } from '../../src/policy/conversation.js';
import { amountOf, formatAmount } from '../../src/policy/costs.js';
import { decide } from '../../src/policy/decide.js';
import { guardOf } from '../../src/policy/guard.js';
import { judge } from '../../src/policy/judge.js';
import { monitor } from '../../src/policy/monitor.js';
import { lenient, queryHistory } from '../../src/policy/query-history/index.js';
import { matcherOf, normalizedText } from '../../src/policy/words.js';
import { auditText } from '../../src/reports/audit/index.js';
import { PLAIN } from '../../src/reports/report.js';
import { open } from '../../src/source/recording.js';

const STYLE = PLAIN;

const found = (any: readonly string[], text: string) =>
  matcherOf({ any })(normalizedText(text)).map(({ word }) => word);

describe('words', () => {
  it.each([
    ['at word boundaries in Latin script', ['before'], 'What was it before?', ['before']],
    ['not inside other words', ['before', 'earlier'], 'beforehand, unbefore, before_1', []],
    ['as substrings in Chinese', ['之前'], '我们之前讨论过', ['之前']],
    ['beside Chinese, without a space', ['chat history'], '查看chat history吗', ['chat history']],
    ['full-width letters', ['history'], 'ＨＩＳＴＯＲＹ', ['history']],
    ['half-width katakana', ['コード'], 'ｺｰﾄﾞ', ['コード']],
    ['phrases over any space', ['chat history'], 'my chat\n  history', ['chat history']],
    ['accents are letters', ['cafe'], 'cafés', []],
    ['in Cyrillic too', ['раньше'], 'Что было раньше?', ['раньше']],
    ['in the order of the text', ['a', 'b'], 'b and a', ['b', 'a']],
    ['signs are themselves', ['c++', '.env'], 'C++ and .env', ['c++', '.env']],
  ])('%s', (_, any, text, expected) => {
    expect(found(any, text)).toEqual(expected);
  });

  it('patterns', () => {
    const match = matcherOf({ regex: ['\\b\\d+ (days?|weeks?) ago\\b', '\\d+\\s*(天|周|个月)前'] });
    expect(match(normalizedText('3 Days ago')).map(({ word }) => word)).toEqual(['3 days ago']);
    expect(match(normalizedText('３ 周前')).length).toBe(1);
  });
});

describe('query-history decides', () => {
  it.each([
    // explicit: allow 1.0
    ['查看历史记录', 'allow', 1, ['历史记录']],
    ['Show me the chat history', 'allow', 1, ['chat history']],
    ['列出当前的聊天记录', 'allow', 1, ['聊天记录']],
    ['会話履歴を見せて', 'allow', 1, ['会話履歴']],
    // history only: allow 0.9
    ['我们之前讨论过 JWT 吗？', 'allow', 0.9, ['之前']],
    ['What did you say earlier?', 'allow', 0.9, ['earlier']],
    ['さっきの提案は？', 'allow', 0.9, ['さっき']],
    // current only: deny 0.95
    ['列出 src 下的文件', 'deny', 0.95, ['列出']],
    ['当前配置是什么', 'deny', 0.95, ['当前', '是什么']],
    ['現在の設定は？', 'deny', 0.95, ['現在']],
    // both: whichever comes first
    ['之前的代码呢', 'allow', 0.7, ['之前', '代码']],
    ['当前代码和之前有何不同', 'deny', 0.8, ['当前', '代码', '之前']],
    // neither: deny 0.6
    ['Rename the function', 'deny', 0.6, []],
    ['', 'deny', 0.6, []],
  ])('%s', (text, decision, confidence, words) => {
    expect(decide(queryHistory, { text, tool: 'query_history' })).toMatchObject({ decision, confidence, words });
  });

  it('lenient: allows with a warning where there is no word at all, and only there', () => {
    const policy = lenient(queryHistory);
    expect(decide(policy, { text: 'Rename the function' })).toMatchObject({
      decision: 'allow',
      confidence: 0.6,
      warning: expect.stringContaining('not called for'),
    });
    expect(decide(policy, { text: '当前配置' })).toMatchObject({ decision: 'deny', confidence: 0.95 });
    const { statuses: fates } = judge(policy, conversationOf(chat(['Rename it', 'query_history'])), {});
    expect([...fates.values()]).toEqual(['warned']);
  });

  it.each([
    ['我们之前讨论过 JWT 吗？', 'past talk', 'query_history'],
    ['读取 config 的文件内容', 'file content', 'read_file'],
    ['What is in src/app.ts now?', 'file content', 'read_file'],
    ['列出所有的模块', 'listing', 'list_files'],
    ['Where is the parser, search for it', 'code search', 'search_code'],
    ['Rename the function', 'change', 'edit_file'],
    // the verb decides before the noun
    ['rename foo in utils.py', 'change', 'edit_file'],
    ['Could you please fix src/app.ts', 'change', 'edit_file'],
    ['删除 utils.py', 'change', 'edit_file'],
    ['utils.py を修正してください', 'change', 'edit_file'],
    ['run test/a.py', 'run', 'run_terminal'],
    ['执行 test/a.py', 'run', 'run_terminal'],
    ['Open a.ts and rename the class', 'file content', 'read_file'],
    ['列出修改过的文件', 'listing', 'list_files'],
    ['列出目录结构', 'structure', 'get_project_structure'],
    ['现在有什么文件？', 'listing', 'list_files'],
    // a verb in a name asks for nothing
    ['What does run.py print?', 'file content', 'read_file'],
    ['show me the file src/add/index.ts', 'file content', 'read_file'],
    ['運行', undefined, undefined],
    ['运行测试', 'run', 'run_terminal'],
    ['显示目录结构', 'structure', 'get_project_structure'],
    ['プロジェクトの構成を表示', 'structure', 'get_project_structure'],
  ])('intent of %s', (text, intent, tool) => {
    expect(decide(queryHistory, { text })).toMatchObject({ intent, tool });
  });

  it.each([
    ['en', '当前代码和之前有何不同', 'Ask for one of them at a time'],
    ['zh', '之前的代码呢', '一次只问其中一件事'],
    ['ja', '之前的代码呢', '一度に一つずつ'],
  ] as const)('both kinds of words: the hint to ask one thing, in %s', (language, text, hint) => {
    expect(decide(queryHistory, { text }, language).hint).toContain(hint);
  });

  it.each([
    '我之前让你修改了什么文件？',
    '刚才我们讨论的那个Bug是什么？',
    '你上次给我的建议是什么？',
    '我第一个问题是什么？',
    '为什么我们当时选择用JWT而不是Session？',
    '之前关于性能优化的讨论结果是什么？',
    '我记得我们改过端口号，改成多少了？',
    '找一下我们上次创建的那个用户服务类',
    '之前修改过哪些配置文件？',
    '你帮我做过哪些重构？',
  ])('allows %s', (text) => {
    expect(decide(queryHistory, { text })).toMatchObject({ decision: 'allow', tool: 'query_history' });
  });

  it('agrees with its own examples', () => {
    for (const text of queryHistory.examples!.allow!)
      expect([text, decide(queryHistory, { text: text as string }).decision]).toEqual([text, 'allow']);
    for (const text of queryHistory.examples!.deny!)
      expect([text, decide(queryHistory, { text: text as string }).decision]).toEqual([text, 'deny']);
  });

  it('shows by example only what it allows', () => {
    for (const prompt of Object.values(
      queryHistory.prompt as Record<
        string,
        { few_shot: readonly { role: string; text?: string; call?: { tool: string; args: object } }[] }
      >,
    )) {
      let said = '';
      for (const { role, text, call } of prompt.few_shot) {
        if (role === 'user') said = text!;
        else if (call !== undefined)
          expect(decide(queryHistory, { text: said, tool: 'query_history', args: call.args }).decision).toBe(
            call.tool === 'query_history' ? 'allow' : 'deny',
          );
      }
    }
  });
});

/** Turns: what the user says, then steps; a step of several calls is `a+b`. */
function chat(...turns: readonly (readonly string[])[]) {
  let id = 0;
  const messages = turns.flatMap(([text, ...steps]) => [
    { role: 'user', content: text },
    ...steps.flatMap((step) => {
      const calls = step.split('+').map((call) => {
        const [name, args = '{}'] = call.split(/(?=\{)/);
        return { id: `c${id++}`, type: 'function', function: { name, arguments: args } };
      });
      return [
        { role: 'assistant', content: null, tool_calls: calls },
        ...calls.map((call) => ({ role: 'tool', tool_call_id: call.id, content: 'ok' })),
      ];
    }),
  ]);
  return open(JSON.stringify(messages)).transcripts[0]!;
}

const PLACE = { file: 'a.json', line: 1, index: 0, transcript: undefined };

function audited(...turns: readonly (readonly string[])[]) {
  const audit = createAudit(queryHistory);
  audit.add(conversationOf(chat(...turns)), PLACE);
  return audit.facts();
}

const GOOD = ['之前说过什么', 'query_history'] as const;
const BAD = ['列出文件', 'query_history'] as const;
const times = <T>(count: number, item: T): T[] => Array.from({ length: count }, () => item);

describe('rates', () => {
  it('counts each call once: invalid before denied before warned', () => {
    const { tools } = audited(
      GOOD,
      BAD,
      ['之前', 'query_history{"time_range":"ever"}'],
      ['列出', 'query_history{"time_range":1}'],
      ['之前', 'query_history{"time'],
    );
    expect(tools).toMatchObject([{ name: 'query_history', calls: 5, valid: 1, denied: 1, invalid: 3, warned: 0 }]);
    expect(rateOf(tools[0]!)).toBe(0.8);
    expect(tools[0]!.wasted).toBe(amountOf(0.012));
  });

  it('alarms above 30 %, not at it', () => {
    expect(audited(...times(7, GOOD), ...times(3, BAD)).alerts).toEqual([]);
    expect(audited(...times(6, GOOD), ...times(4, BAD)).alerts).toMatchObject([
      { rule: 'abuse', calls: 10, wrong: 4, denied: 4, invalid: 0 },
    ]);
  });

  it('does not alarm below five calls', () => {
    expect(audited(...times(4, BAD)).alerts).toEqual([]);
    expect(audited(...times(5, BAD)).alerts).toHaveLength(1);
  });

  it('may not meet a file tool in one turn, whichever comes first', () => {
    for (const steps of [
      ['query_history', 'read_file'],
      ['list_files', 'query_history'],
      ['query_history+search_code'],
    ]) {
      const { findings, tools } = audited(['我们之前说过什么', ...steps]);
      expect(findings).toMatchObject([
        {
          rule: 'one-source',
          type: 'exclusive',
          severity: 'error',
          instead: ['read_file', 'list_files', 'search_code'],
          call: { tool: 'query_history' },
        },
      ]);
      expect(findings[0]!.text).toContain('one at a time');
      expect(tools).toMatchObject([{ name: 'query_history', denied: 1 }]);
    }
    expect(audited(['我们之前说过什么', 'query_history'], ['x', 'read_file']).findings).toEqual([]);
    expect(audited(['x', 'read_file', 'list_files']).findings).toEqual([]);
  });
});

describe('costs', () => {
  it('100 conversations a day, 20 % misused, ¥0.003', () => {
    const misused = projected(amountOf(0.003), 100, 20, 100);
    expect([misused.day, misused.month, misused.year].map((amount) => formatAmount(amount, 'CNY'))).toEqual([
      '¥0.06',
      '¥1.8',
      '¥21.6',
    ]);
    expect(formatAmount(misused.year - projected(amountOf(0.003), 100, 2, 100).year, 'CNY')).toBe('¥19.44');
  });
});

describe('the monitor', () => {
  it('takes results of one message in the order of its calls, and none for a call that it denied', () => {
    const rules = [
      { id: 'failures', type: 'max_errors', max: 1 },
      { id: 'never', type: 'denied_tools', tools: ['read'], args: { p: { equals: 0 } } },
    ];
    const watch = monitor({ version: 1, rules });
    for (const p of [0, 1, 2]) watch.call({ tool: 'read', args: { p }, step: 1 });
    for (const text of ['no', 'never']) watch.result('read', { text, isError: true });
    expect(watch.facts().findings.map(({ rule, call }) => [rule, call?.args])).toEqual([
      ['never', { p: 0 }],
      ['failures', { p: 2 }],
    ]);
  });

  it('has facts that JSON can hold', () => {
    const watch = monitor(queryHistory);
    watch.user('列出文件');
    watch.call({ tool: 'query_history', args: {} });
    expect(JSON.parse(JSON.stringify(watch.facts()))).toMatchObject({ tools: [{ denied: 1, wasted: 0.003 }] });
  });

  it('answers as the audit does, of what came before too', () => {
    const watch = monitor(queryHistory);
    watch.user('我们之前说过什么');
    expect(watch.call({ tool: 'query_history', args: {} }).decision).toBe('allow');
    expect(watch.call({ tool: 'read_file', args: {} })).toMatchObject({
      decision: 'deny',
      findings: [{ rule: 'one-source' }],
    });
    watch.user('列出文件');
    expect(watch.call({ tool: 'query_history', args: {} })).toMatchObject({
      decision: 'deny',
      confidence: 0.95,
      tool: 'list_files',
    });
    expect(watch.facts().tools).toMatchObject([{ name: 'query_history', calls: 2, denied: 2 }]);
    for (let i = 0; i < 3; i++) watch.call({ tool: 'query_history', args: {} });
    expect(watch.facts().alerts).toHaveLength(1);
  });

  it.each([
    { id: 'r', type: 'after', trigger: 'write', then: 'test' },
    { id: 'r', type: 'sequence', tools: ['write', 'test'] },
    { id: 'r', type: 'trajectory', reference: ['write', 'test'] },
  ])('denies no call for what may still come: $type', (rule) => {
    const policy: Policy = { version: 1, rules: [rule] };
    const call = monitor(policy).call({ tool: 'write', args: {} });
    expect(call.decision).toBe('allow');
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'write', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'a', content: 'done' },
    ];
    expect(run(messages, [{ transform: 'guard', policy: guardOf(policy) }])).toEqual(messages);
  });
});

describe('on a terminal', () => {
  const audit = createAudit(queryHistory);
  const text = readFileSync('fixtures/audit/query-history.jsonl', 'utf8');
  const findings = open(text).transcripts.flatMap((transcript, index) =>
    audit
      .add(conversationOf(transcript), { file: 'runs.jsonl', line: index + 1, index, transcript: transcript.id })
      .map((finding) => ({
        ...finding,
        file: 'runs.jsonl',
        line: index + 1,
        column: 1,
        transcript: { index, id: transcript.id },
      })),
  );
  const report = {
    facts: audit.facts(),
    findings,
    by: 'tool',
    callsPerDay: 100,
    targetRate: 0.02,
    currency: { code: 'CNY', rate: amountOf(1) },
  } as const;
  const words = (shown: string) => shown.split(/\s+/).join(' ');

  it('every line has room, and no word is lost', () => {
    const narrow = auditText({ ...report, language: 'en' }, STYLE, 80);
    expect(narrow.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const wide = auditText({ ...report, language: 'en' }, STYLE);
    expect(words(narrow)).toBe(words(wide.replace(/ \(0\.002-0\.005\)/, '').replace('cost per call', 'cost')));
  });

  it('what has no spaces is not broken, and so not cut', () => {
    expect(auditText({ ...report, language: 'zh' }, STYLE, 80)).not.toContain('…');
  });
});

it('counts calls without a recorded time on an unknown day', () => {
  const policy: Policy = { version: 1, rules: [{ id: 'never', type: 'denied_tools', tools: ['read'] }] };
  const audit = createAudit(policy, { dayOf: () => '2026-01-31' });
  const call = { tool: 'read', callId: undefined, args: {}, message: 0, step: 1, turn: 1, lastUserText: '' };
  const calls = [
    { ...call, result: undefined },
    { ...call, message: 1, result: undefined, time: 0 },
  ];
  audit.add({ calls, lastUserText: '' }, { file: 'a', line: 1, index: 0, transcript: undefined });
  expect(audit.facts().days.map(({ name, calls: count, denied }) => [name, count, denied])).toEqual([
    ['(unknown)', 1, 1],
    ['2026-01-31', 1, 1],
  ]);
});
