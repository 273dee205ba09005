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

describe('patch beside Eino', () => {
  for (const { name, input } of vectors('eino_patchtoolcalls.json')) {
    it(name, () => {
      const text = JSON.stringify(input, null, 1);
      const output = rewriteText(text, 'patch', {});
      const patched = JSON.parse(output) as ChatMessage[];
      expect(faultsOf(patched)).toEqual([]);
      expect(rewriteText(output, 'patch', {})).toBe(output);
      if (faultsOf(input).length === 0) expect(output).toBe(text);
    });
  }
});
