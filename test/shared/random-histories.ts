/**
 * Seeded random histories by format: dangling, orphan, late, second and early results, ids used again, contents of
 * every kind.
 */

/** A number below `end`, from 0. */
export type Random = (end: number) => number;

/** The same numbers for the same seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  return (end) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  };
}

type Content = string | readonly string[] | null | undefined;
export type Turn =
  | { readonly who: 'user'; readonly content: Content }
  | { readonly who: 'assistant'; readonly content: Content; readonly calls: readonly Call[] }
  | { readonly who: 'tool'; readonly results: readonly Result[]; readonly says: Content };
interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: object;
}
interface Result {
  readonly id: string;
  readonly name: string;
  readonly content: Content;
}
type Json = unknown;

const TEXTS = ['', ' ', 'Go on.', 'actually stop', '日本語 "x"\n', 'x'.repeat(1200), '{"a":1}'];
const NAMES = ['search', 'read_file', 'run'];
const IDS = ['a1', 'b2', 'c3', 'd4'];

function turnsFrom(random: Random): Turn[] {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!;
  const content = (): Content =>
    random(3) > 0
      ? pick(TEXTS)
      : pick([null, undefined, [], [pick(TEXTS)], [pick(TEXTS), pick(TEXTS)]] as readonly Content[]);
  const turns: Turn[] = [];
  const waiting: Call[] = [];
  for (let left = 1 + random(8); left > 0; left--) {
    const kind = random(10);
    if (kind < 3) turns.push({ who: 'user', content: content() });
    else if (kind < 7) {
      const calls = Array.from(
        { length: random(4) },
        (): Call => ({ id: pick(IDS), name: pick(NAMES), input: pick([{}, { q: 'x', n: 1 }]) }),
      );
      turns.push({ who: 'assistant', content: content(), calls });
      waiting.push(...calls);
      if (random(3) === 0) continue;
      const answered = calls.filter(() => random(5) > 0).map(({ id, name }) => ({ id, name, content: content() }));
      if (answered.length > 0)
        turns.push({ who: 'tool', results: answered, says: random(4) === 0 ? content() : undefined });
    } else {
      const { id, name } =
        random(3) === 0 || waiting.length === 0 ? { id: pick(IDS), name: pick(NAMES) } : pick(waiting);
      turns.push({ who: 'tool', results: [{ id, name, content: content() }], says: undefined });
    }
  }
  return turns;
}

const SYSTEM = 'Be brief.';

/** The formats of random histories. */
export const HISTORY_FORMATS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini-contents'] as const;

/** A record of the format that holds these turns. */
export function historyOf(format: string, turns: readonly Turn[], withIds: boolean): Json {
  return WRITERS[format]!(turns, true, withIds);
}

/** A record of the format that holds one random history, as its API would take it but for what is random. */
export function randomHistory(format: string, seed: number): Json {
  const random = randomFrom(seed);
  const turns = turnsFrom(random);
  const system = random(2) === 0;
  return WRITERS[format]!(turns, system, random(2) === 0);
}

const WRITERS: Readonly<Record<string, (turns: readonly Turn[], system: boolean, withIds: boolean) => Json>> = {
  'openai-chat': (turns, system) => ({
    model: 'gpt-4o',
    messages: [
      ...(system ? [{ role: 'system', content: SYSTEM }] : []),
      ...turns.flatMap((turn): Json[] => {
        const said = listed(turn.who === 'tool' ? turn.says : turn.content, (text) => ({ type: 'text', text }));
        if (turn.who === 'user') return [{ role: 'user', content: filled(said) }];
        if (turn.who === 'assistant')
          return [
            {
              role: 'assistant',
              content: Array.isArray(said) && said.length === 0 ? '' : said,
              ...(turn.calls.length === 0
                ? {}
                : {
                    tool_calls: turn.calls.map(({ id, name, input }) => ({
                      id,
                      type: 'function',
                      function: { name, arguments: JSON.stringify(input) },
                    })),
                  }),
            },
          ];
        return turn.results.map(({ id, content }) => ({
          role: 'tool',
          tool_call_id: id,
          content: filled(listed(content, (text) => ({ type: 'text', text }))),
        }));
      }),
    ],
  }),
  'openai-responses': (turns, system) => ({
    model: 'gpt-4o',
    ...(system ? { instructions: SYSTEM } : {}),
    input: turns.flatMap((turn): Json[] => {
      if (turn.who === 'user')
        return [
          {
            ...(turns.length % 2 === 0 ? { type: 'message' } : {}),
            role: 'user',
            content: listed(turn.content, (text) => ({ type: 'input_text', text })) ?? '',
          },
        ];
      if (turn.who === 'assistant') {
        const said = listed(turn.content, (text) => ({ type: 'output_text', text, annotations: [] }));
        return [
          ...(said === undefined || said === null ? [] : [{ type: 'message', role: 'assistant', content: said }]),
          ...turn.calls.map(({ id, name, input }) => ({
            type: 'function_call',
            call_id: id,
            name,
            arguments: JSON.stringify(input),
          })),
        ];
      }
      return turn.results.map(({ id, content }) => ({
        type: 'function_call_output',
        call_id: id,
        output: listed(content, (text) => ({ type: 'input_text', text })) ?? '',
      }));
    }),
  }),
  'anthropic-messages': (turns, system) => ({
    model: 'claude-sonnet-4-5',
    max_tokens: 1024,
    ...(system ? { system: SYSTEM } : {}),
    messages: turns.map((turn): Json => {
      const block = (text: string) => ({ type: 'text', text });
      if (turn.who === 'user') return { role: 'user', content: listed(turn.content, block) ?? '' };
      if (turn.who === 'assistant') {
        if (turn.calls.length === 0) return { role: 'assistant', content: listed(turn.content, block) ?? '' };
        const calls = turn.calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }));
        return { role: 'assistant', content: [...textsOf(turn.content).map(block), ...calls] };
      }
      const results = turn.results.map(({ id, content }) => ({
        type: 'tool_result',
        tool_use_id: id,
        ...(content === undefined || content === null ? {} : { content: listed(content, block) }),
      }));
      return { role: 'user', content: [...results, ...textsOf(turn.says).map(block)] };
    }),
  }),
  'gemini-contents': (turns, system, withIds) => ({
    ...(system ? { systemInstruction: { parts: [{ text: SYSTEM }] } } : {}),
    contents: turns.map((turn): Json => {
      const part = (text: string) => ({ text });
      const idOf = (id: string) => (withIds ? { id } : {});
      if (turn.who === 'user') return { role: 'user', parts: textsOf(turn.content).map(part) };
      if (turn.who === 'assistant')
        return {
          role: 'model',
          parts: [
            ...textsOf(turn.content).map(part),
            ...turn.calls.map(({ id, name, input }) => ({ functionCall: { ...idOf(id), name, args: input } })),
          ],
        };
      return {
        role: 'user',
        parts: [
          ...turn.results.map(({ id, name, content }) => ({
            functionResponse: {
              ...idOf(id),
              name,
              response: content === undefined || content === null ? {} : { output: textsOf(content).join('\n') },
            },
          })),
          ...textsOf(turn.says).map(part),
        ],
      };
    }),
  }),
  'bedrock-converse': (turns, system) => ({
    modelId: 'anthropic.claude-sonnet-4-5',
    ...(system ? { system: [{ text: SYSTEM }] } : {}),
    messages: turns.map((turn): Json => {
      const block = (text: string) => ({ text });
      if (turn.who === 'user') return { role: 'user', content: textsOf(turn.content).map(block) };
      if (turn.who === 'assistant')
        return {
          role: 'assistant',
          content: [
            ...textsOf(turn.content).map(block),
            ...turn.calls.map(({ id, name, input }) => ({ toolUse: { toolUseId: id, name, input } })),
          ],
        };
      return {
        role: 'user',
        content: [
          ...turn.results.map(({ id, content }) => ({
            toolResult: { toolUseId: id, content: textsOf(content).map(block) },
          })),
          ...textsOf(turn.says).map(block),
        ],
      };
    }),
  }),
  'vercel-model': (turns, system) => ({
    messages: [
      ...(system ? [{ role: 'system', content: SYSTEM }] : []),
      ...turns.map((turn): Json => {
        const part = (text: string) => ({ type: 'text', text });
        if (turn.who === 'user') return { role: 'user', content: listed(turn.content, part) ?? '' };
        if (turn.who === 'assistant')
          return turn.calls.length === 0
            ? { role: 'assistant', content: listed(turn.content, part) ?? '' }
            : {
                role: 'assistant',
                content: [
                  ...textsOf(turn.content).map(part),
                  ...turn.calls.map(({ id, name, input }) => ({
                    type: 'tool-call',
                    toolCallId: id,
                    toolName: name,
                    input,
                  })),
                ],
              };
        return {
          role: 'tool',
          content: turn.results.map(({ id, name, content }) => ({
            type: 'tool-result',
            toolCallId: id,
            toolName: name,
            output: { type: 'text', value: textsOf(content).join('\n') },
          })),
        };
      }),
    ],
  }),
};

/** The formats that have random histories; the schemas of others judge what is converted to them. */
export const WRITTEN = Object.keys(WRITERS);

/** A content with its blocks, where it has any. */
function listed(content: Content, block: (text: string) => Json): Json {
  return typeof content === 'object' && content !== null ? content.map(block) : content;
}

export function textsOf(content: Content): readonly string[] {
  return typeof content === 'string' ? [content] : (content ?? []);
}

/** What may not be nothing or an empty list is an empty text. */
function filled(content: Json): Json {
  return content === undefined || content === null || (Array.isArray(content) && content.length === 0) ? '' : content;
}
