/** Parses YAML of users: configs and policies. JSON is valid YAML. */
import type { Document, LineCounter } from 'yaml';
import { TranscriptError } from '../errors.js';

/** Most alias expansions: ten nested lists of ten aliases each would expand to ten billion items. */
const MOST_ALIASES = 100;
const TOO_DEEP = 'nested too deeply';

export interface Yaml {
  readonly value: unknown;
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
}

/** Throws TranscriptError with the position if it is not YAML, or if its aliases expand too much. */
export async function parseYaml(text: string, file: string): Promise<Yaml> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  const refuse = (message: string, at?: number): never => {
    const place = at === undefined ? undefined : lines.linePos(at);
    throw new TranscriptError('config', message, {
      file,
      ...(place === undefined ? {} : { line: place.line, column: place.col }),
    });
  };
  const document = orElse(
    () => parseDocument(text, { lineCounter: lines }),
    () => refuse(TOO_DEEP),
  );
  const [error] = document.errors;
  if (error?.message.startsWith('Maximum call stack')) refuse(TOO_DEEP, error.pos[0]); // that of the parser
  if (error !== undefined)
    refuse(
      `not ${/\.json$/.test(file) ? 'JSON' : 'YAML'}: ${error.message.split('\n')[0]!.replace(/ at line .*/, '')}`,
      error.pos[0],
    );
  const value: unknown = orElse(
    () => document.toJS({ maxAliasCount: MOST_ALIASES }),
    (thrown) =>
      refuse(
        thrown instanceof RangeError
          ? TOO_DEEP
          : `aliases (\`*name\`) expand more than ${MOST_ALIASES} times; write out their values`,
      ),
  );
  if (holdsItself(value)) refuse('an alias (`*name`) contains itself; write out its value');
  return { value, document, lines };
}

function orElse<T>(action: () => T, otherwise: (error: unknown) => T): T {
  try {
    return action();
  } catch (error) {
    return otherwise(error);
  }
}

/** Whether a value contains itself, through aliases. */
function holdsItself(root: unknown): boolean {
  const open = new Set<unknown>();
  const done = new Set<unknown>();
  const ahead: { readonly value: unknown; readonly closes?: true }[] = [{ value: root }];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const { value, closes } = next;
    if (typeof value !== 'object' || value === null || (!closes && done.has(value))) continue;
    if (closes) {
      open.delete(value);
      done.add(value);
    } else if (open.has(value)) return true;
    else {
      open.add(value);
      ahead.push({ value, closes: true });
      for (const inner of Object.values(value)) ahead.push({ value: inner });
    }
  }
  return false;
}
