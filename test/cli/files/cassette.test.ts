/** Cassettes in YAML: read like any other input, never written. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCassette } from '../../../src/cli/files/cassette.js';
import { readerOver } from '../../../src/source/read-back.js';
import { textOf } from '../../../src/transcript/text.js';
import type { Transcript } from '../../../src/transcript/types.js';
import { openText } from '../../shared/opened.js';
import { runProgram } from '../../shared/program.js';

const FOLDER = 'fixtures/formats/call-log';
const REAL = '../shared/cases/unread/cassette';
const REFUSAL =
  'a cassette in YAML is read only and nothing was written; make JSON of it first, as VCR.py does with ' +
  "`serializer='json'`";

async function unpacked(bytes: Buffer): Promise<string> {
  const read = await openCassette(readerOver(bytes));
  const chunk = Buffer.alloc(1000);
  const chunks: Buffer[] = [];
  for (let got = read(chunk, 0, 1000); got > 0; got = read(chunk, 0, 1000))
    chunks.push(Buffer.from(chunk.subarray(0, got)));
  return Buffer.concat(chunks).toString();
}

const saidIn = ({ messages }: Transcript) =>
  messages.map(({ role, parts }) => [
    role,
    ...parts.map((part) => {
      if (part.type === 'call') return textOf(part.input);
      const texts = part.type === 'result' ? part.content : [part];
      return texts.map((each) => (each.type === 'text' ? textOf(each.text) : each.type)).join('');
    }),
  ]);

describe('the bodies of a cassette', () => {
  it.each([
    [
      'hand-cassette.yaml',
      [
        [
          ['user', 'What is the weather in Köln?'],
          ['assistant', '{"city":"Köln"}'],
        ],
        [
          ['user', 'What is the weather in Köln?'],
          ['assistant', '{"city":"Köln"}'],
          ['tool', '11 °C'],
          ['assistant', 'It has 11 °C.'],
        ],
      ],
      [12, 9],
    ],
    [
      'hand-parsed.yaml',
      [
        [
          ['user', 'Name a bird.'],
          ['assistant', 'A wren.'],
        ],
      ],
      [5],
    ],
    [
      'hand-ruby.yaml',
      [
        [
          ['user', 'Name a tree.'],
          ['assistant', 'An oak.'],
        ],
      ],
      [4],
    ],
  ])('of %s are read, with their usage', async (name, said, output) => {
    const { detection, transcripts } = openText(await unpacked(readFileSync(join(FOLDER, name))));
    expect([detection.format.id, detection.confidence]).toEqual(['call-log', 0.9]);
    expect(transcripts.map(saidIn)).toEqual(said);
    const usage = transcripts.map(({ messages, recorded }) => recorded!(messages.at(-1)!)?.usage?.output);
    expect(usage).toEqual(output);
  });

  it('of a recorded stream are read as far as they count', async () => {
    const text = await unpacked(readFileSync(join(FOLDER, 'pydantic-ai-gemini-stream.yaml')));
    const [transcript] = openText(text).transcripts;
    expect(saidIn(transcript!)).toEqual([
      ['system', 'You are a helpful chatbot.'],
      ['user', 'What is the capital of France?'],
    ]);
    expect(transcript!.others).toMatchObject([
      // 8 tokens of an answer, and 16 of thoughts
      { responseId: 'ezh8aaKTCYSnqtsP-qXkqQI', model: 'gemini-2.5-flash', usage: { input: 15, output: 24 } },
    ]);
  });

  it('that are not text become base64', async () => {
    const text = await unpacked(Buffer.from('interactions:\n- response:\n    body:\n      string: !!binary /w==\n'));
    expect(JSON.parse(text)).toEqual({ interactions: [{ response: { body: { string: '/w==' } } }] });
  });
});

describe('a cassette', () => {
  let home = '';
  const run = (...words: string[]) => runProgram(words, { cwd: home });
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'ctx-trim-cassette-'));
    copyFileSync(join(FOLDER, 'hand-cassette.yaml'), join(home, 'c.yaml'));
    mkdirSync(join(home, 'packed'));
    writeFileSync(join(home, 'packed/c.yaml'), gzipSync(readFileSync(join(home, 'c.yaml'))));
    writeFileSync(join(home, 'bad.yaml'), 'interactions:\n- request: {body: [\n');
    writeFileSync(join(home, 'other.yaml'), 'name: ci\non: push\n');
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it.each([
    ['formats'],
    ['stats'],
    ['check'],
    ['show'],
    ['convert', '--to', 'openai-chat'],
    ['stats', '--format', 'json'],
  ])('can be read by %s, also if it is compressed', (...words) => {
    const [plain, packed] = [home, join(home, 'packed')].map((cwd) => runProgram([...words, 'c.yaml'], { cwd }));
    expect(plain!.stderr).not.toContain('cannot');
    expect(plain!.stdout.length).toBeGreaterThan(0);
    expect(packed).toEqual(plain);
  });

  it.each([
    [['filter', '--max-tool-calls', '0']],
    [['filter', '--max-tool-calls', '0', '--write']],
    [['redact']],
    [['redact', '--write']],
  ])('is not written by %j', (words) => {
    const before = readFileSync(join(home, 'c.yaml'));
    expect(run(...words, 'c.yaml')).toEqual({ stdout: '', stderr: `ctx-trim: c.yaml: ${REFUSAL}\n`, status: 2 });
    expect(readFileSync(join(home, 'c.yaml'))).toEqual(before);
  });

  it('can be checked for changes', () => {
    expect(run('filter', '--max-tool-calls', '0', '--check', 'c.yaml')).toMatchObject({
      stdout: 'c.yaml\n',
      status: 1,
    });
  });

  it('that is broken is an error with its place; other YAML is none', () => {
    expect(run('stats', 'bad.yaml').stderr).toMatch(
      /^ctx-trim: bad\.yaml:\d+:\d+: the cassette cannot be read: not YAML: /,
    );
    expect(run('stats', 'other.yaml').stderr).toContain('other.yaml:1:2: not JSON');
  });
});

const hasYaml = spawnSync('python3', ['-c', 'import yaml']).status === 0;
if (!hasYaml) it.skip('a real cassette as PyYAML reads it: it is not installed here');

describe.runIf(hasYaml && existsSync(REAL))('a real cassette', () => {
  it.each(existsSync(REAL) ? readdirSync(REAL) : [])('%s holds all texts of its requests', async (name) => {
    const bytes = readFileSync(join(REAL, name));
    const { transcripts } = openText(await unpacked(bytes));
    const script = 'import json,sys,yaml;print(json.dumps(yaml.safe_load(sys.stdin)["interactions"][-1]))';
    const judged = execFileSync('python3', ['-c', script], { input: bytes, maxBuffer: 1e8 }).toString();
    const { request, response } = JSON.parse(judged);
    const body = JSON.parse(request.body);
    const reply = JSON.parse(response.body.string);
    const texts = [body.system, ...body.messages.flatMap((each: { content: unknown }) => each.content)];
    expect(saidIn(transcripts[0]!).flatMap(([, ...said]) => said)).toEqual([
      ...texts.map((each) => (typeof each === 'string' ? each : (each.text ?? 'media'))),
      reply.content[0].text,
    ]);
  });
});
