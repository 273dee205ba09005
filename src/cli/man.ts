/** The manual page, from the commands and their options. What at least three commands share stands there once. */
import { Command as Program } from 'commander';
import { kebab } from '../options/parse.js';
import { joined, type SafeText, safe, shown } from '../safe/text.js';
import { loadCommands } from './commands/registry.js';
import { type Command, GROUPS } from './options/command.js';
import { addFlags, rewriteShorts } from './options/flags.js';

declare const __VERSION__: string;

type Item = readonly [flags: string, summary: string];

export async function manPage(): Promise<SafeText> {
  const commands = await loadCommands();
  const shared = sharedBy(commands);
  const lines = [
    `.TH CTX-TRIM 1 "" "ctx-trim ${__VERSION__}" "User Commands"`,
    ...['.SH NAME', 'ctx-trim \\- inspect and rewrite recorded LLM chat transcripts'],
    ...['.SH SYNOPSIS', '.B ctx\\-trim', '.I command', '[options] [files]'],
    ...['.SH DESCRIPTION', 'Anything that a command does not change stays byte for byte the same.'],
    ...['Files are recordings, folders or globs;', 'standard input if omitted or \\-.'],
    ...GROUPS.flatMap((group) => [
      `.SH ${group.toUpperCase()}`,
      ...commands.filter((command) => command.group === group).flatMap((command) => linesOf(command, shared)),
    ]),
    ...['.SH COMMON OPTIONS', 'Each command names those that it takes.'],
    ...[...shared].flatMap(itemLines),
    ...['.SH EXIT STATUS', '.TP', '.B 0', 'success'],
    ...['.TP', '.B 1', 'findings, over a budget, or changes with \\-\\-check'],
    ...['.TP', '.B 2', 'wrong usage, or an input that cannot be read'],
  ];
  return joined(
    lines.map((line) => safe`${shown(line)}\n`),
    '',
  );
}

/** By name. */
function sharedBy(commands: readonly Command[]): ReadonlyMap<string, string> {
  const counts = new Map<string, { readonly item: Item; commands: number }>();
  for (const item of commands.flatMap(itemsOf)) {
    const known = counts.get(String(item)) ?? { item, commands: 0 };
    known.commands++;
    counts.set(String(item), known);
  }
  const shared = [...counts.values()].filter((one) => one.commands >= 3).map(({ item }) => item);
  return new Map(shared.sort(([a], [b]) => (nameOf(a) < nameOf(b) ? -1 : 1)));
}

function itemsOf({ options }: Command): Item[] {
  const program = new Program();
  addFlags(program, options, 'output' in options ? rewriteShorts : {});
  return program.options.map(({ flags, description }) => [flags.replace(/ \[(.+)\]$/, '[=$1]'), description]);
}

const nameOf = (flags: string) => /--[\w-]+/.exec(flags)![0];

function linesOf(command: Command, shared: ReadonlyMap<string, string>): string[] {
  const items = itemsOf(command);
  const isShared = ([flags, summary]: Item) => shared.get(flags) === summary;
  const others = items.filter(isShared).map(([flags]) => nameOf(flags));
  return [
    `.SS ctx\\-trim ${roff(`${kebab(command.id)} [options] ${command.words}`)}`,
    ...wrapped(command.description),
    ...items.filter((item) => !isShared(item)).flatMap(itemLines),
    ...(others.length === 0 ? [] : ['.PP', ...wrapped(`Also: ${others.join(', ')}.`)]),
    ...command.examples.flatMap(([line, meaning]) => ['.PP', ...wrapped(`${meaning}:`), '.br', `.B ${roff(line)}`]),
  ];
}

function itemLines([flags, summary]: Item): string[] {
  return ['.TP', `.B ${roff(flags)}`, ...wrapped(summary)];
}

/** Lines as the linters of manual pages want them. A sentence ends its line. */
function wrapped(text: string): string[] {
  return text
    .replace(/([.?!]) (?=[A-Z`])/g, '$1\n')
    .split('\n')
    .flatMap((sentence) => sentence.match(/\S.{0,68}\S(?= |$)|\S+/g) ?? [])
    .map(roff);
}

/** Hyphens that can be copied, and no request of roff at the start. */
function roff(text: string): string {
  return text.replaceAll('\\', '\\e').replaceAll('-', '\\-').replace(/^[.']/, '\\&$&');
}
