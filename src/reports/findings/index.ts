/** The reporters of findings for programs. A new one is a file that exports `reporter`, and a line here. */
import type { FindingsReporter } from './reporter.js';

/** Each is loaded when it is used. */
const LOADERS = {
  json: async () => (await import('./json.js')).reporter,
  sarif: async () => (await import('./sarif.js')).reporter,
  junit: async () => (await import('./junit.js')).reporter,
  github: async () => (await import('./github.js')).reporter,
  gitlab: async () => (await import('./gitlab.js')).reporter,
} satisfies { readonly [Id in string]: () => Promise<FindingsReporter<Id>> };

export type FindingsReporterId = keyof typeof LOADERS;

export const FINDINGS_REPORTERS = Object.keys(LOADERS) as readonly FindingsReporterId[];

export function loadFindingsReporter(id: FindingsReporterId): Promise<FindingsReporter> {
  return LOADERS[id]();
}
