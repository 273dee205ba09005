/** stats over recordings: what it says is what the lines say. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../shared/program.js';

const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Row = Readonly<Record<string, unknown>> & { readonly cost_usd: number | null };
interface Stats {
  readonly transcripts: readonly (Row & { readonly requests: readonly Row[]; readonly totals: Row })[];
  readonly rows: readonly Row[];
  readonly tools?: readonly Row[];
  readonly totals: Row;
}

function stats(...words: readonly string[]): Stats {
  return JSON.parse(run('--format', 'json', ...words).stdout) as Stats;
}

function run(...words: readonly string[]) {
  return runProgram(['stats', ...words]);
}

const LOG = 'fixtures/formats/claude-code/short.jsonl';
const CHAT = 'fixtures/formats/openai-chat/apollo-airline.json';
const LOGS = [
  LOG,
  'fixtures/formats/pi-session/hand-v3.jsonl',
  'fixtures/formats/codex-rollout/vibe-coding-tracker.jsonl',
  'fixtures/formats/openai-chat/pydantic-ai-pairs.jsonl',
];

/** The usage of a Claude Code log, counted by hand: of each message id the line that says most. */
function countedByHand(path: string) {
  const usages = new Map<string, Record<string, number>>();
  for (const line of readFileSync(path, 'utf8').split('\n').filter(Boolean)) {
    const { message } = JSON.parse(line) as { message?: { id?: string; usage?: Record<string, number> } };
    if (message?.usage === undefined) continue;
    const known = usages.get(message.id!);
    if (known === undefined || message.usage['output_tokens']! > known['output_tokens']!)
      usages.set(message.id!, message.usage);
  }
  const sum = (key: string) => [...usages.values()].reduce((total, usage) => total + (usage[key] ?? 0), 0);
  return {
    requests: usages.size,
    input: sum('input_tokens'),
    cache_read: sum('cache_read_input_tokens'),
    cache_write: sum('cache_creation_input_tokens'),
    output: sum('output_tokens'),
  };
}

describe('a Claude Code log', () => {
  const { totals } = stats(LOG);

  it('adds up to what its lines say', () => {
    const { cache_write, ...counts } = countedByHand(LOG);
    expect(counts.requests).toBeGreaterThan(1);
    expect(totals).toMatchObject(counts);
    expect((totals['cache_write_5m'] as number) + (totals['cache_write_1h'] as number)).toBe(cache_write);
  });

  it('costs the same by model, by day, by session, by turn and by request', () => {
    const whole = stats(...LOGS).totals;
    for (const by of ['model', 'day', 'session', 'turn', 'request', 'file', 'agent', 'week', 'day,model']) {
      const { rows } = stats('--by', by, ...LOGS);
      for (const key of ['requests', 'input', 'cache_read', 'output'])
        expect(
          rows.reduce((sum, row) => sum + (row[key] as number), 0),
          `${by} ${key}`,
        ).toBe(whole[key]);
      const cost = rows.reduce((sum, row) => sum + (row.cost_usd ?? 0), 0);
      expect(cost).toBeCloseTo(whole.cost_usd as number, 10);
    }
  });
});

describe('--recorded', () => {
  const logs = ['fixtures/formats/claude-code', 'fixtures/formats/codex-rollout', 'fixtures/formats/pi-session'];

  it.each(['model', 'session', 'day', 'file'])('gives the same rows by %s, of what is recorded', (by) => {
    const rows = (...more: string[]) => run('--by', by, '--format', 'csv', ...more, ...logs).stdout.split('\n');
    const known = rows().filter((row) => !row.includes(',estimated,') && !row.includes(',unpriced,'));
    expect(known.length).toBeGreaterThan(2);
    const share = /,[\d.e-]+(?=(?:,[^,]*){8}$)/;
    const withoutShare = (all: readonly string[]) => all.map((row) => row.replace(share, '')).sort();
    expect(withoutShare(rows('--recorded'))).toEqual(expect.arrayContaining(withoutShare(known)));
  });

  it('says what was paid, and counts nothing', () => {
    const { stdout, status } = run('--recorded', '--by', 'model', LOG);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^paid {9}[\d,]+ requests?, /m);
    expect(stdout).not.toMatch(/one request|~/);
  });

  it.each([
    ['--by', 'role'],
    ['--by', 'model', '--tools'],
    ['--by', 'day', '--max-tokens', '5'],
    ['--by', 'turn'],
    ['--by', 'request'],
  ])('goes with what needs no count: not %j', (...words) => {
    const { status, stderr } = run('--recorded', ...words, LOG);
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/^ctx-trim: (--recorded and --|--by and --tools cannot be combined)/),
    ]);
  });
});

it('prices a request without recorded usage as the model that answered it', () => {
  const path = join(folder, 'models.jsonl');
  const models = ['claude-sonnet-4-5', 'claude-opus-4-5'];
  const lines = models.flatMap((model, at) => [
    { type: 'user', uuid: `u${at}`, parentUuid: at === 0 ? null : 'a0', message: { role: 'user', content: 'Go on.' } },
    {
      type: 'assistant',
      uuid: `a${at}`,
      parentUuid: `u${at}`,
      message: { id: `m${at}`, role: 'assistant', model, content: [{ type: 'text', text: 'word '.repeat(1000) }] },
    },
  ]);
  writeFileSync(path, lines.map((line) => `${JSON.stringify({ sessionId: 's', ...line })}\n`).join(''));
  const { rows } = stats('--by', 'model', path);
  expect(rows.map(({ model }) => model).sort()).toEqual(models.toSorted());
  const prices = { 'claude-sonnet-4-5': [3, 15], 'claude-opus-4-5': [5, 25] };
  for (const [model, [input, output]] of Object.entries(prices)) {
    const row = rows.find((one) => one['model'] === model)!;
    expect(row.cost_usd).toBeCloseTo((Number(row['input']) * input! + Number(row['output']) * output!) / 1e6, 9);
  }
});

it('keeps every text in JSON as it is, whatever line breaks it has', () => {
  const path = join(folder, 'breaks.jsonl');
  const id = 'a\u2028b\u2029c\nd\re';
  writeFileSync(path, `${JSON.stringify({ id, messages: [{ role: 'user', content: 'x' }] })}\n`.repeat(2));
  expect(stats(path).transcripts.map((transcript) => transcript['id'])).toEqual([id, id]);
});

it('says so where nothing is recorded', () => {
  const path = join(folder, 'plain.json');
  writeFileSync(path, JSON.stringify({ messages: [{ role: 'user', content: 'x' }] }));
  const { stdout, stderr, status } = run('--recorded', '--by', 'model', path);
  expect([stdout, stderr, status]).toEqual([
    '',
    'ctx-trim: no recorded usage found; leave out --recorded to count tokens\n',
    0,
  ]);
});

it('merges a part of version 1 as what it states', () => {
  const part = 'fixtures/stats/hand-version-1.json';
  const { version, totals, transcripts } = JSON.parse(run('--merge', '--format', 'json', part).stdout);
  expect(version).toBe(2);
  expect(totals).toMatchObject({
    ...{ requests: 2, input: 300, output: 30, cost_usd: 0.0123, prompt_tokens: 200, prompt_cost_usd: 0.001 },
    ...{ duplicates_dropped: 1, unexplained: null },
  });
  expect(transcripts[0].requests[0]).toMatchObject({ tier: null, tool_uses: null, unexplained: false });
});

it('merges parts into the whole, to the last digit', () => {
  const parts = LOGS.map((log, index) => {
    const part = join(folder, `part-${index}.json`);
    writeFileSync(part, run('--format', 'json', '--tools', log).stdout);
    return part;
  });
  expect(run('--merge', '--format', 'json', '--tools', ...parts).stdout).toBe(
    run('--format', 'json', '--tools', ...LOGS).stdout,
  );
  expect(run('--merge', '--by', 'model', ...parts).stdout).toBe(run('--by', 'model', ...LOGS).stdout);
  const [other] = parts;
  const { transcripts, ...rest } = JSON.parse(readFileSync(other!, 'utf8'));
  const merged = run('--merge', '--by', 'model', other!).stdout;
  for (const text of [JSON.stringify({ ...rest, transcripts }), JSON.stringify({ version: 2, transcripts, ...rest })]) {
    writeFileSync(other!, text);
    expect(run('--merge', '--by', 'model', other!).stdout).toBe(merged);
  }
  writeFileSync(other!, JSON.stringify({ ...rest, transcripts: [...transcripts, {}] }, undefined, 2));
  const { stdout, stderr, status } = run('--merge', '--format', 'json', ...parts.slice(1), other!);
  expect([stdout, status]).toEqual(['', 2]);
  expect(stderr).toContain(`transcripts.${transcripts.length}.`);
});

it('counts a resumed session once, and says so', () => {
  const copy = join(folder, 'resumed.jsonl');
  writeFileSync(copy, readFileSync(LOG));
  const both = stats(LOG, copy);
  expect(both.totals['input']).toBe(stats(LOG).totals['input']);
  expect(both.totals['duplicates_dropped']).toBeGreaterThanOrEqual(countedByHand(LOG).requests);
});

it('follows results through the requests that carried them', () => {
  const call = (id: string) => ({
    role: 'assistant',
    content: null,
    tool_calls: [{ id, type: 'function', function: { name: id, arguments: '{}' } }],
  });
  const messages = [
    { role: 'user', content: 'go' },
    call('big'),
    { role: 'tool', tool_call_id: 'big', content: 'word '.repeat(1000) },
    call('small'),
    { role: 'tool', tool_call_id: 'small', content: 'ok' },
    { role: 'assistant', content: 'done' },
  ];
  const path = join(folder, 'carried.json');
  writeFileSync(path, JSON.stringify({ model: 'gpt-4o', messages }));
  const { tools, transcripts } = stats('--tools', path);
  const [big, small] = tools!;
  const [first, second, third] = transcripts[0]!.requests;
  expect([big!['tool'], small!['tool']]).toEqual(['big', 'small']);
  expect(big!['carried_tokens']).toBe((big!['tokens'] as number) * 2); // sent by the second request and the third
  expect(small!['carried_tokens']).toBe(small!['tokens']);
  expect(second!['input']).toBeGreaterThan((first!['input'] as number) + (big!['tokens'] as number));
  const paid = (second!.cost_usd as number) + (third!.cost_usd as number);
  expect(big!.cost_usd).toBeGreaterThan(paid * 0.8);
  expect(big!.cost_usd).toBeLessThan(paid);
});

describe('budgets', () => {
  it.each([
    ['--max-tokens', '10', /tokens, [\d,]+ over --max-tokens 10$/m],
    ['--max-cost', '0.001', /, \$?[\d.]+.* over --max-cost/m],
    ['--max-total-tokens', '10', /all transcripts: [\d,]+ tokens, /m],
    ['--max-total-cost', '0.001', /all transcripts: .* over --max-total-cost/m],
  ])('%s %s', (flag, limit, said) => {
    const { status, stderr } = run(flag, limit, LOG);
    expect(stderr).toMatch(said);
    expect(status).toBe(1);
    expect(run(flag, '1000000', LOG).status).toBe(0);
  });

  describe('where a price is missing', () => {
    const request = (model: string) => ({ model, messages: [{ role: 'user', content: 'Hi' }] });
    const response = { usage: { prompt_tokens: 1_000_000, completion_tokens: 0 } };
    const input = ['gpt-4.1', 'no-model-that-is-known']
      .map((model) => JSON.stringify({ request: request(model), response }))
      .join('\n');

    it.each([
      [['stats', '--max-total-cost', '1.5'], 'all transcripts: at least $2.00, $0.50 over --max-total-cost $1.50'],
      [['stats', '--max-total-cost', '2'], 'all transcripts: cost unknown, --max-total-cost cannot be checked'],
      [['check', '--max-total-cost', '1.5'], 'at least $2.00 are $0.50 over the budget of $1.50'],
      [['check', '--max-total-cost', '2'], 'the cost is not known, so it cannot be kept within $2.00'],
    ])('%j compares what is known', (words, said) => {
      const { status, stdout, stderr } = runProgram([...words, '-'], { input });
      expect(`${stdout}${stderr}`.replace(/\s+/g, ' ')).toContain(said);
      expect(status).toBe(1);
    });

    it('says that a period has no requests, and shows no totals of other times', () => {
      const { status, stdout, stderr } = run('--since', '2030-01-01', LOG);
      expect(stderr).toContain('no requests in this period');
      expect([status, stdout]).toEqual([0, '']);
    });

    it('does so in JSON, where only transcripts of the period count', () => {
      const told = (...words: string[]) => JSON.parse(run('--format', 'json', ...words, LOG, CHAT).stdout);
      const ended = told('--since', '2030-01-01');
      expect(ended.transcripts).toEqual([]);
      expect(ended.rows).toEqual([]);
      expect(ended.totals).toMatchObject({ messages: 0, requests: 0, total: 0, cost_usd: null, prompt_tokens: 0 });
      const { transcripts, totals } = told('--until', '2030-01-01');
      expect(transcripts.length).toBe(1); // the other has no times
      expect(totals.messages).toBe(transcripts[0].totals.messages);
    });
  });
});

it.each([
  [['--since', '2025-02-30x', LOG], /--since .* is not a date/],
  [['--by', 'day', '--timezone', 'Mars/Olympus', LOG], /no time zone `Mars\/Olympus`/],
  [['--by', 'model', '--sort', 'colour', LOG], /no column `colour` to sort by; there are /],
  [['--max-cost', 'much', LOG], /--max-cost takes US dollars/],
  [['--merge', LOG], /--merge takes files written by `ctx-trim stats --format json`/],
])('refuses %j', (words, said) => {
  const { status, stderr, stdout } = run(...words);
  expect(stderr).toMatch(said);
  expect([status, stdout]).toEqual([2, '']);
});

it('leaves requests out by their time', () => {
  const [day] = stats('--by', 'day', LOG).rows!;
  expect(stats('--since', day!['day'] as string, LOG).totals['requests']).toBe(stats(LOG).totals['requests']);
  expect(stats('--since', '2100-01-01', LOG).totals['requests']).toBe(0);
  expect(stats('--until', '2000-01-01', LOG).totals['requests']).toBe(0);
});
