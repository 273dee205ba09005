// Writes bench/ENGINES.md.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const version = (command, ...words) => execFileSync(command, words, { encoding: 'utf8' }).split('\n')[0].trim();

/** A row has its own size: a run that was given another one goes on with the rows that are kept. */
export function report({ megabytes, one, rows }) {
  const { summary, costs } = one;
  const merges = rows.find((row) => row.costs !== undefined)?.costs ?? [];
  const measured = [...costs, ...merges].filter(({ seconds }) => seconds > 0);
  const lines = measured.map(
    (cost) => `| \`${cost.command}\` | ${cost.seconds.toFixed(0)} | ${cost.megabytes.toFixed(0)} MB |`,
  );
  const versions = [
    version('parallel', '--version'),
    version('slurmd', '-V'),
    `Dask distributed ${version('/usr/bin/python3', '-c', 'import distributed; print(distributed.__version__)')}`,
  ];
  const table = rows.map(
    ({ title, megabytes: size, parts, killed, again, seconds, outcome }) =>
      `| ${title} | ${size}, ${parts} | ${killed} | ${again} | ${seconds.toFixed(0)} | ${outcome} |`,
  );
  const text = `# The same work on engines

Written by \`node bench/engines.mjs ${megabytes}\` on ${new Date().toISOString().slice(0, 10)}, with made agent runs in
parts: ${megabytes} MB are ${summary.transcripts} transcripts with ${summary.errors} errors, and a secret in every 31st.
Each part goes through \`filter\`, \`redact\`, \`check\` and \`stats --recorded\` ([work.sh](engines/work.sh)). When a
third of the parts has begun, a worker is killed (SIGKILL): a job with its processes, or all that runs on a host, which
does not come back. Hosts are network namespaces of one machine with two cores, which had much other work: the seconds
show no speed-up.

A row fails unless what comes out equals what one process writes: \`filter\` and \`redact\` byte for byte (\`redact\`
part by part, because it numbers its marks in each run), the reports that \`check --merge\` and \`stats --merge\` add up
byte for byte, and the costs that DuckDB adds up from \`stats --format parquet\` to the last digit.

| engine | MB, parts | killed | parts begun again | s | equal to one |
| --- | --- | --- | --: | --: | --- |
${table.join('\n')}

What one process takes for all ${megabytes} MB, and what merging takes (Linux counts memory as resident set):

| command | CPU seconds | memory at most |
| --- | --: | --: |
${lines.join('\n')}

${versions.join('; ')}. Node ${process.versions.node}. Spark and Ray were not run.
`;
  writeFileSync('bench/ENGINES.md', text);
}
