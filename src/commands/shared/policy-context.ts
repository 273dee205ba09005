/** Loads counters and prices only if the rules of a policy use them. */
import { needsOf } from '../../app/check/policies.js';
import type { Context } from '../../app/context.js';
import type { Terminal } from '../../io/terminal.js';
import type { Policy } from '../../policy/types.js';
import type { Config } from './config.js';
import type { ContextOptions } from './context.js';

export async function loadPolicyContext(
  policy: Policy,
  options: ContextOptions,
  config: Config,
  terminal: Terminal,
): Promise<Context | undefined> {
  const { counting, prices } = needsOf(policy);
  if (!counting && !prices) return undefined;
  const { loadContext } = await import('./context.js');
  return loadContext(options, { priced: prices }, config, terminal);
}
