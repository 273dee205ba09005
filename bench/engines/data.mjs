// Made data in parts: agent runs, some with an unanswered call, some with a secret.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomFrom, run } from '../generate.mjs';

/** Writes so many parts of so many bytes, always the same. Returns their names. */
export function makeParts(folder, count, bytes) {
  const random = randomFrom(38);
  return Array.from({ length: count }, (_, at) => {
    const name = `part-${String(at).padStart(4, '0')}.jsonl`;
    const lines = [];
    for (let size = 0; size < bytes; size += lines.at(-1).length) lines.push(row(random, lines.length));
    writeFileSync(join(folder, name), lines.join(''));
    return name;
  });
}

function row(random, at) {
  const { messages } = run(random, 4 + random(12));
  if (at % 29 === 7) messages.splice(3, 1); // a result is missing
  if (at % 31 === 5) messages.push({ role: 'user', content: `the token is ghp_${token(random)}` });
  const usage = { prompt_tokens: 1000 + random(9000), completion_tokens: random(900), total_tokens: 0 };
  usage.total_tokens = usage.prompt_tokens + usage.completion_tokens;
  return `${JSON.stringify({ model: at % 2 ? 'gpt-4o' : 'gpt-4o-mini', messages, usage })}\n`;
}

function token(random) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from({ length: 36 }, () => letters[random(letters.length)]).join('');
}
