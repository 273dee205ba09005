/** What is the same for all findings of a transcript is done once, and not for each of them. */
import { expect, it } from 'vitest';
import { sentBefore } from '../../src/engine/check/sent-before.js';
import { formatNamed } from '../../src/formats/index.js';
import orphan from '../../src/rules/chat/tool-result-orphan.js';
import mimeType from '../../src/rules/gemini/mime-type.js';
import { providers } from '../../src/rules/providers.js';
import type { Rule, RuleContext } from '../../src/rules/rule.js';
import { runRules } from '../../src/rules/run-rules.js';
import { CLEAR_STRAYS } from '../../src/rules/shared/results.js';
import { pair } from '../../src/transcript/pairs.js';
import type { Message } from '../../src/transcript/types.js';
import { openText } from '../shared/opened.js';

const COUNT = 200;
const results = Array.from({ length: COUNT }, (_, at) => ({ role: 'tool', tool_call_id: `c${at}`, content: 'x' }));
const calls = results.map(({ tool_call_id: id }) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'a', arguments: '{}' } }],
}));

/** A list, and how many of its items were read. */
function counting<Item>(list: readonly Item[]): { readonly list: readonly Item[]; reads(): number } {
  let reads = 0;
  const get = (target: readonly Item[], key: string | symbol, receiver: unknown) => {
    if (typeof key === 'string' && /^\d/.test(key)) reads++;
    return Reflect.get(target, key, receiver);
  };
  return { list: new Proxy(list, { get }), reads: () => reads };
}

it('a fix is asked once for all problems of its rule whether it only moves', () => {
  const { transcripts, pieces } = openText(JSON.stringify({ messages: [{ role: 'user', content: 'x' }, ...results] }));
  const transcript = transcripts[0]!;
  let asked = 0;
  const onlyMoves = () => asked++ >= 0;
  const rule: Rule = { ...orphan, fix: { ...orphan.fix!, onlyMoves } };
  const found = runRules(transcript, [rule], {
    provider: providers.find(({ id }) => id === 'openai-chat')!,
    asRequest: true,
    format: formatNamed(transcript.format),
    record: pieces[0]!.record,
    contextUse: () => ({ tokens: 1, window: undefined }),
  });
  expect(found.map(({ safety }) => safety)).toEqual(Array.from({ length: COUNT }, () => 'safe'));
  expect(asked).toBe(1);
});

it('strays are found among the results by their part', () => {
  const { messages } = openText(JSON.stringify({ messages: [...results, ...calls] })).transcripts[0]!;
  const pairing = pair(messages);
  const [seenResults, seenCalls] = [counting(pairing.results), counting(pairing.calls)];
  const context = { pairing: { results: seenResults.list, calls: seenCalls.list } } as unknown as RuleContext;
  const reached = pairing.results.filter(({ part, message }) =>
    CLEAR_STRAYS.reaches!(context, { message, part, text: '' }),
  );
  expect(reached).toHaveLength(COUNT);
  expect(seenResults.reads() + seenCalls.reads()).toBeLessThanOrEqual(2 * COUNT);
});

it('the bytes of files are looked at once for all that have a wrong type', () => {
  const inlineData = { mimeType: 'application/octet-stream', data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB' };
  const parts = Array.from({ length: COUNT }, () => ({ inlineData }));
  const { transcripts, pieces } = openText(JSON.stringify({ contents: [{ role: 'user', parts }] }));
  const [transcript] = transcripts;
  const { list, reads } = counting(transcript!.messages[0]!.parts);
  const messages = transcript!.messages.map((message) => ({ ...message, parts: list }));
  const found = runRules({ ...transcript!, messages }, [mimeType], {
    provider: providers.find(({ id }) => id === 'gemini')!,
    asRequest: true,
    format: formatNamed(transcript!.format),
    record: pieces[0]!.record,
    contextUse: () => ({ tokens: 1, window: undefined }),
  });
  expect(found.filter(({ isFixable }) => isFixable)).toHaveLength(COUNT);
  expect(reads()).toBeLessThanOrEqual(4 * COUNT);
});

it('counts what was sent before each message as the plain way does', () => {
  const roles = ['system', 'user', 'assistant', 'tool', 'meta'] as const;
  let state = 1;
  const random = (most: number) => {
    state = (state * 48271) % 2147483647;
    return state % most;
  };
  for (let trial = 0; trial < 300; trial++) {
    const messages: Message[] = Array.from({ length: random(12) }, () => {
      const group = [undefined, undefined, 'g', 'h'][random(4)];
      return { role: roles[random(5)]!, parts: [], ...(group === undefined ? {} : { group }) };
    });
    expect(sentBefore(messages)).toEqual(messages.map((_, index) => plainBefore(messages, index)));
    expect(sentBefore(messages)).toBe(sentBefore(messages));
  }
});

function plainBefore(messages: readonly Message[], index: number) {
  const sent = messages.slice(0, index).filter(({ role, group }, at) => {
    const isPiece = group !== undefined && (messages[at + 1]?.group === group || messages[index]!.group === group);
    return role !== 'meta' && !isPiece;
  });
  return { sent: sent.length, system: sent.filter(({ role }) => role === 'system').length };
}
