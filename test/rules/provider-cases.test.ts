/// <reference types="vite/types/importMeta.d.ts" />
/**
 * Requests that providers refuse: the rule that finds each, and that its fix leaves nothing. The expectations are data,
 * in `provider-cases/`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { check } from '../../src/library/check.js';
import { rules } from '../../src/rules/index.js';
import { examine } from '../shared/examined.js';

/** By the name of a case. */
export type Expectations = Readonly<Record<string, Expectation>>;
export interface Expectation {
  /** The rule that finds it. */
  readonly rule: string;
  /** How safe its fix is, if it has one. */
  readonly fix?: 'safe' | 'lossy' | 'synthetic';
  /** The rule that still finds something once all is fixed, if one does. */
  readonly left?: string;
}

const tables = import.meta.glob<{ readonly default: Expectations }>('./provider-cases/*.ts', { eager: true });
const expected = Object.values(tables).flatMap((table) => Object.entries(table.default));

const CASES = '../shared/cases/providers';
const index = `${CASES}/index.json`;
const providerOf = new Map(
  existsSync(index)
    ? (JSON.parse(readFileSync(index, 'utf8')) as { name: string; provider: string }[]).map((one) => [
        one.name,
        one.provider,
      ])
    : [],
);

describe.skipIf(!existsSync(index))('a request that a provider refuses', () => {
  it.each(expected)('%s', (name, { rule, fix }) => {
    const text = readFileSync(`${CASES}/${name}.json`, 'utf8');
    const provider = providerOf.get(name)!;
    expect(check(text, { provider, asRequest: true }).map((finding) => finding.rule)).toContain(rule);
    expect(rules.find(({ id }) => id === rule)!.fix?.safety).toBe(fix);
  });

  it.each(expected.filter(([, { fix }]) => fix !== undefined))('%s is mended', (name, { left }) => {
    const text = readFileSync(`${CASES}/${name}.json`, 'utf8');
    const provider = providerOf.get(name)!;
    const { mended } = examine(text, provider, { asRequest: true });
    // a call that the request does not define stays a warning: nobody can tell which tool was meant
    const { ids } = examine(mended(), provider, { asRequest: true });
    expect(ids.filter((id) => id !== 'core/tool-unknown')).toEqual(left === undefined ? [] : [left]);
  });
});
