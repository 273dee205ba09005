/** `stats` without files on a terminal: what the agents of this machine cost today, this week and this month. */
import { dayFunction } from '../../../engine/period.js';
import { createStats, groupingBy } from '../../../engine/stats/stats.js';
import { isTranscriptError } from '../../../errors.js';
import { homeTable, periodsBefore } from '../../../reports/home.js';
import { omissionLines } from '../../../reports/omissions.js';
import { safe } from '../../../safe/text.js';
import { currencyOf } from '../../../text/money.js';
import type { Config } from '../../config/config.js';
import { loadContext } from '../../context/context.js';
import { openInput } from '../../files/input.js';
import { collectOmissions } from '../../inputs/omissions.js';
import { sessionsHere } from '../../inputs/session-names.js';
import type { ExitCode } from '../../options/command.js';
import { paletteFor } from '../../outputs/colors.js';
import { createProgress } from '../../terminal/progress.js';
import { type Terminal, timeOf } from '../../terminal/terminal.js';
import type { StatsOptions } from './options.js';
import { recordedTaker } from './recorded.js';

export async function runHomeStats(options: StatsOptions, terminal: Terminal, config: Config): Promise<ExitCode> {
  const dayOf = dayFunction(options.timezone);
  const now = timeOf(terminal).getTime();
  const periods = periodsBefore(dayOf(now));
  const first = periods.map(({ since }) => since).sort()[0]!;
  const files = sessionsHere(terminal).filter(({ changed }) => dayOf(changed) >= first);
  const context = await loadContext(options, { priced: true }, config, terminal);
  const stats = createStats({
    context,
    recorded: true,
    calibrates: false,
    carries: false,
    keepsMessages: false,
    within: (time) => dayOf(time) >= first,
    grouping: groupingBy(['agent', 'day'], dayOf),
    settled: undefined,
  });
  const omissions = collectOmissions();
  const taker = recordedTaker(stats, { ...options, recorded: true }, terminal, omissions);
  const progress = createProgress({ items: files.length, what: 'session' }, terminal);
  for (const [index, { path }] of files.entries()) {
    progress.at(index);
    try {
      const input = await openInput({ name: path }, terminal);
      try {
        taker.take(input);
      } finally {
        input.close();
      }
    } catch (error) {
      if (!isTranscriptError(error)) throw error; // a file that is no session
    }
  }
  progress.clear();
  taker.close();
  const { groups } = stats.close().facts;
  const style = await paletteFor(terminal.stdout, terminal, options.color);
  const table = homeTable(groups, periods, { style, currency: currencyOf(options.currency) });
  terminal.stdout.write(safe`${table}${omissionLines(omissions, style)}`);
  return 0;
}
