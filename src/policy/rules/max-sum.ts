import { argumentAt } from '../arguments.js';
import { defineRuleType, scopes } from './rule.js';

export default defineRuleType({
  type: 'max_sum',
  summary:
    'The maximum sum of an argument (`arg`, a number or a text that is one, such as `$1,500.00`) over the calls of ' +
    'the tool in a transcript (or turn): every call beyond it is reported. A value that is not a number is a warning.',
  fields: (z, { selector, per }) => ({ tool: selector, arg: z.string().min(1), max: z.number(), per }),
  judges: ({ tool }) => [tool],
  *check({ tool, arg, max, per = 'transcript' }, context) {
    for (const calls of scopes(context.calls, per)) {
      let sum = 0;
      for (const call of calls.filter((one) => context.is(one, tool))) {
        const value = numberOf(argumentAt(call.args, arg));
        if (value === undefined) {
          yield { call, wrong: `\`${arg}\` of \`${call.tool}\` is not a number: the sum is unknown`, unsure: true };
          continue;
        }
        sum += value;
        const isOver = sum > max && !isRounding(sum, max);
        yield isOver
          ? { call, wrong: `the sum of \`${arg}\` is ${rounded(sum)} in one ${per}, where at most ${max} is allowed` }
          : { call };
      }
    }
  },
});

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(plainAmount(value)) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** `$1,500.00` as `1500.00`. A comma stands between thousands: `1,5` is no amount. */
function plainAmount(text: string): string {
  const { sign, digits } = AMOUNT.exec(text.trim())?.groups ?? {};
  return digits === undefined ? text : `${sign}${digits.replaceAll(',', '')}`;
}

const AMOUNT =
  /^(?<sign>-?)(?:[A-Z]{3} ?|\p{Sc} ?)?(?<digits>(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)(?: ?(?:[A-Z]{3}|\p{Sc}))?$/u;

/** Sums of decimals are off by less than this share of them. */
const EXACTNESS = 1e-12;

function isRounding(sum: number, max: number): boolean {
  return sum - max <= EXACTNESS * Math.abs(sum);
}

function rounded(sum: number): number {
  return Number(sum.toPrecision(12));
}
