/** Loads a module of the user's. It is a file of its own in the build, as what Node itself loads: a bundle could only `require`. */
export function importModule(url: string): Promise<{ readonly default?: unknown }> {
  return import(url);
}
