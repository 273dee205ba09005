/** What goes by rules. It is bundled apart, as the rules with their examples are long. */
import check from './check.js';
import convert from './convert.js';
import rules from './rules.js';

export const commands = [check, rules, convert];
