/** Loads a user's module. Rejects if it does not load: with nothing left to do, Node would end as if all were well. */
export async function importModule(url: string, seconds = SECONDS): Promise<{ readonly default?: unknown }> {
  let timer: NodeJS.Timeout | undefined;
  const never = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not load in ${seconds} seconds`)), seconds * 1000);
  });
  return Promise.race([import(url), never]).finally(() => clearTimeout(timer));
}

const SECONDS = 30;
