/** Finds the value that a program handed over and that is no JSON, after reading or writing it has failed. */
import { isTranscriptError, TranscriptError } from '../errors.js';

/** A JSON text is nested this deep at most where the call stack did not last. */
const DEEPEST = 1000;
/** A list this long is looked at no further. */
const LONGEST_LIST = 10_000_000;

/**
 * What to throw for an error that comes from the messages themselves: a cycle, a getter that throws, a value nested
 * too deep or of a type that JSON has not. Gives the error back where the messages are fine.
 */
export function blamed(error: unknown, input: unknown, name = 'input'): unknown {
  if (isTranscriptError(error)) return error;
  const [open, done] = [new Set<unknown>(), new Set<unknown>()];
  const visit = (value: unknown, path: string): TranscriptError | undefined => {
    if (typeof value === 'bigint') return unwritable(path, 'JSON has no BigInt');
    if (typeof value !== 'object' || value === null || done.has(value)) return undefined;
    if (open.has(value)) return unwritable(path, 'it contains itself');
    if (open.size > DEEPEST) return error instanceof RangeError ? unwritable(path, reasonOf(error)) : undefined;
    open.add(value);
    try {
      if (Array.isArray(value) && value.length > LONGEST_LIST) return unwritable(path, 'the list is too long');
      (value as { readonly toJSON?: () => unknown }).toJSON?.();
      for (const key of Object.keys(value)) {
        const found = member(value, key, Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`);
        if (found !== undefined) return found;
      }
    } catch (thrown) {
      return unwritable(path, reasonOf(thrown));
    } finally {
      open.delete(value);
      done.add(value);
    }
    return undefined;
  };
  const member = (value: object, key: string, path: string): TranscriptError | undefined => {
    let inner: unknown;
    try {
      inner = (value as Readonly<Record<string, unknown>>)[key];
    } catch (thrown) {
      return unwritable(path, reasonOf(thrown));
    }
    return visit(inner, path);
  };
  return visit(input, name) ?? error;
}

/** The first line of what was thrown, which may be anything. */
function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'it is nested too deep';
  const reason: unknown = error instanceof Error ? error.message : error;
  return typeof reason === 'object' ? 'reading it throws' : String(reason).split('\n')[0]!;
}

/** The most of a path that says where to look. */
const LONGEST = 120;

function unwritable(path: string, reason: string): TranscriptError {
  const place = path.length <= LONGEST ? path : `${path.slice(0, LONGEST)}…`;
  return new TranscriptError('message', `\`${place}\` cannot be written as JSON: ${reason}`, { path: place });
}
