/** A guard in an agent, asked call by call, against the step `guard` over the whole recording. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import openaiChat from '../../src/formats/openai/openai-chat.js';
import { createRefuser } from '../../src/hooks/refusal.js';
import { type Policy, run } from '../../src/index.js';
import { guardOf } from '../../src/policy/guard.js';
import { chatMessages, histories, type Turn } from '../adapters/shared/histories.js';
import { runs } from '../shared/random-runs.js';

type Message = Record<string, unknown> & { readonly role: string };

const tool = fc.constantFrom('search', 'read', 'run', '*');
const per = fc.constantFrom('turn', 'transcript');
const MADE_UP = { '*': { not_from: 'any' } } as const;
const ASKED = { last_assistant: { pattern: '[aeiou]' } };
const rule = fc.oneof(
  fc.record({ type: fc.constant('max_calls'), tool, max: fc.nat(4), per }),
  fc.record({ type: fc.constant('max_steps'), max: fc.nat(4), per }),
  fc.record({ type: fc.constant('no_repeat'), tool }),
  fc.record({ type: fc.constant('denied_tools'), tools: fc.tuple(tool) }),
  fc.record({ type: fc.constant('before'), first: fc.constantFrom('search', 'read'), then: fc.constant('run') }),
  fc.record({ type: fc.constant('never_after'), trigger: fc.constant('search'), forbidden: fc.constant('read') }),
  fc.record({ type: fc.constant('exclusive'), tools: fc.constant(['search', 'run']), per }),
  fc.record({ type: fc.constant('max_sum'), tool, arg: fc.constant('n'), max: fc.nat(4), per }),
  fc.record({ type: fc.constant('denied_tools'), tools: fc.tuple(tool), args: fc.constant(MADE_UP) }),
  fc.record({ type: fc.constant('denied_tools'), tools: fc.tuple(tool), when: fc.constant(ASKED) }),
  fc.record({ type: fc.constant('after'), trigger: tool, then: fc.constant('search') }),
);
const policies = fc
  .array(rule, { minLength: 1, maxLength: 3 })
  .map((rules): Policy => ({ version: 1, rules: rules.map((one, index) => ({ ...one, id: `r${index}` })) }));

/** Each call has a result. */
const answered = (turn: Turn): Turn =>
  turn.who === 'user'
    ? turn
    : { ...turn, calls: turn.calls.map((call) => ({ ...call, result: call.result ?? 'done' })) };

const chatOf = (turns: readonly Turn[]) => turns.flatMap((turn) => chatMessages(answered(turn))) as Message[];

/** What an agent with the guard would have recorded. */
async function guarded(turns: readonly Turn[], policy: Policy, isInMessages: boolean): Promise<Message[]> {
  const refuse = createRefuser(openaiChat, policy);
  const messages: Message[] = [];
  for (const turn of turns) {
    const [said, ...results] = chatOf([turn]);
    const before = isInMessages ? [...messages, said!] : [...messages];
    messages.push(said!);
    if (turn.who === 'user') continue;
    for (const [index, { id, tool: name, args }] of turn.calls.entries()) {
      const answer = await refuse({ tool: name, args, ...(isInMessages ? { callId: id } : {}) }, before);
      messages.push(answer === undefined ? results[index]! : { ...results[index]!, content: answer });
    }
  }
  return messages;
}

it('answers as the step does, whether the call is in the messages or not', async () => {
  let denied = 0;
  const property = fc.asyncProperty(histories, policies, fc.boolean(), async (turns, policy, isInMessages) => {
    // else it does not know the calls of the reply that come after
    fc.pre(isInMessages || policy.rules.every(({ type }) => type !== 'before' && type !== 'exclusive'));
    const chat = chatOf(turns);
    const expected = run(chat, [{ transform: 'guard', policy: guardOf(policy) }]);
    const live = await guarded(turns, policy, isInMessages);
    expect(live).toEqual(expected);
    if (JSON.stringify(live) !== JSON.stringify(chat)) denied++;
  });
  await fc.assert(property, runs(0.1));
  expect(denied).toBeGreaterThan(5);
});
