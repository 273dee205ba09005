/** What counts tokens and runs rules for conditions that need it. */
import { limitsOf } from '../../../engine/check/budgets.js';
import { planOf } from '../../../engine/check/plan.js';
import { createTranscriptRules } from '../../../engine/check/transcript-rules.js';
import { type DataRecord, transcriptsOf } from '../../../engine/select/record.js';
import type { Config } from '../../config/config.js';
import type { Terminal } from '../../terminal/terminal.js';
import { loadMetering } from '../check/metering.js';
import type { SelectOptions } from './options.js';

/** Whether check, with the config's settings, finds no error in a record. */
export async function validityBy(
  { provider, asModel, tokenizer }: SelectOptions,
  config: Config,
  terminal: Terminal,
): Promise<(record: DataRecord) => boolean> {
  const { overridesOf } = await import('../../inputs/found-files.js');
  const plan = planOf({
    selection: { provider },
    settings: config.check,
    overrides: config.check.overrides === undefined ? [] : overridesOf(config, terminal),
  });
  const needs = { plan, limits: limitsOf({}), policies: [] };
  const options = { asModel, tokenizer, prices: [], batch: false };
  const { meter } = await loadMetering(needs, options, config, terminal);
  const rules = createTranscriptRules(plan, () => meter!);
  return (record) =>
    transcriptsOf(record).every((transcript) => {
      const { file, piece } = record;
      const { found } = rules.run({ transcript, piece: piece!, file });
      return !found.some(({ rule, isNote }) => isNote !== true && plan.at(file).severityOf(rule.id) === 'error');
    });
}
