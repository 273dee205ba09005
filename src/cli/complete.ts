/** `ctx-trim complete <line>`, which the scripts of `completion` run: what can stand at the end of a command line. */

import { WITH_STORE } from '../formats/agents.js';
import type { Option } from '../options/option.js';
import { kebab } from '../options/parse.js';
import { safe, shown } from '../safe/text.js';
import { entries } from './commands/index.js';
import type { Command } from './options/command.js';
import { databasesOf, findSessionFiles, findSessions, type SessionFile } from './sessions/sessions.js';
import type { Terminal } from './terminal/terminal.js';

/** Sessions that are offered by their ids: the newest. */
const MOST_SESSIONS = 50;

/** What no shell can be given on a line, such as a line break in the name of a session. */
const UNTYPABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** Prints whole words that the last word of the line may become; none where a file or a free value is expected. */
export async function complete(line: string, { env, stdout }: Terminal): Promise<void> {
  for (const candidate of await candidatesFor(line, env)) stdout.write(safe`${shown(candidate)}\n`);
}

async function candidatesFor(line: string, env: Terminal['env']): Promise<string[]> {
  const [, first = '', ...rest] = line.trimStart().split(/\s+/);
  const last = rest.at(-1) ?? first;
  const candidates = await all(first, rest, env);
  return candidates.filter((candidate) => candidate.startsWith(last) && !UNTYPABLE.test(candidate));
}

async function all(first: string, rest: readonly string[], env: Terminal['env']): Promise<string[]> {
  const last = rest.at(-1) ?? first;
  if (last.startsWith('@')) return sessionNames(last, env);
  if (rest.length === 0) return entries.map(({ id }) => id);
  const command = await entries.find(({ id }) => id === first)?.load();
  if (command === undefined) return [];
  if (last.startsWith('--')) return last.includes('=') ? withName(last, command) : optionNames(command);
  return choicesOf(optionNamed(rest.at(-2) ?? '', command));
}

function optionNames({ options }: Command): string[] {
  return [...Object.keys(options).map((key) => `--${kebab(key)}`), '--help', '--color', '--no-color'];
}

function optionNamed(word: string, { options }: Command): Option | undefined {
  return Object.entries(options).find(([key]) => `--${kebab(key)}` === word)?.[1];
}

function choicesOf(option: Option | undefined): string[] {
  return option?.type === 'choice' ? [...option.choices] : [];
}

/** `--format=json` */
function withName(word: string, command: Command): string[] {
  const [name = ''] = word.split('=');
  return choicesOf(optionNamed(name, command)).map((choice) => `${name}=${choice}`);
}

/** Ids are offered once at least one letter of them is typed. Databases are opened if no file has such a name. */
function sessionNames(word: string, env: Terminal['env']): string[] {
  const [, agent] = /^@([^:]+):/.exec(word) ?? [];
  const start = agent === undefined ? '@' : `@${agent}:`;
  const begun = (name: string) => name.startsWith(word);
  const fromFiles = namesOf(findSessionFiles(env, agent), word, start);
  const names = fromFiles.some(begun) ? fromFiles : namesOf(findSessions(env, agent), word, start);
  return start === '@' ? [...names, ...agentsIn(env)] : names;
}

function agentsIn(env: Terminal['env']): string[] {
  const isHere = ({ id, stores }: (typeof WITH_STORE)[number]) =>
    findSessionFiles(env, id).length > 0 || stores.some((store) => databasesOf(store, env).length > 0);
  return WITH_STORE.filter(isHere).map(({ id }) => `@${id}`);
}

function namesOf(sessions: readonly SessionFile[], word: string, start: string): string[] {
  if (sessions.length === 0) return [];
  const newest = sessions.filter(({ isPart }) => !isPart).slice(0, MOST_SESSIONS);
  const ids = word === start ? [] : newest.map(({ id }) => start + id);
  return [`${start}last`, `${start}all`, ...ids];
}
