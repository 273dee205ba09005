/** The arguments of a call, as people read them. */

export interface Argument {
  readonly name: string;
  /** A text as it is; other values as JSON, on one line if it is short. */
  readonly text: string;
}

/** The longest JSON on one line. */
const SHORT = 100;

/** Undefined if the arguments are no JSON object. */
export function argumentsIn(input: string): Argument[] | undefined {
  const args = objectIn(input);
  return (
    args &&
    Object.entries(args).map(([name, value]) => ({ name, text: typeof value === 'string' ? value : jsonOf(value) }))
  );
}

function jsonOf(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= SHORT ? text : JSON.stringify(value, undefined, 2);
}

function objectIn(input: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(input);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    return value as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
