/** A long run of a real agent, without and with our adapters. */
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../dist/lib/index.js';
import { serve } from './server.mjs';

const STEPS = ['patch', 'filter:max-tool-calls=6'];
/** The same for `run`, which has another default. */
const PACED = ['patch', 'filter:max-tool-calls=6,every=auto'];
const REPLIES = Array.from({ length: 199 }, (_, at) => [`seq ${at} ${at + ((at * 97) % 500)}`]);

/** How many of the requests with our hooks are not what `run` makes of the same requests without them. */
export async function longRun({ name, tool, run: runs }, folder, library) {
  const home = join(folder, `long-${name.replaceAll(' ', '-')}`);
  const lists = [];
  for (const steps of [undefined, STEPS]) {
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    mkdirSync(home);
    const provider = await serve(REPLIES, tool);
    await runs(home, provider.url, library, steps);
    provider.close();
    lists.push(provider.sent);
  }
  const [whole, sent] = lists;
  const found = { requests: sent.length, 'with fewer calls': 0, different: whole.length === sent.length ? 0 : 1 };
  for (const [at, messages] of sent.entries()) {
    const expected = JSON.parse(run(JSON.stringify(whole[at] ?? []), PACED));
    if (conversation(messages) !== conversation(expected)) found.different++;
    if (messages.length < whole[at]?.length) found['with fewer calls']++;
  }
  return found;
}

/**
 * The same for an agent that trims a session when it loads it: whether the first request of a resumed session has the
 * calls that `run` leaves of what was stored. The program writes that to `kept.json`.
 */
export async function longSession({ name, tool, run: runs }, folder, library) {
  const home = join(folder, `long-${name.replaceAll(' ', '-')}`);
  mkdirSync(home);
  const provider = await serve(REPLIES, tool);
  await runs(home, provider.url, library, STEPS);
  provider.close();
  const kept = readFileSync(join(home, 'kept.json'), 'utf8');
  const expected = callsIn(run(kept, PACED, { from: 'claude-code' }));
  const whole = callsIn(kept);
  const resumed = callsIn(JSON.stringify(provider.sent[REPLIES.length + 1]));
  const isSame = resumed.join() === expected.join();
  return {
    requests: provider.sent.length,
    'with fewer calls': whole.length - resumed.length,
    different: isSame ? 0 : 1,
  };
}

/** Ids, each once: a log says some twice. */
function callsIn(text) {
  return [...new Set([...text.matchAll(/"type":"tool_use","id":"(toolu_[^"]+)"/g)].map(([, id]) => id))];
}

/** Without the system prompt, which names moments. */
function conversation(messages) {
  return JSON.stringify(messages.filter(({ role }) => role !== 'system' && role !== 'developer'));
}
