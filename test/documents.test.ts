/** What `--format json` prints is what the published JSON Schemas say: nothing more, nothing less. */
import { existsSync, readdirSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { documents, jsonSchemaOf } from '../src/documents/schemas/index.js';
import { runProgram } from './shared/program.js';

const FOLDER = 'fixtures/formats';
/** One recording a format. */
const RECORDINGS = readdirSync(FOLDER).map((format) => {
  const files = readdirSync(`${FOLDER}/${format}`).filter((file) => /\.jsonl?$/.test(file));
  return `${FOLDER}/${format}/${files[0]}`;
});
const CITIES = 'fixtures/formats/openai-chat/hand-calls.json';
const POLICY = ['audit', '--policy'];

/** By document, command lines that print it; `FILES` is a recording of each format. */
const PRINTED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  audit: [
    [...POLICY, 'fixtures/policies/coding.yaml', 'fixtures/policies/coding.jsonl'],
    [...POLICY, 'query-history', 'fixtures/audit/query-history.jsonl'],
    ...['rule', 'file', 'day'].map((by) => [
      ...[...POLICY, 'query-history', '--by', by, 'fixtures/audit/query-history.jsonl'],
    ]),
  ],
  'audit-explain': [['audit', '--policy', 'query-history', '--explain=What did we say earlier about JWT?']],
  check: [
    ['check', 'FILES'],
    ['check', '--secrets', 'FILES'],
    ['check', '--fix', 'FILES'],
  ],
  diff: [
    ['diff', CITIES, RECORDINGS[0]!],
    ['filter', '--max-tool-calls=1', '--diff', 'FILES'],
  ],
  fork: [['fork', 'fixtures/formats/claude-code/short.jsonl', '--dry-run', '--force']],
  formats: [['formats']],
  'formats-detected': [['formats', 'FILES']],
  handover: [['handover', 'fixtures/formats/claude-code/short.jsonl', '--to', 'codex', '--dry-run']],
  'policy-lint': [['policy', 'lint', 'fixtures/policies/wrong-rules.yaml']],
  'policy-test': [
    ['policy', 'test', 'fixtures/policies/airline.yaml'],
    ['policy', 'test', 'query-history'],
  ],
  prices: [['prices', 'gpt-4o', 'claude-sonnet-4-5', 'gemini-2.5-pro', 'no-such-model']],
  'prices-update': [['prices', '--update', '--from', 'fixtures/prices/litellm.json', '--output', '/dev/null']],
  report: [['report', '--policy', 'filter:max-tool-calls=1', 'FILES']],
  dataset: [['dataset', '--output=/tmp/ctx-trim-dataset-document.jsonl', 'fixtures/audit/query-history.jsonl']],
  rules: [['rules']],
  select: [
    ['select', '--check', '--min-messages=4', 'FILES'],
    ['select', '--split=a=0.5,b=0.5', '--output=/tmp/ctx-trim-select-document', 'fixtures/audit/query-history.jsonl'],
  ],
  sessions: [['sessions'], ['sessions', '--findings']],
  show: [['show', 'FILES']],
  simulate: [['simulate', 'filter:max-tool-calls=1', 'FILES']],
  'simulate-retries': [['simulate', '--retries', '3', CITIES]],
  'simulate-sweep': [['simulate', '--sweep', 'max-tool-calls=0..2', '--model', 'gpt-4o', CITIES]],
  stats: [
    ['stats', 'FILES'],
    ['stats', '--tools', '--calibrate', '--by', 'day,model', 'FILES'],
    ['stats', '--recorded', '--by', 'agent', 'FILES'],
    ['stats', '--by', 'role', 'FILES'],
  ],
  'stats-cache': [['stats', '--cache', 'FILES']],
};

it('covers every document', () => {
  expect(Object.keys(PRINTED).sort()).toEqual(Object.keys(documents).sort());
});

/** By the name of a schema within that of `diff`. */
const SUMMARIES: Readonly<Record<string, readonly string[]>> = {
  RewriteSummary: ['filter', '--max-tool-calls=1', '--summary', CITIES],
  RedactReport: ['redact'],
};

it.each(Object.entries(SUMMARIES))('%s', (name, words) => {
  const schema = jsonSchemaOf('diff', true);
  const ajv = new Ajv2020({ strict: true, allErrors: true }).addSchema(schema);
  const validate = ajv.getSchema(`${schema['$id'] as string}#/$defs/${name}`)!;
  const input = `my key is ${'ghp'}_aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5`;
  const apart = runProgram([...words, '--format=json', '--output=/dev/null'], { input }).stdout;
  const { stdout, stderr } = runProgram([...words, '--format=json'], { input });
  expect(stderr).toContain(apart);
  expect(stdout).not.toContain(apart);
  const report = JSON.parse(apart) as { files: unknown[] };
  expect(report.files.length).toBeGreaterThan(0);
  validate(report);
  expect(validate.errors?.slice(0, 5) ?? []).toEqual([]);
});

it('prints the summary as JSON or text only', () => {
  expect(runProgram(['filter', '--max-tool-calls=1', '--summary', '--format=markdown', CITIES])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--format markdown needs --diff') as string,
  });
});

describe.each(Object.keys(documents))('%s', (name) => {
  const validate = new Ajv2020({ strict: true, strictTypes: false, allErrors: true }).compile(jsonSchemaOf(name, true));

  it.each(PRINTED[name]!.map((words) => [words.join(' '), words] as const))('%s', (_, words) => {
    const files = words.flatMap((word) => (word === 'FILES' ? RECORDINGS : [word]));
    const { stdout, stderr } = runProgram([...files, '--format', 'json']);
    expect(stdout, stderr).toMatch(/^\{/);
    validate(JSON.parse(stdout));
    expect(validate.errors?.slice(0, 5) ?? []).toEqual([]);
  });

  it('is in the package', () => {
    if (existsSync('dist')) expect(existsSync(`dist/schema/${name}.schema.json`)).toBe(true);
  });
});
