/** What goes by rules. It is bundled apart, as the rules with their examples are long. */
import check from './check/index.js';
import convert from './convert/index.js';
import rules from './rules/index.js';

export const commands = [check, rules, convert];
