/** Settings of the config for single files: overrides and suppressions. Loaded only if there are any. */
import { resolve } from 'node:path';
import type { Override } from '../../engine/check/plan.js';
import type { Finding } from '../../findings.js';
import { globOf } from '../../text/glob.js';
import { plural } from '../../text/words.js';
import type { Config } from '../config/config.js';
import { folderOf } from '../config/paths.js';
import { exclusionOf, isWithin } from '../files/ignored.js';
import type { Terminal } from '../terminal/terminal.js';

/** The overrides of the config, each with a matcher for its files. */
export function overridesOf(config: Config, terminal: Terminal): Override[] {
  const folder = folderOf(config, terminal);
  return (config.check.overrides ?? []).map(({ files, ...override }) => {
    const exclusion = exclusionOf(typeof files === 'string' ? [files] : files, folder);
    return { ...override, fits: (file) => isWithin(resolve(terminal.cwd, file), exclusion) };
  });
}

export interface Suppressions {
  /** The findings that are not suppressed. */
  without(findings: readonly Finding[]): Finding[];
  /** Notes about expired entries, and about entries that match none of these files' findings. */
  notes(files: readonly string[]): string[];
}

/** `today` as `2026-01-31`: the last day of a suppression counts. */
export function suppressionsOf(config: Config, terminal: Terminal, today: string): Suppressions {
  const folder = folderOf(config, terminal);
  const entries = (config.check.suppress ?? []).map(({ rule, path, reason, until }, index) => {
    const pattern = globOf(rule);
    const exclusion = path === undefined ? undefined : exclusionOf([path], folder);
    return {
      name: `${config.file}: \`check.suppress[${index}]\``,
      what: `${rule}${path === undefined ? '' : ` in ${path}`}: ${reason}`,
      isNarrow: path !== undefined,
      expired: until !== undefined && until < today ? until : undefined,
      isFor: (file: string) => exclusion === undefined || isWithin(resolve(terminal.cwd, file), exclusion),
      isOf: (id: string) => pattern.test(id),
      hits: 0,
    };
  });
  return {
    without: (findings) =>
      findings.filter(({ rule, file }) => {
        const found = entries.filter((entry) => entry.isOf(rule) && entry.isFor(file));
        for (const entry of found) entry.hits++;
        return found.every(({ expired }) => expired !== undefined);
      }),
    notes: (files) =>
      entries.flatMap(({ name, what, isNarrow, expired, isFor, hits }) => {
        if (expired !== undefined && hits > 0)
          return [`${name} expired on ${expired} and no longer hides ${plural(hits, 'finding')} (${what})`];
        return isNarrow && hits === 0 && files.some(isFor) ? [`${name} matches no finding any more (${what})`] : [];
      }),
  };
}
