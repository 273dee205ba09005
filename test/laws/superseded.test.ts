/** Laws of `stale` and `retries` over random sessions of an agent that reads, edits, fails and tries again. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pair } from '../../src/transcript/pairs.js';
import { joinTexts, textOf } from '../../src/transcript/text.js';
import type { Transcript } from '../../src/transcript/types.js';
import { meaningOf, openText } from '../shared/opened.js';
import { runs } from '../shared/random-runs.js';
import { mapText, rewriteText } from '../shared/rewrite-text.js';

const LINES = 40;
const PATHS = { 'a.ts': ['a.ts', './a.ts', 'lib/../a.ts'], 'b.ts': ['b.ts', './lib/.././b.ts'] } as const;
type File = keyof typeof PATHS;

interface Step {
  readonly does: 'Read' | 'Edit' | 'Bash' | 'say';
  readonly file: File;
  readonly spelling: number;
  readonly range: readonly [offset: number, limit: number] | undefined;
  readonly fails: boolean;
  /** It is in the message of the call before. */
  readonly beside: boolean;
}

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom('Read', 'Read', 'Read', 'Edit', 'Edit', 'Bash', 'say'),
  file: fc.constantFrom<File>('a.ts', 'a.ts', 'b.ts'),
  spelling: fc.nat(2),
  range: fc.option(fc.tuple(fc.integer({ min: 1, max: LINES }), fc.integer({ min: 1, max: LINES })), {
    nil: undefined,
  }),
  fails: fc.boolean(),
  beside: fc.boolean(),
});
const session = fc.array(step, { maxLength: 25 });
const every = fc.constantFrom(1, 1, 2, 3, 7);

/** What the files hold: each edit makes all lines new, so a line tells by itself whether it is current. */
function recorded(steps: readonly Step[]): string {
  const versions: Record<string, number> = {};
  const messages: Record<string, unknown>[] = [{ role: 'user', content: 'Go.' }];
  let calls: unknown[] = [];
  let results: unknown[] = [];
  const flush = () => {
    if (calls.length > 0) messages.push({ role: 'assistant', content: calls }, { role: 'user', content: results });
    [calls, results] = [[], []];
  };
  steps.forEach(({ does, file, spelling, range, fails, beside }, index) => {
    if (!beside) flush();
    if (does === 'say') {
      flush();
      messages.push({ role: 'assistant', content: 'Done.' }, { role: 'user', content: 'Go on.' });
      return;
    }
    const path = PATHS[file][spelling % PATHS[file].length];
    if (does === 'Edit' && !fails) versions[file] = (versions[file] ?? 0) + 1;
    const [offset, limit] = range ?? [1, LINES];
    const shown = Array.from({ length: LINES }, (_, line) => `${file} version ${versions[file] ?? 0} line ${line + 1}`);
    const inputs = {
      Read: { file_path: path, ...(range === undefined ? {} : { offset, limit }) },
      Edit: { file_path: path, old_string: `old text ${index} `.repeat(9), new_string: `new text ${index} `.repeat(9) },
      Bash: { command: `make ${file}` },
    };
    const content = fails
      ? `error ${index}: it did not work\n${'because of this and that\n'.repeat(9)}`
      : { Read: shown.slice(offset - 1, offset - 1 + limit).join('\n'), Edit: 'Updated.', Bash: 'Made.' }[does];
    calls.push({ type: 'tool_use', id: `t${index}`, name: does, input: inputs[does] });
    results.push({ type: 'tool_result', tool_use_id: `t${index}`, content, ...(fails ? { is_error: true } : {}) });
  });
  flush();
  messages.push({ role: 'assistant', content: 'Done.' });
  return JSON.stringify({ model: 'claude-sonnet-4-5', max_tokens: 9, messages });
}

interface Call {
  readonly tool: string;
  readonly input: string;
  readonly text: string;
  readonly failed: boolean;
}

function callsIn(text: string): readonly Call[] {
  return pair(openText(text).transcripts[0]!.messages).calls.map(({ part, results: [result] }) => ({
    tool: part.tool,
    input: textOf(part.input),
    text: joinTexts(result!.part.content),
    failed: result!.part.isError === true,
  }));
}

/** The lines of all reads that are as the files are at the end. */
function currentLines(calls: readonly Call[], last: Readonly<Record<string, number>>): string[] {
  const shown = calls.filter(({ tool, failed }) => tool === 'Read' && !failed).flatMap(({ text }) => text.split('\n'));
  const isCurrent = (line: string) => {
    const [, file = '', version] = /^(\S+) version (\d+) line/.exec(line) ?? [];
    return version !== undefined && Number(version) === (last[file] ?? 0);
  };
  return [...new Set(shown.filter(isCurrent))].sort();
}

function versionsOf(steps: readonly Step[]): Record<string, number> {
  const edits = steps.filter(({ does, fails }) => does === 'Edit' && !fails);
  return Object.fromEntries(
    Object.keys(PATHS).map((file) => [file, edits.filter((edit) => edit.file === file).length]),
  );
}

describe('stale', () => {
  it('keeps every line that a read showed and that is still in the file', () => {
    fc.assert(
      fc.property(session, every, (steps, n) => {
        const text = recorded(steps);
        const after = callsIn(rewriteText(text, 'stale', { every: n }));
        const last = versionsOf(steps);
        expect(currentLines(after, last)).toEqual(currentLines(callsIn(text), last));
      }),
      runs(1 / 25),
    );
  });

  it('takes what an edit that worked supersedes, and never an error or what stands after the last edit', () => {
    fc.assert(
      fc.property(session, (steps) => {
        const text = recorded(steps);
        const [before, after] = [callsIn(text), callsIn(rewriteText(text, 'stale', {}))];
        const made = steps.filter(({ does }) => does !== 'say');
        made.forEach(({ does, file, fails }, index) => {
          const later = made.slice(index + 1).filter((one) => one.file === file && !one.fails);
          const [was, is] = [before[index]!, after[index]!];
          if (fails) expect(is.text).toBe(was.text);
          if (does === 'Bash' || later.every((one) => one.does === 'Bash')) expect(is).toEqual(was);
          if (!later.some((one) => one.does === 'Edit')) expect(is.input).toBe(was.input);
          else if (does === 'Edit') expect(is.input.length).toBeLessThan(was.input.length);
          else if (does === 'Read' && !fails && was.text.length > 60) expect(is.text).toMatch(/^\[Out of date/);
        });
      }),
      runs(1 / 25),
    );
  });
});

describe('retries', () => {
  /** By the rule itself, for each call: whether a later call in another message did the same and worked. */
  const superseded = (steps: readonly Step[]): boolean[] => {
    const made: (Step & { turn: number; message: number })[] = [];
    let [turn, message] = [0, 0];
    for (const one of steps) {
      if (one.does === 'say') turn++;
      if (!one.beside || one.does === 'say') message++;
      if (one.does !== 'say') made.push({ ...one, turn, message });
    }
    return made.map(
      (one, index) =>
        one.fails &&
        made
          .slice(index + 1)
          .some(
            (later) =>
              !later.fails &&
              later.does === one.does &&
              later.file === one.file &&
              later.turn === one.turn &&
              later.message > one.message,
          ),
    );
  };

  it('shortens the failures before a success in the same turn, and nothing else', () => {
    fc.assert(
      fc.property(session, (steps) => {
        const text = recorded(steps);
        const [before, after] = [callsIn(text), callsIn(rewriteText(text, 'retries', {}))];
        const expected = superseded(steps);
        after.forEach((is, index) => {
          const { text: was } = before[index]!;
          const line = `[Failed: ${was.split('\n')[0]} (a later attempt succeeded)]`;
          expect(is).toEqual({ ...before[index]!, text: expected[index] ? line : was });
        });
      }),
      runs(1 / 25),
    );
  });

  it('drops the same calls, in whole groups', () => {
    fc.assert(
      fc.property(session, every, (steps, n) => {
        const text = recorded(steps);
        const before = callsIn(text);
        const after = callsIn(rewriteText(text, 'retries', { drop: true, every: n }));
        const expected = superseded(steps).filter(Boolean).length;
        expect(before.length - after.length).toBe(expected - (expected % n));
        if (n === 1) expect(after).toEqual(before.filter((_, index) => !superseded(steps)[index]));
      }),
      runs(1 / 25),
    );
  });
});

describe.each([
  ['stale', {}],
  ['retries', {}],
  ['retries', { drop: true }],
] as const)('%s %j --every n', (id, options) => {
  it('keeps the beginning of what is sent, except once in n calls', () => {
    fc.assert(
      fc.property(session, fc.constantFrom(2, 3, 7), (steps, n) => {
        const text = recorded(steps);
        const { messages } = openText(text).transcripts[0]!;
        const sent = messages
          .flatMap(({ role }, at) => (role === 'assistant' ? [at] : []))
          .map((end) => {
            const cut = mapText(text, (transcript: Transcript) => ({
              ...transcript,
              messages: messages.slice(0, end),
            }));
            return openText(rewriteText(cut, id, { ...options, every: n })).transcripts[0]!.messages.map(meaningOf);
          });
        const isKept = (before: readonly unknown[], after: readonly unknown[]) =>
          JSON.stringify(after.slice(0, before.length)) === JSON.stringify(before);
        const broken = sent.filter((_, at) => at > 0 && !isKept(sent[at - 1]!, sent[at]!)).length;
        const answered = steps.filter(({ does }) => does !== 'say').length;
        expect(broken).toBeLessThanOrEqual(Math.floor(answered / n));
      }),
      runs(1 / 25),
    );
  });
});
