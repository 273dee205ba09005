/** Reasoning of chat messages, which may stand in several members at once. */
import { describe, expect, it } from 'vitest';
import format from '../../src/formats/openai/openai-chat.js';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import { textOf } from '../../src/transcript/text.js';
import type { Part } from '../../src/transcript/types.js';
import { rewriteText } from '../shared/rewrite-text.js';

const said = { role: 'assistant', content: 'a' };
const read = (more: object) => format.read(parse(JSON.stringify({ ...said, ...more })), false);
const thoughtsOf = (more: object) =>
  read(more).parts.flatMap((part) => (part.type === 'thinking' ? [textOf(part.text)] : []));
/** The message with other thoughts: by their text, the text that they have now; those without one go. */
const written = (more: object, now: Readonly<Record<string, string>>, own: object = {}) => {
  const message = read(more);
  const parts = message.parts.flatMap((part): Part[] => {
    if (part.type !== 'thinking') return [part];
    const text = now[textOf(part.text)];
    return text === undefined ? [] : [textOf(part.text) === text ? part : { ...part, text }];
  });
  return JSON.parse(printed(format.write({ ...message, ...own, parts })));
};

const detail = (text: string) => ({ type: 'reasoning.text', text, signature: 's' });
const summary = { type: 'reasoning.summary', summary: 'S' };
const encrypted = { type: 'reasoning.encrypted', data: 'g' };
const block = (thinking: string) => ({ type: 'thinking', thinking, signature: 's' });
const redacted = { type: 'redacted_thinking', data: 'g' };

describe('reasoning', () => {
  it.each<[object, readonly string[]]>([
    [{ reasoning: 'T', reasoning_content: 'T' }, ['T']],
    [{ reasoning: 'T', reasoning_content: 'U' }, ['T', 'U']],
    [{ thinking: 'T', tool_calls: [] }, ['T']],
    [{ reasoning: 'T', reasoning_details: [detail('T')] }, ['T']],
    [{ reasoning: '', reasoning_content: null, reasoning_details: [summary, encrypted] }, ['S']],
    [{ reasoning_details: [encrypted, encrypted] }, ['']],
    [{ reasoning_details: [{ ...summary, type: 'x' }, detail('T')] }, ['S', 'T']],
    [{ thinking_blocks: [block('T'), redacted] }, ['T']],
    [{ reasoning_details: [], thinking_blocks: [block('T')] }, ['T']],
    [{ reasoning_details: [detail('T')], thinking_blocks: [block('T')] }, ['T']],
    [{ reasoning: 5, reasoning_details: ['x'], thinking_blocks: 'x' }, []],
  ])('of %j is read once', (more, thoughts) => {
    expect(thoughtsOf(more)).toEqual(thoughts);
  });

  it.each<object>([
    { thinking: 'T' },
    { reasoning: 'T', reasoning_content: 'T' },
    { reasoning: 'T', reasoning_details: [detail('T'), encrypted] },
    { reasoning_details: [summary, encrypted], provider_specific_fields: { reasoning_details: [summary] } },
    { reasoning_content: 'T', thinking_blocks: [block('T')], reasoning_items: [{ id: 'rs' }] },
    { thinking_blocks: [block('T'), redacted] },
    { reasoning_details: [encrypted, encrypted] },
  ])('of %j stays, or goes from all places', (more) => {
    expect(written(more, { T: 'T', S: 'S', '': '' })).toEqual({ ...said, ...more });
    const { provider_specific_fields: extra } = more as { provider_specific_fields?: object };
    expect(written(more, {})).toEqual({ ...said, ...(extra === undefined ? {} : { provider_specific_fields: {} }) });
  });

  it('that changes does so in each text, and blocks that repeat it go', () => {
    const change = (more: object) => written(more, { T: 'N', U: 'U', S: 'M' });
    expect(change({ reasoning: 'T', reasoning_content: 'T' })).toEqual({
      ...{ ...said, reasoning: 'N', reasoning_content: 'N' },
    });
    expect(change({ reasoning: 'T', reasoning_content: 'U' })).toEqual({
      ...{ ...said, reasoning: 'N', reasoning_content: 'U' },
    });
    expect(change({ reasoning: 'T', reasoning_details: [detail('T')] })).toEqual({ ...said, reasoning: 'N' });
    expect(change({ reasoning_details: [summary, encrypted], thinking_blocks: [block('S')] })).toEqual({
      ...{ ...said, reasoning_details: [{ ...summary, summary: 'M' }, encrypted] },
    });
  });

  it('of which some goes leaves the rest', () => {
    const more = { reasoning_details: [summary, detail('T'), encrypted] };
    expect(written(more, { T: 'T' })).toEqual({ ...said, reasoning_details: [detail('T'), encrypted] });
  });

  it('that is encrypted is no text of a message that is written anew', () => {
    const { raw: _, ...message } = read({ reasoning_details: [encrypted] });
    expect(JSON.parse(printed(format.write(message)))).toEqual(said);
  });

  it('is an empty text where the server wants one', () => {
    const empty = { emptyReasoning: true };
    expect(written({ reasoning: 'T', reasoning_content: 'T', reasoning_details: [detail('T')] }, {}, empty)).toEqual({
      ...{ ...said, reasoning_content: '' },
    });
  });

  it('leaves other members of the provider', () => {
    const more = { reasoning_content: 'T', provider_specific_fields: { a: 1, reasoning_content: 'T' } };
    expect(written(more, {})).toEqual({ ...said, provider_specific_fields: { a: 1 } });
  });

  it('goes with prune', () => {
    const history = `[{"role":"user","content":"a"},${JSON.stringify({ ...said, reasoning_details: [encrypted] })}]`;
    expect(rewriteText(history, 'prune', { reasoning: true })).toBe(
      '[{"role":"user","content":"a"},{"role":"assistant","content":"a"}]',
    );
  });
});
