/**
 * Six newcomers, each with the README alone: their first ten commands, and what these told them. The lines below a
 * command in a `console` block stand in what it prints, in this order; it prints more than that. `Exit code: 1` is the
 * code where it is not 0. What they type is in the README, or was printed by a command before.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runIn } from '../../src/cli/cli.js';
import { createDemoHome, NOW } from '../docs/demo-home.js';
import type { Told } from '../shared/program.js';
import { runLine, type ShellWorld } from '../shared/shell.js';
import { memoryTerminal } from '../shared/terminal.js';

const FOLDER = 'test/personas';
const README = readFileSync('README.md', 'utf8');
const FENCE = /^```console\n([\s\S]*?)^```$/gm;

interface Step {
  readonly command: string;
  readonly lines: readonly string[];
}

function stepsIn(text: string): Step[] {
  const sessions = [...text.matchAll(FENCE)].map(([, session]) => session!);
  return sessions.flatMap((session) =>
    session.split(/^\$ /m).flatMap((part) => {
      const [command = '', ...lines] = part.trimEnd().split('\n');
      return command === '' ? [] : [{ command, lines }];
    }),
  );
}

/** The program without words, on a terminal: elsewhere it prints its help. */
async function alone({ cwd, env }: ShellWorld): Promise<Told> {
  const { terminal, out, err } = memoryTerminal({ cwd, env, now: NOW });
  const status = await runIn({ ...terminal, stdout: { ...terminal.stdout, isTerminal: true } }, []);
  return { stdout: out(), stderr: err(), status };
}

/** Names of commands and options, which a newcomer cannot guess. */
function wordsIn(command: string): string[] {
  const [, name] = /ctx-trim ([a-z]+)/.exec(command) ?? [];
  return [...(name === undefined ? [] : [name]), ...(command.match(/--[a-z-]+/g) ?? [])];
}

describe.each(readdirSync(FOLDER).filter((name) => name.endsWith('.md')))('%s', (name) => {
  const text = readFileSync(join(FOLDER, name), 'utf8');
  const steps = stepsIn(text);
  let home = '';
  let read = README;

  beforeAll(() => {
    home = createDemoHome();
    mkdirSync(join(home, 'work'));
    for (const [, from, to] of text.matchAll(/`([\w/.-]+)`\s+as\s+`([\w/.-]+)`/g)) {
      mkdirSync(dirname(join(home, 'work', to!)), { recursive: true });
      cpSync(join('fixtures', from!), join(home, 'work', to!));
    }
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('has ten commands', () => {
    expect(steps).toHaveLength(10);
  });

  it.each(steps)('$command', async ({ command, lines }) => {
    for (const word of wordsIn(command)) expect(read, word).toContain(word);
    const env = {
      ...{ HOME: home, XDG_CACHE_HOME: join(home, '.cache'), PATH: process.env['PATH'] },
      ...{ LC_ALL: 'C.UTF-8', TZ: 'UTC', SOURCE_DATE_EPOCH: String(NOW / 1000) },
    };
    const world = { cwd: join(home, 'work'), env };
    const { stdout, stderr, status } = command === 'ctx-trim' ? await alone(world) : runLine(command, world);
    const printed = `${stdout}${stderr}${status === 0 ? '' : `Exit code: ${status}\n`}`;
    read += printed;
    let from = 0;
    for (const line of lines) {
      const at = printed.indexOf(line, from);
      expect(at, `${line}\nis not in what \`${command}\` prints:\n${printed}`).toBeGreaterThanOrEqual(0);
      from = at + line.length;
    }
    if (!lines.some((line) => line.startsWith('Exit code'))) expect(status, printed).toBe(0);
  });
});
