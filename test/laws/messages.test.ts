/**
 * The second law of every format, on messages that nobody recorded: what is written of a message reads as that message
 * again.
 */
import { describe, expect, it } from 'vitest';
import type { Format } from '../../src/formats/format.js';
import { formats } from '../../src/formats/index.js';
import type { Message, Part } from '../../src/transcript/types.js';
import { lawful } from '../shared/lawful.js';
import { LIMITS, type Limit, meaningWithin, sayable } from '../shared/limits.js';
import { BASES, editedInto, messagesFor } from '../shared/messages.js';
import { reread } from '../shared/opened.js';

describe.each(formats.map(({ id, load }) => [id, load()] as const))('%s', (id, format) => {
  const limits = LIMITS[id] ?? [];

  it('reads what it wrote of a new message', () => {
    lawful([...changesInNew(format, limits)]);
  });

  it('reads what it wrote of a message that says something else than before', () => {
    lawful([...changesInEdited(format, limits)]);
  });

  it('makes up no id for calls and results without one', () => {
    const ids = withoutIds(format, limits).flatMap(({ parts }) =>
      parts.map((part) => (part.type === 'call' || part.type === 'result' ? part.callId : undefined)),
    );
    expect(ids.filter(Boolean)).toEqual([]);
  });

  it.each(limits.map((limit) => [limit.why, limit] as const))('cannot say more: %s', (_, limit) => {
    const others = limits.filter((other) => other !== limit);
    expect(firstOf(changesInNew(format, others)) ?? firstOf(changesInEdited(format, others))).toBeDefined();
  });
});

function* changesInNew(format: Format, limits: readonly Limit[]): Iterable<string> {
  for (const [name, message] of allFor(format)) yield* changeIn(message, name, format, limits);
}

function* changesInEdited(format: Format, limits: readonly Limit[]): Iterable<string> {
  for (const kind of messagesFor(format.traits).values())
    for (const [from, message] of kind) {
      if (!BASES.has(from) || sayable(message, limits) === undefined) continue;
      const base = reread(message, format);
      for (const [to, next] of kind) yield* changeIn(editedInto(base, next), `${from} → ${to}`, format, limits);
    }
}

/** What is read of messages with one call or result that has no id. */
function withoutIds(format: Format, limits: readonly Limit[]): Message[] {
  const bare = (part: Part): Part =>
    part.type === 'call' || part.type === 'result' ? { ...part, callId: undefined } : part;
  return allFor(format).flatMap(([name, message]) =>
    LONE.has(name) && sayable(message, limits) !== undefined
      ? [reread({ ...message, parts: message.parts.map(bare) }, format)]
      : [],
  );
}

const LONE: ReadonlySet<string> = new Set(['call ["One."]', 'call []', 'result ["One."]', 'result ["One."] error']);

/** What a message reads as, where that is not what it said. */
function* changeIn(message: Message, name: string, format: Format, limits: readonly Limit[]): Iterable<string> {
  const said = meaningWithin(message, limits);
  if (said === undefined) return;
  const read = meaningWithin(reread(message, format), limits);
  if (read !== said) yield `${name}: ${said} was read as ${read}`;
}

function allFor(format: Format): [string, Message][] {
  return [...messagesFor(format.traits).values()].flatMap((kind) => [...kind]);
}

function firstOf<T>(items: Iterable<T>): T | undefined {
  for (const item of items) return item;
  return undefined;
}
