/** What SPEC.md calls valid, written down without any of our code: the judge in tests of promises 2 and 3. */
export interface ChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly { readonly id: string }[] | null;
  readonly tool_call_id?: string;
}

/**
 * Every call answered exactly once, by the unbroken run of results right after its message, and no result anywhere
 * else.
 */
export function faultsOf(messages: readonly ChatMessage[]): string[] {
  const faults: string[] = [];
  for (let i = 0; i < messages.length; i++) {
    const { role, tool_calls: calls } = messages[i]!;
    if (role === 'tool') faults.push(`message ${i}: a result where none may stand`);
    if (role !== 'assistant' || !calls?.length) continue;
    const open = calls.map(({ id }) => id);
    if (open.some((id) => typeof id !== 'string' || id === '')) faults.push(`message ${i}: a call without an id`);
    if (new Set(open).size < open.length) faults.push(`message ${i}: two calls with one id`);
    for (; messages[i + 1]?.role === 'tool'; i++) {
      const at = open.indexOf(messages[i + 1]!.tool_call_id ?? '');
      if (at < 0) faults.push(`message ${i + 1}: a result of no open call`);
      else open.splice(at, 1);
    }
    for (const id of open) faults.push(`call ${id} has no result`);
  }
  return faults;
}
