/** `stats --calibrate`: how far counted tokens are off the recorded ones. */

import type { Calibration } from '../measure/stats/calibrate.js';
import { joined, type SafeText, safe } from '../safe/text.js';
import { grouped } from '../text/words.js';
import type { Style } from './report.js';
import { type Column, renderTable } from './rows.js';

export function calibrationTable(calibrations: readonly Calibration[], style: Style): SafeText {
  if (calibrations.length === 0)
    return safe`nothing to calibrate: no model has two consecutive requests with recorded input tokens\n`;
  return safe`${renderTable(COLUMNS, calibrations, style)}\n${joined(LEGEND.map(style.dim), '\n')}\n`;
}

const LEGEND = [
  safe`ratio: recorded tokens per counted token, 10th to 90th percentile`,
  safe`error: mean error of request pairs, with the old factor and with the fitted one`,
];

const COLUMNS: readonly Column<Calibration>[] = [
  { title: 'model', width: 22, text: ({ model }) => model },
  { title: 'pairs', align: 'right', text: ({ pairs }) => grouped(pairs) },
  { title: 'tokens', align: 'right', text: ({ recorded }) => grouped(recorded) },
  { title: 'factor', align: 'right', text: ({ factor, fitted }) => `${factor.toFixed(2)} → ${fitted.toFixed(2)}` },
  { title: 'ratio', align: 'right', text: ({ ratio }) => `${ratio.low.toFixed(2)}–${ratio.high.toFixed(2)}` },
  {
    title: 'error',
    align: 'right',
    text: ({ error, errorLeft }) => `${Math.round(error * 100)} → ${Math.round(errorLeft * 100)} %`,
  },
];
