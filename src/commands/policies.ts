/** What only the commands about policies need. It is bundled apart from the rest. */
import audit from './audit.js';
import policy from './policy.js';

export { openPolicyCheck } from './policy-check.js';

export const commands = [audit, policy];
