/** A rule's own message, with its placeholders filled in. */
import { argumentAt } from './arguments.js';
import type { PLACEHOLDERS } from './fields.js';
import type { AnyRule, Call } from './types.js';

interface Found {
  readonly rule: AnyRule;
  readonly call: Call | undefined;
  readonly wrong: string;
}

const VALUES: Record<(typeof PLACEHOLDERS)[number], (found: Found) => string> = {
  rule: ({ rule }) => rule.id,
  tool: ({ call }) => call?.tool ?? '',
  said: ({ call }) => call?.lastUserText ?? '',
  result: ({ call }) => call?.result?.text ?? '',
  args: ({ call }) => textOf(call?.args),
  finding: ({ wrong }) => wrong,
};

const PLACEHOLDER = /\{([a-z_]+)((?:\.[\w-]+)*)\}/g;

/** Unknown placeholders stay unchanged. */
export function filled(template: string, found: Found): string {
  return template.replace(PLACEHOLDER, (whole, name: string, path: string) => {
    if (name === 'args' && path !== '') return textOf(argumentAt(found.call?.args, path.slice(1)));
    return path === '' && isKnown(name) ? VALUES[name](found) : whole;
  });
}

/** The unknown placeholders of a template. */
export function unknownPlaceholders(template: string): string[] {
  return [...template.matchAll(PLACEHOLDER)].flatMap(([whole, name, path]) =>
    path === '' ? (isKnown(name!) ? [] : [whole]) : name === 'args' ? [] : [whole],
  );
}

function isKnown(name: string): name is keyof typeof VALUES {
  return Object.hasOwn(VALUES, name);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
