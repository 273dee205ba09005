/**
 * Console sessions against the built program: test/sessions/*.md. In each `console` block a `$` line is a command that
 * runs in a folder of its own: by sh, unless it is the program with plain words. What follows is its stdout, its stderr
 * (each line behind `! `) and its exit code where it is not 0. UPDATE=1 writes down what really came: read it before
 * you keep it.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainWords, runProgram } from '../../shared/program.js';

const FOLDER = 'test/sessions';
/** 2026-11-22, in seconds since 1970: prices are not old on that day. */
const TODAY = '1795305600';
const UPDATE = Boolean(process.env['UPDATE']);
const FENCE = /^```console\n([\s\S]*?)^```$/gm;

describe.each(readdirSync(FOLDER).filter((name) => name.endsWith('.md')))('%s', (name) => {
  const path = join(FOLDER, name);
  const text = readFileSync(path, 'utf8');
  const blocks = [...text.matchAll(FENCE)].map((match) => ({
    session: match[1]!,
    title: titleBefore(text, match.index),
  }));
  const real: string[] = [];
  let home = '';

  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'ctx-trim-'));
    mkdirSync(join(home, '.bin'));
    mkdirSync(join(home, 'work'));
    writeFileSync(
      join(home, '.bin/ctx-trim'),
      `#!/bin/sh\nexec '${process.execPath}' '${resolve('bin/ctx-trim.js')}' "$@"\n`,
    );
    chmodSync(join(home, '.bin/ctx-trim'), 0o755);
    // `Files: fixture as name, …` says what lies in the folder.
    for (const [, from, to] of text.matchAll(/`([\w/.-]+)`\s+as\s+`([\w/.-]+)`/g))
      cpSync(join('fixtures', from!), join(home, 'work', to!), { recursive: true });
  });
  afterAll(() => {
    rmSync(home, { recursive: true, force: true });
    if (UPDATE) writeFileSync(path, updated(text, real));
  });

  it('has sessions', () => {
    expect(blocks.length).toBeGreaterThan(2);
  });

  it.each(blocks)('$title', ({ session }) => {
    const commands = session.split('\n').flatMap((line) => (line.startsWith('$ ') ? [line.slice(2)] : []));
    const seen = commands.map((command) => `$ ${command}\n${resultOf(command, home)}`).join('');
    real.push(seen);
    if (!UPDATE) expect(seen).toBe(session);
  });
});

function resultOf(command: string, home: string): string {
  const PATH = join(home, '.bin') + delimiter + process.env['PATH'];
  const env = { PATH, HOME: home, LC_ALL: 'C.UTF-8', SOURCE_DATE_EPOCH: TODAY };
  const world = { cwd: join(home, 'work'), env, input: '' };
  const words = plainWords(command);
  const { stdout, stderr, status } =
    words === undefined
      ? spawnSync('sh', ['-c', command], { ...world, encoding: 'utf8' as const })
      : runProgram(words, world);
  const told = stderr === '' ? '' : withNewline(stderr).replace(/^/gm, '! ').replace(/! $/, '');
  return withNewline(stdout) + told + (status === 0 ? '' : `Exit code: ${status}\n`);
}

function withNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** The last line of prose or heading before a block. */
function titleBefore(text: string, at: number): string {
  return text.slice(0, at).trimEnd().split('\n').at(-1)!;
}

function updated(text: string, real: readonly string[]): string {
  let next = 0;
  return text.replace(FENCE, () => `\`\`\`console\n${real[next++] ?? ''}\`\`\``);
}
