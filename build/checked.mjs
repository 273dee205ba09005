// The first step of `npm test`: lints, checks the types, builds the program and its types, all at the same time. Prints
// what each says, one after the other. Exit 1: one of them failed.
import { spawn } from 'node:child_process';

const TASKS = [
  ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--incremental', '--tsBuildInfoFile', 'tsc.tmp'],
  ['node_modules/@biomejs/biome/bin/biome', 'check'],
  ['build/build.mjs'],
  ['build/types.mjs'],
];

for (const { code, output } of await Promise.all(TASKS.map(run))) {
  process.stdout.write(output);
  if (code !== 0) process.exitCode = 1;
}

function run(words) {
  const child = spawn(process.execPath, words);
  const pieces = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => pieces.push(piece));
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, output: Buffer.concat(pieces) }));
  });
}
