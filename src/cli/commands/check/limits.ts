/** Budgets and rule levels from flags and the config. Flags win. */
import { type Limits, limitsOf } from '../../../engine/check/budgets.js';
import type { Level } from '../../../engine/check/settings.js';
import { configError, TranscriptError } from '../../../errors.js';
import { shareIn } from '../../../text/parse-share.js';
import { dollarsIn } from '../../../text/parse-usd.js';
import type { Config } from '../../config/config.js';
import type { BudgetOptions } from './options.js';

export function limitsIn(options: BudgetOptions, { budgets, file }: Config): Limits {
  const { maxContextShare, maxTotalCost, per } = options;
  const flags: Readonly<Record<string, { readonly flag: string; readonly value: string | undefined }>> = {
    cost: { flag: '--max-cost', value: options.maxCost },
    [per === undefined ? 'total.cost' : `per.${per}`]: { flag: '--max-total-cost', value: maxTotalCost },
  };
  return limitsOf(
    {
      tokens: options.maxTokens ?? budgets.tokens,
      cost: options.maxCost ?? budgets.cost,
      calls: options.maxCalls ?? budgets.calls,
      repeatedCalls: options.maxRepeatedCalls ?? budgets.repeatedCalls,
      resultLength: options.maxResultLength ?? budgets.resultLength,
      systemLength: options.maxSystemLength ?? budgets.systemLength,
      contextShare:
        maxContextShare === undefined ? budgets.contextShare : shareIn(maxContextShare, '--max-context-share'),
      total: {
        tokens: options.maxTotalTokens ?? budgets.total?.tokens,
        cost: (per === undefined ? maxTotalCost : undefined) ?? budgets.total?.cost,
        calls: options.maxTotalCalls ?? budgets.total?.calls,
      },
      per: per === undefined ? budgets.per : { ...budgets.per, [per]: maxTotalCost },
    },
    (text, key) => {
      const { flag = '', value } = flags[key] ?? {};
      return value === undefined
        ? inConfig(file!, `budgets.${key}`, () => dollarsIn(text, 'it'))
        : dollarsIn(text, flag);
    },
  );
}

function inConfig<T>(file: string, path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw configError(file, path, (error as Error).message);
  }
}

/** `budget/tokens=warning`. */
export function levelIn(text: string): readonly [rule: string, level: Level] {
  const [, rule = '', level] = /^(.+)=(error|warning|off)$/.exec(text) ?? [];
  if (level === undefined)
    throw new TranscriptError(
      'usage',
      `--severity \`${text}\` is invalid; expected a rule and error, warning or off, such as budget/tokens=warning`,
    );
  return [rule, level as Level];
}
