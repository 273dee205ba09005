/** The JSON Schema for editors is the schema that the program goes by. `UPDATE=1` writes it anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { configSchema, parseConfig } from '../../../src/cli/config/config-schema.js';

const FILE = 'src/schema/config.schema.json';

const current = () => ({ title: 'ctx-trim.config', ...z.toJSONSchema(configSchema(z), { io: 'input' }) });

it('is published', () => {
  if (process.env['UPDATE']) writeFileSync(FILE, `${JSON.stringify(current(), null, 2)}\n`);
  expect(JSON.parse(readFileSync(FILE, 'utf8'))).toEqual(JSON.parse(JSON.stringify(current())));
});

it.each([
  [true, {}],
  [
    true,
    {
      $schema: './node_modules/ctx-trim/schema/config.schema.json',
      check: {
        provider: 'anthropic',
        disable: ['chat/*'],
        severity: { 'budget/cost': 'warning' },
        maxWarnings: 0,
        rules: [],
      },
      budgets: { tokens: 1, cost: '1.50', contextShare: 0.8, total: { cost: 2 } },
    },
  ],
  [true, { defaults: { 'max-length': 4000 }, pipelines: { short: ['patch'] }, prices: ['p.json'] }],
  [false, { check: { severity: { 'budget/cost': 'fatal' } } }],
  [false, { budgets: { contextShare: 80 } }],
  [false, { budgets: { tokens: 1.5 } }],
  [false, { budgets: { total: { resultLength: 3 } } }],
  [true, { pipelines: { short: { steps: ['filter:max-tool-calls=3', 'dedupe'], every: 20 } } }],
  [false, { pipelines: { short: [] } }],
  [false, { pipelines: { short: { steps: ['dedupe'], every: 0 } } }],
  [false, { pipelines: { short: { every: 20 } } }],
  [false, { checks: {} }],
])('takes and refuses what the program does: %s %j', async (isGood, config) => {
  const validate = new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync(FILE, 'utf8')) as object);
  expect(validate(config)).toBe(isGood);
  const parsed = parseConfig(JSON.stringify(config), 'c.json', false);
  await (isGood ? expect(parsed).resolves.toMatchObject(config) : expect(parsed).rejects.toThrow(/a config holds/));
});

it('takes JSON with a byte order mark', async () => {
  expect(await parseConfig('\ufeff{"defaults": {"model": "gpt-4o"}}', 'c.json', false)).toMatchObject({
    defaults: { model: 'gpt-4o' },
  });
});

it('refuses a key that stands twice, with its position, in JSON as in YAML', async () => {
  const json =
    '{\n  "pipelines": { "a": ["patch:template=\\"a\\": {"], "b": ["patch"],\n    "\\u0061": ["dedupe"] }\n}';
  const yaml = 'pipelines:\n  a: [patch]\n  a: [dedupe]\n';
  await expect(parseConfig(json, 'c.json', false)).rejects.toMatchObject({
    message: expect.stringContaining('the key `a` stands twice in one object'),
    place: { file: 'c.json', line: 3, column: 5 },
  });
  await expect(parseConfig(yaml, 'c.yaml', true)).rejects.toMatchObject({ place: { file: 'c.yaml', line: 3 } });
  const apart =
    '{ "pipelines": { "a": ["patch"] }, "prices": ["pipelines", "pipelines"], "projects": { "a": ["/w"] } }';
  await expect(parseConfig(apart, 'c.json', false)).resolves.toMatchObject({ pipelines: { a: ['patch'] } });
});
