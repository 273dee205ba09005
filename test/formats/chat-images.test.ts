/** Pictures beside the content of chat messages: Ollama's in base64, and OpenRouter's blocks. */
import { describe, expect, it } from 'vitest';
import format from '../../src/formats/openai/openai-chat.js';
import { mediaOf } from '../../src/formats/shared/media.js';
import { PIXEL } from '../../src/formats/shared/pixel.js';
import { parse } from '../../src/json/node.js';
import { printed } from '../../src/json/print.js';
import type { Part } from '../../src/transcript/types.js';
import { rewriteText } from '../shared/rewrite-text.js';

const PNG = PIXEL.slice(PIXEL.indexOf(',') + 1);
const GIF = Buffer.from('GIF89a').toString('base64');
const drawn = { type: 'image_url', image_url: { url: PIXEL } };
const read = (message: object) => format.read(parse(JSON.stringify(message)), false);
const toJson = (message: Parameters<typeof format.write>[0]) => JSON.parse(printed(format.write(message)));
const typesOf = ({ parts }: { readonly parts: readonly Part[] }) =>
  parts.map((part) => (part.type === 'result' ? part.content.map(({ type }) => type) : part.type));

describe('pictures beside the content', () => {
  it.each<[object, readonly unknown[]]>([
    [{ role: 'user', content: 'a', images: [PNG, GIF] }, ['text', 'media', 'media']],
    [{ role: 'assistant', content: 'a', images: [drawn] }, ['text', 'media']],
    [{ role: 'tool', tool_call_id: 'c', content: 'a', images: [PNG] }, [['text', 'media']]],
    [{ role: 'user', content: 'a', images: ['', 5, { type: 'x' }] }, ['text']],
    [{ role: 'user', content: 'a', images: null }, ['text']],
    [{ role: 'user', content: 'a', images: PNG }, ['text']],
  ])('of %j are read, and stay where they stand', (json, types) => {
    const message = read(json);
    expect(typesOf(message)).toEqual(types);
    const parts = message.parts.map((part): Part => (part.type === 'text' ? { ...part, text: 'b' } : part));
    expect(toJson({ ...message, parts })).toEqual(typesOf(message)[0] === 'text' ? { ...json, content: 'b' } : json);
  });

  it('go one by one, or with their list', () => {
    const user = { role: 'user', content: 'a', images: [PNG, GIF] };
    const { parts, ...message } = read(user);
    expect(toJson({ ...message, parts: parts.filter((part) => part !== parts[1]) })).toEqual({
      ...user,
      images: [GIF],
    });
    expect(toJson({ ...message, parts: parts.slice(0, 1) })).toEqual({ role: 'user', content: 'a' });
  });

  it('of a result go with it', () => {
    const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };
    const history = (more: object) =>
      JSON.stringify([
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c', content: 'a', ...more },
      ]);
    expect(rewriteText(history({ images: [PNG] }), 'prune', { images: true })).toBe(history({}));
  });

  it('stand beside the content of a message that is written anew, too', () => {
    for (const json of [
      { role: 'user', content: 'a', images: [PNG] },
      { role: 'tool', tool_call_id: 'c', content: 'a', images: [PNG] },
    ]) {
      const { raw: _, ...message } = read(json);
      expect(toJson(message)).toEqual(json);
    }
  });

  it('have the type of their bytes', () => {
    const media = (text: string) => mediaOf({ type: 'media', kind: 'image', raw: parse(JSON.stringify(text)) });
    expect(media(GIF)).toEqual({ kind: 'image', type: 'image/gif', base64: GIF });
    expect(media(PIXEL)).toEqual({ kind: 'image', type: 'image/png', base64: PNG });
    expect(media('picture.png')).toBeUndefined();
  });
});
