import { createOverview } from '../../../engine/overview.js';
import { formats } from '../../../formats/index.js';
import { overviewText } from '../../../reports/overview.js';
import { safe } from '../../../safe/text.js';
import type { Config } from '../../config/config.js';
import { loadContext } from '../../context/context.js';
import { pickValues } from '../../context/values.js';
import { shownName } from '../../files/input.js';
import { collectOmissions } from '../../inputs/omissions.js';
import { forEachInput, openTranscripts } from '../../inputs/reading.js';
import { subagentsOf, typedName } from '../../inputs/session-names.js';
import type { ExitCode } from '../../options/command.js';
import { paletteFor } from '../../outputs/colors.js';
import type { Terminal } from '../../terminal/terminal.js';
import { openShownCheck } from '../check/open.js';
import { examined } from '../check/sessions.js';
import type { OverviewOptions } from './options.js';

/** Prints an overview of each input. */
export async function runOverview(
  words: readonly string[],
  options: OverviewOptions,
  terminal: Terminal,
  config: Config,
): Promise<ExitCode> {
  const { stdout } = terminal;
  const context = await loadContext(options, { priced: true }, config, terminal);
  const { default: usual } = await import('../check/index.js'); // loads only data
  const checking = { ...(await pickValues(usual.options, {}, config, terminal)), ...options };
  const style = await paletteFor(stdout, terminal, options.color);
  let separator = safe``;
  const good = await forEachInput(
    words,
    terminal,
    async (input) => {
      const check = await openShownCheck(checking, config, terminal);
      const overview = createOverview(shownName(input.name), context, check);
      const omissions = collectOmissions();
      const opened = openTranscripts(await examined(input, check), options, terminal, { omissions });
      let next = opened.next();
      for (; !next.done; next = opened.next()) overview.add(next.value.transcript, next.value.piece);
      for (const unread of omissions.unread) check.addUnread(unread);
      const facts = overview.close();
      const { id } = next.value.format;
      const format = formats.find((listed) => listed.id === id)!;
      const subagents = subagentsOf(input.name);
      const report = { ...facts, name: typedName(input.name), format, subagents, omissions };
      stdout.write(safe`${separator}${overviewText(report, style)}`);
      separator = safe`\n`;
    },
    options,
  );
  return good ? 0 : 2;
}
