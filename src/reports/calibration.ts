/** `stats --calibrate`: how far counted tokens are off the recorded ones, as table and JSON. */

import type { Calibration } from '../measure/stats/calibrate.js';
import { joined, type SafeText, safe } from '../safe/text.js';
import { grouped } from '../text/words.js';
import type { TableStyle } from './report.js';
import { type Column, renderTable } from './rows.js';

export function calibrationTable(calibrations: readonly Calibration[], style: TableStyle): SafeText {
  if (calibrations.length === 0)
    return safe`nothing to calibrate: no model has two consecutive requests with recorded input tokens\n`;
  return safe`${renderTable(COLUMNS, calibrations, style)}\n${joined(LEGEND.map(style.dim), '\n')}\n`;
}

const LEGEND = [
  safe`ratio: recorded tokens per counted token, 10th to 90th percentile`,
  safe`error: mean error of request pairs, with the old factor and with the fitted one`,
];

/** The documented JSON: an entry for each model, shares from 0 to 1. */
export function calibrationRows(calibrations: readonly Calibration[]) {
  return calibrations.map(({ model, pairs, dropped, recorded, factor, fitted, ratio, error, errorLeft }) => ({
    model,
    pairs,
    dropped,
    recorded_tokens: recorded,
    factor: rounded(factor),
    fitted_factor: rounded(fitted),
    ratio: rounded(ratio.median),
    ratio_p10: rounded(ratio.low),
    ratio_p90: rounded(ratio.high),
    error: rounded(error),
    error_left: rounded(errorLeft),
  }));
}

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

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
