/** Command lines out of what commands declare: a new command, or a new option, is attacked without a change here. */
import fc from 'fast-check';
import { loadCommands } from '../../src/cli/commands/registry.js';
import type { Command } from '../../src/cli/options/command.js';
import { formats } from '../../src/formats/index.js';
import type { Option } from '../../src/options/option.js';
import { kebab } from '../../src/options/parse.js';
import { transforms } from '../../src/transforms/index.js';
import { hostileText } from './inputs.js';

const commands = await loadCommands();

export interface CommandLine {
  readonly command: Command;
  readonly words: readonly string[];
}

export { commands };

const transformIds = new Set(transforms.map(({ id }) => id));

/** Whether it writes a rewritten transcript to stdout. */
export function isRewrite({ command: { id }, words }: CommandLine): boolean {
  return (
    (transformIds.has(id) || id === 'run' || id === 'redact') &&
    !words.some((word) => /^--(diff|check|write|output|help)\b/.test(word))
  );
}

/** The input, and a harmless recording beside it. */
export const FILE = 'input.json';
export const OTHER_FILE = 'other.json';
/** What a run may write. */
export const OUTPUTS = ['written.json', 'report.txt'];

/** The options without which a command only says what is missing. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  filter: ['--max-tool-calls=1'],
  fit: ['--max-tokens=50'],
  prune: ['--reasoning', '--images', '--empty'],
  inject: ['--user=go on'],
  guard: ['--policy=policy.yaml'],
  audit: ['--policy=query-history'],
  convert: ['--to=openai-chat'],
};

/** What stands behind the options, where it is not just the file. */
const WORDS: Readonly<Record<string, fc.Arbitrary<readonly string[]>>> = {
  run: fc
    .subarray(['patch', 'filter:max-tool-calls=1', 'truncate:max-length=5,no-minimum', 'dedupe', 'strip'], {
      minLength: 1,
    })
    .map((steps) => [...steps, FILE]),
  simulate: fc.constantFrom(['filter:max-tool-calls=1', FILE], [FILE]),
  diff: fc.constant([FILE, OTHER_FILE]),
  rules: fc.oneof(
    fc.constant(['chat/content-null']),
    hostileText().map((text) => [text]),
  ),
  prices: fc.oneof(
    fc.constant(['gpt-4o']),
    hostileText().map((text) => [text]),
  ),
  policy: fc.constantFrom(['init', FILE], ['test', FILE], ['test', 'policy.yaml'], ['lint', 'policy.yaml', FILE]),
};

/** Values that mean something, by option; every option gets hostile ones too. */
const PLAUSIBLE: Readonly<Record<string, readonly string[]>> = {
  from: formats.map(({ id }) => id),
  to: formats.map(({ id }) => id),
  messages: ['messages', 'a.b', 'messages[0]', '[]'],
  model: ['gpt-4o', 'claude-sonnet-4-5', 'gemini-2.5-pro'],
  provider: ['openai', 'anthropic', 'gemini', 'bedrock', 'mistral', 'deepseek'],
  tool: ['*', 'get_*', '?*'],
  excludeTool: ['*', 'get_*'],
  output: ['written.json', '-'],
  backup: ['.bak'],
  policy: ['query-history', 'policy.yaml'],
  fix: ['safe', 'lossy', 'synthetic'],
  sweep: ['max-tool-calls=0..3', 'max-length=1000..3000..1000'],
  after: ['patch', 'filter:max-tool-calls=1'],
  sort: ['tokens', 'cost'],
  since: ['2025-01-01'],
  until: ['2027-01-01T00:00Z'],
  timezone: ['Asia/Tokyo'],
  reporter: ['json', 'sarif=report.txt', 'github'],
  currency: ['JPY=149.5'],
  baseline: [OTHER_FILE],
  writeBaseline: ['report.txt'],
  generator: ['generator.mjs'],
  config: ['config.json'],
  prices: [OTHER_FILE],
  maxCost: ['0.01'],
  maxContextShare: ['0.5'],
};

/** A line of a command, with up to four of its options. */
export function commandLine(): fc.Arbitrary<CommandLine> {
  return fc.constantFrom(...commands).chain((command) => {
    const options = Object.entries(command.options);
    return fc
      .tuple(
        fc
          .subarray(options, { maxLength: Math.min(4, options.length) })
          .chain((chosen) => fc.tuple(...chosen.map(([key, option]) => flag(key, option)))),
        fc.integer({ min: 0, max: 9 }),
        WORDS[command.id] ?? fc.constant([FILE]),
      )
      .map(([flags, rest, words]) => ({
        command,
        words: [command.id, ...flags, ...(rest === 0 ? [] : (REQUIRED[command.id] ?? [])), ...words],
      }));
  });
}

/** The format that stdout is asked for, where it is a report and nothing else: `html`, `json`. */
export function documentOf({ command: { id, options }, words }: CommandLine): string | undefined {
  if (id === 'convert' || words.some((word) => /^--(help|reporter|output|write|fix|split|trust|explain)\b/.test(word)))
    return;
  const given = words.filter((word) => word.startsWith('--format='));
  if (given.length === 1) return given[0]!.slice('--format='.length);
  return id === 'report' && given.length === 0 && options['format'] !== undefined ? 'html' : undefined;
}

/** What each format of each report needs beside it. */
const FOR_REPORTS: Readonly<Record<string, readonly string[]>> = {
  check: ['--secrets', '--policy=query-history'],
  report: ['--policy=filter:max-tool-calls=1'],
};

/** A line of a report, in each of its formats, with up to two other options. */
export function reportLine(formats: readonly string[]): fc.Arbitrary<CommandLine> {
  const reports = commands.flatMap((command) => {
    const format = command.options['format'];
    if (format?.type !== 'choice' || command.id === 'convert') return [];
    return format.choices.filter((choice) => formats.includes(choice)).map((choice) => ({ command, choice }));
  });
  const pages = reports.filter(({ choice }) => choice === 'html');
  return fc
    .oneof({ weight: 3, arbitrary: fc.constantFrom(...reports) }, fc.constantFrom(...pages))
    .chain(({ command, choice }) => {
      const options = Object.entries(command.options).filter(
        ([key]) => !['format', 'reporter', 'output'].includes(key),
      );
      return fc
        .tuple(
          fc
            .subarray(options, { maxLength: Math.min(2, options.length) })
            .chain((chosen) => fc.tuple(...chosen.map(([key, option]) => flag(key, option)))),
          WORDS[command.id] ?? fc.constant([FILE]),
        )
        .map(([flags, words]) => {
          const isDiff = command.options['diff'] !== undefined && command.id !== 'check';
          const needed = [
            ...(REQUIRED[command.id] ?? []),
            ...(FOR_REPORTS[command.id] ?? []),
            ...(isDiff ? ['--diff'] : []),
          ];
          return { command, words: [command.id, `--format=${choice}`, ...needed, ...flags, ...words] };
        });
    });
}

function flag(key: string, option: Option): fc.Arbitrary<string> {
  const name = `--${kebab(key)}`;
  if (option.type === 'flag') return fc.constant(name);
  return fc
    .oneof({ weight: 3, arbitrary: plausible(key, option) }, { weight: 1, arbitrary: hostileText() })
    .map((value) => `${name}=${value}`);
}

function plausible(key: string, option: Option): fc.Arbitrary<string> {
  if (option.type === 'choice') return fc.constantFrom(...option.choices);
  const known = Object.hasOwn(PLAUSIBLE, key) ? PLAUSIBLE[key]! : undefined;
  if (known !== undefined) return fc.constantFrom(...known);
  if (option.type === 'integer')
    return fc.constantFrom('0', '1', '5', '100', '1000', '100000', '-1', '1e3', '99999999999');
  if (option.type === 'number') return fc.constantFrom('0.5', '.7', '1', '0', '-1', '1e-3', 'NaN');
  if (option.type === 'limits') return fc.constantFrom('*=5', 'get_weather=10', 'x=-1');
  if (option.type === 'named-file') return fc.constantFrom(`get_weather=${OTHER_FILE}`, 'x=nowhere');
  return fc.oneof(fc.constantFrom(OTHER_FILE, 'text'), hostileText());
}
