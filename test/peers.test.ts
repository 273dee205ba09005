/** What other systems answered for the same inputs (`../shared/vectors`), and where we differ on purpose. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { rewriteText } from './rewrite-text.js';
import { type ChatMessage, faultsOf } from './valid-chat.js';

const FOLDER = '../shared/vectors';

interface Vector {
  readonly name: string;
  readonly options: Readonly<Record<string, number>>;
  readonly input: readonly ChatMessage[];
  readonly expected: readonly ChatMessage[];
}

function vectors(file: string): Vector[] {
  const path = existsSync(`${FOLDER}/${file}`) ? `${FOLDER}/${file}` : `fixtures/vectors/${file}`;
  return JSON.parse(readFileSync(path, 'utf8')) as Vector[];
}

/** Where `filter` differs from Agno, by scenario and N. */
const FILTER_DIFFERENCES: Readonly<Record<string, string>> = {
  dup_id_across_turns_ok__keep1: 'an id used twice is two calls: the older one goes',
};

describe('filter beside Agno', () => {
  for (const { name, options, input, expected } of vectors('agno.json')) {
    const valid = faultsOf(input).length === 0;
    it(`${name}${valid ? '' : ' (broken input)'}`, () => {
      const output = rewriteText(JSON.stringify(input), 'filter', { maxToolCalls: options['max_tool_calls'] });
      if (!valid) return;
      expect(faultsOf(JSON.parse(output))).toEqual([]);
      if (name in FILTER_DIFFERENCES) expect(JSON.parse(output)).not.toEqual(expected);
      else expect(JSON.parse(output)).toEqual(expected);
    });
  }
});

/** Where `patch` differs from Eino, by scenario. Everywhere it also writes `cancelled` with two l, as SPEC.md does. */
const PATCH_DIFFERENCES: Readonly<Record<string, string>> = {
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
      expect(faultsOf(patched)).toEqual([]);
      expect(rewriteText(output, 'patch', {})).toBe(output);
      if (faultsOf(input).length === 0) expect(output).toBe(text);
      const eino = JSON.parse(JSON.stringify(expected).replaceAll('was canceled -', 'was cancelled -')) as unknown;
      if (name in PATCH_DIFFERENCES) expect(patched).not.toEqual(eino);
      else expect(patched).toEqual(eino);
    });
  }

  it('differs nowhere else', () => {
    const names = vectors('eino_patchtoolcalls.json').map(({ name }) => name);
    expect(Object.keys(PATCH_DIFFERENCES).filter((name) => !names.includes(name))).toEqual([]);
  });
});

/** Peers' own broken inputs: ours is valid, and no result that has a call is lost. */
describe.each(['pydantic_ai.json', 'deepagents_py.json', 'pi_ai_1.5.2.json'].filter((file) => existsSync(`${FOLDER}/${file}`)))('patch on the inputs of %s', (file) => {
  for (const { name, input } of vectors(file)) {
    it(name, () => {
      const patched = JSON.parse(rewriteText(JSON.stringify(input), 'patch', {})) as ChatMessage[];
      expect(faultsOf(patched)).toEqual([]);
      for (const id of answeredIds(input)) expect(patched.map(({ tool_call_id }) => tool_call_id)).toContain(id);
    });
  }
});

function answeredIds(messages: readonly ChatMessage[]): string[] {
  const called = new Set(messages.flatMap(({ tool_calls }) => (tool_calls ?? []).map(({ id }) => id)));
  return messages.flatMap(({ tool_call_id: id }) => (id !== undefined && called.has(id) ? [id] : []));
}
