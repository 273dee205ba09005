/**
 * How much the tests try. By default a sample, the same in each run, so that a run fails because of a change.
 * `LAWS=all` tries every recording and all random cases; CI does so each night.
 */
export const ALL = process.env['LAWS'] === 'all';

/** How many cases are tried: few, or all; the variable of that name says how many. */
export function cases(few: number, all: number, name: string): number {
  return Number(process.env[name] ?? (ALL ? all : few));
}
