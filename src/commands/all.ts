/** Every command. To add one, add a folder beside this file, a line here and a line in index.ts. */
import audit from './audit/index.js';
import check from './check/index.js';
import type { Command } from './command.js';
import convert from './convert/index.js';
import diff from './diff/index.js';
import formats from './formats/index.js';
import overview from './overview/index.js';
import policy from './policy/index.js';
import prices from './prices/index.js';
import { transformCommands } from './rewrite/index.js';
import rules from './rules/index.js';
import run from './run/index.js';
import simulate from './simulate/index.js';
import stats from './stats/index.js';

export const commands = [
  ...transformCommands,
  run,
  overview,
  formats,
  stats,
  diff,
  prices,
  check,
  rules,
  convert,
  audit,
  policy,
  simulate,
] as unknown as readonly Command[];
