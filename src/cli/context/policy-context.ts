/** Loads counters and prices only if the rules of a policy use them. */
import { needsOf } from '../../engine/check/policies.js';
import type { Context } from '../../engine/context.js';
import type { Policy } from '../../policy/types.js';
import type { Config } from '../config/config.js';
import type { Terminal } from '../terminal/terminal.js';
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
