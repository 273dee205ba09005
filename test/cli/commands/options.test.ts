/** What options declare as data: what they reach, their least value, and which others they go with. */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadCommands } from '../../../src/cli/commands/registry.js';
import { termsOf } from '../../../src/cli/options/relations.js';
import { run } from '../../../src/index.js';
import type { Option, Options } from '../../../src/options/option.js';
import { kebab } from '../../../src/options/parse.js';
import { transforms } from '../../../src/transforms/index.js';
import { inTurn } from '../../shared/in-turn.js';

const commands = await loadCommands();

const all = commands.flatMap(({ id, options }) =>
  Object.entries(options).map(([key, option]) => ({ id, key, option, options, name: `${id} --${kebab(key)}` })),
);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-trim-options-'));
  for (const [from, to] of [
    ['transforms/filter/eight-cities-3/input.json', 'cities.json'],
    ['formats/inspect/message-deduplication.eval', 'log.eval'],
    ['transforms/patch/interrupted-pair/input.json', 'open.json'],
    ['formats/openai-chat/tau-bench-retail.json', 'chat.json'],
    ['formats/openai-chat/hand-nested.json', 'nested.json'],
    ['formats/claude-code/short.jsonl', 'log.jsonl'],
    ['formats/claude-code/hand-branch.jsonl', 'tree.jsonl'],
    ['audit/good.jsonl', 'audit.jsonl'],
  ] as const)
    cpSync(join('fixtures', from), join(folder, to));
  writeFileSync(join(folder, 'bad.jsonl'), '{"messages":[{"role":"user","content":"1"}]}\noops\n');
  const function_ = { name: 'read', arguments: '{}' };
  const rounds = Array.from({ length: 12 }, (_, index) => [
    { role: 'assistant', content: null, tool_calls: [{ id: `c${index}`, type: 'function', function: function_ }] },
    { role: 'tool', tool_call_id: `c${index}`, content: 'a word '.repeat(300) },
  ]);
  writeFileSync(join(folder, 'long.json'), JSON.stringify([{ role: 'user', content: 'Go.' }, ...rounds.flat()]));
  const cut = '{"messages":[{"role":"user","content":"1"}]}\n{"messages":[{"role":"us';
  writeFileSync(join(folder, 'cut.jsonl'), cut);
  writeFileSync(join(folder, 'twice.jsonl'), '{"messages":[{"role":"user","content":"1"}]}\n'.repeat(2));
  const chat = (content: unknown, ...more: object[]) =>
    `${JSON.stringify({ messages: [{ role: 'user', content }, ...more, { role: 'assistant', content: 'Yes.' }] })}\n`;
  writeFileSync(join(folder, 'same.jsonl'), chat('Are you there?').repeat(2));
  writeFileSync(join(folder, 'key.jsonl'), chat(`Use ${'AK'}IAQYLPMN5HHHFPZAM2.`));
  writeFileSync(join(folder, 'image.jsonl'), chat([{ type: 'image_url', image_url: { url: 'https://x.io/a.png' } }]));
  writeFileSync(
    join(folder, 'tail.jsonl'),
    chat('Go.', { role: 'assistant', content: 'No.' }, { role: 'user', content: '?' }).replace(
      ',{"role":"assistant","content":"Yes."}',
      '',
    ),
  );
  const bad = { id: 'c', type: 'function', function: { name: 'f', arguments: '[' } };
  const called = [
    { role: 'assistant', tool_calls: [bad] },
    { role: 'tool', tool_call_id: 'c', content: '?' },
  ];
  writeFileSync(join(folder, 'wrong.jsonl'), chat('Go.', ...called));
  const leak = `${'AK'}IA2QWERTZUIOPASDFG of jane@corp.org`; // in two pieces, so that no scanner takes it for a leak
  writeFileSync(join(folder, 'leak.jsonl'), `${JSON.stringify({ role: 'user', content: leak })}\n`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('what reaches beyond the recording says so', () => {
  /** What stands for a value that is a file, a part of a file name, or a step (which may name a module). */
  const REACHING = /file|module|suffix|folder|step|option=values/;
  it.each(all)('$name', ({ key, option }) => {
    const isPath =
      REACHING.test(option.value ?? '') || ['module', 'file', 'named-file', 'messages', 'policy'].includes(option.type);
    if (isPath || /^(write|fix)/.test(key)) expect(option.reach).toBeDefined();
    if (/\b(file|module|write|load)\b/.test(option.summary) && option.type === 'text' && option.value === undefined)
      expect(option.reach).toBeDefined();
  });

  it('and there are such', () => {
    const reaching = new Set(all.filter(({ option }) => option.reach).map(({ key }) => key));
    expect([...reaching]).toEqual(expect.arrayContaining(['generator', 'write', 'output', 'system', 'after', 'sweep']));
  });
});

describe('numbers', () => {
  const numeric = all.filter(({ option }) => option.type === 'integer' || option.type === 'limits');
  it.each(numeric)('$name has a least value', ({ key, option }) => {
    const { least } = option as Option & { type: 'integer' };
    expect(typeof least).toBe('number');
    if (key !== 'maxLength') expect(least).toBeGreaterThanOrEqual(0);
  });

  it('refuses what is below it, on the command line, in a step and in a config', () => {
    const below = numeric.filter(({ key }) => key !== 'maxLength');
    writeFileSync(join(folder, 'below.json'), '{"defaults":{"max-tool-calls":-1}}');
    const value = ({ option }: { option: Option }) => (option.type === 'limits' ? 'x=-1' : '-1');
    const told = inTurn(folder, [
      ...below.map((entry) => `${entry.name} ${value(entry)} cities.json`),
      ...below
        .filter(({ id, key }) => transforms.some(({ id: other, options }) => other === id && key in options))
        .map((entry) => `run ${entry.id}:${kebab(entry.key)}=${value(entry)} cities.json`),
      'filter --config below.json cities.json',
      ...['-0.1', '0', '1.01', 'x'].map((share) => `fit --max-tokens 9 --low-water ${share} cities.json`),
      'simulate --sweep max-tool-calls=-1,2 cities.json',
      ...['--max-cost -1', '--max-total-cost -0.5'].map((words) => `stats ${words} cities.json`),
      'simulate --budget -1 cities.json',
      'check --max-context-share -1 cities.json',
      'check --max-context-share 80 cities.json', // a share of the window, so this budget never fails
      'audit --policy query-history --target-rate 2 cities.json',
    ]);
    for (const { status, stdout, stderr } of told) {
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(
        /^ctx-trim: .*(expected a (whole number of at least \d+|number above 0)|US dollars|no amount|a share).*\n$/,
      );
    }
  });

  it('refuses values of a sweep that no policy can have', () => {
    const told = inTurn(folder, [
      'simulate --sweep max-tool-calls=1 --sweep filter:max-tool-calls=2 cities.json',
      'simulate --sweep max-tool-calls=0..4..0 cities.json',
      'simulate --sweep strip-noise:tool=a --sweep strip-noise:tool=b cities.json',
    ]);
    expect(told.map(({ status, stderr }) => [status, stderr])).toEqual([
      [2, expect.stringContaining('`filter:max-tool-calls=2`: the option is given twice')],
      [2, expect.stringContaining('`max-tool-calls=0..4..0`: the third number')],
      [2, expect.stringContaining('`strip-noise:tool=b`: the option is given twice')],
    ]);
  });

  it('refuses it in the library', () => {
    const messages = [{ role: 'user', content: 'a' }];
    expect(() => run(messages, [{ transform: 'filter', maxToolCalls: -1 }])).toThrow(
      /maxToolCalls.*at least 0, not -1/,
    );
    expect(() => run(messages, ['filter:max-tool-calls=-1'])).toThrow(/at least 0/);
    expect(() => run(messages, [{ transform: 'truncate', toolLength: [['x', -1]] }])).toThrow(/at least 0/);
    expect(run(messages, [{ transform: 'truncate', maxLength: -5 }])).toEqual(messages);
  });
});

describe('relations', () => {
  it.each(all)('$name names options and values that there are', ({ option, options }) => {
    for (const term of [...(option.needs ?? []), ...(option.excludes ?? [])].flatMap(termsOf)) {
      const other = options[term.key];
      expect(other, term.key).toBeDefined();
      if (other!.type === 'choice') for (const value of term.values ?? []) expect(other!.choices).toContain(value);
    }
  });

  const refused: readonly (readonly [line: string, said: RegExp])[] = [
    ['simulate --users 3 cities.json', /--users needs --retries/],
    ['simulate --retries 2 --cache off cities.json', /--retries and --cache cannot be combined/],
    ['patch --side-by-side open.json', /--side-by-side needs --diff/],
    ['patch --diff --side-by-side --format json open.json', /--side-by-side and --format json cannot be combined/],
    ['patch --format json open.json', /--format needs --diff/],
    ['stats --tools --by day cities.json', /--by and --tools cannot be combined/],
    ['stats --by day --by model cities.json', /--by <rows>.*given twice/],
    ['stats --format json --by message --top 2 cities.json', /--top and --format json cannot be combined/],
    ['patch --template x --generator y.mjs open.json', /--template and --generator cannot be combined/],
    ['run patch:template=x,generator=y.mjs open.json', /--template and --generator cannot be combined/],
    ['run filter:max-tool-calls=1,max-tool-calls=2 cities.json', /max-tool-calls is given twice/],
    ['patch --write --output x.json open.json', /--write and --output cannot be combined/],
    ['patch --backup .bak open.json', /--backup needs --write/],
    ['check --baseline a --write-baseline b open.json', /--baseline and --write-baseline cannot be combined/],
    ['check --staged --fix open.json', /--staged and --fix cannot be combined/],
    ['check --staged --force-exclude open.json', /--force-exclude and --staged cannot be combined/],
    ['audit --staged --explain open.json', /--staged and --explain cannot be combined/],
    ['audit --tool x audit.jsonl', /--tool needs --explain/],
    ['truncate --for gpt-4o --max-length 5000 open.json', /--for and --max-length cannot be combined/],
    ['strip --lang ja cities.json', /--lang needs --keep-tool-names or --retry-prompt/],
  ];

  it('refuses what has no effect', () => {
    const told = inTurn(
      folder,
      refused.map(([line]) => line),
    );
    for (const [index, [line, said]] of refused.entries()) {
      const { status, stdout, stderr } = told[index]!;
      expect([line, status, stdout]).toEqual([line, 2, '']);
      expect(stderr).toMatch(said);
    }
  });
});

it('a flag that is typed wins over a default of the config that it excludes', () => {
  writeFileSync(join(folder, 'both.json'), '{"defaults":{"tools":true,"side-by-side":true,"summary":true}}');
  const [byConfig, byFlag, plain, typed, quiet] = inTurn(folder, [
    'stats --config both.json cities.json',
    'stats --config both.json --by role cities.json',
    'stats --by role cities.json',
    'filter --config both.json --max-tool-calls 1 --diff --format json cities.json',
    'filter --config both.json --max-tool-calls 1 --quiet cities.json',
  ]);
  expect(byConfig!.stdout).toContain('most expensive');
  expect(byFlag).toEqual(plain);
  expect([typed!.status, quiet!.status, quiet!.stderr]).toEqual([0, 0, '']);
});

it('an optional text does not swallow a file', () => {
  const [bare, text, empty, fix, explain] = inTurn(folder, [
    'strip --retry-prompt cities.json',
    'strip cities.json --retry-prompt=Again',
    'strip --retry-prompt= cities.json',
    'check --fix --diff open.json',
    'audit --explain before',
  ]);
  expect(bare!.status).toBe(0);
  expect(bare!.stdout).toMatch(/another|different|other/);
  expect(empty).toEqual(bare);
  expect(text!.stdout).toContain('"Again"');
  expect(fix!.stderr).toContain('open.json');
  expect(explain!.stdout).not.toBe('');
});

it('- is stdout', () => {
  const [plain, dash, converted, dashed, report] = inTurn(folder, [
    'filter --max-tool-calls 1 cities.json',
    'filter --max-tool-calls 1 -o - cities.json',
    'convert --to anthropic-messages cities.json',
    'convert --to anthropic-messages -o - cities.json',
    'check --reporter json=- cities.json',
  ]);
  expect(dash).toEqual(plain);
  expect(dashed).toEqual(converted);
  expect(JSON.parse(report!.stdout)).toHaveProperty('version', 1);
  expect(existsSync(join(folder, '-'))).toBe(false);
});

it('--skip-bad-lines passes a last line that is cut off', () => {
  const [strict, lenient] = inTurn(folder, ['patch cut.jsonl', 'patch --skip-bad-lines cut.jsonl']);
  expect(strict!.status).toBe(2);
  expect(lenient).toMatchObject({ status: 0, stdout: readFileSync(join(folder, 'cut.jsonl'), 'utf8') });
  expect(lenient!.stderr).toMatch(/cut.jsonl:2: warning: [\s\S]*1 bad line copied unchanged/);
});

/** A line without an option, and the same with it. Each says something else. */
const EFFECTS: Readonly<Record<string, readonly [without: string, with_: string]>> = {
  'patch.lang': ['patch open.json', 'patch --lang ja open.json'],
  'patch.tool': ['patch open.json', 'patch --tool x open.json'],
  'patch.excludeTool': ['patch open.json', 'patch --exclude-tool * open.json'],
  'patch.diff': ['patch open.json', 'patch --diff open.json'],
  'patch.check': ['patch open.json', 'patch --check open.json'],
  'patch.summary': ['patch open.json', 'patch --summary open.json'],
  'patch.model': ['stats cities.json', 'stats --model gpt-4o cities.json'],
  'patch.asModel': ['stats cities.json', 'stats --as-model gpt-4o cities.json'],
  'patch.tokenizer': ['stats --by day chat.json', 'stats --by day --tokenizer none chat.json'],
  'patch.from': ['patch open.json', 'patch --from sharegpt open.json'],
  'patch.messages': ['patch nested.json', 'patch --messages nowhere nested.json'],
  'patch.maxUnpacked': ['formats log.eval', 'formats --max-unpacked 1k log.eval'],
  'patch.skipBadLines': ['patch bad.jsonl', 'patch --skip-bad-lines bad.jsonl'],
  'patch.verbose': ['patch open.json', 'patch --verbose open.json'],
  'redact.personal': ['redact leak.jsonl', 'redact --personal leak.jsonl'],
  'redact.allow': ['redact leak.jsonl', 'redact --allow AK* leak.jsonl'],
  'redact.format': ['redact leak.jsonl', 'redact --format json leak.jsonl'],
  'redact.quiet': ['redact leak.jsonl', 'redact --quiet leak.jsonl'],
  'dataset.arguments': ['dataset cities.json', 'dataset --arguments object cities.json'],
  'dataset.schemas': ['dataset audit.jsonl', 'dataset --schemas object audit.jsonl'],
  'dataset.metadata': ['dataset cities.json', 'dataset --metadata none cities.json'],
  'dataset.tail': ['dataset tail.jsonl', 'dataset --tail keep tail.jsonl'],
  'dataset.calls': ['dataset wrong.jsonl', 'dataset --calls keep wrong.jsonl'],
  'dataset.media': ['dataset image.jsonl', 'dataset --media note image.jsonl'],
  'dataset.secrets': ['dataset key.jsonl', 'dataset --secrets keep key.jsonl'],
  'dataset.maxTokens': ['dataset cities.json', 'dataset --max-tokens 9 cities.json'],
  'dataset.unique': ['dataset same.jsonl', 'dataset --unique same.jsonl'],
  'dataset.near': ['dataset same.jsonl', 'dataset --near 0.9 same.jsonl'],
  'dataset.against': ['dataset cities.json', 'dataset --against cities.json --ngram 2 cities.json'],
  'dataset.ledger': ['dataset cities.json', 'dataset --ledger /dev/stdout cities.json'],
  'dataset.quiet': ['dataset cities.json', 'dataset --quiet cities.json'],
  'dataset.asModel': [
    'dataset --max-tokens 2000 --as-model gpt-4o chat.json',
    'dataset --max-tokens 2000 --as-model claude-opus-4-6 chat.json',
  ],
  'select.formatIs': ['select log.jsonl', 'select --format-is openai-chat log.jsonl'],
  'select.minMessages': ['select audit.jsonl', 'select --min-messages 1000 audit.jsonl'],
  'select.maxMessages': ['select audit.jsonl', 'select --max-messages 0 audit.jsonl'],
  'select.minCalls': ['select audit.jsonl', 'select --min-calls 1000 audit.jsonl'],
  'select.maxCalls': ['select chat.json', 'select --max-calls 0 chat.json'],
  'select.model': ['select audit.jsonl', 'select --model none audit.jsonl'],
  'select.tool': ['select audit.jsonl', 'select --tool none audit.jsonl'],
  'select.where': ['select audit.jsonl', 'select --where nothing=1 audit.jsonl'],
  'select.hasError': ['select cities.json', 'select --has-error cities.json'],
  'select.minTokens': ['select cities.json', 'select --min-tokens 1000000 cities.json'],
  'select.maxTokens': ['select cities.json', 'select --max-tokens 0 cities.json'],
  'select.valid': ['select open.json', 'select --valid open.json'],
  'select.invalid': ['select cities.json', 'select --invalid cities.json'],
  'select.provider': ['select --invalid open.json', 'select --invalid --provider mistral cities.json'],
  'select.unique': ['select twice.jsonl', 'select --unique twice.jsonl'],
  'select.uniqueBy': ['select twice.jsonl', 'select --unique-by messages twice.jsonl'],
  'select.near': ['select twice.jsonl', 'select --near 0.9 twice.jsonl'],
  'select.sample': ['select twice.jsonl', 'select --sample 1 twice.jsonl'],
  'select.seed': ['select --sample 1 audit.jsonl', 'select --sample 1 --seed 4 audit.jsonl'],
  'select.split': ['select audit.jsonl', 'select --split a=0.5,b=0.5 -o parts audit.jsonl'],
  'select.splitBy': [
    'select --summary --split a=0.5,b=0.5 -o parts audit.jsonl',
    'select --summary --split a=0.5,b=0.5 --split-by messages[0].role -o parts audit.jsonl',
  ],
  'select.list': ['select cities.json', 'select --list cities.json'],
  'select.summary': ['select cities.json', 'select --summary cities.json'],
  'select.format': ['select cities.json', 'select --format json cities.json'],
  'select.asModel': [
    'select --max-tokens 2000 --as-model gpt-4o chat.json',
    'select --max-tokens 2000 --as-model claude-opus-4-6 chat.json',
  ],
  'select.skipBadLines': ['select bad.jsonl', 'select --skip-bad-lines bad.jsonl'],
  'check.secrets': ['check leak.jsonl', 'check --secrets leak.jsonl'],
  'formats.format': ['formats', 'formats --format json'],
  'stats.tools': ['stats cities.json', 'stats --tools cities.json'],
  'stats.since': ['stats --by day log.jsonl', 'stats --by day --since 2100-01-01 log.jsonl'],
  'stats.until': ['stats --by day log.jsonl', 'stats --by day --until 2000-01-01 log.jsonl'],
  'stats.calibrate': ['stats log.jsonl', 'stats --calibrate log.jsonl'],
  'stats.maxTokens': ['stats cities.json', 'stats --max-tokens 1 cities.json'],
  'stats.maxTotalTokens': ['stats cities.json', 'stats --max-total-tokens 1 cities.json'],
  'stats.maxCost': ['stats --model gpt-4o cities.json', 'stats --model gpt-4o --max-cost 0 cities.json'],
  'stats.maxTotalCost': ['stats --model gpt-4o cities.json', 'stats --model gpt-4o --max-total-cost 0 cities.json'],
  'simulate.format': [
    'simulate filter:max-tool-calls=1 cities.json',
    'simulate filter:max-tool-calls=1 --format csv cities.json',
  ],
  'stats.format': ['stats cities.json', 'stats --format csv cities.json'],
  'sessions.since': ['sessions claude-code', 'sessions claude-code --since nonsense'],
  'sessions.top': ['sessions claude-code', 'sessions claude-code --top 0'],
  'sessions.format': ['sessions claude-code', 'sessions claude-code --format json'],
  'show.format': ['show open.json', 'show --format json open.json'],
  'show.branches': ['show tree.jsonl', 'show --branches tree.jsonl'],
  'show.full': ['show long.json', 'show --full long.json'],
  'show.role': ['show chat.json', 'show --role user chat.json'],
  'show.tool': ['show chat.json', 'show --tool x chat.json'],
  'show.grep': ['show chat.json', 'show --grep order chat.json'],
  'show.findings': ['show open.json', 'show --findings open.json'],
  'overview.priceDate': [
    'overview --model claude-sonnet-4-20250514 cities.json',
    'overview --model claude-sonnet-4-20250514 --price-date nonsense cities.json',
  ],
  'overview.batch': ['overview --model gpt-4o cities.json', 'overview --model gpt-4o --batch cities.json'],
  'stats.strict': ['stats --model nobody-knows cities.json', 'stats --model nobody-knows --strict cities.json'],
  'diff.format': ['diff open.json cities.json', 'diff --format json open.json cities.json'],
  'convert.to': ['convert --to openai-responses open.json', 'convert --to anthropic-messages open.json'],
  'convert.format': [
    'convert --to anthropic-messages log.jsonl',
    'convert --to anthropic-messages --format json log.jsonl',
  ],
  'handover.to': ['handover log.jsonl --to pi --dry-run', 'handover log.jsonl --to x --dry-run'],
  'handover.project': ['handover log.jsonl --to pi -o a.jsonl', 'handover log.jsonl --to pi -o b.jsonl --project .'],
  'handover.dryRun': ['handover log.jsonl --to pi -o c.jsonl', 'handover log.jsonl --to pi -o d.jsonl --dry-run'],
  'handover.format': [
    'handover log.jsonl --to pi --dry-run -o e.jsonl',
    'handover log.jsonl --to pi --dry-run -o e.jsonl --format json',
  ],
  'fork.until': ['fork log.jsonl --until #99 --force', 'fork log.jsonl --until nonsense --force'],
  'fork.from': ['fork log.jsonl --from #99 --force', 'fork log.jsonl --from nonsense --force'],
  'fork.force': ['fork log.jsonl --until #99', 'fork log.jsonl --until #99 --force'],
  'prices.date': ['prices gpt-4o', 'prices --date 2024-06-01 gpt-4o'],
  'prices.region': ['prices claude-opus-4-6', 'prices --region us claude-opus-4-6'],
  'prices.format': ['prices gpt-4o', 'prices --format json gpt-4o'],
  'check.provider': ['check open.json', 'check --provider anthropic open.json'],
  'check.asRequest': ['check cities.json', 'check --as-request cities.json'],
  'check.rule': ['check open.json', 'check --rule budget/tokens open.json'],
  'check.disable': ['check open.json', 'check --disable chat/* open.json'],
  'check.severity': ['check open.json', 'check --severity chat/*=warning open.json'],
  'check.maxWarnings': [
    'check --severity chat/*=warning open.json',
    'check --severity chat/*=warning --max-warnings 0 open.json',
  ],
  'check.exclude': ['check *.json', 'check --exclude cities.json *.json'],
  'check.quiet': ['check cities.json', 'check --quiet cities.json'],
  'check.format': ['check open.json', 'check --format json open.json'],
  'check.maxTokens': ['check cities.json', 'check --max-tokens 1 cities.json'],
  'check.maxTotalTokens': ['check cities.json', 'check --max-total-tokens 1 cities.json'],
  'check.maxCost': ['check --model gpt-4o cities.json', 'check --model gpt-4o --max-cost 0 cities.json'],
  'check.maxTotalCost': ['check --model gpt-4o cities.json', 'check --model gpt-4o --max-total-cost 0 cities.json'],
  'check.maxCalls': ['check cities.json', 'check --max-calls 1 cities.json'],
  'check.maxTotalCalls': ['check cities.json', 'check --max-total-calls 1 cities.json'],
  'check.maxRepeatedCalls': ['check cities.json', 'check --max-repeated-calls 0 cities.json'],
  'check.maxResultLength': ['check cities.json', 'check --max-result-length 1 cities.json'],
  'check.maxSystemLength': ['check chat.json', 'check --max-system-length 1 chat.json'],
  'check.maxContextShare': [
    'check --model gpt-4o chat.json',
    'check --model gpt-4o --max-context-share 0.001 chat.json',
  ],
  'rules.provider': ['rules', 'rules --provider bedrock'],
  'rules.format': ['rules', 'rules --format json'],
  'audit.lenient': ['audit --explain Rename', 'audit --explain --lenient Rename'],
  'audit.strict': ['audit --policy query-history audit.jsonl', 'audit --policy query-history --strict audit.jsonl'],
  'audit.format': [
    'audit --policy query-history audit.jsonl',
    'audit --policy query-history --format json audit.jsonl',
  ],
  'policy.format': ['policy test query-history', 'policy test --format json query-history'],
  'run.every': [
    'run filter:max-tool-calls=0 cities.json --summary',
    'run filter:max-tool-calls=0 --every 3 cities.json --summary',
  ],
  'simulate.scope': [
    'simulate filter:max-tool-calls=0 --model gpt-4o cities.json',
    'simulate filter:max-tool-calls=0 --model gpt-4o --scope all cities.json',
  ],
  'simulate.carry': [
    'simulate clear:trigger=2000,keep=1 --model gpt-4o --scope all long.json',
    'simulate clear:trigger=2000,keep=1 --model gpt-4o --scope all --carry long.json',
  ],
  'simulate.cache': [
    'simulate --model gpt-4o --cache off chat.json',
    'simulate --model gpt-4o --cache anthropic chat.json',
  ],
  'report.format': ['report cities.json', 'report --format json cities.json'],
  'report.noRedact': ['report leak.jsonl', 'report --no-redact leak.jsonl'],
  'simulate.strict': [
    'simulate filter:max-tool-calls=1 --as-model nobody-knows cities.json',
    'simulate filter:max-tool-calls=1 --as-model nobody-knows --strict cities.json',
  ],
  'simulate.budget': ['simulate --model gpt-4o cities.json', 'simulate --model gpt-4o --budget 1 cities.json'],
};

/** In test/cli/sessions/agents.test.ts, which has sessions to list. */
const ELSEWHERE = new Set([
  ...['sessions.agent', 'sessions.project', 'sessions.findings', 'sessions.noCache'],
  'handover.force', // test/cli/commands/handover.test.ts
  ...['sessions.grep', 'fork.dryRun', 'fork.format'], // test/cli/commands/sessions-again.test.ts
  'patch.threads', // test/cli/threads.test.ts
]);

describe('each option says with which it goes, or changes something', () => {
  const fixtured = (id: string) => {
    const cases = join('fixtures/transforms', id);
    const given = readdirSync(cases).map((name) => readFileSync(join(cases, name, 'options.json'), 'utf8'));
    return new Set(given.flatMap((text) => Object.keys(JSON.parse(text) as object)));
  };
  const ofTransforms = new Set(transforms.flatMap(({ options }: { options: Options }) => Object.values(options)));
  const distinct = [...new Map(all.toReversed().map((entry) => [entry.option, entry])).values()];

  it('by a case in fixtures, or by a line here', () => {
    const silent = distinct.filter(({ id, key, option }) => {
      if (option.needs ?? option.excludes ?? option.reach) return false;
      if (`${id}.${key}` in EFFECTS || ELSEWHERE.has(`${id}.${key}`)) return false;
      return !(ofTransforms.has(option) && fixtured(id).has(key));
    });
    expect(silent.map(({ name }) => name)).toEqual([]);
  });

  it('and each line here tells', () => {
    const plain = [...new Set(Object.values(EFFECTS).map(([without]) => without))];
    const ranPlain = new Map(inTurn(folder, plain).map((ran, at) => [plain[at]!, JSON.stringify(ran)]));
    const given = inTurn(
      folder,
      Object.values(EFFECTS).map(([, line]) => line),
    );
    const isSame = (key: string, at: number) => ranPlain.get(EFFECTS[key]![0]) === JSON.stringify(given[at]);
    expect(Object.keys(EFFECTS).filter(isSame)).toEqual([]);
  });
});
