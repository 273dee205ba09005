/** What only some commands need, and what takes long to load: counting, pricing, reports. It is bundled apart from the rest. */
import diff from './diff.js';
import prices from './prices.js';
import stats from './stats.js';

export { createMeter } from './meter.js';
export { createObserver } from './observe.js';
export { loadCountings } from './tokenizer.js';

export const commands = [stats, diff, prices];
