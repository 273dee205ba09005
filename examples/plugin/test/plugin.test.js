import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { testFormat, testRule } from 'ctx-trim/plugin';
import plugin from '../index.js';

const recording = readFileSync(new URL('../recordings/import.jsonl', import.meta.url), 'utf8');
const { formats, rules, secrets } = plugin;

test('the format keeps its laws', () => testFormat(formats[0], { 'import.jsonl': recording }));
test('the rule keeps its laws', () => testRule(rules[0]));
test('the token is found', () => assert.match(recording, secrets[0].pattern));
