/** How many messages an API got before each message of a transcript. */
import type { Message } from '../../transcript/types.js';

interface Sent {
  readonly sent: number;
  /** So many of them are of the system. */
  readonly system: number;
}

const NONE: Sent = { sent: 0, system: 0 };
const known = new WeakMap<readonly Message[], readonly Sent[]>();

/** By index. A message in pieces counts once, at its last piece; a piece does not count those before it. */
export function sentBefore(messages: readonly Message[]): readonly Sent[] {
  const before = known.get(messages) ?? counted(messages);
  known.set(messages, before);
  return before;
}

function counted(messages: readonly Message[]): Sent[] {
  const ofGroup = new Map<Message['group'], Sent>();
  let all = NONE;
  return messages.map(({ role, group }, at) => {
    const own = ofGroup.get(group) ?? NONE;
    const before = { sent: all.sent - own.sent, system: all.system - own.system };
    if (role !== 'meta' && (group === undefined || messages[at + 1]?.group !== group)) {
      all = withOne(all, role);
      if (group !== undefined) ofGroup.set(group, withOne(own, role));
    }
    return before;
  });
}

function withOne({ sent, system }: Sent, role: Message['role']): Sent {
  return { sent: sent + 1, system: system + (role === 'system' ? 1 : 0) };
}
