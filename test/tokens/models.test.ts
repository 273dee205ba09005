/** Transforms beside models of them, written from what SPEC.md says and sharing nothing with the code. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { brokenMessages, type Loose, validMessages } from '../shared/random-chat.js';
import { runs } from '../shared/random-runs.js';
import { rewriteText } from '../shared/rewrite-text.js';

function transformed(messages: readonly Loose[], id: string, options: Readonly<Record<string, unknown>>): Loose[] {
  return JSON.parse(rewriteText(JSON.stringify([HELLO, ...messages]), id, options)).slice(1) as Loose[];
}

/** Makes sure that the list is one of messages. */
const HELLO = { role: 'user', content: 'Hello.' };

const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as Loose[];
const callsOf = (message: Loose) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []);

/** A message that lost calls: without the key where none is left, and gone where it says nothing. */
function withCalls(message: Loose, calls: Loose['tool_calls'] & object): Loose[] {
  if (calls.length > 0) return [{ ...message, tool_calls: calls }];
  const { tool_calls: _, ...rest } = message;
  return speaks(message.content) ? [rest] : [];
}

function speaks(content: unknown): boolean {
  if (Array.isArray(content))
    return content.some((part: { type: string; text?: string }) => part.type !== 'text' || part.text !== '');
  return typeof content === 'string' && content !== '';
}

it('filter keeps the last N results and their calls', () => {
  const model = (messages: readonly Loose[], limit: number): Loose[] => {
    const results = messages.flatMap(({ role }, index) => (role === 'tool' ? [index] : []));
    const dropped = new Set(results.slice(0, Math.max(0, results.length - limit)));
    return messages.flatMap((message, index) => {
      if (dropped.has(index)) return [];
      const calls = callsOf(message);
      const left = calls.filter(({ id }) => {
        let at = index + 1; // its result stands in the run right behind it
        while (messages[at]!.tool_call_id !== id) at++;
        return !dropped.has(at);
      });
      return left.length === calls.length ? [message] : withCalls(message, left);
    });
  };
  fc.assert(
    fc.property(validMessages.map(plain), fc.nat({ max: 6 }), (messages, limit) => {
      expect(transformed(messages, 'filter', { maxToolCalls: limit })).toEqual(model(messages, limit));
    }),
    runs(1 / 20),
  );
});

it('filter keeps the last N rounds', () => {
  const model = (messages: readonly Loose[], limit: number): Loose[] => {
    const rounds = messages.flatMap((message, index) => (callsOf(message).length > 0 ? [index] : []));
    const dropped = new Set(rounds.slice(0, Math.max(0, rounds.length - limit)));
    let round = -1;
    return messages.flatMap((message, index) => {
      if (message.role !== 'tool') round = index;
      if (!dropped.has(round)) return [message];
      return message.role === 'tool' ? [] : withCalls(message, []);
    });
  };
  fc.assert(
    fc.property(validMessages.map(plain), fc.nat({ max: 4 }), (messages, limit) => {
      expect(transformed(messages, 'filter', { maxToolCalls: limit, unit: 'round' })).toEqual(model(messages, limit));
    }),
    runs(1 / 20),
  );
});

it('strip leaves what carries no tool traffic, and appends one prompt', () => {
  fc.assert(
    fc.property(brokenMessages.map(plain), fc.boolean(), (messages, keepText) => {
      const rest = messages.flatMap((message) =>
        message.role === 'tool'
          ? []
          : callsOf(message).length === 0
            ? [message]
            : keepText
              ? withCalls(message, [])
              : [],
      );
      expect(transformed(messages, 'strip', { keepText })).toEqual(rest);
      expect(transformed(messages, 'strip', { keepText, retryPrompt: 'Again?' })).toEqual([
        ...rest,
        { role: 'user', content: 'Again?' },
      ]);
    }),
    runs(1 / 20),
  );
});

it('truncate cuts each result to what the limit allows, and nothing else', () => {
  const graphemes = (text: string) => [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)].length;
  const textOf = (content: unknown) =>
    Array.isArray(content)
      ? content.map(({ text }: { text?: string }) => text ?? '').join('')
      : typeof content === 'string'
        ? content
        : '';
  fc.assert(
    fc.property(brokenMessages.map(plain), fc.constantFrom(1000, 1100, 60, 100), (messages, limit) => {
      const output = transformed(messages, 'truncate', { maxLength: limit, noMinimum: true });
      expect(output.length).toBe(messages.length);
      output.forEach((message, index) => {
        const before = messages[index]!;
        const length = graphemes(textOf(before.content));
        if (message.role !== 'tool' || length <= limit) expect(message).toEqual(before);
        else {
          const text = textOf(message.content);
          const note = `[result truncated, original length: ${length} chars]`;
          expect(graphemes(text)).toBeLessThanOrEqual(limit);
          expect(text.endsWith(`...\n${note}`)).toBe(true);
          expect(textOf(before.content).startsWith(text.slice(0, -note.length - 4))).toBe(true);
          expect({ ...message, content: 0 }).toEqual({ ...before, content: 0 });
        }
      });
    }),
    runs(1 / 20),
  );
});

it('patch loses no result whose call is there, no call, and not a word', () => {
  /** Each result says its own number, so that it is known again. */
  const numbered = brokenMessages.map((messages) =>
    plain(messages).map((message, index) =>
      message.role === 'tool' ? { ...message, content: `result ${index}` } : message,
    ),
  );
  fc.assert(
    fc.property(numbered, (messages) => {
      const output = transformed(messages, 'patch', {});
      const silent = ({ role }: Loose) => role !== 'tool';
      expect(output.filter(silent).map((message) => ({ ...message, tool_calls: callsOf(message).length }))).toEqual(
        messages.filter(silent).map((message) => ({ ...message, tool_calls: callsOf(message).length })),
      );
      const told = output.filter(({ role }) => role === 'tool').map(({ content }) => content as string);
      const real = told.filter((content) => /^result \d+$/.test(content));
      expect(new Set(real).size).toBe(real.length);
      const open = output.flatMap((message) =>
        message.role === 'tool' && !/^result \d+$/.test(message.content as string) ? [message.tool_call_id!] : [],
      );
      expect(told.length - real.length).toBe(open.length);
      messages.forEach((message, index) => {
        if (message.role !== 'tool' || !message.tool_call_id || real.includes(`result ${index}`)) return;
        // Lost: then every call that it could have answered has a result of its own. Those before it come first.
        const callsWithin = (some: readonly Loose[]) =>
          some.flatMap((other) => callsOf(other).filter(({ id }) => id === message.tool_call_id)).length;
        const answered = real.filter(
          (content) => messages[Number(content.slice('result '.length))]!.tool_call_id === message.tool_call_id,
        ).length;
        expect(answered).toBeGreaterThanOrEqual(callsWithin(messages.slice(0, index)) || callsWithin(messages));
      });
    }),
    runs(2 / 20),
  );
});
