/// <reference types="vite/types/importMeta.d.ts" />
/**
 * Requests that providers refuse: the rule that finds each, and that its fix leaves nothing. The expectations are data,
 * in `provider-cases/`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { check } from '../../src/engine/check/findings.js';
import { allRules } from '../../src/rules/index.js';
import { examine } from '../shared/examined.js';
import type { Expectations } from '../shared/expectations.js';

const rules = allRules();

const tables = import.meta.glob<{ readonly default: Expectations }>('./provider-cases/*.ts', { eager: true });
const all = Object.values(tables).flatMap((table) => Object.entries(table.default));

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

const expected = all.filter(([, { sent }]) => sent !== undefined || existsSync(index));

/** The body that was sent, and to whom. */
function sentAs([name, { sent }]: (typeof expected)[number]): readonly [text: string, provider: string] {
  return sent === undefined
    ? [readFileSync(`${CASES}/${name}.json`, 'utf8'), providerOf.get(name)!]
    : [JSON.stringify(sent.request), sent.provider];
}

describe('a request that a provider refuses', () => {
  it.each(expected)('%s', (...one) => {
    const [text, provider] = sentAs(one);
    const [, { rule, fix }] = one;
    expect(check(text, { provider, asRequest: true }).map((finding) => finding.rule)).toContain(rule);
    expect(rules.find(({ id }) => id === rule)!.fix?.safety).toBe(fix);
  });

  it.each(expected.filter(([, { fix }]) => fix !== undefined))('%s is mended', (...one) => {
    const [text, provider] = sentAs(one);
    const [, { left }] = one;
    const { mended } = examine(text, provider, { asRequest: true });
    // a call that the request does not define stays a warning: nobody can tell which tool was meant
    const { ids } = examine(mended(), provider, { asRequest: true });
    expect(ids.filter((id) => id !== 'core/tool-unknown')).toEqual(left === undefined ? [] : [left]);
  });
});
