/** Telemetry of agents: the names of members as the SDKs for JSON and those for Protobuf spell them. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { recordedStats } from '../shared/recorded-stats.js';

const FIXTURES = ['hand-claude-code.jsonl', 'hand-codex.jsonl'];

it.each(FIXTURES)('%s: counts the same with names in snake case', (name) => {
  const text = readFileSync(`fixtures/formats/usage-log/${name}`, 'utf8');
  const other = text.replaceAll(/"(resourceLogs|scopeLogs|logRecords)":/g, (key) =>
    key.replace(/[A-Z]/, (letter) => `_${letter.toLowerCase()}`),
  );
  expect(other).not.toBe(text);
  expect(recordedStats(text)).not.toEqual(recordedStats('[]'));
  expect(recordedStats(other)).toEqual(recordedStats(text));
});
