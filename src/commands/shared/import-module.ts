/** Loads a user's module. */
export function importModule(url: string): Promise<{ readonly default?: unknown }> {
  return import(url);
}
