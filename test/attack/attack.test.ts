/**
 * The program under attack: any command with any options, over recordings of every format with bytes and values
 * changed. `CTX_TRIM_FUZZ=1000000 npx vitest run test/attack` is a long run over cases of its own: it lists every kind
 * of failure.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { kebab } from '../../src/options/parse.js';
import { transforms } from '../../src/transforms/index.js';
import { runs } from '../shared/random-runs.js';
import { trialsOf } from '../shared/trials.js';
import { type CommandLine, commandLine, commands, FILE, reportLine } from './command-lines.js';
import { conversionFaults, TARGETS } from './conversions.js';
import { DOCUMENTS } from './documents.js';
import { hostileInput, type Input, inputWithSecret } from './inputs.js';
import { complaints } from './judge.js';
import { run } from './run.js';

const LONG = process.env['CTX_TRIM_FUZZ'] !== undefined;
const HOURS = 12 * 3600 * 1000;

const NO_OP = ['filter', '--max-tool-calls=1000000'];
const CHOSEN = [
  NO_OP,
  ['filter', '--max-tool-calls=0'],
  ['filter', '--max-tool-calls=1', '--unit=round', '--drop-user'],
  ['patch'],
  ['patch', '--orphan=text', '--late=keep', '--duplicate=last', '--placeholder=auto'],
  ['truncate', '--max-length=10', '--no-minimum', '--keep=both'],
  ['clear', '--trigger=0', '--keep=1', '--clear-inputs'],
  ['fit', '--max-tokens=60', '--everything'],
  ['dedupe'],
  ['prune', '--reasoning', '--images', '--empty', '--records'],
  ['strip', '--keep-text', '--keep-tool-names', '--retry-prompt', '--lang=ja'],
  ['inject', '--policy=query-history'],
  ['guard', '--policy=query-history'],
  ['guard', '--policy=policy.yaml'],
  ['redact'],
  ['redact', '--personal'],
];

/** The same for every other transform, with the options of its fixture cases that a command line can spell. */
const REWRITES = [
  ...CHOSEN,
  ...transforms
    .filter(({ id }) => !CHOSEN.some(([chosen]) => chosen === id))
    .flatMap(({ id }) => trialsOf(id))
    .map(([id, options]) => [
      id,
      ...Object.entries(options).flatMap(([key, value]) =>
        /object|function/.test(typeof value) ? [] : flag(key, value),
      ),
    ]),
];

function flag(key: string, value: unknown): string {
  return value === true ? `--${kebab(key)}` : `--${kebab(key)}=${value}`;
}

interface Attack {
  readonly input: Input;
  readonly line: CommandLine;
  readonly isTerminal: boolean;
}

/** Writes valid output or refuses in a clear line, and leaves no litter. */
const anyCommand: fc.Arbitrary<Attack> = fc.record({
  input: hostileInput(),
  line: commandLine(),
  isTerminal: fc.boolean(),
});

async function sanity({ input, line, isTerminal }: Attack): Promise<string[]> {
  const ran = await run(line.words, input.bytes, isTerminal);
  return complaints(line, input.bytes, ran).map((wrong) => `${wrong}: ${ran.stderr.slice(0, 300)}`);
}

/** Gives back the same bytes where nothing is to be done, and does nothing the second time. */
const anyRewrite: fc.Arbitrary<Attack> = fc.record({
  input: hostileInput(),
  line: fc
    .constantFrom(...REWRITES)
    .map((words) => ({ command: commands.find(({ id }) => id === words[0])!, words: [...words, FILE] })),
  isTerminal: fc.constant(false),
});

async function idempotence({ input, line }: Attack): Promise<string[]> {
  const first = await run(line.words, input.bytes);
  if (first.code === 2 || first.stdout.length === 0) return [];
  if (line.words[1] === NO_OP[1] && !first.stdout.equals(input.bytes))
    return ['a step that does nothing changed bytes'];
  const second = await run(line.words, first.stdout);
  return second.stdout.equals(first.stdout) ? [] : [`the second run changes more: ${second.stderr.slice(0, 300)}`];
}

/** Leaves nothing that `check --secrets` finds, does nothing the second time, and JSON stays JSON. */
const anyRedaction: fc.Arbitrary<Attack> = fc.record({
  input: inputWithSecret(),
  line: fc.constantFrom(['redact', FILE], ['redact', '--personal', FILE]).map((words) => ({ command: redact, words })),
  isTerminal: fc.constant(false),
});
const redact = commands.find(({ id }) => id === 'redact')!;

async function redaction(one: Attack): Promise<string[]> {
  const ran = await run(one.line.words, one.input.bytes);
  const left = ran.code === 2 ? [] : await leaks(ran.stdout);
  return [...complaints(one.line, one.input.bytes, ran), ...left, ...(await idempotence(one))];
}

/** What `check --secrets` still finds. */
async function leaks(redacted: Buffer): Promise<string[]> {
  const { stdout } = await run(['check', '--secrets', '--rule=secret/*', '--format=json', FILE], redacted);
  if (stdout.length === 0) return []; // refused: no transcript
  const { findings } = JSON.parse(stdout.toString()) as { findings: readonly { rule: string }[] };
  return findings.map(({ rule }) => `${rule} after redact`);
}

/** Prints what it was asked for, and texts of a recording are only text in it. */
const anyReport: fc.Arbitrary<Attack> = fc.record({
  input: hostileInput(),
  line: reportLine(DOCUMENTS),
  isTerminal: fc.constant(false),
});

/** Another format that opens as such; what it leaves out is said. */
const anyConversion: fc.Arbitrary<Attack> = fc.record({
  input: hostileInput(),
  line: fc.constantFrom(...TARGETS).map((to) => ({ command: convert, words: ['convert', `--to=${to}`, FILE] })),
  isTerminal: fc.constant(false),
});
const convert = commands.find(({ id }) => id === 'convert')!;

async function conversion({ input, line }: Attack): Promise<string[]> {
  const ran = await run(line.words, input.bytes);
  const to = line.words[1]!.slice('--to='.length);
  return [...complaints(line, input.bytes, ran), ...conversionFaults(to, input.bytes, ran)];
}

it('never breaks, hijacks, or litters', () => attack(anyCommand, sanity, 1 / 14), HOURS);
it('never does more the second time', () => attack(anyRewrite, idempotence, 1 / 28), HOURS);
it('never leaves a secret', () => attack(anyRedaction, redaction, 1 / 60), HOURS);
it('never prints a broken report', () => attack(anyReport, sanity, 1 / 40), HOURS);
it(
  'never converts to something else, or loses a word in silence',
  () => attack(anyConversion, conversion, 1 / 40),
  HOURS,
);

type Judge = (attack: Attack) => Promise<string[]>;

/** The test command tries a few and stops at the first failure; a long run tries all that it is asked for. */
async function attack(cases: fc.Arbitrary<Attack>, judge: Judge, share: number): Promise<void> {
  if (LONG) return survey(cases, judge);
  const named = cases.map((one) => ({ ...one, [fc.toStringMethod]: () => described(one) }));
  const property = fc.asyncProperty(named, async (one) => {
    expect(await judge(one), described(one)).toEqual([]);
  });
  await fc.assert(property, runs(share));
}

/** All kinds of failure, each with how often it came and one example; and the cases that took longest. */
async function survey(cases: fc.Arbitrary<Attack>, judge: Judge): Promise<void> {
  const kinds = new Map<string, { count: number; readonly example: string }>();
  const slowest: { readonly ms: number; readonly example: string }[] = [];
  for (const one of sampled(cases, runs().numRuns)) {
    const began = process.cpuUsage();
    const wrong = await judge(one).catch((error: Error) => [`thrown: ${error.stack}`]);
    const { user } = process.cpuUsage(began);
    slowest.push({ ms: user / 1000, example: described(one) });
    if (slowest.length > 1000) slowest.sort((a, b) => b.ms - a.ms).splice(5);
    for (const text of wrong) {
      const kind = text.replaceAll(/[0-9]+|`[^`]*`|'[^']*'/g, '…').slice(0, 90);
      const known = kinds.get(kind);
      if (known === undefined) kinds.set(kind, { count: 1, example: `${text}\n${described(one)}` });
      else known.count++;
    }
  }
  const top = slowest.sort((a, b) => b.ms - a.ms).slice(0, 5);
  console.log(top.map(({ ms, example }) => `${ms.toFixed(0)} ms of CPU: ${example}`).join('\n'));
  const found = [...kinds.values()].sort((a, b) => b.count - a.count);
  expect(found.map(({ count, example }) => `${count} times: ${example}`).join('\n\n')).toBe('');
}

/** In handfuls: all at once would not fit into memory. */
function* sampled<T>(cases: fc.Arbitrary<T>, count: number): Iterable<T> {
  for (let left = count; left > 0; left -= HANDFUL) yield* fc.sample(cases, Math.min(left, HANDFUL));
}
const HANDFUL = 500;

function described({ line, input }: Attack): string {
  return `${line.words.map((word) => JSON.stringify(word)).join(' ')} over ${input.name}`;
}
