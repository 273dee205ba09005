/** What all adapters share: options, checks, and what `onChange` hears. */
import { describe, expect, it } from 'vitest';
import { trim } from '../../src/adapters/openai.js';
import { TranscriptError } from '../../src/errors.js';
import type { TrimChange, TrimOptions } from '../../src/hooks/trim.js';

const call = (id: string) => ({ id, type: 'function', function: { name: 'search', arguments: '{}' } });
const round = (id: string) => [
  { role: 'assistant', content: null, tool_calls: [call(id)] },
  { role: 'tool', tool_call_id: id, content: 'found' },
];
const question = { role: 'user', content: 'Begin.' };
const messages = [question, ...['a', 'b', 'c', 'd', 'e'].flatMap(round)];
const dangling = [question, { role: 'assistant', content: null, tool_calls: [call('a')] }, question];

const sent = async (list: readonly object[], steps: readonly string[] | string, options?: TrimOptions) =>
  (await trim(steps, options).request({ messages: list })).messages;

describe('trim', () => {
  it('leaves a body alone that no step changes, and hears nothing of it', async () => {
    const changes: TrimChange[] = [];
    const body = { messages };
    expect(await trim(['patch'], { onChange: (change) => changes.push(change) }).request(body)).toBe(body);
    expect(changes).toEqual([]);
  });

  it('tells what changed', async () => {
    const changes: TrimChange[] = [];
    const after = await sent(messages, ['filter:max-tool-calls=2,every=1'], {
      onChange: (change) => changes.push(change),
    });
    const figures = { calls: { before: 5, after: 2 }, resultLength: { before: 25, after: 10 } };
    expect(changes).toEqual([{ before: messages, after, ...figures }]);
    expect(after.every((message) => (messages as object[]).includes(message))).toBe(true);
  });

  it('gives `every` and `scope` to the steps that have them, unless they have their own', async () => {
    const steps = ['patch', 'filter:max-tool-calls=2'];
    expect(await sent(messages, steps, { every: 2 })).toHaveLength(7); // three calls: only two went, a whole group
    expect(await sent(messages, ['filter:max-tool-calls=2,every=1'], { every: 2 })).toHaveLength(5);
    expect(await sent(messages, steps, { scope: 'history' })).toBe(messages);
  });

  it('knows pipelines by name', async () => {
    expect(
      await sent(messages, 'short', { pipelines: { short: { steps: ['filter:max-tool-calls=1'], every: 1 } } }),
    ).toHaveLength(3);
  });

  it('throws what a provider would refuse, or warns of it once', async () => {
    await expect(sent(dangling, ['truncate'], { check: 'throw' })).rejects.toThrow(/tool-call-unanswered/);
    expect(await sent(dangling, ['patch'], { check: 'throw' })).toHaveLength(4);
    const warnings: string[] = [];
    const { request } = trim(['truncate'], { check: 'warn', warn: (text) => warnings.push(text) });
    for (let time = 0; time < 2; time++) await request({ messages: dangling });
    expect(warnings).toEqual([expect.stringContaining('tool-call-unanswered')]);
  });

  it('says once what a step could not do', async () => {
    const warnings: string[] = [];
    const { request } = trim(['fit:max-tokens=1'], { warn: (text) => warnings.push(text) });
    await request({ messages });
    await request({ messages: [...messages, question] });
    expect(warnings).toEqual([expect.stringMatching(/^fit: the least that can stay has \d+ tokens/)]);
  });

  it('lets rounds go where fit would not fit otherwise', async () => {
    const run = [question, ...['a', 'b', 'c', 'd'].flatMap(round)];
    const countTokens = (text: string) => text.length;
    const auto = await sent(run, ['fit:max-tokens=120'], { countTokens });
    expect(auto).toEqual(await sent(run, ['fit:max-tokens=120,unit=round'], { countTokens }));
    expect(auto.length).toBeLessThan(run.length);
    const warn = () => {};
    expect(await sent(run, ['fit:max-tokens=120,unit=exchange'], { countTokens, warn })).toEqual(run);
  });

  it('counts with the given counter, or exactly', async () => {
    const steps = ['fit:max-tokens=80'];
    const turns = [...messages, question, ...round('f'), question];
    const lengths = [undefined, () => 0, () => 40].map(async (countTokens) => {
      return (await sent(turns, steps, countTokens && { countTokens })).length;
    });
    const [exact, none, many] = await Promise.all(lengths);
    expect([exact! < none!, none, many! < exact!]).toEqual([true, turns.length, true]);
  });

  it.each([
    [['shorten'], {}, /no step `shorten`/],
    [['patch'], { evry: 2 }, /no option `evry`/],
    [['patch'], { every: 0 }, /`options.every` is 0; expected a whole number from 1 on/],
    [['patch'], { check: 'always' }, /`options.check`/],
  ])('rejects %j with %j at once', (steps, options, message) => {
    const attempt = () => trim(steps, options as never);
    expect(attempt).toThrow(TranscriptError);
    expect(attempt).toThrow(message);
  });

  it('names the message that it cannot read', async () => {
    await expect(sent([question, { role: 'user', content: 7 }], ['patch'])).rejects.toThrow(/messages\[1\]\.content/);
  });
});
