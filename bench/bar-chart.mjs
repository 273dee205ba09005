/** A horizontal bar chart as an SVG text: pairs of bars to the left (less) and right (more) of zero, in shares. */

const WIDTH = 760;
const LABELS = 190;
const ROW = 44;
const BAR = 15;
const TOP = 84;
const COLORS = ['#c2410c', '#0f766e'];

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const percent = (share) => `${share < -0.0005 ? '−' : share > 0.0005 ? '+' : ''}${Math.abs(share * 100).toFixed(0)} %`;

/** `bars: [{label, values}]`, a value for each of the `series`. */
export function barChart({ title, subtitle, series, bars }) {
  const all = bars.flatMap(({ values }) => values);
  const [least, most] = [Math.min(0, ...all), Math.max(0, ...all)];
  const room = WIDTH - LABELS - 120;
  const scale = room / (most - least);
  const zero = LABELS + 60 - least * scale;
  const height = TOP + bars.length * ROW + 16;
  const legend = series.map(
    (name, index) =>
      `<rect x="${LABELS + index * 190}" y="56" width="12" height="12" fill="${COLORS[index]}"/>` +
      `<text x="${LABELS + 18 + index * 190}" y="66">${escaped(name)}</text>`,
  );
  const rows = bars.map(({ label, values }, row) => {
    const y = TOP + row * ROW;
    const drawn = values.map((value, index) => {
      const [x, width] = [zero + Math.min(0, value) * scale, Math.max(1, Math.abs(value) * scale)];
      const top = y + index * (BAR + 2);
      const end = value < 0 ? `x="${x - 6}" text-anchor="end"` : `x="${x + width + 6}"`;
      return (
        `<rect x="${x.toFixed(1)}" y="${top}" width="${width.toFixed(1)}" height="${BAR}" fill="${COLORS[index]}"/>` +
        `<text ${end} y="${top + 12}">${percent(value)}</text>`
      );
    });
    const name = `x="${LABELS - 12}" y="${y + 20}" text-anchor="end" font-weight="600"`;
    return `<text ${name}>${escaped(label)}</text>${drawn.join('')}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}"
  role="img" aria-label="${escaped(title)}"
  font-family="system-ui, sans-serif" font-size="13" fill="#1f2937">
<rect width="${WIDTH}" height="${height}" fill="#ffffff"/>
<text x="20" y="26" font-size="17" font-weight="700">${escaped(title)}</text>
<text x="20" y="46" fill="#4b5563">${escaped(subtitle)}</text>
${legend.join('\n')}
<line x1="${zero.toFixed(1)}" x2="${zero.toFixed(1)}" y1="${TOP - 6}" y2="${height - 10}" stroke="#9ca3af"/>
${rows.join('\n')}
</svg>
`;
}
