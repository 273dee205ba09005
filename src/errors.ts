/**
 * What a user can mend: one clear sentence, and where it is. Everything else that is thrown is a defect of ours.
 * Codes are stable; commands turn every one of them into exit code 2.
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
  /** What was about to be written was no JSON: a defect of ours, caught in time. */
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

  /** The same error with more of its place known: what is already known wins. */
  at(place: Place): TranscriptError {
    return new TranscriptError(this.code, this.message, { ...place, ...this.place });
  }
}

/** Told by name, not by class: what loads late is a bundle of its own, with a class of its own. */
export function isTranscriptError(error: unknown): error is TranscriptError {
  return error instanceof Error && error.name === 'TranscriptError';
}

/** `file:line:column: message`, as compilers and editors write and read it. */
export function describeError(error: TranscriptError): string {
  const { file, line, column } = error.place;
  const where = [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
  return where === '' ? error.message : `${where}: ${error.message}`;
}

/** The error of a config, with the path inside it. */
export function configError(file: string, path: string, message: string): TranscriptError {
  return new TranscriptError('config', path === '' ? message : `\`${path}\`: ${message}`, { file, path });
}

/** `pipelines.short[0]`, `["gpt-5.4"].cost`: a path inside a JSON value. */
export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((key, index) =>
      typeof key === 'number'
        ? `[${key}]`
        : /[.[\]\s]/.test(String(key))
          ? `[${JSON.stringify(key)}]`
          : `${index === 0 ? '' : '.'}${String(key)}`,
    )
    .join('');
}
