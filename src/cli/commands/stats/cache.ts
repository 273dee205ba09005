/** `stats --cache`: why prompt caches missed. */
import { dayFunction, periodOf } from '../../../engine/period.js';
import { createCacheStats } from '../../../engine/stats/cache.js';
import type { CacheFacts } from '../../../measure/stats/cache-misses.js';
import { isWhole } from '../../../omissions.js';
import { cacheReport } from '../../../reports/cache-misses.js';
import { currencyOf, formatMoneyApart } from '../../../text/money.js';
import { dollarsIn } from '../../../text/parse-usd.js';
import { plural } from '../../../text/words.js';
import type { Config } from '../../config/config.js';
import { loadContext } from '../../context/context.js';
import { collectOmissions } from '../../inputs/omissions.js';
import { forEachTranscript, say } from '../../inputs/reading.js';
import type { ExitCode } from '../../options/command.js';
import { paletteFor } from '../../outputs/colors.js';
import type { Terminal } from '../../terminal/terminal.js';
import { unpricedText } from './budgets.js';
import type { StatsOptions } from './options.js';

export async function runCacheStats(
  words: readonly string[],
  options: StatsOptions,
  terminal: Terminal,
  config: Config,
): Promise<ExitCode> {
  const currency = currencyOf(options.currency);
  const { maxCacheMissCost } = options;
  const limit = maxCacheMissCost === undefined ? undefined : dollarsIn(maxCacheMissCost, '--max-cache-miss-cost');
  const within = periodOf(options, dayFunction(options.timezone));
  const context = await loadContext(options, { priced: true }, config, terminal);
  const stats = createCacheStats({ context, within });
  const omissions = collectOmissions();
  const reading = { options, omissions, isSilent: true };
  const good = await forEachTranscript(words, terminal, reading, ({ transcript, place }) =>
    stats.add(transcript, place),
  );
  const facts = { ...stats.close(), omissions };
  const report = cacheReport(options.top);
  const { stdout } = terminal;
  if (options.format === 'table')
    stdout.write(report.table(facts, { currency, style: await paletteFor(stdout, terminal, options.color) }));
  else if (options.format !== 'ndjson' && options.format !== 'parquet')
    stdout.write(report[options.format](facts, { currency }));
  for (const [model, requests] of facts.unknown) say(terminal, unknownText(model, requests));
  for (const model of facts.unpriced) say(terminal, unpricedText(model));
  if (facts.timeless > 0)
    say(terminal, `ctx-trim: ${plural(facts.timeless, 'request')} without a recorded time skipped`);
  const isOver = limit !== undefined && sayExcess(facts, limit, terminal);
  if (!good) return 2;
  return isOver || (options.strict === true && (facts.unpriced.size > 0 || !isWhole(omissions))) ? 1 : 0;
}

function unknownText(model: string | undefined, requests: number): string {
  const skipped = `${plural(requests, 'request')} skipped`;
  return model === undefined
    ? `ctx-trim: model not recorded, its cache is unknown (set --model): ${skipped}`
    : `ctx-trim: no known cache rules for ${model}: ${skipped}`;
}

/** Reports misses that cost more than the limit. Returns whether they do, or may. */
function sayExcess({ missed: { cost, knownCost } }: CacheFacts, limit: bigint, terminal: Terminal): boolean {
  const flag = '--max-cache-miss-cost';
  if (knownCost > limit) {
    const [spent, over, most] = formatMoneyApart([knownCost, knownCost - limit, limit]);
    say(terminal, `ctx-trim: cache misses cost ${spent}, ${over} over ${flag} ${most}`);
    return true;
  }
  if (cost === undefined) say(terminal, `ctx-trim: cost of cache misses unknown, ${flag} cannot be checked`);
  return cost === undefined;
}
