/** What only some commands need, and what takes long to load: counting, pricing, reports. It is bundled apart from the rest. */
import diff from './diff/index.js';
import prices from './prices/index.js';
import stats from './stats/index.js';

export { loadCountings } from '../io/tokenizer.js';
export { loadContext } from './shared/context.js';
export { createObserver } from './shared/observe.js';

export const commands = [stats, diff, prices];
