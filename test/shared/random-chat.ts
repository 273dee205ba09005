/** Random recordings: chat messages sound and broken, in every spelling of JSON and every container. */
import fc from 'fast-check';
import { anyText } from './any-text.js';
import type { ChatMessage } from './valid-chat.js';

export type Loose = ChatMessage & { readonly [key: string]: unknown };

const IDS = ['a', 'b', 'c', 'call_1'];
const TOOLS = ['search', 'search_web', 'read'];

const words = fc.oneof(
  { weight: 4, arbitrary: fc.lorem({ maxCount: 8 }) },
  anyText(12),
  fc.constantFrom(
    '',
    '日本語のテキスト',
    '中文。',
    '👨‍👩‍👧‍👦é\r\n"\\/',
    '\ud83d',
    'x'.repeat(1300),
    '東京の天気は晴れ。'.repeat(160),
  ),
);
const textPart = words.map((text) => ({ type: 'text', text }));
const imagePart = fc.constant({ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } });
const parts = fc.array(fc.oneof({ weight: 3, arbitrary: textPart }, imagePart), { maxLength: 3 });
/** undefined: the key is absent. */
const content = fc.oneof({ weight: 6, arbitrary: words }, fc.constant(null), fc.constant(undefined), parts);
const extras = fc.oneof(
  { weight: 3, arbitrary: fc.constant({}) },
  fc.dictionary(fc.constantFrom('x', 'usage', 'ts', 'é'), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 2 }),
);

const call = (id: fc.Arbitrary<string>) =>
  fc.record({
    id,
    type: fc.constant('function'),
    function: fc.record({
      name: fc.constantFrom(...TOOLS),
      arguments: fc.constantFrom('{}', '{"q":"x", "n":1.0}', '{broken', ''),
    }),
  });
const result = (id: string | undefined) =>
  fc.tuple(content, extras).map(([text, more]): Loose => ({ role: 'tool', tool_call_id: id, content: text, ...more }));

const spoken = fc
  .tuple(fc.constantFrom('user', 'user', 'user', 'system', 'developer', 'assistant'), content, extras)
  .map(([role, text, more]): Loose => ({ role, content: text ?? '', ...more }));
const emptyCalls = fc.constant<Loose>({ role: 'assistant', content: 'x', tool_calls: null });

/** A message with calls whose ids differ, and all its results in any order. */
const exchange = fc.subarray(IDS, { minLength: 1, maxLength: 3 }).chain((ids) =>
  fc
    .tuple(
      content,
      fc.tuple(...ids.map((id) => call(fc.constant(id)))),
      fc.shuffledSubarray(ids, { minLength: ids.length }).chain((order) => fc.tuple(...order.map(result))),
    )
    .map(([text, calls, results]): Loose[] => [{ role: 'assistant', content: text, tool_calls: calls }, ...results]),
);
const openCall = fc
  .tuple(content, fc.array(call(fc.constantFrom(...IDS, '')), { minLength: 1, maxLength: 3 }))
  .map(([text, calls]): Loose => ({ role: 'assistant', content: text, tool_calls: calls }));
const strayResult = fc.constantFrom(...IDS, '', undefined).chain(result);

/** Every call answered once and in its place; the last one may still wait. */
export const validMessages = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: exchange },
      fc.tuple(fc.oneof(spoken, emptyCalls)).map((one) => [...one]),
    ),
    { maxLength: 8 },
  )
  .map((groups) => groups.flat());
export const brokenMessages = fc
  .array(
    fc.oneof(
      exchange,
      fc.tuple(openCall).map((one) => [...one]),
      fc.tuple(strayResult).map((one) => [...one]),
      fc.tuple(spoken).map((one) => [...one]),
    ),
    { maxLength: 9 },
  )
  .map((groups) => groups.flat());

/**
 * The same in Gemini's contents, without ids: calls and results pair by name and order, and the results of a message
 * share one.
 */
export const idlessContents = validMessages.map((messages) => {
  const contents: { role: string; parts: unknown[] }[] = [{ role: 'user', parts: [{ text: 'Hello.' }] }];
  let names = new Map<unknown, string>();
  for (const { role, content, tool_calls: calls, tool_call_id: id } of messages) {
    const texts =
      typeof content === 'string'
        ? [{ text: content }]
        : Array.isArray(content)
          ? content.map((part: { text?: string }) =>
              part.text === undefined
                ? { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }
                : { text: part.text },
            )
          : [];
    if (role === 'tool') {
      const part = {
        functionResponse: { name: names.get(id), response: { result: typeof content === 'string' ? content : '' } },
      };
      const last = contents.at(-1)!;
      if (last.parts.some((one) => 'functionResponse' in (one as object))) last.parts.push(part);
      else contents.push({ role: 'user', parts: [part] });
      continue;
    }
    const made = (calls ?? []) as readonly { id: string; function: { name: string; arguments: string } }[];
    names = new Map(made.map((call) => [call.id, call.function.name]));
    const thought = made.length === 2 ? [{ text: 'I think.', thought: true }] : [];
    contents.push({
      role: role === 'assistant' ? 'model' : 'user',
      parts: [
        ...thought,
        ...texts,
        ...made.map((call) => ({
          functionCall: {
            name: call.function.name,
            args: call.function.arguments.startsWith('{"') ? { q: 'x', n: 1 } : {},
          },
        })),
      ],
    });
  }
  return contents.map((one, at) => ({ ...one, at })); // no message equals another
});

// --- spelling

export interface Spelling {
  readonly seed: number;
  readonly indent: string;
  readonly lineBreak: string;
  readonly spaces: boolean;
  readonly ascii: boolean;
}

export const spelling: fc.Arbitrary<Spelling> = fc.record({
  seed: fc.nat(),
  indent: fc.constantFrom('', '', ' ', '  ', '    ', '\t'),
  lineBreak: fc.constantFrom('\n', '\r\n'),
  spaces: fc.boolean(),
  ascii: fc.boolean(),
});

/** JSON in a spelling: key order, spaces, line breaks, escapes and numbers as the seed has it. */
export function spell(value: unknown, how: Spelling): string {
  let state = how.seed;
  const chance = (odds: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff < odds;
  };
  const space = () => (how.spaces && chance(0.2) ? ' ' : '');
  const text = (string: string) => {
    const quoted = JSON.stringify(string).replaceAll('/', () => (chance(0.3) ? '\\/' : '/'));
    return quoted.replace(/[\u0080-\uffff]/g, (unit) =>
      how.ascii && !/[\ud800-\udfff]/.test(unit) ? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}` : unit,
    );
  };
  const write = (item: unknown, depth: number): string => {
    if (typeof item === 'string') return text(item);
    if (typeof item === 'number' && Number.isInteger(item) && chance(0.3))
      return `${Object.is(item, -0) ? '-0' : item}${Math.abs(item) < 1e15 ? '.0' : ''}`;
    if (item === null || typeof item !== 'object') return JSON.stringify(item);
    const inner = how.indent === '' ? '' : how.lineBreak + how.indent.repeat(depth + 1);
    const outer = how.indent === '' ? '' : how.lineBreak + how.indent.repeat(depth);
    const entries = Array.isArray(item)
      ? item.map((element) => write(element, depth + 1))
      : keysOf(item).map(([key, member]) => `${text(key)}${space()}:${space()}${write(member, depth + 1)}`);
    const [open, close] = Array.isArray(item) ? '[]' : '{}';
    return entries.length === 0
      ? `${open}${space()}${close}`
      : open + inner + space() + entries.join(`${space()},${inner}${space()}`) + space() + outer + close;
  };
  const keysOf = (object: object) => {
    const entries = Object.entries(object).filter(([, member]) => member !== undefined);
    return chance(0.3) ? entries.reverse() : entries;
  };
  return write(value, 0);
}

// --- containers

export type Container = 'array' | 'object' | 'nested' | 'dataset' | 'lines of messages' | 'lines of transcripts';

export const container = fc.constantFrom<Container>(
  'array',
  'object',
  'nested',
  'dataset',
  'lines of messages',
  'lines of transcripts',
);

/** A recording that holds these transcripts; of containers that hold one, only the first. */
export function recordingOf(
  transcripts: readonly (readonly Loose[])[],
  kind: Container,
  how: Spelling,
  mark: boolean,
  end: string,
): string {
  const line = { ...how, indent: '' };
  const [first = []] = transcripts;
  const body = () => {
    if (kind === 'array') return spell(first, how);
    if (kind === 'object') return spell({ id: 1, messages: first, temperature: 1 }, how);
    if (kind === 'nested') return spell({ data: { messages: first, n: 0 }, messages_count: first.length }, how);
    if (kind === 'dataset')
      return spell(
        transcripts.map((messages, id) => ({ id, traj: messages })),
        how,
      );
    if (kind === 'lines of messages')
      return first.map((message, index) => spell(message, { ...line, seed: how.seed + index })).join(how.lineBreak);
    return transcripts
      .map((messages, id) => spell({ id, messages }, { ...line, seed: how.seed + id }))
      .join(how.lineBreak + (how.spaces ? how.lineBreak : ''));
  };
  return (mark ? '\ufeff' : '') + body() + end;
}

export function recording(messages: fc.Arbitrary<Loose[]>): fc.Arbitrary<string> {
  const sure: Loose = { role: 'user', content: 'Hello.' };
  const transcripts = fc
    .array(messages, { minLength: 1, maxLength: 3 })
    .map(([first, ...rest]) => [[sure, ...first!], ...rest].map(numbered));
  return fc
    .tuple(transcripts, container, spelling, fc.boolean(), fc.constantFrom('', '\n', '\r\n\r\n', ' '))
    .map((all) => recordingOf(...all));
}

/** No message equals another: what is found again is the same one. */
function numbered(messages: readonly Loose[], transcript: number): Loose[] {
  return messages.map((message, at) => ({ ...message, at: `${transcript}:${at}` }));
}
