/** Where one rule says the same of a place as another, one of them is silent: only there. */
import { expect, it } from 'vitest';
import { formatNamed } from '../../src/formats/index.js';
import { providerNamed } from '../../src/rules/providers.js';
import type { Problem, Rule } from '../../src/rules/rule.js';
import { runRules } from '../../src/rules/run-rules.js';
import { openText } from '../shared/opened.js';

const TEXT = JSON.stringify([
  {
    role: 'user',
    content: [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ],
  },
  { role: 'user', content: 'c' },
]);
const [transcript] = openText(TEXT).transcripts;
const { messages } = transcript!;

/** A place: a message, and one of its parts where one is named. */
type Place = readonly [message: number, part?: number];

function ruleAt(id: string, places: readonly Place[], covers: readonly string[] = []): Rule {
  const problems = places.map(
    ([message, part]): Problem => ({
      message,
      text: `${id} at ${[message, part].join()}`,
      ...(part === undefined ? {} : { part: messages[message]!.parts[part]! }),
    }),
  );
  const words = { summary: '', severity: 'error', error: '', cause: '', reported: [] } as const;
  return { id, covers, providers: ['any'], ...words, check: () => problems };
}

function told(first: readonly Place[], second: readonly Place[]): string[] {
  const rules = [ruleAt('first', first, ['second']), ruleAt('second', second)];
  return runRules(transcript!, rules, {
    provider: providerNamed('openai-chat')!,
    asRequest: true,
    format: formatNamed('openai-chat'),
    record: undefined,
    contextUse: () => ({ tokens: 0, window: undefined }),
  }).map(({ text }) => text);
}

it.each<[string, Place, Place, boolean]>([
  ['the same part', [0, 1], [0, 1], true],
  ['another part', [0, 0], [0, 1], false],
  ['a part, and its whole message', [0, 0], [0], true],
  ['a whole message, and one of its parts', [0], [0, 1], true],
  ['the same message', [1], [1], true],
  ['another message', [0], [1], false],
])('%s', (_, first, second, isSame) => {
  expect(told([first], [second])).toEqual([
    `first at ${[first[0], first[1]].join()}`,
    ...(isSame ? [] : [`second at ${[second[0], second[1]].join()}`]),
  ]);
});

it('is silent where any of several findings says it', () => {
  expect(
    told(
      [
        [0, 0],
        [0, 1],
      ],
      [[0, 1], [1]],
    ),
  ).toEqual(['first at 0,0', 'first at 0,1', 'second at 1,']);
});

it('tells of messages in their order', () => {
  expect(told([[1], [0]], [])).toEqual(['first at 0,', 'first at 1,']);
});
