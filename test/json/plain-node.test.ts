/** Nodes over JavaScript values say what nodes over their JSON say. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { patch, patchItems } from '../../src/json/edit.js';
import { type JsonNode, parse } from '../../src/json/node.js';
import { PlainNode } from '../../src/json/plain-node.js';
import { plainOf } from '../../src/json/plain-value.js';
import { printed } from '../../src/json/print.js';
import { Keys } from '../../src/json/strings.js';
import { runs } from '../shared/random-runs.js';

const NAMES = ['role', 'content', 'a', '__proto__', 'constructor', ''];
const KEYS = new Keys(NAMES);
const value = fc.jsonValue({ maxDepth: 4 });
const named = fc.dictionary(fc.constantFrom(...NAMES), fc.jsonValue({ maxDepth: 2 }));
const any = fc.oneof(value, named, fc.array(named));

it('reads the same members, elements, texts and numbers', () => {
  fc.assert(
    fc.property(any.map(JSON.stringify), (text) => {
      expect(shown(PlainNode.root(JSON.parse(text)))).toEqual(shown(parse(text)));
    }),
    runs(0.05),
  );
});

it('leaves out what JSON leaves out', () => {
  const given = { a: undefined, b: () => 1, c: Symbol('c'), d: Number.NaN, e: [undefined], f: new Date(0) };
  const node = PlainNode.root(given);
  expect(node.members().map(({ key, value }) => [key.text, value.kind, value.text])).toEqual([
    ['d', 'null', 'null'],
    ['e', 'array', '[null]'],
    ['f', 'string', '1970-01-01T00:00:00.000Z'],
  ]);
  expect([node.get('a'), node.get('toString')]).toEqual([undefined, undefined]);
  expect(node.get('e')!.items()[0]!.isNull).toBe(true);
  expect(
    PlainNode.root({ data: new Uint8Array(3) })
      .get('data')!
      .members(),
  ).toEqual([]);
});

it('knows whether anything that was read has changed', () => {
  const given: Record<string, unknown> = { role: 'user', content: [{ type: 'text', text: 'a' }], n: Number.NaN };
  const change = (edit: (copy: Record<string, unknown>) => void) => {
    const copy = structuredClone({ ...given, n: 1 }) as Record<string, unknown>;
    const node = PlainNode.root(copy);
    shown(node);
    expect(node.isUnchanged()).toBe(true);
    edit(copy);
    return node.isUnchanged();
  };
  const block = (copy: Record<string, unknown>) => (copy['content'] as Record<string, unknown>[])[0]!;
  expect(change(() => {})).toBe(true);
  expect(change((copy) => Object.assign(copy, { role: 'tool' }))).toBe(false);
  expect(change((copy) => Object.assign(copy, { name: 'x' }))).toBe(false);
  expect(change((copy) => delete copy['n'])).toBe(false);
  expect(change((copy) => Object.assign(block(copy), { text: 'b' }))).toBe(false);
  expect(change((copy) => Object.assign(block(copy), { extra: 1 }))).toBe(false);
  expect(change((copy) => (copy['content'] as unknown[]).push('more'))).toBe(false);
  expect(change((copy) => Object.assign(copy, { content: structuredClone(copy['content']) }))).toBe(false);
});

it('edits a copy that keeps the prototype, hidden members and everything that was not edited', () => {
  class Message {
    readonly hidden!: string;
    constructor(readonly content: unknown) {
      Object.defineProperty(this, 'hidden', { value: 'h', enumerable: false });
    }
    get length() {
      return String(this.content).length;
    }
  }
  const blocks = [{ type: 'text', text: 'a' }, new Date(5)];
  const message = new Message(blocks);
  const node = PlainNode.root(message);
  const items = node.get('content')!.items();
  const edited = plainOf(
    patch(node, { content: patchItems(node.get('content')!, [patch(items[0]!, { text: 'b' }), items[1]!]) }),
  ) as Message;
  expect(edited).toBeInstanceOf(Message);
  expect(edited.hidden).toBe('h');
  expect(edited.content).toEqual([{ type: 'text', text: 'b' }, new Date(5)]);
  expect((edited.content as unknown[])[1]).toBe(blocks[1]);
  expect(message.content).toBe(blocks);
  expect(blocks[0]).toEqual({ type: 'text', text: 'a' });
  expect(plainOf(patch(node, { content: node.get('content') }))).toBe(message);
  expect(Object.hasOwn(plainOf(patch(node, { ['__proto__']: 1, content: undefined })) as object, 'content')).toBe(
    false,
  );
});

it('prints as its JSON', () => {
  fc.assert(
    fc.property(named, fc.jsonValue({ maxDepth: 1 }), (given, role) => {
      const edit = (node: JsonNode) => JSON.parse(printed(patch(node, { role: role as string, content: undefined })));
      expect(edit(PlainNode.root(JSON.parse(JSON.stringify(given))))).toEqual(edit(parse(JSON.stringify(given))));
    }),
    runs(0.02),
  );
});

/** All that a node says about itself. */
function shown(node: JsonNode): unknown {
  const got = NAMES.map((name) => node.get(name)?.text);
  const found = [...node.find(KEYS)];
  return {
    got,
    kind: [node.kind, node.isObject, node.isArray, node.isString, node.isNull, node.length],
    text: node.isString ? node.text : JSON.parse(node.text),
    scalars: [node.string, node.number, node.boolean],
    members: node.members().map(({ key, value }) => [key.text, shown(value)]),
    items: node.items().map(shown),
    first: node.items(1).length,
    found: found.map((at) => [node.nodeAt(at)?.text, node.stringAt(at), node.numberAt(at), node.isAt(at)]),
    named: found.map((at) => node.nameAt(at, KEYS)),
    is: NAMES.every((name) => node.get(name) === undefined || node.get(name)!.is(node.get(name))),
    encloses: node.items().every((item) => node.encloses(item) && !item.encloses(node)),
  };
}
