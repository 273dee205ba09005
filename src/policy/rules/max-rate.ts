import type { Call } from '../types.js';
import { defineRuleType } from './rule.js';

const MINUTE_MS = 60_000;

export default defineRuleType({
  type: 'max_rate',
  summary:
    'The maximum number of calls of the tool within any minute (or so many `seconds`), by their recorded moments: ' +
    'every further call is reported. Calls without a moment are a warning, as nobody can tell.',
  fields: (z, { selector }) => ({ tool: selector, max: z.int().min(0), seconds: z.number().positive().optional() }),
  judges: ({ tool }) => [tool],
  *check({ tool, max, seconds = 60 }, context) {
    const length = seconds * 1000;
    const within = length === MINUTE_MS ? 'one minute' : `${seconds} seconds`;
    let window: readonly { readonly call: Call; readonly time: number }[] = [];
    for (const call of context.calls.filter((one) => context.is(one, tool))) {
      const { time } = call;
      if (time === undefined) {
        yield { call, wrong: `\`${call.tool}\` has no recorded moment, so its rate is not known`, unsure: true };
        continue;
      }
      window = [...window.filter((one) => one.time > time - length), { call, time }];
      yield window.length <= max
        ? { call }
        : {
            call,
            wrong: `\`${call.tool}\` is call ${window.length} within ${within}, where at most ${max} are allowed`,
          };
    }
  },
});
