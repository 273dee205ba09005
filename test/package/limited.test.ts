/** The built program where V8 gives out no WebAssembly: it scans in JavaScript, and says the same; or no memory. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runProgram } from '../shared/program.js';

const recording = 'fixtures/formats/openai-chat/tau-bench-retail.json';
const WARNING = 'Warning: disabling flag --expose_wasm due to conflicting flags\n'; // by Node

function ran(program: string, ...words: string[]) {
  const { status, stdout, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  return { status, stdout: stdout.replace(WARNING, ''), stderr: stderr.replace(WARNING, '') };
}

const LINES = [
  `filter --max-tool-calls 1 ${recording}`,
  `stats ${recording}`,
  `check ${recording}`,
  'check ../no-such-file.json',
  `patch package.json`,
];

it.each(LINES)('without a compiler: %s', (line) => {
  const words = line.split(' ');
  expect(ran(process.execPath, '--jitless', 'bin/ctx-trim.js', ...words)).toEqual(runProgram(words));
});

/** V8 reserves some 10 GB of addresses for one memory of WebAssembly. */
const LIMITED = 'ulimit -v 4000000 && exec "$0" "$@"';
const hasLimit = process.platform === 'linux'; // of addresses

it.skipIf(!hasLimit).each(LINES)('with 4 GB of addresses: %s', (line) => {
  const words = line.split(' ');
  expect(ran('sh', '-c', LIMITED, process.execPath, 'bin/ctx-trim.js', ...words)).toEqual(runProgram(words));
});

it('tells of which input the memory could not be had, and takes the next one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ctx-trim-limited-'));
  const preload = join(folder, 'once.cjs');
  const once = `const { allocUnsafeSlow } = Buffer;
    Buffer.allocUnsafeSlow = () => { Buffer.allocUnsafeSlow = allocUnsafeSlow; new ArrayBuffer(2 ** 48); };`;
  writeFileSync(preload, once);
  const small = join(folder, 'one.json');
  writeFileSync(small, '[{"role":"user","content":"hi"}]');
  const { status, stdout, stderr } = ran(process.execPath, '-r', preload, 'bin/ctx-trim.js', 'check', recording, small);
  rmSync(folder, { recursive: true });
  expect(status).toBe(2);
  expect(stderr).toMatch(/^ctx-trim: fixtures\S+retail\.json: there is not enough memory for this input; [^\n]+\n/);
  expect(stdout).toContain('1 transcript');
});
