/** Claude Agent SDK: a session store that trims sessions as they are loaded or stored, and hooks that deny calls. */
import format from '../formats/anthropic/claude-code.js';
import { createTrimmer, type Steps, type TrimOptions } from '../hooks/trim.js';
import { withMethods } from '../hooks/with-methods.js';

export { guard } from '../guards/claude-agent-sdk.js';

export interface StoreOptions extends TrimOptions {
  /**
   * Steps for new entries, before they are stored, such as `['truncate:max-length=20000']`: what never was longer keeps
   * the prompt cache. Only steps that change single messages: `truncate`, `offload`, `strip-noise`.
   */
  readonly append?: Steps;
}

/** What this needs of a session store. */
export interface StoreLike {
  append(key: never, entries: never): Promise<void>;
  load(key: never): Promise<object[] | null>;
}

/**
 * `query({ …, options: { sessionStore: sessionStore(yours), resume } })` resumes a trimmed and repaired session; what
 * is stored stays as it is, but for the steps of `append`. No hook of the SDK runs before a model call. Throws
 * TranscriptError for a wrong step or option.
 */
export function trim(steps: Steps, { append = [], ...options }: StoreOptions = {}) {
  const loaded = createTrimmer(format, steps, options);
  const stored = append.length === 0 ? undefined : createTrimmer(format, append, options, { parts: 'append' });
  return {
    sessionStore<S extends StoreLike>(store: S): S {
      const inner = store as unknown as Store;
      return withMethods(store, {
        load: async (key: unknown) => {
          const entries = await inner.load(key);
          return entries && loaded(entries);
        },
        append: async (key: unknown, entries: object[]) =>
          inner.append(key, stored === undefined ? entries : await stored(entries, undefined, 'append')),
      });
    },
  };
}

interface Store {
  append(key: unknown, entries: object[]): Promise<void>;
  load(key: unknown): Promise<object[] | null>;
}
