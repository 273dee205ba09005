/** Messages that Cline deleted from its requests, and still keeps in `api_conversation_history.json`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runIn } from '../../../src/cli/cli.js';
import { memoryTerminal } from '../../shared/terminal.js';

const WORDS = 'word '.repeat(1000);
const HISTORY = Array.from({ length: 9 }, (_, at) => ({
  role: at % 2 === 0 ? 'user' : 'assistant',
  content: [{ type: 'text', text: `${at} ${WORDS}` }],
}));
const shown = (index: number, range?: readonly [number, number]) => ({
  ...{ ts: 1767000000000 + index, type: 'say', say: 'text', text: 'x', conversationHistoryIndex: index },
  ...(range && { conversationHistoryDeletedRange: range }),
});

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'ctx-trim-cline-deleted-'));
  writeFileSync(join(folder, 'api_conversation_history.json'), JSON.stringify(HISTORY));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function runs(...words: readonly string[]) {
  const { terminal, out } = memoryTerminal({ cwd: folder, env: { HOME: folder } });
  await runIn(terminal, [...words, 'api_conversation_history.json']);
  return out();
}

/** In thousands, of the next request. */
async function sent(...rows: readonly ReturnType<typeof shown>[]): Promise<number> {
  writeFileSync(join(folder, 'ui_messages.json'), JSON.stringify(rows));
  const { transcripts } = JSON.parse(await runs('simulate', '--format=json', '--model=gpt-4'));
  return Math.round(transcripts[0].requests.at(-1).without.input / 1000);
}

it('are in no request after they were deleted', async () => {
  expect(await sent(shown(0), shown(6))).toBe(7);
  expect(await sent(shown(0), shown(4, [2, 3]), shown(6, [2, 3]))).toBe(5);
  expect(await sent(shown(0), shown(4, [2, 3]), shown(6, [2, 5]))).toBe(3);
  expect(await sent(shown(4, [90, 95]), shown(6))).toBe(7); // of a longer history
});

it('do not fill the context window', async () => {
  writeFileSync(join(folder, 'ui_messages.json'), JSON.stringify([shown(0)]));
  expect(await runs('check', '--as-request', '--model=gpt-4')).toContain('core/context-overflow');
  writeFileSync(join(folder, 'ui_messages.json'), JSON.stringify([shown(0), shown(6, [2, 5])]));
  expect(await runs('check', '--as-request', '--model=gpt-4')).not.toContain('core/context-overflow');
  expect(await runs('check', '--model=gpt-4')).not.toContain('core/context-overflow');
});
