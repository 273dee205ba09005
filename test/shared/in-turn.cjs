// Runs the built program many times in one process: argument lists come on stdin as JSON, and what each run said goes
// to stdout.
const fs = require('node:fs');
const { resolve } = require('node:path');

const cli = resolve(process.argv[2]);
const write = fs.writeSync;
let said;
fs.writeSync = (fd, data, ...rest) => {
  if (fd !== 1 && fd !== 2) return write(fd, data, ...rest);
  const [start = 0, length = data.length] = rest;
  const bytes = typeof data === 'string' ? Buffer.from(data) : data.subarray(start, start + length);
  said[fd] += bytes.toString();
  return bytes.length;
};

(async () => {
  const results = [];
  for (const { cwd, args } of JSON.parse(fs.readFileSync(0, 'utf8'))) {
    said = { 1: '', 2: '' };
    process.chdir(cwd);
    process.argv = [process.execPath, cli, ...args];
    process.exitCode = undefined;
    delete require.cache[cli];
    require(cli);
    while (process.exitCode === undefined) await new Promise((done) => setImmediate(done));
    results.push({ stdout: said[1], stderr: said[2], status: process.exitCode });
  }
  process.exitCode = 0;
  write(1, JSON.stringify(results));
})();
