/** Commands of a shell for what agents without a tool of their own do there, such as `cat notes.md`. */
import type { Action, Said } from '../formats/agent-tool.js';
import { quoted } from '../text/shell.js';

/**
 * The arguments of a shell for what agents without a tool of their own do there. They are read as that action only
 * where nothing else stands in the command.
 */
const SHELL_LINES: readonly (readonly [Action, line: string])[] = [
  ['read', 'cat {path}'],
  ['read', "sed -n '{from},{to}p' {path}"],
  ['search', 'rg -n {pattern} {path}'],
  ['search', 'rg -n {pattern}'],
  ['find', 'rg --files -g {pattern} {path}'],
  ['find', 'rg --files -g {pattern}'],
  ['list', 'ls {path}'],
];

export interface ShellLine {
  readonly does: Action;
  readonly values: Readonly<Partial<Record<Said, unknown>>>;
}

const PLACES = /\{(\w+)\}/g;

/** The command for an action; undefined if a shell has none for these values. */
export function shellLine(does: Action, values: ShellLine['values']): string | undefined {
  const said = Object.keys(values).filter((key) => values[key as Said] !== undefined);
  const lines = SHELL_LINES.filter(
    ([action, line]) => action === does && placesIn(line).every((at) => said.includes(at)),
  );
  const fullest = lines.sort(([, a], [, b]) => placesIn(b).length - placesIn(a).length)[0];
  return fullest?.[1].replace(PLACES, (_, place: Said) => quoted(String(values[place])));
}

/** The action of a command that is nothing but one of these lines. */
export function lineIn(command: string): ShellLine | undefined {
  for (const [does, line] of SHELL_LINES) {
    const values = valuesIn(command, line);
    if (values !== undefined && shellLine(does, values) === command) return { does, values };
  }
  return undefined;
}

function placesIn(line: string): string[] {
  return [...line.matchAll(PLACES)].map(([, place]) => place!);
}

function valuesIn(command: string, line: string): ShellLine['values'] | undefined {
  const pattern = line.split(PLACES).map((text, index) => (index % 2 === 0 ? escaped(text) : placeOf(text)));
  const found = new RegExp(`^${pattern.join('')}$`).exec(command)?.slice(1);
  if (found === undefined) return undefined;
  const places = placesIn(line).map((place, index) => [place, valueAt(place, found[index]!)]);
  return Object.fromEntries(places) as ShellLine['values'];
}

const NUMBERS = new Set(['from', 'to']);

function placeOf(place: string): string {
  return NUMBERS.has(place) ? '(\\d{1,9})' : "([\\w@%+=:,./-]+|'(?:[^']|'\\\\'')*')";
}

function valueAt(place: string, word: string): string | number {
  if (NUMBERS.has(place)) return Number(word);
  return word.startsWith("'") ? word.slice(1, -1).replaceAll("'\\''", "'") : word;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
