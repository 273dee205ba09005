/** Files that gzip and zstd made, and files that they read again. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../../shared/program.js';

const LOG = readFileSync('fixtures/formats/claude-code/read-again.jsonl');
const hasZstd = spawnSync('zstd', ['--version']).status === 0;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const writesZstd = major > 23 || (major === 23 && minor >= 8) || (major === 22 && minor >= 15);

let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'ctx-trim-packed-'));
  writeFileSync(join(home, 'log.jsonl'), LOG);
  writeFileSync(join(home, 'log.jsonl.gz'), gzipSync(LOG));
  if (hasZstd) execFileSync('zstd', ['-q', 'log.jsonl'], { cwd: home });
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

const ctxTrim = (...words: string[]) => runProgram(words, { cwd: home });
const at = (name: string) => join(home, name);

describe('a compressed file', () => {
  const names = ['log.jsonl.gz', ...(hasZstd ? ['log.jsonl.zst'] : [])];
  it.skipIf(!hasZstd)('of zstd: there is no zstd here', () => {});

  it.each(names)('%s is read as its content is', (name) => {
    for (const words of [['stats'], ['check'], ['patch'], ['filter', '--max-tool-calls=1'], ['redact'], ['show']]) {
      const plain = ctxTrim(...words, 'log.jsonl');
      const { stdout, status } = ctxTrim(...words, name);
      expect({ stdout: stdout.replaceAll(name, 'log.jsonl'), status }).toEqual({
        stdout: plain.stdout,
        status: plain.status,
      });
    }
    expect(runProgram(['patch'], { cwd: home, input: readFileSync(at(name)) }).stdout).toBe(
      ctxTrim('patch', 'log.jsonl').stdout,
    );
    expect(ctxTrim('stats', '--recorded', '--by', 'model', name).stdout).toBe(
      ctxTrim('stats', '--recorded', '--by', 'model', 'log.jsonl').stdout,
    );
  });

  it('is known by its content, and may have several parts', () => {
    writeFileSync(at('odd.json'), gzipSync(LOG));
    writeFileSync(at('parts.jsonl.gz'), Buffer.concat([gzipSync(LOG.subarray(0, 999)), gzipSync(LOG.subarray(999))]));
    for (const name of ['odd.json', 'parts.jsonl.gz'])
      expect(ctxTrim('patch', name).stdout).toBe(ctxTrim('patch', 'log.jsonl').stdout);
  });

  it('is found in a folder', () => {
    expect(ctxTrim('formats', '.').stdout).toContain('log.jsonl.gz');
  });

  it('is written back compressed, and not touched if nothing changes', () => {
    writeFileSync(at('mine.jsonl.gz'), gzipSync(LOG));
    utimesSync(at('mine.jsonl.gz'), 1, 1);
    expect(ctxTrim('dedupe', '--write', 'mine.jsonl.gz').status).toBe(0);
    expect(statSync(at('mine.jsonl.gz')).mtimeMs).toBe(1000);
    expect(ctxTrim('filter', '--max-tool-calls=1', '--write', '--backup', '.bak', 'mine.jsonl.gz').status).toBe(0);
    expect(gunzipSync(readFileSync(at('mine.jsonl.gz'))).toString()).toBe(
      ctxTrim('filter', '--max-tool-calls=1', 'log.jsonl').stdout,
    );
    expect(gunzipSync(readFileSync(at('mine.jsonl.gz.bak')))).toEqual(LOG);
  });

  it('is what a name with .gz asks for, and else not', () => {
    writeFileSync(at('plain.jsonl.gz'), LOG); // its name lies
    expect(ctxTrim('filter', '--max-tool-calls=1', '--write', 'plain.jsonl.gz').status).toBe(0);
    const expected = ctxTrim('filter', '--max-tool-calls=1', 'log.jsonl').stdout;
    expect(readFileSync(at('plain.jsonl.gz'), 'utf8')).toBe(expected);
    expect(ctxTrim('filter', '--max-tool-calls=1', '-o', 'new.jsonl.gz', 'log.jsonl').status).toBe(0);
    expect(gunzipSync(readFileSync(at('new.jsonl.gz'))).toString()).toBe(expected);
  });

  it('of zstd is written where Node can, and refused in a clear sentence where it cannot', () => {
    const { status, stderr } = ctxTrim('filter', '--max-tool-calls=1', '-o', 'new.jsonl.zst', 'log.jsonl');
    expect(status).toBe(writesZstd ? 0 : 2);
    expect(existsSync(at('new.jsonl.zst'))).toBe(writesZstd);
    if (!writesZstd)
      expect(stderr).toBe(
        'ctx-trim: new.jsonl.zst: writing .zst needs Node 22.15 or later; ' +
          'write a .gz file, or pipe the output through zstd\n',
      );
  });

  it('that is cut or damaged is refused, and nothing is written', () => {
    const packed = gzipSync(LOG);
    const damaged = Buffer.from(packed);
    damaged[packed.length - 6]! ^= 1; // in the checksum
    writeFileSync(at('cut.jsonl.gz'), packed.subarray(0, 2000));
    writeFileSync(at('damaged.jsonl.gz'), damaged);
    if (hasZstd) writeFileSync(at('cut.jsonl.zst'), readFileSync(at('log.jsonl.zst')).subarray(0, 900));
    const before = readdirSync(home).map((name) => [name, readFileSync(at(name), 'latin1')]);
    for (const name of ['cut.jsonl.gz', 'damaged.jsonl.gz', ...(hasZstd ? ['cut.jsonl.zst'] : [])])
      for (const words of [['stats'], ['filter', '--max-tool-calls=1', '--write']]) {
        const { status, stderr } = ctxTrim(...words, name);
        expect(status).toBe(2);
        expect(stderr).toContain('cannot be unpacked');
      }
    expect(readdirSync(home).map((name) => [name, readFileSync(at(name), 'latin1')])).toEqual(before);
  });
});
