/**
 * Errors that a user can fix: one clear sentence, and the place. All other errors are defects of ctx-trim. Codes are
 * stable; commands turn each of them into exit code 2.
 */
export type ErrorCode =
  | 'usage'
  | 'file'
  | 'json'
  | 'encoding'
  | 'format'
  | 'message'
  | 'config'
  | 'changed-file'
  | 'model'
  /** Invalid output, which was not written: a defect of ctx-trim. */
  | 'defect';

/** A place in an input. `line` and `column` count from 1; a column counts UTF-16 units, as editors and SARIF do. */
export interface Place {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** A path inside a JSON value, such as `messages[3].tool_calls`. */
  readonly path?: string;
}

export class TranscriptError extends Error {
  override readonly name = 'TranscriptError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly place: Place = {},
  ) {
    super(message);
  }

  /** Completes the place of the error; known parts win. */
  at(place: Place): TranscriptError {
    return new TranscriptError(this.code, this.message, { ...place, ...this.place });
  }
}

/** Checked by name: each bundle has its own copy of the class. */
export function isTranscriptError(error: unknown): error is TranscriptError {
  return error instanceof Error && error.name === 'TranscriptError';
}

/** `file:line:column: message`, the format of compilers and editors. */
export function describeError(error: TranscriptError): string {
  const { file, line, column } = error.place;
  const where = [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
  return where === '' ? error.message : `${where}: ${error.message}`;
}

/** An error in a config, with the path of the value. */
export function configError(file: string, path: string, message: string): TranscriptError {
  return new TranscriptError('config', path === '' ? message : `\`${path}\`: ${message}`, { file, path });
}

/** The first line of what foreign code threw: anything, also what throws again when it is read. */
export function reasonOf(thrown: unknown): string {
  try {
    return String(thrown instanceof Error ? thrown.message : thrown).split('\n')[0]!;
  } catch {
    return 'it threw what cannot be shown';
  }
}

/** A path inside a JSON value: `pipelines.short[0]`, `["gpt-5.4"].cost`. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      if (/[.[\]\s]/.test(String(key))) return `[${JSON.stringify(key)}]`;
      return `${index === 0 ? '' : '.'}${String(key)}`;
    })
    .join('');
}
