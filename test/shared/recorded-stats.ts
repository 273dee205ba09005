/** `stats --recorded` over texts, without a command line: a character counts as a token where tokens are counted. */
import type { Context } from '../../src/engine/context.js';
import { createStats } from '../../src/engine/stats/stats.js';
import { loadPrices } from '../../src/measure/pricing/cost.js';
import type { AuditFacts, RowGrouping } from '../../src/measure/stats/audit.js';
import { createCounting } from '../../src/measure/stats/counting.js';
import { openText } from './opened.js';

export const byLength: Context = {
  tokenizer: () => (text) => text.length,
  countingFor: (model) => createCounting(model, () => (text) => text.length, 1),
  prices: await loadPrices(),
  at: undefined,
};

export function recordedStats(text: string | Buffer, grouping?: RowGrouping): AuditFacts {
  const stats = createStats({
    context: byLength,
    recorded: true,
    calibrates: false,
    carries: false,
    keepsMessages: false,
    within: undefined,
    grouping,
    settled: undefined,
  });
  for (const transcript of openText(text).transcripts) stats.add(transcript, { file: 'a.jsonl', line: 1 });
  return stats.close().facts;
}
