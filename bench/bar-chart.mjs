/** A bar chart as an SVG text, for light and dark pages: bars to the left (less) and right (more) of zero. */

const WIDTH = 760;
const LABELS = 150;
const NOTES = 150;
const BAR = 13;
const GAP = 14;
const TOP = 92;
const COLORS = [
  ['#c2410c', '#fb923c'],
  ['#a16207', '#facc15'],
  ['#0f766e', '#2dd4bf'],
];

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const percent = (value) => `${value < 0 ? '−' : value > 0 ? '+' : ''}${Math.abs(value)} %`;
const rounded = (value) => String(Math.round(value * 10) / 10);

/**
 * `bars: [{ label, values, notes, mark }]`: a value in percent and a note for each of the `series`, and a value that is
 * marked by a line, named `markName`.
 */
export function barChart({ title, subtitle, series, markName, bars }) {
  const all = bars.flatMap(({ values, mark }) => [...values, mark]);
  const [least, most] = [Math.min(0, ...all), Math.max(0, ...all)];
  const scale = (WIDTH - LABELS - NOTES - 20) / (most - least);
  const zero = LABELS - least * scale;
  const row = series.length * (BAR + 2) + GAP;
  const height = TOP + bars.length * row + 4;
  const step = (WIDTH - 40) / (series.length + 1);
  const legend = [...series, markName].map((name, at) => {
    const x = rounded(20 + at * step);
    const sign =
      at < series.length
        ? `<rect class="s${at}" x="${x}" y="58" width="12" height="12"/>`
        : `<rect class="mark" x="${x}" y="57" width="2" height="14"/>`;
    return `${sign}<text x="${rounded(20 + at * step + 18)}" y="68">${escaped(name)}</text>`;
  });
  const rows = bars.map(({ label, values, notes, mark }, at) => {
    const y = TOP + at * row;
    const drawn = values.map((value, index) => {
      const [x, width] = [zero + Math.min(0, value) * scale, Math.max(1, Math.abs(value) * scale)];
      const top = y + index * (BAR + 2);
      const note = `<text class="note" x="${rounded(Math.max(zero, x + width) + 6)}" y="${top + 11}">`;
      return (
        `<rect class="s${index}" x="${rounded(x)}" y="${top}" width="${rounded(width)}" height="${BAR}"/>` +
        `${note}${percent(value)}, ${escaped(notes[index])}</text>`
      );
    });
    const [top, length] = [y - 3, values.length * (BAR + 2) + 4];
    drawn.push(`<rect class="mark" x="${rounded(zero + mark * scale - 1)}" y="${top}" width="2" height="${length}"/>`);
    const middle = y + (values.length * (BAR + 2)) / 2 + 4;
    return `<text x="20" y="${middle}" font-weight="600">${escaped(label)}</text>\n${drawn.join('\n')}`;
  });
  const colors = (dark) => COLORS.map((pair, at) => `.s${at} { fill: ${pair[dark]}; }`).join(' ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}"
  role="img" aria-label="${escaped(title)}"
  font-family="system-ui, sans-serif" font-size="13">
<style>
text { fill: #1f2937; } .note { fill: #4b5563; font-size: 11px; } .page { fill: #ffffff; } .mark { fill: #111827; }
.axis { stroke: #9ca3af; } ${colors(0)}
@media (prefers-color-scheme: dark) {
text { fill: #e5e7eb; } .note { fill: #9ca3af; } .page { fill: #0d1117; } .mark { fill: #f9fafb; } ${colors(1)}
}
</style>
<rect class="page" width="${WIDTH}" height="${height}"/>
<text x="20" y="26" font-size="17" font-weight="700">${escaped(title)}</text>
<text x="20" y="46" class="note">${escaped(subtitle)}</text>
${legend.join('\n')}
<line class="axis" x1="${rounded(zero)}" x2="${rounded(zero)}" y1="${TOP - 6}" y2="${height - 8}"/>
${rows.join('\n')}
</svg>
`;
}
