/** Random histories of an agent, in no framework's shape, and the policies that are tried on them. */
import fc from 'fast-check';
import type { StepName } from '../../../src/index.js';
import { ALL } from '../../shared/effort.js';

export type Turn = UserTurn | AssistantTurn;

export interface UserTurn {
  readonly who: 'user';
  readonly text: string;
}

export interface AssistantTurn {
  readonly who: 'assistant';
  readonly text: string;
  readonly calls: readonly Call[];
}

export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly args: { readonly q: string };
  /** Undefined: the run ended before the tool did. */
  readonly result: string | undefined;
}

const texts = fc.constantFrom(
  'Go on.',
  'actually stop',
  '日本語 "x"\n',
  'x'.repeat(1200),
  '{"a":1}',
  'line\n'.repeat(90),
);
const calls = fc.record({
  tool: fc.constantFrom('search', 'read', 'run'),
  args: fc.record({ q: fc.constantFrom('a', 'b', 'x'.repeat(300)) }),
  result: fc.oneof({ weight: 6, arbitrary: texts }, { weight: 1, arbitrary: fc.constant(undefined) }),
});
const turns = fc.oneof(
  { weight: 1, arbitrary: fc.record({ who: fc.constant('user' as const), text: texts }) },
  {
    weight: 3,
    arbitrary: fc.record({
      who: fc.constant('assistant' as const),
      text: fc.oneof(fc.constant(''), texts),
      calls: fc.array(calls, { maxLength: 4 }),
    }),
  },
);

/** A history from the first user message to the next question, with an id of its own for each call. */
export const histories: fc.Arbitrary<readonly Turn[]> = fc.array(turns, { maxLength: 14 }).map((random) => {
  let next = 0;
  const own = random
    .map((turn) =>
      turn.who === 'user' ? turn : { ...turn, calls: turn.calls.map((call) => ({ ...call, id: `call_${++next}` })) },
    )
    .filter((turn) => turn.who === 'user' || turn.text !== '' || turn.calls.length > 0);
  return [{ who: 'user', text: 'Begin.' }, ...own, { who: 'user', text: 'And now?' }];
});

const LISTS: readonly (readonly StepName[])[] = [
  ['patch'],
  ['patch', 'filter:max-tool-calls=2'],
  ['patch', 'filter:max-tool-calls=3,every=2'],
  ['patch', 'truncate:max-length=200,no-minimum'],
  ['patch', { transform: 'clear', keep: 1 }],
  ['patch', 'dedupe', 'retries', 'stale'],
  ['patch', 'prune:empty'],
  ['patch', 'strip'],
];

/** Policies whose first step answers calls without a result. */
export const policies: fc.Arbitrary<readonly StepName[]> = fc.constantFrom(...LISTS);

/** How many requests an agent sends: each is longer than the one before. */
export const REQUESTS = ALL ? 200 : 40;

/** A long run: what the model answers, request by request. The last answer has no call. */
export function script(length: number): readonly AssistantTurn[] {
  return Array.from({ length }, (_, index) => ({
    who: 'assistant',
    text: index % 3 === 0 ? `step ${index}` : '',
    calls:
      index === length - 1
        ? []
        : Array.from({ length: 1 + (index % 2) }, (_, nth) => ({
            id: `call_${index}_${nth}`,
            tool: ['search', 'read', 'run'][(index + nth) % 3]!,
            args: { q: `q${index % 7}` },
            result: `${index} ${'result '.repeat(10 * (index % 9))}`,
          })),
  })).map((turn, index) => (index === length - 1 ? { ...turn, text: 'Done.' } : turn)) as AssistantTurn[];
}

/** The calls of a turn that have a result. */
export const resultsOf = ({ calls }: AssistantTurn) => calls.filter(({ result }) => result !== undefined);

/** The messages of a turn for Chat Completions. */
export function chatMessages(turn: Turn): readonly object[] {
  if (turn.who === 'user') return [{ role: 'user', content: turn.text }];
  const calls = turn.calls.map(({ id, tool: name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  return [
    { role: 'assistant', content: turn.text, ...(calls.length === 0 ? {} : { tool_calls: calls }) },
    ...resultsOf(turn).map(({ id, result }) => ({ role: 'tool', tool_call_id: id, content: result })),
  ];
}
