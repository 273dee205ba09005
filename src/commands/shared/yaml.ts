/** YAML that a user wrote: a config, a policy. JSON is YAML. */
import type { Document, LineCounter } from 'yaml';
import { TranscriptError } from '../../errors.js';

/** How often an alias may be used, times the aliases in what it stands for: ten lists of ten aliases each unfold to ten billion items. */
const MOST_ALIASES = 100;
const TOO_DEEP = 'it is nested too deeply to be read; write it flatter';

export interface Yaml {
  readonly value: unknown;
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
}

/** Throws TranscriptError with its place where it is no YAML, or where it unfolds to more than anybody writes. */
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
          : `its aliases (\`*name\`) unfold to more than ${MOST_ALIASES} of them; write out what they stand for`,
      ),
  );
  if (holdsItself(value)) refuse('an alias (`*name`) stands inside of what it stands for; write out what is meant');
  return { value, document, lines };
}

function orElse<T>(action: () => T, otherwise: (error: unknown) => T): T {
  try {
    return action();
  } catch (error) {
    return otherwise(error);
  }
}

/** Whether a value, which aliases may have made a circle of, is inside of itself. */
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
