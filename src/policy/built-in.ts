/** The built-in policies. To add one, add a folder next to this file and a line here. */
import { queryHistory } from './query-history/index.js';
import type { Policy } from './types.js';

export const policies: readonly Policy[] = [queryHistory];

export function policyNamed(name: string): Policy | undefined {
  return policies.find((policy) => policy.name === name);
}
