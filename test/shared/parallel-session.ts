/**
 * A session of Claude Code as version 2.1 writes them: each block of a reply is a record, calls run beside each other,
 * each result hangs behind its own call, hooks hang behind results, and the reply goes on behind the result that came
 * last. Made after a recorded one of 106 messages (claude-code/ef958aa1 of the shared recordings).
 */
export function parallelSession(): string {
  const lines: string[] = [];
  let parent: string | null = null;
  const write = (kind: object, after: string | null = parent) => {
    const at = String(lines.length + 1);
    const uuid = `5e55a0aa-0000-4000-8000-${at.padStart(12, '0')}`;
    const timestamp = `2026-01-01T00:00:${at.padStart(2, '0')}.000Z`;
    lines.push(JSON.stringify({ parentUuid: after, isSidechain: false, uuid, timestamp, ...kind }));
    parent = uuid;
    return uuid;
  };
  const prompt = (text: string) => write({ type: 'user', message: { role: 'user', content: text } });
  const piece = (reply: number, block: object) =>
    write({ type: 'assistant', message: { role: 'assistant', id: `msg_${reply}`, content: [block] } });
  const call = (reply: number, id: string) => piece(reply, { type: 'tool_use', id, name: 'Agent', input: { id } });
  const hook = () => write({ type: 'attachment', attachment: { type: 'hook_success', content: '' } });
  const result = (id: string, caller: string) => {
    const content = [{ type: 'tool_result', tool_use_id: id, content: `done: ${id}` }];
    write({ type: 'user', message: { role: 'user', content }, sourceToolAssistantUUID: caller }, caller);
    hook();
  };

  prompt('Ask the team.');
  hook();
  piece(1, { type: 'text', text: 'I shall.' });
  for (const id of ['a1', 'a2', 'a3']) result(id, call(1, id)); // each ran before the next call was streamed
  const together = ['b1', 'b2', 'b3'].map((id) => [id, call(2, id)] as const);
  for (const [id, caller] of together.toReversed()) result(id, caller);
  piece(3, { type: 'text', text: 'All three are back. The next ones:' });
  const pair = ['c1', 'c2'].map((id) => [id, call(3, id)] as const);
  for (const [id, caller] of pair) result(id, caller);
  piece(4, { type: 'text', text: 'Done.' });
  prompt('Thanks. And the rest?');
  piece(5, { type: 'text', text: 'There is none.' });
  return `${lines.join('\n')}\n`;
}
