/**
 * The library and the command line give the same for every fixture: findings, figures, simulations, conversions, diffs.
 */
import { dirname, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  check,
  convert,
  count,
  diff,
  loadPrices,
  open,
  policyNamed,
  run,
  simulate,
  stats,
  TranscriptError,
} from '../../src/index.js';
import { ALL } from '../shared/effort.js';
import { inTurn } from '../shared/in-turn.js';
import { fixtures } from '../shared/recordings.js';

const FOLDER = resolve('fixtures/formats');
/** The smallest file of each format, or two: all of them would take a minute. */
const recordings = fixtures().sort((a, b) => a.bytes.length - b.bytes.length);
const files = [...new Set(recordings.map(({ format }) => format))].flatMap((format) =>
  recordings
    .filter((recording) => recording.format === format)
    .slice(0, ALL ? 2 : 1)
    .map(({ name, bytes }) => ({ name, text: bytes.toString() })),
);

/** What each command line prints on stdout, file by file, without the name of the file. */
function printed(line: string): string[] {
  const outputs = inTurn(
    FOLDER,
    files.map(({ name }) => `${line} ${name}`),
  );
  return outputs.map(({ stdout }, index) => {
    const { name } = files[index]!;
    const folder = JSON.stringify(dirname(name));
    return stdout.replaceAll(JSON.stringify(name), '"stdin"').replaceAll(`"project": ${folder}`, '"project": null');
  });
}

const CHECK =
  'check --format json --as-request --max-tokens 2000 --max-total-cost 0.0001 --max-cost 0.0001 --max-calls 1 ' +
  '--max-repeated-calls 0 --max-result-length 300 --max-system-length 100 --max-context-share 0.001 ' +
  '--severity budget/calls=warning --severity */schema=warning --disable budget/context-share --max-warnings 0 ' +
  '--policy query-history';

it('checks as `check` does, with budgets, severities and policies', async () => {
  const prices = await loadPrices();
  const all = printed(CHECK);
  let found = 0;
  for (const [index, { name, text }] of files.entries()) {
    if (all[index] === '') continue; // not readable: said on stderr
    const { findings } = JSON.parse(all[index]!) as { findings: Record<string, unknown>[] };
    const own = check(text, {
      asRequest: true,
      budgets: {
        tokens: 2000,
        cost: '0.0001',
        calls: 1,
        repeatedCalls: 0,
        resultLength: 300,
        systemLength: 100,
        contextShare: 0.001,
        total: { cost: 0.0001 },
      },
      severity: { 'budget/calls': 'warning', '*/schema': 'warning' },
      disable: ['budget/context-share'],
      maxWarnings: 0,
      policies: [policyNamed('query-history')!],
      prices,
    });
    const asPrinted = own.map(({ rule, severity, message, line, column, transcript, index: at, callId, fix }) => ({
      rule,
      severity,
      message,
      line,
      column,
      transcript: transcript ?? null,
      index: at ?? null,
      call_id: callId ?? null,
      fix: fix ?? null,
    }));
    const printedRows = findings.map(({ file: _, transcript, fix, ...finding }) => ({
      ...finding,
      transcript: (transcript as { index: number } | null)?.index ?? null,
      fix: (fix as { safety: string } | null)?.safety ?? null,
    }));
    expect(asPrinted, name).toEqual(printedRows);
    found += own.length;
  }
  expect(found).toBeGreaterThan(100);
});

it.each(['--by message', '--by model --tools', '--by tool', '--by day --timezone Asia/Tokyo'])(
  'gives the statistics of `stats %s`',
  async (flags) => {
    const [, by] = /--by (\w+)/.exec(flags) as unknown as [string, 'message' | 'model' | 'tool' | 'day'];
    const options = {
      by,
      ...(flags.includes('--tools') ? { tools: true } : {}),
      ...(flags.includes('Tokyo') ? { timezone: 'Asia/Tokyo' } : {}),
    };
    const all = printed(`stats --format json ${flags}`);
    for (const [index, { name, text }] of files.entries())
      if (all[index] !== '') expect(await stats(text, options), name).toEqual(JSON.parse(all[index]!));
    expect(all.filter((text) => text !== '').length).toBeGreaterThan(40);
  },
);

it('gives the cache misses of `stats --cache`', async () => {
  const all = printed('stats --cache --format json');
  for (const [index, { name, text }] of files.entries())
    if (all[index] !== '') expect(await stats(text, { cache: true }), name).toEqual(JSON.parse(all[index]!));
  expect(all.filter((text) => text.includes('"cause"')).length).toBeGreaterThan(2);
});

it('simulates as `simulate` does', async () => {
  const all = printed('simulate patch filter:max-tool-calls=2 --format json --scope all --cache anthropic');
  for (const [index, { name, text }] of files.entries()) {
    if (all[index] === '') continue;
    const own = await simulate(text, ['patch', 'filter:max-tool-calls=2'], { scope: 'all', cache: 'anthropic' });
    expect(own, name).toEqual(JSON.parse(all[index]!));
  }
  expect(all.filter((text) => text !== '').length).toBeGreaterThan(40);
});

it('converts as `convert` does', () => {
  const all = printed('convert --to anthropic-messages');
  for (const [index, { name, text }] of files.entries()) {
    if (all[index] === '') continue;
    const values = convert(text, 'anthropic-messages').map(({ value }) => value);
    const [value, ...more] = values;
    if (more.length === 0) expect(value, name).toEqual(JSON.parse(all[index]!));
    else {
      const lines = all[index]!.trimEnd().split('\n');
      expect(values, name).toEqual(lines.map((line) => JSON.parse(line)));
    }
  }
});

// of a file, the ids are made of its name where it has none
const withIds = files.filter(({ text }) => open(text).transcripts.every(({ id }) => id !== undefined)).slice(0, 12);

it.each(['claude-code', 'codex-rollout', 'pi-session', 'opencode', 'gemini-cli-session', 'atif'])(
  'converts to a session of %s as `convert` does',
  (to) => {
    const all = inTurn(
      FOLDER,
      withIds.map(({ name }) => `convert --to ${to} ${name}`),
    ).map(({ stdout }) => stdout);
    let compared = 0;
    for (const [index, { name, text }] of withIds.entries()) {
      if (all[index] === '') continue;
      const [value, ...more] = convert(text, to, { project: FOLDER }).map((converted) => converted.value);
      if (more.length > 0) continue;
      const lines = all[index]!.startsWith('{\n') ? undefined : all[index]!.trimEnd().split('\n');
      const written = lines?.map((line) => JSON.parse(line) as unknown) ?? (JSON.parse(all[index]!) as unknown);
      expect(value, name).toEqual(written);
      compared++;
    }
    expect(compared).toBeGreaterThan(2);
  },
);

it('compares as `diff` does', async () => {
  const { name, text } = files.find((file) => file.name.startsWith('openai-chat/'))!;
  const other = files.find((file) => file.name.startsWith('anthropic-messages/'))!;
  const [{ stdout } = { stdout: '' }] = inTurn(FOLDER, [`diff --format json ${name} ${other.name}`]);
  const asGiven = stdout.replaceAll(`"${name}"`, '"before"').replaceAll(`"${other.name}"`, '"after"');
  expect(await diff(text, other.text)).toEqual(JSON.parse(asGiven));
});

it('counts as `stats` does, and a text by itself', async () => {
  const messages = [{ role: 'user', content: 'How many tokens is this?' }];
  const { totals } = await stats(messages, { model: 'gpt-4o' });
  expect(count(messages, { model: 'gpt-4o' })).toBe(totals.prompt_tokens);
  expect(count('How many tokens is this?', { model: 'gpt-4o' })).toBe(6);
  expect(count('one two three', { countTokens: (text) => text.split(' ').length })).toBe(3);
});

it('returns what JSON can hold', async () => {
  const { text } = files.find((file) => file.name.startsWith('openai-chat/'))!;
  const options = { model: 'gpt-4o' };
  const returned = [
    check(text, options),
    convert(text, 'anthropic'),
    await stats(text, options),
    await simulate(text, ['patch'], options),
    await diff(text, text, options),
    policyNamed('query-history'),
  ];
  for (const value of returned) expect(() => JSON.stringify(value)).not.toThrow();
  const messages = [
    { role: 'user', content: 'Hi', extra: { list: [1, 'ü'] } },
    { role: 'assistant', content: 'Hello' },
  ];
  const opened = JSON.parse(JSON.stringify(open(JSON.stringify({ messages })))) as {
    transcripts: { messages: { raw: unknown }[] }[];
  };
  expect(opened.transcripts[0]!.messages.map(({ raw }) => raw)).toEqual(JSON.parse(JSON.stringify(messages)));
});

describe('rejects wrong options with their path', () => {
  const messages = [{ role: 'user', content: 'Hi' }];
  const any = (value: unknown) => value as never;
  it.each<[string, () => unknown, string]>([
    ['a number', () => run(messages, any([{ transform: 'filter', maxToolCalls: 'three' }])), 'steps[0].maxToolCalls'],
    ['a choice', () => run(messages, any([{ transform: 'truncate', maxLength: 9, unit: 'banana' }])), 'steps[0].unit'],
    ['a language', () => run(messages, any([{ transform: 'patch', lang: 'de' }])), 'steps[0].lang'],
    ['no steps', () => run(messages, any(undefined)), 'steps'],
    ['null for options', () => check(messages, any(null)), 'options'],
    ['a text for options', () => stats(messages, any('model')), 'options'],
    ['an unknown option', () => check(messages, any({ disabled: [] })), 'options.disabled'],
    ['a budget', () => check(messages, any({ budgets: { tokens: '9' } })), 'options.budgets.tokens'],
    ['a total', () => check(messages, any({ budgets: { total: { calls: -1 } } })), 'options.budgets.total.calls'],
    ['a level', () => check(messages, any({ severity: { 'core/x': 'loud' } })), 'options.severity'],
    ['a cost without prices', () => check(messages, { budgets: { cost: 1 } }), 'options.prices'],
    ['rows', () => stats(messages, any({ by: 'year' })), 'options.by'],
    ['rows of cache misses', () => stats(messages, { cache: true, by: 'day' }), 'options.by'],
    ['a date', () => stats(messages, any({ at: '2026-01-01' })), 'options.at'],
    ['a scope', () => simulate(messages, [], any({ scope: 'everything' })), 'options.scope'],
    ['an idle time', () => simulate(messages, [], { idle: -1 }), 'options.idle'],
    ['a model', () => count('text', any({ model: 4 })), 'options.model'],
    ['no target', () => convert(messages, any(undefined)), 'to'],
    ['no messages', () => check(any({})), 'input'],
    ['a message', () => check(any(['Hi'])), 'input[0]'],
  ])('%s', async (_, call, path) => {
    const error = await Promise.resolve()
      .then(call)
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    expect(error).toBeInstanceOf(TranscriptError);
    expect((error as TranscriptError).place?.path).toBe(path);
  });
});
