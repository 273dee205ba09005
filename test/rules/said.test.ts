/**
 * What is said of each rule's bad example and of each request that a provider refused: every sentence and its place,
 * which providers' rules say what, and the history when all is mended. It stands in said.txt; `UPDATE=1` writes it
 * anew: read what changed.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { examples } from '../../src/cli/commands/rules/examples.static.js';
import type { JsonNode } from '../../src/json/node.js';
import { allRules } from '../../src/rules/index.js';
import { providerNamed, providers } from '../../src/rules/providers.js';
import type { RuleFinding } from '../../src/rules/run-rules.js';
import { type Examined, examine } from '../shared/examined.js';
import { spelledOut, withOrigin } from '../shared/examples.js';
import type { Expectations } from '../shared/expectations.js';

/// <reference types="vite/types/importMeta.d.ts" />

const KEPT = 'test/rules/said.txt';
const LONG = 400;

const tables = import.meta.glob<{ readonly default: Expectations }>('./provider-cases/*.ts', { eager: true });
const sent = Object.values(tables).flatMap((table) => Object.entries(table.default));

/** Each with its name, and the provider that minds it. */
const requests = [
  ...allRules().map(({ id, providers: [first], asRequest = false }) => ({
    name: id,
    provider: first === 'any' ? 'anthropic' : first!,
    asRequest,
    text: JSON.stringify(spelledOut(examples[id]!.bad)),
  })),
  ...sent.flatMap(([name, { sent: one }]) =>
    one === undefined ? [] : { name, provider: one.provider, asRequest: true, text: JSON.stringify(one.request) },
  ),
];

it('says of all that is refused what it said', () => {
  const text = `${requests.flatMap((request) => [`# ${request.name}`, ...told(request)]).join('\n')}\n`;
  if (process.env['UPDATE']) writeFileSync(KEPT, text);
  expect(text).toBe(readFileSync(KEPT, 'utf8'));
});

function told({ name, provider, asRequest, text }: (typeof requests)[number]): readonly string[] {
  const { findings, mended, left } = look(text, provider, asRequest);
  const remaining = left().map(({ rule }) => rule.id);
  const fix = allRules().find(({ id }) => id === name)?.fix?.summary;
  return [
    ...(fix === undefined ? [] : [`fix: ${fix}`]),
    ...findings.map(lineOf),
    `mended: ${short(mended())}${remaining.length > 0 ? `; left: ${remaining.join(', ')}` : ''}`,
    ...(Object.hasOwn(examples, name) ? others(text, provider) : []),
  ];
}

function look(text: string, provider: string, asRequest: boolean): Examined {
  const contextUse = (_: unknown, record: JsonNode | undefined) => ({
    tokens: record?.get('x-tokens')?.number ?? 1,
    window: record?.get('x-window')?.number,
  });
  return examine(text, provider, { asRequest, contextUse, prepare: withOrigin });
}

function lineOf(finding: RuleFinding): string {
  const { rule, message, part, callId, node, isNote, isFixable, safety, text, changes } = finding;
  const place = [
    message,
    part?.type,
    callId,
    node && short(node.json),
    changes && `changes ${short(JSON.stringify(changes))}`,
  ];
  const words = [rule.severity, isNote && 'note', isFixable ? safety : 'no fix'].filter(Boolean);
  return `${rule.id} (${words.join(', ')}) at ${place.filter((one) => one !== undefined).join(' ')}: ${text}`;
}

/** What the rules of all providers that take this format say of it as a request, those together that say the same. */
function others(text: string, provider: string): readonly string[] {
  const { format } = providerNamed(provider)!;
  const same = new Map<string, string[]>();
  for (const { id } of providers.filter((one) => one.format === format)) {
    const { findings } = look(text, id, true);
    const words = findings.map(({ rule, message }) => `${rule.id} ${message ?? ''}`.trim()).join(', ');
    same.set(words, [...(same.get(words) ?? []), id]);
  }
  return [...same].map(([words, ids]) => `as a request to ${ids.join(', ')}: ${words}`);
}

function short(text: string): string {
  if (text.length <= LONG) return text;
  return `${text.slice(0, LONG)}… ${createHash('sha1').update(text).digest('hex').slice(0, 8)}`;
}
