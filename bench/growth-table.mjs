// The table of `npm run growth`: a line for each command, and the rows that grow too fast.

/** `rows`: each with what it is (`format: shape: command`), its ratio, or why the command refuses the file. */
export function growthTable(rows, { size, most, possible }) {
  const parsed = rows.map((row) => {
    const [format, shape, ...command] = row.what.split(': ');
    return { ...row, format, shape, command: command.join(': ') };
  });
  const commands = grouped(parsed);
  const ran = parsed.filter(({ ratio }) => ratio !== undefined);
  const faults = ran.filter(({ ratio }) => ratio > most).sort((a, b) => b.ratio - a.ratio);
  const byGarbage = faults.filter(({ ratio, work = ratio }) => work <= most);
  return [
    '# Growth',
    '',
    `Written by \`npm run growth\` on ${new Date().toISOString().slice(0, 10)}, N = ${size} calls (or messages),`,
    `Node ${process.version}: CPU of a command with 4 N over that with N, of all threads, in one warm process.`,
    `4 is linear; more than ${most}, and as much from 4 N to 16 N, is a fault. A row is a command over one shape`,
    '(bench/shapes.mjs) in one format, or over a recording made longer (bench/grown.mjs). 99: it was given up.',
    '"Quick": so little CPU with 4 N that N was not run. "Refused": the command does not take such a file.',
    '',
    `Of ${possible} rows ${ran.length} ran, ${parsed.length - ran.length} were refused, ` +
      `${faults.length} grow too fast;`,
    `${possible - parsed.length} were not run. In ${byGarbage.length} of those that grow too fast, the collection of`,
    `garbage makes it more than ${most}; the rest of the work stays below.`,
    '',
    '| command | rows | quick | refused | largest | where | CPU there with 4 N, ms |',
    '| --- | --: | --: | --: | --: | --- | --: |',
    ...[...commands].map(([command, all]) => line(command, all)),
    '',
    ...(faults.length === 0 ? [] : ['## Faults', '']),
    ...faults.map(faultLine),
    ...(faults.length === 0 ? [] : ['']),
  ].join('\n');
}

function faultLine({ what, ratio, work, large }) {
  const without = work === undefined ? '' : ` (${work.toFixed(1)} without garbage)`;
  return `- ${what}: ${ratio.toFixed(1)}${without}, ${ms(large)} ms`;
}

function line(command, all) {
  const ran = all.filter(({ ratio }) => ratio !== undefined);
  const quick = ran.filter(({ ratio }) => ratio === 0).length;
  const refused = all.length - ran.length;
  const worst = ran.reduce((most, row) => (row.ratio > (most?.ratio ?? 0) ? row : most), undefined);
  const figures = worst ? `${worst.ratio.toFixed(1)} | ${worst.format}, ${worst.shape} | ${ms(worst.large)}` : ' | | ';
  return `| \`${command}\` | ${ran.length} | ${quick} | ${refused} | ${figures} |`;
}

const ms = (seconds) => Math.round(seconds * 1000);

function grouped(rows) {
  const groups = new Map();
  for (const row of rows) groups.set(row.command, [...(groups.get(row.command) ?? []), row]);
  return groups;
}
