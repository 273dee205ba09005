/** A rule's own sentence, with what was found in it. */
import { argumentAt } from './arguments.js';
import type { AnyRule, Call } from './types.js';

interface Found {
  readonly rule: AnyRule;
  readonly call: Call | undefined;
  readonly wrong: string;
}

/** What a placeholder stands for. `{args.path}` is an argument of the call. */
const PLACEHOLDERS = new Map<string, (found: Found) => string>([
  ['rule', ({ rule }) => rule.id],
  ['tool', ({ call }) => call?.tool ?? ''],
  ['said', ({ call }) => call?.lastUserText ?? ''],
  ['result', ({ call }) => call?.result?.text ?? ''],
  ['args', ({ call }) => textOf(call?.args)],
  ['finding', ({ wrong }) => wrong],
]);

const PLACEHOLDER = /\{([a-z_]+)((?:\.[\w-]+)*)\}/g;

/** One that is unknown stays as it stands. */
export function filled(template: string, found: Found): string {
  return template.replace(PLACEHOLDER, (whole, name: string, path: string) => {
    if (name === 'args' && path !== '') return textOf(argumentAt(found.call?.args, path.slice(1)));
    return (path === '' ? PLACEHOLDERS.get(name)?.(found) : undefined) ?? whole;
  });
}

/** The placeholders of a template that stand for nothing. */
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
