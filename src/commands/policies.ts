/** What only the commands about policies need. It is bundled apart from the rest. */
import audit from './audit/index.js';
import policy from './policy/index.js';

export const commands = [audit, policy];
