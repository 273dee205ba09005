/**
 * Every rule: it fires on its bad example and is silent on its repaired one, and what is mended no rule of its
 * provider's family minds.
 */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { examples } from '../../src/cli/commands/rules/examples.static.js';
import type { JsonNode } from '../../src/json/node.js';
import { allRules } from '../../src/rules/index.js';
import { providers } from '../../src/rules/providers.js';
import type { Rule } from '../../src/rules/rule.js';
import type { Transcript } from '../../src/transcript/types.js';
import { ALL, type Examined, examine } from '../shared/examined.js';
import { spelledOut, withOrigin } from '../shared/examples.js';

const rules = allRules();

/** The text of an example, as its provider's rules see it, or some of them. */
function look(text: string, provider: string, asRequest: boolean, only: readonly Rule[] = rules): Examined {
  return examine(text, provider, { asRequest, only: (rule) => only.includes(rule), contextUse, prepare: withOrigin });
}

/** Examples say in hints (`x-…`) what cannot be shown in a few lines. */
function contextUse(transcript: Transcript, record: JsonNode | undefined) {
  const hint = (key: string) => record?.get(key)?.number;
  return { tokens: hint('x-tokens') ?? transcript.messages.length, window: hint('x-window') };
}

/** What these rules need is the model or the tools, which are not looked for in a `body`. */
const ONLY_BARE = new Set(['mistral/content-and-calls', 'moonshot/tool-schema']);

/** The provider that an example is for: the first that the rule names. */
function providerOf({ providers: [id] }: Rule): string {
  return id === 'any' ? 'anthropic' : id!;
}

describe.each(rules)('$id', (rule) => {
  const provider = providerOf(rule);
  const asRequest = rule.asRequest === true;
  const bad = JSON.stringify(spelledOut(examples[rule.id]!.bad));
  const repaired = JSON.stringify(spelledOut(examples[rule.id]!.repaired));
  const idsIn = (text: string) => look(text, provider, asRequest).findings.map((finding) => finding.rule.id);

  it('knows its providers', () => {
    for (const id of rule.providers) expect(id === 'any' || providers.some((known) => known.id === id), id).toBe(true);
  });

  it('covers rules that there are', () => {
    for (const covered of rule.covers ?? []) expect(rules.map(({ id }) => id)).toContain(covered);
  });

  it('fires on its bad example', () => {
    const found = look(bad, provider, asRequest).findings.filter((finding) => finding.rule === rule);
    expect(found.length).toBeGreaterThan(0);
    for (const { text, message } of found) {
      expect(text).toMatch(/^[^\n]+$/);
      expect(message === undefined || message >= 0).toBe(true);
    }
  });

  it('is silent on its repaired example', () => {
    expect(idsIn(repaired)).not.toContain(rule.id);
  });

  it.each(['request', 'body'])('finds the same in a record that has the request as its %s', (key) => {
    if (key === 'body' && ONLY_BARE.has(rule.id)) return expect(idsIn(`{"body":${bad}}`)).not.toContain(rule.id);
    if (bad.startsWith('{') && !bad.includes('"x-')) expect(idsIn(`{"${key}":${bad}}`)).toEqual(idsIn(bad));
  });

  if (rule.asRequest) {
    it('is silent on a finished recording', () => {
      expect(look(bad, provider, false).findings.map((finding) => finding.rule.id)).not.toContain(rule.id);
    });
  }

  const { fix } = rule;
  if (fix !== undefined) {
    it('mends its bad example so that no rule of the family minds, and once is enough', () => {
      const once = look(bad, provider, asRequest).mended(ALL);
      expect(idsIn(once)).toEqual([]);
      expect(look(once, provider, asRequest).mended(ALL)).toBe(once);
    });

    it('mends it alone with a fix of its own kind', () => {
      const { findings } = look(bad, provider, asRequest, [rule]);
      const own = new Set(findings.map((finding) => finding.safety ?? fix.safety)); // a fix that only moves is safe
      const alone = look(bad, provider, asRequest, [rule]).mended(own);
      expect(look(alone, provider, asRequest, [rule]).findings).toEqual([]);
      const others = new Set([...ALL].filter((safety) => !own.has(safety)));
      expect(look(bad, provider, asRequest, [rule]).mended(others)).toBe(bad);
    });

    it('leaves its repaired example as it is', () => {
      // a warning may be right where nothing is wrong
      const firm = rules.filter((other) => other === rule || other.severity === 'error');
      expect(look(repaired, provider, asRequest, firm).mended(ALL)).toBe(repaired);
    });
  }
});

interface Collected {
  readonly id: string;
  readonly severity: string;
  readonly minimalBadExample: unknown;
  readonly repairedExample: unknown;
}

const COLLECTED = '../shared/rules/RULES.json';

describe.skipIf(!existsSync(COLLECTED))('the collected rules', () => {
  const collected = existsSync(COLLECTED)
    ? (JSON.parse(readFileSync(COLLECTED, 'utf8')) as { rules: Collected[] }).rules
    : [];
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const known = collected.filter(({ id }) => byId.has(id));

  it.each(known.map((rule) => [rule.id, rule] as const))(
    '%s has the example that was collected',
    (id, { minimalBadExample, repairedExample }) => {
      const collected = JSON.stringify({ bad: minimalBadExample, repaired: repairedExample });
      const decodable = collected.replaceAll('"thoughtSignature":"s"', '"thoughtSignature":"c2ln"'); // another rule
      expect(examples[id]).toEqual(JSON.parse(decodable));
    },
  );
});
