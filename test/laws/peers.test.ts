/** What other systems answered for the same inputs (`../shared/vectors`), and where we differ on purpose. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Counts } from '../../src/transforms/transform.js';
import { lawful } from '../shared/lawful.js';
import { CHARACTERS, rewriteText } from '../shared/rewrite-text.js';
import { type ChatMessage, faultsOf } from '../shared/valid-chat.js';

const FOLDER = '../shared/vectors';

interface Vector {
  readonly name: string;
  readonly transform: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly input: readonly ChatMessage[];
  readonly expected: readonly ChatMessage[];
}

function vectors(file: string): Vector[] {
  return JSON.parse(readFileSync(pathOf(file)!, 'utf8')) as Vector[];
}

/** Some are kept here as well. */
function pathOf(file: string): string | undefined {
  return [`${FOLDER}/${file}`, `fixtures/vectors/${file}`].find((path) => existsSync(path));
}

/** The vectors of a missing file are a skipped test. */
function atHand(file: string): boolean {
  const isHere = pathOf(file) !== undefined;
  if (!isHere) it.skip(`all vectors of ${file}: ${FOLDER} is missing`);
  return isHere;
}

const OPEN = 'a call without a result is kept, for patch to answer';
const ORPHAN = 'a result without a call does not count as one, and is left to patch';

/** Where `filter` differs from Agno, by scenario and N. */
const FILTER_DIFFERENCES: Readonly<Record<string, string>> = {
  dup_id_across_turns_ok__keep1: 'an id used twice is two calls: the older one goes',
  parallel_first_missing__keep0: OPEN,
  parallel_first_missing__keep1: OPEN,
  parallel_last_missing__keep0: OPEN,
  parallel_last_missing__keep1: OPEN,
  parallel_partial_at_end__keep0: OPEN,
  orphan_after_answered__keep1: ORPHAN,
  only_tool_messages__keep0: ORPHAN,
  only_tool_messages__keep1: ORPHAN,
  only_tool_messages__keep2: ORPHAN,
  dup_id_second_dangling__keep0: OPEN,
  dup_id_same_message_one_result__keep0: OPEN,
  pending_frontier__keep0: OPEN,
  pending_frontier__keep1: OPEN,
};

describe('filter beside Agno', () => {
  for (const { name, options, input, expected } of vectors('agno.json')) {
    const faults = faultsOf(input);
    it(`${name}${faults.length === 0 ? '' : ' (broken input)'}`, () => {
      const step = { maxToolCalls: options['max_tool_calls'] };
      const output = rewriteText(JSON.stringify(input), 'filter', step);
      expect(faultsOf(JSON.parse(output)).length).toBeLessThanOrEqual(faults.length);
      lawful(faultsOf(JSON.parse(rewriteText(output, 'patch', {}))));
      if (name in FILTER_DIFFERENCES) expect(JSON.parse(output)).not.toEqual(expected);
      else expect(JSON.parse(output)).toEqual(expected);
    });
  }

  it('differs nowhere else', () => {
    const names = vectors('agno.json').map(({ name }) => name);
    lawful(Object.keys(FILTER_DIFFERENCES).filter((name) => !names.includes(name)));
  });
});

/** Where `patch` differs from Eino, by scenario. Everywhere it also writes `cancelled` with two l, as SPEC.md does. */
const PATCH_DIFFERENCES: Readonly<Record<string, string>> = {
  empty_tool_calls_array: 'an empty list of calls goes: OpenAI refuses it',
  parallel_first_missing: 'a placeholder stands behind the results of its siblings, not before them',
  parallel_last_missing: 'a placeholder stands behind the results of its siblings, not before them',
  parallel_partial_at_end: 'a placeholder stands behind the results of its siblings, not before them',
  orphan_after_answered: 'a result without a call goes: no provider takes it',
  only_tool_messages: 'results without calls go: no provider takes them',
  result_before_call: 'a result before its call moves behind it instead of being answered again',
  late_result_after_user: 'a late result moves to its call instead of being answered again',
  late_result_after_assistant: 'a late result moves to its call instead of being answered again',
  system_between: 'a result behind a system message moves to its call instead of being answered again',
  tool_results_split_by_user: 'a result behind a user message moves to its call instead of being answered again',
  dup_id_same_message_one_result: 'two calls with one id are two calls: one is renamed and answered',
  duplicate_results: 'a call is answered once: the first result stays',
  tool_no_id: 'a result without an id answers the open call before it, and gets its id',
};

describe('patch beside Eino', () => {
  for (const { name, input, expected } of vectors('eino_patchtoolcalls.json')) {
    it(name, () => {
      const text = JSON.stringify(input, null, 1);
      const output = rewriteText(text, 'patch', {});
      const patched = JSON.parse(output) as ChatMessage[];
      lawful(faultsOf(patched));
      expect(rewriteText(output, 'patch', {})).toBe(output);
      if (faultsOf(input).length === 0 && !(name in PATCH_DIFFERENCES)) expect(output).toBe(text);
      const eino = JSON.parse(JSON.stringify(expected).replaceAll('was canceled -', 'was cancelled -')) as unknown;
      if (name in PATCH_DIFFERENCES) expect(patched).not.toEqual(eino);
      else expect(patched).toEqual(eino);
    });
  }

  it('differs nowhere else', () => {
    const names = vectors('eino_patchtoolcalls.json').map(({ name }) => name);
    lawful(Object.keys(PATCH_DIFFERENCES).filter((name) => !names.includes(name)));
  });
});

/** Peers' own broken inputs: ours is valid, and no result that has a call is lost. */
describe.each(
  ['pydantic_ai.json', 'deepagents_py.json', 'pi_ai_1.5.2.json', 'openai_agents_drop_orphans.json'].filter(atHand),
)('patch on the inputs of %s', (file) => {
  for (const { name, input } of vectors(file)) {
    it(name, () => {
      const patched = JSON.parse(rewriteText(JSON.stringify(input), 'patch', {})) as ChatMessage[];
      lawful(faultsOf(patched));
      for (const id of answeredIds(input)) expect(patched.map(({ tool_call_id }) => tool_call_id)).toContain(id);
    });
  }
});

function answeredIds(messages: readonly ChatMessage[]): string[] {
  const called = new Set(messages.flatMap(({ tool_calls }) => (tool_calls ?? []).map(({ id }) => id)));
  return messages.flatMap(({ tool_call_id: id }) => (id !== undefined && called.has(id) ? [id] : []));
}

/** One character: no result but an empty one is too short to be cleared, as none is to the peers. */
const CLEARED = '-';

interface Peer {
  /** The step that stands beside the peer's; undefined where there is none like it. */
  step(vector: Vector): Readonly<Record<string, unknown>> | undefined;
  /** What the peer puts in the place of results. */
  readonly placeholder: string;
  readonly differences: Readonly<Record<string, string>>;
}

const CLEARING: Readonly<Record<string, Peer>> = {
  'langchain_clear_tool_uses.json': {
    step({ options }) {
      const { trigger, keep, clearToolInputs, excludeTools } = options as {
        trigger: { tokens: number };
        keep: { messages?: number };
        clearToolInputs?: boolean;
        excludeTools?: string[];
      };
      return keep.messages === undefined
        ? undefined
        : {
            trigger: trigger.tokens,
            keep: keep.messages,
            clearInputs: clearToolInputs,
            excludeTool: excludeTools ?? [],
          };
    },
    placeholder: '[cleared]',
    differences: {
      tool_content_blocks__trig1_keep0: 'content that is a list of blocks stays one',
      tool_content_image__trig1_keep0: 'content that is a list of blocks stays one',
      tool_content_empty__trig1_keep0: 'no result gets longer',
    },
  },
  'eino_reduction.json': {
    step({ options }) {
      const {
        MaxTokensForClear: trigger,
        ClearRetentionSuffixLimit: keep,
        ClearAtLeastTokens: clearAtLeast,
        ClearExcludeTools: excludeTool = [],
        Backend,
        MaxLengthForTrunc,
      } = options;
      return Backend || MaxLengthForTrunc ? undefined : { trigger, keep, clearAtLeast, excludeTool };
    },
    placeholder: '[Old tool result content cleared]',
    differences: { mixed_tools__clear_keep2: "Anthropic's unit is kept: two results, not the results of two messages" },
  },
};

describe.each(Object.entries(CLEARING).filter(([file]) => atHand(file)))(
  'clear beside %s',
  (file, { step, placeholder, differences }) => {
    const alike = vectors(file).filter((vector) => step(vector) !== undefined && faultsOf(vector.input).length === 0);

    it.each(alike)('$name', (vector) => {
      const options = { ...step(vector), text: CLEARED, minSize: 0 };
      const output = JSON.parse(rewriteText(JSON.stringify(vector.input), 'clear', options));
      lawful(faultsOf(output));
      const expected = JSON.parse(JSON.stringify(vector.expected).replaceAll(placeholder, CLEARED));
      if (vector.name in differences) expect(inOrder(output)).not.toEqual(inOrder(expected));
      else expect(inOrder(output)).toEqual(inOrder(expected));
    });

    it('differs nowhere else', () => {
      lawful(Object.keys(differences).filter((name) => !alike.some((vector) => vector.name === name)));
      expect(alike.length).toBeGreaterThan(20);
    });
  },
);

/** LangChain's `len`: every message counts one, and nothing else does. */
const MESSAGES: Counts = { ...CHARACTERS, message: () => 1, definitions: () => 0, perRequest: 0 };
type Difference = readonly [reason: string, applies: (vector: Vector) => boolean];

/** Where `fit` differs from others that keep to a budget. One of these has to be so. */
const FIT_DIFFERENCES: readonly Difference[] = [
  ['the system prompt stays', ({ input, expected }) => input[0]?.role === 'system' && expected?.[0]?.role !== 'system'],
  ['no pair is broken', ({ expected }) => expected !== null && faultsOf(expected).length > 0],
  [
    'where nothing fits the last exchange is left, and that is said',
    ({ expected }) => expected === null || expected.length === 0 || expected[0] === null,
  ],
  [
    'it does not begin with what the model says',
    ({ expected }) => ['assistant', 'tool'].includes(expected?.find(({ role }) => role !== 'system')?.role ?? ''),
  ],
  ['the answer at the end stays', ({ options }) => options['endOn'] !== undefined],
];

describe.each(['langchain_core.json', 'agent_framework.json'].filter(atHand))('fit beside %s', (file) => {
  // What its other counter counts is not told.
  const alike = vectors(file).filter(
    ({ input, options, transform }) =>
      /^trim/.test(transform) && options['tokenCounter'] !== 'chars4' && faultsOf(input).length === 0,
  );
  const same: string[] = [];

  it.each(alike)('$name', (vector) => {
    const { input, expected, options } = vector;
    // A window of groups, or of messages: a budget of as many as were left.
    const step = {
      maxTokens: options['maxTokens'] ?? expected.length,
      strategy: options['strategy'] === 'first' ? 'first' : 'last',
      unit: options['startOn'] === undefined ? 'round' : 'exchange',
      everything: true,
    };
    const output = JSON.parse(rewriteText(JSON.stringify(input), 'fit', step, MESSAGES)) as ChatMessage[];
    lawful(faultsOf(output));
    if (JSON.stringify(output) === JSON.stringify(expected)) same.push(vector.name);
    else expect(FIT_DIFFERENCES.filter(([, applies]) => applies(vector)).map(([reason]) => reason)).not.toEqual([]);
  });

  it('is the same where none of that is so', () => {
    const other = alike.filter((vector) => !same.includes(vector.name));
    lawful(other.filter((vector) => !FIT_DIFFERENCES.some(([, applies]) => applies(vector))));
    expect(same.length).toBeGreaterThan(1);
  });
});

/** Where stripping and pruning differ from the AI SDK's `pruneMessages`. */
const PRUNE_DIFFERENCES: Readonly<Record<string, string>> = {
  single_ok__all_keep_empty: 'a result without its call never stays',
  empty_tool_calls_array__all: 'an empty list of calls is not a call: the message is not touched',
  empty_tool_calls_array__none: 'an empty list of calls is not a call: the message is not touched',
};

describe('strip and prune beside the AI SDK', () => {
  // It also drops the calls before the last messages, whatever pairs that breaks: filter keeps the last calls instead.
  const alike = vectors('vercel_prune_messages.json').filter(
    ({ input, options }) => !String(options['toolCalls']).startsWith('before') && faultsOf(input).length === 0,
  );

  it.each(alike)('$name', ({ name, input, expected, options }) => {
    const calls = options['toolCalls'];
    const tool = Array.isArray(calls) ? (calls as { tools: string[] }[])[0]!.tools : [];
    const text = JSON.stringify(input);
    const output = JSON.parse(
      rewriteText(calls === undefined ? text : rewriteText(text, 'strip', { keepText: true, tool }), 'prune', {
        empty: true,
      }),
    );
    lawful(faultsOf(output));
    if (name in PRUNE_DIFFERENCES) expect(inOrder(output)).not.toEqual(inOrder(expected));
    else expect(inOrder(output)).toEqual(inOrder(expected));
  });

  it('differs nowhere else', () => {
    lawful(Object.keys(PRUNE_DIFFERENCES).filter((name) => !alike.some((vector) => vector.name === name)));
    expect(alike.length).toBeGreaterThan(15);
  });
});

/** What a message says, however it is spelled: a peer may leave out what is null or empty. */
function inOrder(messages: readonly ChatMessage[]): unknown[] {
  return messages.map(({ role, content, tool_calls, tool_call_id }) => ({
    role,
    content: content ?? '',
    tool_calls: tool_calls ?? undefined,
    tool_call_id,
  }));
}

/** With whatever options a peer was tried on it: a valid input stays valid, and what came out is not changed again. */
describe.each(
  [
    'agent_framework.json',
    'langchain_core.json',
    'openai_agents_tool_output_trimmer.json',
    'vercel_prune_messages.json',
    'pydantic_ai.json',
  ].filter(atHand),
)('on the inputs of %s', (file) => {
  const inputs = [...new Set(vectors(file).map(({ input }) => JSON.stringify(input)))];
  const steps = [
    ['clear', { trigger: 0, keep: 1, clearInputs: true, text: CLEARED }],
    ['dedupe', {}],
    ['prune', { reasoning: true, images: true, empty: true }],
    ['fit', { maxTokens: 60, everything: true }],
    ['fit', { maxTokens: 60, unit: 'round' }],
  ] as const;

  it.each(steps)('%s %j', (id, options) => {
    for (const input of inputs) {
      const output = rewriteText(input, id, options);
      if (faultsOf(JSON.parse(input)).length === 0) lawful(faultsOf(JSON.parse(output)));
      expect(rewriteText(output, id, options)).toBe(output);
    }
  });
});
