/** Ways in which the built program once ended with an internal error, or did what a file of others wanted. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { figuresIn } from '../../src/engine/sessions/figures.js';
import { partsOf } from '../../src/engine/stats/known-parts.js';
import { conflicts } from '../../src/policy/contradictions.js';
import { faultsOfRules } from '../../src/policy/lint.js';
import type { AnyRule } from '../../src/policy/types.js';
import { runProgram } from '../shared/program.js';

let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'ctx-trim-internal-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const file = (name: string, text: string) => {
  mkdirSync(join(home, name, '..'), { recursive: true });
  writeFileSync(join(home, name), text);
};
const run = (...words: string[]) =>
  runProgram(words, { cwd: home, env: { ...process.env, HOME: home, CTX_TRIM_CACHE: 'off' } });

it.each(['?', '?+?', 'a?>b?', 'messages?', '[]', '.'])('refuses a path without a step: --messages=%s', (path) => {
  file('a.json', '[{"role":"user","content":"hi"}]');
  const { status, stderr } = run('check', 'a.json', `--messages=${path}`);
  expect({ status, stderr }).toMatchObject({ status: 2, stderr: expect.stringContaining('is not a path to messages') });
});

it('finds fault with a reference that cannot be read', () => {
  file(
    'p.yaml',
    'version: 1\ntools: {t: {args: {$ref: "#/%E0%A4%A"}}}\nrules: [{id: r, type: args_valid, tool: "*"}]\n',
  );
  expect(run('policy', 'lint', 'p.yaml')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('invalid reference `#/%E0%A4%A`'),
  });
});

it('prints a policy as JSON', () => {
  const { stdout, status } = run('policy', 'init', '--format=json');
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ version: 1, rules: expect.any(Array) });
});

describe('@last', () => {
  const write = (name: string, text: string, time: string) => {
    file(
      `.claude/projects/-w/${name}.jsonl`,
      `${JSON.stringify({ type: 'user', uuid: name, sessionId: name, message: { role: 'user', content: text } })}\n`,
    );
    utimesSync(join(home, `.claude/projects/-w/${name}.jsonl`), new Date(time), new Date(time));
  };

  it('is neither a session of that name nor one of the future nor a file here', () => {
    write('newest', 'the newest', '2026-01-02T00:00:00Z');
    write('last', 'named last', '2026-01-01T00:00:00Z');
    write('future', 'from the future', '2099-01-01T00:00:00Z');
    expect(run('show', '@last').stdout).toContain('the newest');
    file('@last', '[{"role":"user","content":"a file here"}]');
    const { stdout, stderr } = run('show', '@last');
    expect(stdout).toContain('the newest');
    expect(stderr).toContain('@last means sessions; the file of this name is ./@last');
    expect(run('show', './@last').stdout).toContain('a file here');
  });
});

describe('kept figures of other types are ignored', () => {
  const FIGURES = { messages: 1, subagents: 1, omissions: { unread: [], badLines: [] } };
  const PARTS = { texts: ['', 'f'], parts: [[1, -1, 1, -1, -1, -1, -1, [], 0, 0, 0]], requests: [] };
  const WRONG: readonly unknown[] = [null, 5, 'x', [], {}, true];

  it('of sessions', () => {
    expect(figuresIn(JSON.stringify(FIGURES))).toEqual(FIGURES);
    for (const key of Object.keys(FIGURES))
      for (const value of WRONG) {
        if (typeof value === typeof FIGURES[key as keyof typeof FIGURES] && value !== 'x') continue;
        if (key === 'omissions' || !Array.isArray(value))
          expect(figuresIn(JSON.stringify({ ...FIGURES, [key]: value })), `${key} ${JSON.stringify(value)}`).toBe(
            undefined,
          );
      }
    for (const text of ['', '{', ...WRONG.map((value) => JSON.stringify(value))])
      expect(figuresIn(text)).toBe(undefined);
    const item = { unread: [null], badLines: [] };
    expect(figuresIn(JSON.stringify({ ...FIGURES, omissions: item }))).toBe(undefined);
  });

  it('of requests', () => {
    expect(partsOf(JSON.stringify(PARTS))).toHaveLength(1);
    for (const key of ['texts', 'parts', 'requests'])
      for (const value of [...WRONG.filter((one) => !Array.isArray(one)), [null], [[]], [{}]])
        expect(partsOf(JSON.stringify({ ...PARTS, [key]: value })), `${key} ${JSON.stringify(value)}`).toBe(undefined);
    const [part] = PARTS.parts;
    for (const at of part!.keys()) {
      const other = part!.map((field, index) => (index === at ? { no: 1 } : field));
      expect(partsOf(JSON.stringify({ ...PARTS, parts: [other] })), `field ${at}`).toBe(undefined);
    }
    for (const text of ['', '{', 'null', '5']) expect(partsOf(text)).toBe(undefined);
  });
});

describe('a long policy', () => {
  const RULES = 3_000;
  const policy = (make: (index: number) => Omit<AnyRule, 'id'>) => ({
    version: 1 as const,
    rules: Array.from({ length: RULES }, (_, index) => ({ id: `r${index}`, ...make(index) }) as AnyRule),
  });
  const compared = (given: ReturnType<typeof policy>) => {
    let count = 0;
    const counting = {
      ...given,
      get aliases() {
        count++;
        return undefined;
      },
    };
    const rules = given.rules.map((rule, index) => ({ rule, path: ['rules', index] }));
    const faults = conflicts(rules, counting as never);
    return { count, faults };
  };

  it('is compared in linear time where its rules name tools', () => {
    const { count, faults } = compared(
      policy((index) =>
        index % 2 ? { type: 'require', tool: `t${index}` } : { type: 'denied_tools', tools: [`t${index}`] },
      ),
    );
    expect(faults).toEqual([]);
    expect(count).toBeLessThan(10 * RULES);
  });

  it('says where it was not compared any more', () => {
    const { count, faults } = compared(
      policy((index) => (index % 2 ? { type: 'require', tool: 't' } : { type: 'denied_tools', tools: [`x${index}*`] })),
    );
    expect(faults.map(({ message }) => message)).toEqual([expect.stringMatching(/^the first 100,000 pairs of rules/)]);
    expect(count).toBeLessThan(1_000_000);
  });

  it('is compared whole where it is short', () => {
    const rules: AnyRule[] = [
      { id: 'a', type: 'denied_tools', tools: ['t*'] },
      { id: 'b', type: 'max_calls', tool: 'x', max: 1 },
      { id: 'c', type: 'require', tool: 'task' },
    ];
    for (const order of [rules, rules.toReversed()])
      expect(faultsOfRules({ version: 1, rules: order }).map(({ message }) => message)).toEqual([
        '`c` and `a` contradict each other: `task` must be called and must not be called',
      ]);
  });
});
