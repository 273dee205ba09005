/**
 * Policy files: the published schema is the one that the program goes by (`UPDATE=1` writes it anew), and a bad file
 * is told with its line.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { describeError, type TranscriptError } from '../../src/errors.js';
import { schemaComplaint } from '../../src/policy/arguments.js';
import { createAudit } from '../../src/policy/audit.js';
import { conversationOf } from '../../src/policy/conversation.js';
import type { baseFields, policyFields } from '../../src/policy/fields.js';
import { parsePolicy } from '../../src/policy/file.js';
import { queryHistory } from '../../src/policy/query-history/index.js';
import { policySchema } from '../../src/policy/schema.js';
import type { Policy, RuleBase } from '../../src/policy/types.js';
import { open } from '../../src/source/recording.js';

const FILE = 'src/schema/policy.schema.json';

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;
type Output<S extends z.ZodRawShape> = Frozen<z.output<z.ZodObject<S>>>;

it('has the fields of the types for programs, which the compiler checks', () => {
  expectTypeOf<Frozen<Omit<Policy, 'rules'>>>().toEqualTypeOf<
    Omit<Output<ReturnType<typeof policyFields>>, '$schema'>
  >();
  expectTypeOf<Frozen<Omit<RuleBase, 'type'>>>().toEqualTypeOf<Output<ReturnType<typeof baseFields>>>();
});

it('is published', () => {
  const current = { title: 'a policy of ctx-trim', ...z.toJSONSchema(policySchema(z), { io: 'input', reused: 'ref' }) };
  if (process.env['UPDATE']) writeFileSync(FILE, `${JSON.stringify(current, null, 2)}\n`);
  expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(JSON.parse(JSON.stringify(current)));
});

it('takes the example and the built-in policy', async () => {
  expect(
    (await parsePolicy(readFileSync('fixtures/policies/example.yaml', 'utf8'), 'example.yaml')).rules,
  ).toHaveLength(13);
  expect(await parsePolicy(JSON.stringify(queryHistory), 'p.json')).toEqual(JSON.parse(JSON.stringify(queryHistory)));
});

it('is a JSON Schema that says the same', () => {
  const schema: unknown = JSON.parse(readFileSync(FILE, 'utf8'));
  expect(schemaComplaint(JSON.parse(JSON.stringify(queryHistory)), schema)).toBeUndefined();
  expect(
    schemaComplaint({ version: 1, rules: [{ id: 'a', type: 'max_calls', tool: 'x', max: 1 }] }, schema),
  ).toBeUndefined();
  expect(
    schemaComplaint({ version: 1, rules: [{ id: 'a', type: 'max_calls', tool: 'x', max: -1 }] }, schema),
  ).toBeDefined();
  expect(
    schemaComplaint({ version: 1, rules: [{ id: 'a', type: 'max_call', tool: 'x', max: 1 }] }, schema),
  ).toBeDefined();
});

describe('says what is wrong, and where', () => {
  const rules = (rule: string) =>
    'version: 1\nwords: { past: { any: [before] } }\nrules:\n  - { id: a, type: max_calls, tool: x, max: 1 }\n  ' +
    `- ${rule}\n`;
  it.each([
    ['a: [', 'p.yaml:1:5: not YAML: Flow sequence in block collection must be sufficiently indented and end with a ]'],
    ['version: 2\nrules: []', 'p.yaml:1:10: `version`: Invalid input: expected 1'],
    ['version: 1', 'p.yaml:1:1: `rules`: Invalid input: expected array, received undefined'],
    [
      rules('{ id: b, type: max_call }'),
      'p.yaml:5:20: `rules[1].type`: unknown rule type; the types are allow_when, deny_when, decision',
    ],
    [rules('{ id: b }'), 'p.yaml:5:5: `rules[1].type`: the rule has no type; the types are allow_when, deny_when'],
    [
      rules('{ id: b, type: max_calls, tool: x, max: -1 }'),
      'p.yaml:5:45: `rules[1].max`: Too small: expected number to be >=0',
    ],
    [rules('{ id: b, type: max_calls, tool: x, max: 1, mx: 1 }'), 'p.yaml:5:5: `rules[1]`: Unrecognized key: "mx"'],
    [rules('{ id: A b, type: max_calls, tool: x, max: 1 }'), 'p.yaml:5:11: `rules[1].id`: expected lower-case letters'],
    [
      rules('{ id: a, type: max_calls, tool: x, max: 1 }'),
      'p.yaml:5:11: `rules[1].id`: an earlier rule has the same id, `a`',
    ],
    [
      rules('{ id: b, type: deny_when, tool: x, last_user: { matches: [passt] } }'),
      'p.yaml:5:63: `rules[1].last_user.matches[0]`: unknown word list `passt`; `words` has past',
    ],
    [
      'version: 1\nwords: { a: { regex: ["("] } }\nrules: [{ id: a, type: denied_tools, tools: [x] }]',
      'p.yaml:2:23: `words.a.regex[0]`: not a regular expression',
    ],
    [
      'version: 1\ncurrency: yen\nrules: [{ id: a, type: denied_tools, tools: [x] }]',
      'p.yaml:2:11: `currency`: expected a code of three letters',
    ],
  ])('%s', async (text, message) => {
    const error = (await parsePolicy(text, 'p.yaml').catch((thrown: unknown) => thrown)) as TranscriptError;
    expect(describeError(error).slice(0, message.length)).toBe(message);
    expect(error.code).toBe('config');
  });
});

const AIRLINE = '../shared/transcripts/tau2/airline_run1.json';

/** Each was looked up in the recording: what stands there is said beside it. */
describe.skipIf(!existsSync(AIRLINE))('a policy for airline tools over 50 recorded conversations', () => {
  it('finds what went wrong', async () => {
    const policy = await parsePolicy(readFileSync('fixtures/policies/airline.yaml', 'utf8'), 'airline.yaml');
    const audit = createAudit(policy);
    open(readFileSync(AIRLINE)).transcripts.forEach(
      (transcript, line) =>
        void audit.add(conversationOf(transcript), { file: AIRLINE, line, index: line, transcript: transcript.id }),
    );
    const { findings, tools, transcripts, notExercised } = audit.facts();
    const of = (rule: string) =>
      findings
        .filter((finding) => finding.rule === rule)
        .map(({ place, call }) => [place.line, call!.message, call!.tool]);
    expect(transcripts).toBe(50);
    expect(notExercised).toEqual([]);
    expect(tools.find(({ name }) => name === 'cancel_reservation')).toMatchObject({
      calls: 8,
      valid: 4,
      warned: 1,
      denied: 3,
    });
    // "I would prefer not to be transferred." is answered by a transfer, four times over
    expect(of('one-transfer')).toEqual([6, 10, 14, 18].map((message) => [6, message, 'transfer_to_human_agents']));
    // "Sure, my user ID is …, and the confirmation number is 3RK2T9." is followed by its cancellation, unseen
    expect(of('looked-at')).toEqual([[48, 4, 'cancel_reservation']]);
    // "Could you cancel the other flights for me?" is answered by two cancellations, before they are listed and agreed
    // to
    expect(of('confirmed').filter(([line]) => line === 42)).toEqual(
      [18, 20].map((message) => [42, message, 'cancel_reservation']),
    );
  });
});
