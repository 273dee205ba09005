/** Everything that is done to a recording, with those errors that are no TranscriptError. */

import { bundles } from '../src/commands/index.js';
import { isTranscriptError } from '../src/errors.js';
import { formats } from '../src/formats/index.js';
import type { Terminal } from '../src/io/terminal.js';
import { check, convert } from '../src/library.js';
import { open } from '../src/source/recording.js';
import { run, type StepName } from '../src/source/run.js';
import { defaultsOf } from '../src/transforms/transform.js';

export const STEPS: readonly StepName[] = [
  { transform: 'patch', placeholder: 'auto', orphan: 'text', lang: 'ja' },
  { transform: 'filter', maxToolCalls: 1, dropUser: true, pending: 'drop' },
  { transform: 'truncate', maxLength: 20, noMinimum: true, keep: 'both' },
  { transform: 'clear', trigger: 0, keep: 0, clearInputs: true },
  { transform: 'dedupe' },
  { transform: 'prune', reasoning: true, images: true, empty: true, records: true },
  { transform: 'fit', maxTokens: 100 },
  { transform: 'strip', keepText: true, keepToolNames: true, retryPrompt: true },
  { transform: 'inject', system: 'Be brief.', user: 'Go on.', toolDescription: [['search', 'finds']] },
];
const TARGETS = formats.filter((entry) => entry.load().compose !== undefined).map(({ id }) => id);
const countTokens = (text: string) => text.length;

export interface Defect {
  readonly what: string;
  readonly error: unknown;
}

/** What throws something else than what a user can mend. */
export async function defectsOf(text: string): Promise<Defect[]> {
  const defects: Defect[] = [];
  const attempt = async (what: string, work: () => unknown) => {
    try {
      await work();
    } catch (error) {
      if (!isTranscriptError(error)) defects.push({ what, error });
    }
  };
  await attempt('open', () => open(text));
  for (const step of STEPS)
    await attempt(`run ${JSON.stringify(step)}`, () => {
      const output = run(text, [step], { countTokens });
      if (output !== text) run(output, [step], { countTokens });
    });
  for (const target of TARGETS) await attempt(`convert ${target}`, () => convert(text, target));
  await attempt('check', () => check(text));
  await attempt('check anthropic', () => check(text, { provider: 'anthropic', asRequest: true }));
  for (const [id, options] of COMMANDS)
    await attempt(`${id} ${JSON.stringify(options)}`, () => command(id, options, text));
  return defects;
}

export const COMMANDS: readonly (readonly [id: string, options: Readonly<Record<string, unknown>>])[] = [
  ['stats', { format: 'json' }],
  ['stats', { by: 'day', tools: true }],
  ['check', { fix: 'synthetic' }],
  ['filter', { maxToolCalls: 0, diff: true }],
  ['simulate', {}],
  ['formats', {}],
];

/** A command over stdin. What it says goes nowhere. */
export async function command(id: string, options: Readonly<Record<string, unknown>>, text: string): Promise<string> {
  const found = bundles.flatMap((bundle) => bundle.load()).find((one) => one.id === id)!;
  const input = Buffer.from(text);
  let read = 0;
  let output = '';
  const stream = {
    isTerminal: false,
    columns: 80,
    write: (data: Uint8Array | string) =>
      void (output += typeof data === 'string' ? data : Buffer.from(data).toString()),
  };
  const terminal: Terminal = {
    env: {},
    cwd: process.cwd(),
    stdinIsTerminal: false,
    stdin: (buffer, at, length) => {
      const got = input.copy(buffer, at, read, read + length);
      read += got;
      return got;
    },
    stdout: stream,
    stderr: { ...stream, write: () => {} },
  };
  await found.run(id === 'formats' ? ['-'] : [], { ...defaultsOf(found.options), ...options } as never, terminal, {
    defaults: {},
    pipelines: {},
    prices: [],
    policies: [],
    check: {},
    budgets: {},
  } as never);
  return output;
}
