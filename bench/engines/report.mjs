// Writes bench/ENGINES.md.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

const version = (command, ...words) => execFileSync(command, words, { encoding: 'utf8' }).split('\n')[0].trim();

export function report({ megabytes, parts, one, rows }) {
  const { summary, costs } = one;
  const merges = rows.find((row) => row.costs !== undefined)?.costs ?? [];
  const versions = [
    version('parallel', '--version'),
    version('slurmd', '-V'),
    `Dask distributed ${version('/usr/bin/python3', '-c', 'import distributed; print(distributed.__version__)')}`,
  ];
  const table = rows.map(
    ({ title, killed, again, seconds, outcome }) =>
      `| ${title} | ${killed} | ${again} | ${seconds.toFixed(0)} | ${outcome} |`,
  );
  const text = `# The same work on engines

Written by \`node bench/engines.mjs ${megabytes}\` on ${new Date().toISOString().slice(0, 10)}: ${megabytes} MB of made
agent runs in ${parts} parts, with ${summary.transcripts} transcripts, ${summary.errors} errors and a secret in every
31st. Each part goes through \`filter\`, \`redact\`, \`check\` and \`stats --recorded\` ([work.sh](engines/work.sh)). When
a third of the parts has begun, a worker is killed (SIGKILL): a job with its processes, or all that runs on a host. Hosts are
network namespaces of one machine with two cores, which had other work: the seconds show no speed-up.

A row fails unless what comes out equals what one process writes: \`filter\` and \`redact\` byte for byte (\`redact\`
part by part, because it numbers its marks in each run), the reports that \`check --merge\` and \`stats --merge\` add up
byte for byte, and the costs that DuckDB adds up from \`stats --format parquet\` to the last digit.

| engine | killed | parts begun again | s | equal to one |
| --- | --- | --: | --: | --- |
${table.join('\n')}

What one process takes for all parts (\`redact\`: for the largest part), and what merging takes:

| command | CPU seconds | memory at most |
| --- | --: | --: |
${[...costs, ...merges].map((cost) => `| \`${cost.command}\` | ${cost.seconds.toFixed(0)} | ${cost.megabytes.toFixed(0)} MB |`).join('\n')}

${versions.join('; ')}. Node ${process.versions.node}. Spark and Ray were not run.
`;
  writeFileSync('bench/ENGINES.md', text);
}
