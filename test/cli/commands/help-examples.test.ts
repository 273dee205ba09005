/** Every example of every help text is run, in a folder that holds the files it names. */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { loadCommands } from '../../../src/cli/commands/registry.js';
import { plainWords, runProgram } from '../../shared/program.js';

const commands = await loadCommands();

/** Those of `completion` are for other shells, and test/cli/commands/completion.test.ts runs them there. */
const examples = commands
  .filter(({ id }) => id !== 'completion')
  .flatMap(({ id, examples }) => examples.map(([line]) => ({ id, line })));
/**
 * What exits with 1 here, as the help says: something is found, is above a threshold, has no place, or is not carried
 * over.
 */
const FINDING = [
  /^ctx-trim check (logs|--max-cost)/,
  /^ctx-trim audit --policy query-history logs/,
  /^ctx-trim policy lint/,
  /^ctx-trim inject .*search=/,
];

const home = mkdtempSync(join(tmpdir(), 'ctx-trim-help-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const FILES: readonly (readonly [from: string, to: string])[] = [
  ['transforms/strip/tool-names-stay/input.jsonl', 'session.jsonl'],
  ['transforms/strip/traffic-goes/input.json', 'trimmed.json'],
  ['formats/openai-chat/tau-bench-retail.json', 'run.json'],
  ['formats/openai-chat/tau-bench-retail.json', 'request.json'],
  ['transforms/filter/eight-cities-3/input.json', 'chat.json'],
  ['transforms/patch/interrupted-pair/input.json', 'logs/one.json'],
  ['audit/query-history.jsonl', 'logs/two.jsonl'],
  ['audit/query-history.jsonl', 'runs.jsonl'],
  ['audit/query-history.jsonl', 'benchmark.jsonl'],
  ['transforms/patch/interrupted-pair/input.json', 'runs/one.json'],
  ['formats/claude-code/short.jsonl', '.claude/projects/one/session.jsonl'],
  ['policies/airline.yaml', 'policy.yaml'],
  ['prices/litellm.json', 'litellm.json'],
];

/** The words of a line that no shell has to read, and the file that takes its stdout. */
function parsed(line: string): { readonly words: readonly string[] | undefined; readonly to: string | undefined } {
  const [, command = '', to] = /^(.*?)(?: > ([\w.-]+))?$/.exec(line)!;
  return { words: plainWords(command), to };
}

it('runs', () => {
  const files = join(home, 'files');
  for (const [from, to] of FILES) cpSync(join('fixtures', from), join(files, to));
  utimesSync(join(files, '.claude/projects/one/session.jsonl'), 0, 0); // no agent writes it now
  spawnSync('git', ['init', '-q', files]); // --staged asks git
  cpSync(join(files, 'session.jsonl'), join(files, 'trimmed.jsonl'));
  for (const name of ['rules.md', 'search.md']) writeFileSync(join(files, name), 'Search first.\n');
  mkdirSync(join(home, 'bin'));
  const program = (name: string, text: string) => {
    writeFileSync(join(home, 'bin', name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(home, 'bin', name), 0o755);
  };
  program(
    'ctx-trim',
    `'${process.execPath}' '${resolve('bin/ctx-trim.js')}' "$@"; code=$?; echo $code > "$CODE"; exit $code`,
  );
  program('jq', `grep -q '"totals"'`);
  const PATH = join(home, 'bin') + delimiter + process.env['PATH'];
  const script = examples.flatMap(({ line }, index) => {
    const folder = join(home, String(index));
    const { words, to } = parsed(line);
    if (words !== undefined) {
      cpSync(files, folder, { recursive: true, preserveTimestamps: true });
      const env = { HOME: folder, PATH, LC_ALL: 'C.UTF-8' };
      const { status, stdout, stderr } = runProgram(words, { cwd: folder, env });
      if (to !== undefined) writeFileSync(join(folder, to), stdout);
      writeFileSync(`${folder}.code`, String(status));
      writeFileSync(`${folder}.err`, stderr);
      return [];
    }
    return (
      `cp -Rp '${files}' '${folder}' && cd '${folder}' && ` +
      `export CODE='${folder}.code' HOME='${folder}' && { ${line}; ` +
      `} > '${folder}.out' 2> '${folder}.err' < /dev/null || echo ${index}`
    );
  });
  const { stdout, stderr } = spawnSync('sh', ['-c', script.join('\n')], {
    encoding: 'utf8',
    env: { PATH, LC_ALL: 'C.UTF-8' },
  });
  expect(stderr).toBe('');
  expect(examples.length).toBeGreaterThan(35);
  const codes = examples.map(({ line }, index) => ({
    line,
    code: Number(readFileSync(join(home, `${index}.code`), 'utf8')),
    said: readFileSync(join(home, `${index}.err`), 'utf8'),
  }));
  const isExpected = ({ line, code }: (typeof codes)[number]) =>
    code === (FINDING.some((pattern) => pattern.test(line)) ? 1 : 0);
  expect(codes.filter((entry) => !isExpected(entry))).toEqual([]);
  const failed = stdout.split('\n').filter(Boolean).map(Number);
  const inShell = codes.filter(({ line }) => parsed(line).words === undefined);
  expect(failed).toEqual(inShell.flatMap((entry) => (entry.code === 0 ? [] : [codes.indexOf(entry)])));
});

it.each(commands.map(({ id }) => id))(
  'the help of %s fits into 80 columns, but for words that are to be typed',
  (id) => {
    const lines = runProgram([id, '--help'], { env: { ...process.env, COLUMNS: '80' } }).stdout.split('\n');
    const typed = lines.indexOf('Examples:');
    expect(lines.slice(0, typed < 0 ? undefined : typed).filter((line) => line.length > 80)).toEqual([]);
  },
);
