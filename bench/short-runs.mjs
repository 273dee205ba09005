// Short runs: what a command on one message costs over bare Node.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cpuSecondsOf, medianOf } from './measure.mjs';

const CALL = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
const MESSAGES = [
  { role: 'user', content: 'x' },
  { role: 'assistant', content: null, tool_calls: [CALL] },
  { role: 'tool', tool_call_id: 'a', content: 'The quick brown fox jumps over the lazy dog.' },
];

export function writeOneMessage(path) {
  writeFileSync(path, `${JSON.stringify({ model: 'gpt-4o', messages: MESSAGES })}\n`);
}

/**
 * CPU time of a command over that of bare Node, pair by pair, after three runs that fill the compile cache. `folder`:
 * for that cache and temporary files.
 */
export function overBareNode(node, words, folder, pairs) {
  mkdirSync(folder, { recursive: true });
  const bare = join(folder, 'bare.cjs');
  writeFileSync(bare, '');
  const run = () => cpuSecondsOf([node, 'bin/ctx-trim.js', ...words], folder, { XDG_CACHE_HOME: folder });
  for (let warming = 0; warming < 3; warming++) run();
  return medianOf(pairs, () => run() / cpuSecondsOf([node, bare], folder));
}
