/** A rule's own message, with its placeholders filled in. */
import { argumentAt } from './arguments.js';
import type { AnyRule, Call } from './types.js';

interface Found {
  readonly rule: AnyRule;
  readonly call: Call | undefined;
  readonly wrong: string;
}

/** Placeholders by name. `{args.path}` is an argument of the call. */
const PLACEHOLDERS = new Map<string, (found: Found) => string>([
  ['rule', ({ rule }) => rule.id],
  ['tool', ({ call }) => call?.tool ?? ''],
  ['said', ({ call }) => call?.lastUserText ?? ''],
  ['result', ({ call }) => call?.result?.text ?? ''],
  ['args', ({ call }) => textOf(call?.args)],
  ['finding', ({ wrong }) => wrong],
]);

const PLACEHOLDER = /\{([a-z_]+)((?:\.[\w-]+)*)\}/g;

/** Unknown placeholders stay unchanged. */
export function filled(template: string, found: Found): string {
  return template.replace(PLACEHOLDER, (whole, name: string, path: string) => {
    if (name === 'args' && path !== '') return textOf(argumentAt(found.call?.args, path.slice(1)));
    return (path === '' ? PLACEHOLDERS.get(name)?.(found) : undefined) ?? whole;
  });
}

/** The unknown placeholders of a template. */
export function unknownPlaceholders(template: string): string[] {
  return [...template.matchAll(PLACEHOLDER)].flatMap(([whole, name, path]) =>
    path === '' ? (PLACEHOLDERS.has(name!) ? [] : [whole]) : name === 'args' ? [] : [whole],
  );
}

export function knownPlaceholders(): string {
  return [...[...PLACEHOLDERS.keys()].map((name) => `{${name}}`), '{args.<name>}'].join(', ');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
