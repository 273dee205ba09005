import type { Transcript } from '../transcript/types.js';

/** What to say where a session now ends before a branch that the user left: the agent would go on with that. */
export function leftBranch({ agents = [], messages }: Transcript): string | undefined {
  const end = messages.findLast(({ role }) => role !== 'meta')?.raw;
  const isBefore = ({ abandoned }: Transcript) => abandoned?.context.some(({ raw }) => raw === end);
  return agents.some(isBefore)
    ? 'an abandoned branch follows what is left, and the agent would go on with it'
    : undefined;
}
